"""Straight lines that meet at knees (Brandolese and Fornaciari, section 3), one knee or two.

Knees are found exactly (stats/segmented.py). Intervals, those of the knees among them, come from
the law made linear in its coefficients at the optimum. See Muggeo, "Estimating regression models
with unknown break-points" (2003), section 2.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from cyclescope.laws.model import (
    CannotFit,
    Coefficient,
    Fitted,
    Goodness,
    Model,
    Points,
    Segment,
    half_width,
)
from cyclescope.quantity import Estimate
from cyclescope.stats.segmented import Segmented, best_segments
from cyclescope.stats.summary import Values

ALIKE = 4
"""Neighbouring gaps with the same result. With it simulated lines of 5 to 16 points in noise get a
knee once in a hundred, as an F-test at 1 % should (tests/test_piecewise.py)."""

MOST_X = 40
"""For two knees, as many places as there are pairs of x are tried: more x take one knee at most."""


@dataclass(frozen=True)
class PiecewiseFit(Fitted):
    """t = m1·x + q up to the first knee, then on with the next slope."""

    model = "piecewise linear"

    @property
    def knees(self) -> tuple[float, ...]:
        """Where one segment meets the next."""
        return tuple(one.end for one in self.segments[:-1])

    def gradient(self, x: float) -> Values:
        return _gradient(x, [one.m for one in self.segments], list(self.knees))


def _gradient(x: float, slopes: list[float], knees: list[float]) -> Values:
    """By m1, q, then each knee and the slope behind it."""
    edges = [-np.inf, *knees, np.inf]
    runs = [
        min(x, high) - (low if np.isfinite(low) else 0.0) if x > low else 0.0
        for low, high in pairwise(edges)
    ]
    found = [runs[0], 1.0]
    for at, knee in enumerate(knees):
        found += [slopes[at] - slopes[at + 1] if x > knee else 0.0, runs[at + 1]]
    return np.array(found)


class Piecewise(Model):
    """So many knees; each takes two coefficients: where it is, and the slope behind it."""

    def __init__(self, knees: int) -> None:
        self.knees = knees
        self.name = f"piecewise linear, {knees} knee{'s' if knees > 1 else ''}"
        self.parameters = 2 + 2 * knees

    def places(self, points: Points) -> float:
        """One for every ALIKE gaps between neighbouring x in which a knee can lie."""
        gaps = np.unique(points.x).size - 3
        return float(max(gaps / ALIKE, 1.0) ** self.knees)

    def fit(self, points: Points, unit: str) -> PiecewiseFit:
        if self.knees > 1 and np.unique(points.x).size > MOST_X:
            raise CannotFit(f"more than {MOST_X} values of x")
        found = best_segments(points.x, points.cycles, self.knees)
        if found is None:
            raise CannotFit(f"{np.unique(points.x).size} values of x bear no {self.knees} knees")
        return self._fitted(points, unit, found)

    def _fitted(self, points: Points, unit: str, found: Segmented) -> PiecewiseFit:
        edges = [float(points.x.min()), *found.knees, float(points.x.max())]
        segments = tuple(
            Segment(begin, end, m, q)
            for (begin, end), m, q in zip(
                pairwise(edges), found.slopes, found.intercepts, strict=True
            )
        )
        freedom = points.x.size - self.parameters
        slopes, knees = list(found.slopes), list(found.knees)
        jacobian = np.stack([_gradient(float(x), slopes, knees) for x in points.x])
        lines = np.array([_time(segments, float(x)) for x in points.x])
        goodness = Goodness.of(points, points.cycles - lines, freedom)
        covariance = np.linalg.pinv(jacobian.T @ jacobian) * goodness.sigma**2
        values = [slopes[0], found.intercepts[0]]
        names, units = ["m1", "q"], [f"cycles/{unit}", "cycles"]
        for at, knee in enumerate(knees):
            values += [knee, slopes[at + 1]]
            names += [f"knee{at + 1}", f"m{at + 2}"]
            units += [unit, f"cycles/{unit}"]
        return PiecewiseFit(
            coefficients=tuple(
                Coefficient(name, Estimate(value, half_width(float(variance), freedom)), counted)
                for name, value, variance, counted in zip(
                    names, values, np.diag(covariance), units, strict=True
                )
            ),
            segments=segments,
            covariance=tuple(tuple(row) for row in covariance.tolist()),
            freedom=freedom,
            residual_sigma=goodness.sigma,
            residual_squares=goodness.squares,
            max_residual=goodness.greatest,
            r_squared=goodness.r_squared,
            n=int(points.x.size),
            sample_sigma=points.sample_sigma,
        )


def _time(segments: tuple[Segment, ...], x: float) -> float:
    return next((one for one in segments if x <= one.end), segments[-1]).at(x)


MODELS = (Piecewise(1), Piecewise(2))
