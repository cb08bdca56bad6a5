"""Least squares over rounds of the same measurements, with intervals that hold for correlated ones.

The times of one round are A·θ plus noise (Moreno and Fischmeister, equations 7, 8 and 10). The
straight line of equations 4 and 5 is A with the columns N and 1. Every round has the same A, so
least squares over all rounds is the mean over rounds, W·(mean times) with W = (AᵗA)⁻¹Aᵗ.

An interval needs the variance of that mean, and the rounds × points of noise need not be
independent. A slow round shifts all its points. A point of a deterministic board is wrong by the
same amount in every round. So noise is a sum of three parts: one of the round, one of the point and
one of neither. The variance is clustered both ways (Cameron, Gelbach and Miller 2011, "Robust
inference with multiway clustering", equation 2.11). It is what point means leave of the fit, plus
how the rounds' own solutions scatter, less what both have counted. Consecutive rounds are taken in
10 batches (Schmeiser 1982, "Batch size effects"), so that they need not be independent either.
Degrees of freedom are Satterthwaite's (1946).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from cyclescope.quantity import Estimate
from cyclescope.stats.summary import Values, student

BATCHES = 10
TOLERANCE = 1e-12
"""Share of the largest time below which a residual is floating-point rounding."""

Kept = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Fit:
    """A solution. `combination` in its methods is a weight for each unknown: [1, 0] is the first.

    `weights` is W, `by_round` each round's own solution, `residuals` rounds × points (zero where a
    time was not kept), `resolution` one count of the clock, as in Observations.
    """

    values: Values
    weights: Values
    by_round: Values
    residuals: Values
    kept: int
    spread: float
    resolution: float

    def estimate(self, combination: npt.ArrayLike) -> Estimate:
        """The combination with its 95 % interval; infinite where nothing shows the noise."""
        c = np.asarray(combination, dtype=np.float64)
        variance, freedom = self._variance(c)
        half_width = student(freedom) * variance**0.5 if freedom else float("inf")
        return Estimate(float(c @ self.values), max(half_width, self.rounding(c)))

    def sigma(self, combination: npt.ArrayLike) -> float:
        """The standard error of the combination."""
        variance, freedom = self._variance(np.asarray(combination, dtype=np.float64))
        return variance**0.5 if freedom else float("inf")

    def least_sigma(self, combination: npt.ArrayLike) -> float:
        """The Gauss-Markov limit under the noise that belongs to neither round nor point."""
        c = np.asarray(combination, dtype=np.float64)
        variance, freedom = self._unshared(c)
        return variance**0.5 if freedom else self.sigma(c)

    def _variance(self, c: Values) -> tuple[float, float]:
        """Of the combination, and its degrees of freedom; none if nothing shows it."""
        points, rounds, unshared = self._of_points(c), self._of_rounds(c), self._unshared(c)
        if not unshared[1]:
            return points if points[1] else rounds
        parts = (points, rounds, unshared)
        variance = points[0] + rounds[0] - unshared[0]
        if variance <= unshared[0]:
            return unshared
        return variance, variance**2 / sum(part**2 / freedom for part, freedom in parts)

    def _of_points(self, c: Values) -> tuple[float, float]:
        """From how far the means of the points lie off the fit."""
        freedom = self._points - self._unknowns
        if freedom <= 0:
            return 0.0, 0.0
        squares = float(np.sum(self.residuals.mean(axis=0) ** 2)) * self._completed**2
        return squares / freedom * self._gain(c), freedom

    def _of_rounds(self, c: Values) -> tuple[float, float]:
        """From how the solutions of batches of rounds scatter."""
        if self._rounds < 2:
            return 0.0, 0.0
        own = (self.by_round - self.values) @ c * self._completed
        batches = np.array_split(own, BATCHES if self._rounds >= 2 * BATCHES else self._rounds)
        sums = np.array([batch.sum() for batch in batches])
        freedom = len(batches) - 1
        return float(np.sum(sums**2)) / self._rounds**2 * len(batches) / freedom, freedom

    def _unshared(self, c: Values) -> tuple[float, float]:
        """From what is left when the means of rounds and of points are subtracted."""
        freedom = (self._rounds - 1) * (self._points - self._unknowns) - self._rejected
        if self._rounds < 2 or freedom <= 0:
            return 0.0, 0.0
        left = self._left
        variance = float(np.sum(left**2)) / freedom
        return variance * self._gain(c) / self._rounds * self._completed, freedom

    @cached_property
    def _left(self) -> Values:
        return np.asarray(self.residuals - self.residuals.mean(axis=0))

    def _gain(self, c: Values) -> float:
        """cᵗ(AᵗA)⁻¹c: the variance for a unit of it in each point."""
        return float(np.sum((c @ self.weights) ** 2))

    def rounding(self, combination: npt.ArrayLike) -> float:
        """How far counts of the clock can be off, where they vary too little to average it out.

        Each time is known to less than a count to each side. Rounding alone leaves a variance of a
        twelfth of a count squared or more once phases vary; with less seen, all rounds err alike.
        """
        if self.spread >= self.resolution**2 / 12:
            return 0.0
        c = np.asarray(combination, dtype=np.float64)
        return self.resolution * float(np.sum(np.abs(c @ self.weights)))

    @property
    def _rounds(self) -> int:
        return int(self.residuals.shape[0])

    @property
    def _points(self) -> int:
        return int(self.residuals.shape[1])

    @property
    def _unknowns(self) -> int:
        return self.values.size

    @property
    def _rejected(self) -> int:
        return self.residuals.size - self.kept

    @property
    def _completed(self) -> float:
        """Times with those filled in, over times kept: what filling in hides of the scatter."""
        return self.residuals.size / self.kept


def fit(
    design: npt.ArrayLike, times: Values, resolution: float = 0.0, kept: Kept | None = None
) -> Fit:
    """Solves for the unknowns; `design` is points × unknowns of full rank, `times` rounds × points.

    >>> line = fit([[1, 1], [2, 1], [3, 1]], np.array([[15.0, 25.0, 35.0]]))
    >>> [round(value, 9) for value in line.values.tolist()], round(line.sigma([1, 0]), 9)
    ([10.0, 5.0], 0.0)
    """
    a = np.asarray(design, dtype=np.float64)
    if np.linalg.matrix_rank(a / _scale(a)) < a.shape[1]:
        raise ValueError("the measurements cannot separate all unknowns (singular system)")
    n = times.size if kept is None else int(kept.sum())
    complete = times if kept is None else np.where(kept, times, levelled(a, times, kept))
    weights = np.linalg.pinv(a / _scale(a)) / _scale(a)[:, None]
    values = weights @ complete.mean(axis=0)
    by_round = complete @ weights.T
    residuals = complete - by_round @ a.T
    rounding = TOLERANCE * float(np.max(np.abs(times)))
    still = np.abs(complete - complete.mean(axis=0)).max() <= rounding
    residuals[np.abs(residuals) <= rounding] = 0.0
    return Fit(
        values=values,
        weights=weights,
        by_round=np.broadcast_to(values, by_round.shape) if still else by_round,
        residuals=residuals,
        kept=n,
        spread=_spread(complete, residuals),
        resolution=resolution,
    )


def levelled(design: Values, times: Values, kept: Kept) -> Values:
    """Fits the kept times by least squares, with a level for each round.

    Filled in for a time that was not kept it pulls nowhere. So the fit of the completed rounds is
    that of the kept times (Yates 1933, on missing plots).
    """
    counts = kept.sum(axis=1, keepdims=True)
    share = kept / np.maximum(counts, 1)
    mean_row = share @ design
    mean_time = np.sum(share * times, axis=1)
    rows = design[None, :, :] - mean_row[:, None, :]
    square = np.einsum("rk,rki,rkj->ij", kept, rows, rows)
    product = np.einsum("rk,rki,rk->i", kept, rows, times - mean_time[:, None])
    slopes = np.linalg.pinv(square, hermitian=True) @ product
    level = mean_time - mean_row @ slopes
    # A round of which nothing was kept is as the others are.
    level = np.where(counts[:, 0] > 0, level, level[counts[:, 0] > 0].mean())
    return np.asarray(level[:, None] + design @ slopes)


def _spread(times: Values, residuals: Values) -> float:
    """The variance of a point from round to round; of one round, what it leaves of the fit."""
    if times.shape[0] > 1:
        return float(times.var(axis=0, ddof=1).mean())
    return float(np.mean(residuals**2))


def _scale(design: Values) -> Values:
    length = np.sqrt(np.sum(design**2, axis=0))
    return np.asarray(np.where(length == 0, 1.0, length))
