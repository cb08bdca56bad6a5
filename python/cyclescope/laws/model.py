"""Model: a law fitted to the net times of a case, and the rule that chooses between laws.

The forms are those of Brandolese and Fornaciari, section 3: constant, linear, piecewise linear. The
zero of x is that of the parameter itself, measured or not: q is the time there.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from cyclescope import plugins
from cyclescope.quantity import ROUNDING, Estimate
from cyclescope.stats.summary import Values, student, tail_of_f

SIGNIFICANCE = 0.01


@dataclass(frozen=True)
class Points:
    """Net mean cycles at each parameter value, one point per run.

    The samples at one x of a deterministic board are repetitions, not independent observations:
    counting each would make every interval look better than it is. `resolution` is the cycles in
    one count of the timer, `sample_sigma` how far single calls lie from the mean at their x.
    """

    x: Values
    cycles: Values
    resolution: float = 1.0
    sample_sigma: float = 0.0


class CannotFit(Exception):
    """The points are too few for a form of law."""


@dataclass(frozen=True)
class Coefficient:
    """One number of a law with its 95 % interval and what it is counted in."""

    name: str
    estimate: Estimate
    unit: str


@dataclass(frozen=True)
class Segment:
    """t = m·x + q for begin ≤ x ≤ end, in cycles; q is extrapolated to x = 0."""

    begin: float
    end: float
    m: float
    q: float

    def at(self, x: float) -> float:
        """Cycles at x."""
        return self.m * x + self.q


@dataclass(frozen=True)
class Check:
    """The check of a law, at so many points that no fit has seen. `worst` is the greatest share of
    a time by which it was off at one of them, `tolerance` the limit. `fitted` points made the
    law."""

    fitted: int
    held_out: int
    worst: float
    tolerance: float


@dataclass(frozen=True)
class Fitted(ABC):
    """A law: straight segments that meet, and the uncertainty of its coefficients.

    `covariance` is of the coefficients in their order, on `freedom` degrees of freedom.
    `residual_sigma` is of the points about the law, on as many. `sample_sigma` is of single calls
    about their mean at one x. `domain` is the least and greatest x that were measured.
    `lack_of_fit` is the p-value of clustering.judged, where there were samples to judge by.
    `r_squared` is None of a constant, and where there is no variation to explain. `step` is the
    distance of the x that the law is about; `check` what it was held against.
    """

    coefficients: tuple[Coefficient, ...]
    segments: tuple[Segment, ...]
    covariance: tuple[tuple[float, ...], ...]
    freedom: int
    residual_sigma: float
    residual_squares: float
    max_residual: float
    r_squared: float | None
    n: int
    sample_sigma: float
    lack_of_fit: float | None = None
    step: int = 1
    check: Check | None = None

    @property
    def model(self) -> str:
        """Its form, by name."""
        raise NotImplementedError

    @abstractmethod
    def gradient(self, x: float) -> Values:
        """How the time at x moves with each coefficient."""

    @property
    def parameters(self) -> int:
        """How many coefficients the law has."""
        return len(self.coefficients)

    @property
    def domain(self) -> tuple[float, float]:
        """The least and greatest x that were measured."""
        return self.segments[0].begin, self.segments[-1].end

    def at(self, x: float) -> float:
        """Cycles at x, of the segment that x lies in or next to."""
        return next((one for one in self.segments if x <= one.end), self.segments[-1]).at(x)

    def predict(self, x: float) -> Estimate:
        """The law's mean at x with its 95 % interval."""
        return Estimate(self.at(x), self._half_width(self._variance(x, self.covariance)))

    def predict_new(self, x: float) -> Estimate:
        """The time of one call more at x, with its 95 % prediction interval."""
        scatter = self.residual_sigma**2 + self.sample_sigma**2
        variance = self._variance(x, self.covariance) + scatter
        return Estimate(self.at(x), self._half_width(variance))

    def _variance(self, x: float, covariance: tuple[tuple[float, ...], ...]) -> float:
        gradient = self.gradient(x)
        return float(gradient @ np.array(covariance) @ gradient)

    def _half_width(self, variance: float) -> float:
        return half_width(variance, self.freedom)

    def over(self, x: Values) -> "Band":
        """The same at many x at once."""
        gradients = self.gradients(x)
        variances = np.sum(gradients @ np.array(self.covariance) * gradients, axis=1)
        scatter = self.residual_sigma**2 + self.sample_sigma**2
        half_widths = [
            np.array([self._half_width(one) for one in (variances + more).tolist()])
            for more in (0.0, scatter)
        ]
        return Band(self.values(x), *half_widths)

    def values(self, x: Values) -> Values:
        """Cycles at each x."""
        return np.array([self.at(one) for one in x.tolist()])

    def gradients(self, x: Values) -> Values:
        """A row for each x."""
        return np.stack([self.gradient(one) for one in x.tolist()])


@dataclass(frozen=True)
class Band:
    """A law over many x: its mean, and the half-widths of the 95 % intervals of the mean and of one
    call more."""

    mean: Values
    of_mean: Values
    of_new: Values


