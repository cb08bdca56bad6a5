"""Model: a law fitted to the net times of a case, and the rule that chooses between laws."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from cyclescope import members
from cyclescope.quantity import Estimate
from cyclescope.stats.summary import Values

SIGNIFICANCE = 0.01


@dataclass(frozen=True)
class Points:
    """Net mean cycles at each parameter value, one point per run.

    The samples at one x of a deterministic board are repetitions, not independent observations:
    counting each would make every interval look better than it is. `resolution` is the cycles in
    one count of the timer.
    """

    x: Values
    cycles: Values
    resolution: float = 1.0


@dataclass(frozen=True)
class Coefficient:
    """One number of a law with its 95 % interval and what it is counted in."""

    name: str
    estimate: Estimate
    unit: str


class Fitted(ABC):
    """A law with its coefficients; `residual_sigma` is on n - k degrees of freedom."""

    model: str
    coefficients: tuple[Coefficient, ...]
    residual_sigma: float
    r_squared: float
    residual_squares: float
    n: int

    @abstractmethod
    def predict(self, x: float) -> Estimate:
        """The law's mean at x with its 95 % interval."""

    @property
    def parameters(self) -> int:
        """How many coefficients the law has."""
        return len(self.coefficients)


class Model(ABC):
    """A form of law. A member of `models/` offers one instance named `MODEL`."""

    name: str
    parameters: int

    @abstractmethod
    def fit(self, points: Points, unit: str) -> Fitted:
        """Fits by least squares; needs more distinct x than parameters."""


def all_models() -> list[Model]:
    """Every model of the folder, simplest first."""
    import cyclescope.models as folder

    found = [members.load(folder, name).MODEL for name in members.names(folder)]
    return sorted(found, key=lambda model: (model.parameters, model.name))


def choose(points: Points, unit: str, models: Sequence[Model] | None = None) -> Fitted:
    """Fits from the simplest law up; a richer one must earn its coefficients.

    It replaces the best so far only if the F-test on their residual sums of squares rejects the
    simpler at 1 %. Residuals count for no less than rounding to whole timer counts leaves
    (resolution squared over 12 per point), so a perfect fit cannot divide by zero and a slope that
    moves less than a count is no slope.
    """
    candidates = [
        model
        for model in (models or all_models())
        if model.parameters == 1 or len(set(points.x)) > model.parameters
    ]
    best = candidates[0].fit(points, unit)
    for model in candidates[1:]:
        richer = model.fit(points, unit)
        if _rejects(best, richer, points):
            best = richer
    return best


def _rejects(simple: Fitted, rich: Fitted, points: Points) -> bool:
    floor = points.x.size * points.resolution**2 / 12
    gained = rich.parameters - simple.parameters
    freedom = points.x.size - rich.parameters
    if gained <= 0 or freedom <= 0:
        return False
    explained = (simple.residual_squares - rich.residual_squares) / gained
    ratio = explained / (max(rich.residual_squares, floor) / freedom)
    return bool(stats.f.sf(ratio, gained, freedom) < SIGNIFICANCE)


def r_squared(points: Points, residual_squares: float) -> float:
    """Share of the variation that the law explains; 1 where there is no variation to explain."""
    total = float(np.sum((points.cycles - points.cycles.mean()) ** 2))
    return 1.0 if total == 0 else 1 - residual_squares / total