def half_width(variance: float, freedom: float) -> float:
    """Of a 95 % interval; unknown without degrees of freedom, and 0 where it is but rounding.

    >>> half_width(1e-62, 9), round(half_width(4.0, 9), 2)
    (0.0, 4.52)
    """
    if freedom < 1 or not np.isfinite(variance):
        return float("inf")
    wide = student(freedom) * math.sqrt(max(variance, 0.0))
    return wide if wide > ROUNDING else 0.0


@dataclass(frozen=True)
class ConstantFit(Fitted):
    """t = q."""

    model = "constant"

    def gradient(self, x: float) -> Values:
        return np.ones(1)


@dataclass(frozen=True)
class LinearFit(Fitted):
    """t = m·x + q."""

    model = "linear"

    def gradient(self, x: float) -> Values:
        return np.array([x, 1.0])


def constant_of(estimate: Estimate, n: int, sample_sigma: float) -> ConstantFit:
    """The law of a case without a parameter: its net time, of n calls, whatever x."""
    freedom = n - 1
    error = estimate.half_width / student(freedom) if freedom > 0 else np.inf
    return ConstantFit(
        coefficients=(Coefficient("q", estimate, "cycles"),),
        segments=(Segment(0.0, 0.0, 0.0, estimate.value),),
        covariance=((error**2,),),
        freedom=freedom,
        residual_sigma=0.0,
        residual_squares=0.0,
        max_residual=0.0,
        r_squared=None,
        n=1,
        sample_sigma=sample_sigma,
    )


class Model(ABC):
    """A form of law. A plugin in `models/` offers its own as `MODELS`."""

    name: str
    parameters: int

    @abstractmethod
    def fit(self, points: Points, unit: str) -> Fitted:
        """Fits by least squares; needs more distinct x than parameters.

        CannotFit if x is not spread well enough for this form.
        """

    def places(self, points: Points) -> float:
        """In how many places, independent of each other, the best fit was looked for."""
        return 1.0


@cache
def all_models() -> tuple[Model, ...]:
    """Every model of the folder, simplest first."""
    found: list[Model] = []
    for name in plugins.names("cyclescope.laws.models"):
        found += plugins.load("cyclescope.laws.models", name).MODELS
    return tuple(sorted(found, key=lambda model: (model.parameters, model.name)))


POINTS_EACH = 3
"""Points that a law of a case must have for each of its coefficients."""


def choose(
    points: Points,
    unit: str,
    models: Sequence[Model] | None = None,
    points_each: int = 1,
) -> Fitted:
    """Fits from the simplest law up; a richer one must earn its coefficients.

    A richer law needs more values of x than coefficients, and at least `points_each` values for
    each coefficient. It replaces the best so far only if the F-test on their residual sums of
    squares rejects the simpler at 1 %. Where a knee was looked for in several places, it is 1 % of
    all of them together (Bonferroni). Residuals count for no less than rounding to whole timer
    counts leaves (resolution squared over 12 per point). So a perfect fit cannot divide by zero,
    and a slope that moves less than a count is no slope.
    """
    candidates = [
        model
        for model in (models or all_models())
        if model.parameters == 1 or _bear(points, model, points_each)
    ]
    best = candidates[0].fit(points, unit)
    for model in candidates[1:]:
        if best.residual_squares <= _rounding(points):
            break
        try:
            richer = model.fit(points, unit)
        except CannotFit:
            continue
        if _tail(best, richer, points) * model.places(points) < SIGNIFICANCE:
            best = richer
    return best


def _bear(points: Points, model: Model, points_each: int) -> bool:
    count = len(set(points.x))
    return count > model.parameters and count >= points_each * model.parameters


def _rounding(points: Points) -> float:
    """Residual squares that rounding to whole counts leaves."""
    return points.x.size * points.resolution**2 / 12


def _tail(simple: Fitted, rich: Fitted, points: Points) -> float:
    """How likely the richer law is so much better by chance."""
    gained = rich.parameters - simple.parameters
    freedom = points.x.size - rich.parameters
    if gained <= 0 or freedom <= 0:
        return 1.0
    explained = (simple.residual_squares - rich.residual_squares) / gained
    ratio = explained / (max(rich.residual_squares, _rounding(points)) / freedom)
    return tail_of_f(ratio, gained, freedom)


@dataclass(frozen=True)
class Goodness:
    """How well a law describes its points."""

    squares: float
    sigma: float
    r_squared: float | None
    greatest: float

    @classmethod
    def of(cls, points: Points, residuals: Values, freedom: int) -> "Goodness":
        """From the residuals; there is no R² where there is no variation to explain."""
        squares = float(np.sum(residuals**2))
        total = float(np.sum((points.cycles - points.cycles.mean()) ** 2))
        sigma = (squares / freedom) ** 0.5 if freedom > 0 else 0.0
        varies = float(np.ptp(points.cycles)) > ROUNDING
        explained = 1 - squares / total if varies else None
        return cls(squares, sigma, explained, float(np.max(np.abs(residuals))))
