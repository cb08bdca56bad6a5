"""Exact partition of values on a line into peaks, their number chosen by a penalty.

Each peak is Gaussian with its own spread and share. The cost of a partition is minus twice its
classification likelihood, with the price of an integrated completed likelihood. See Biernacki,
Celeux and Govaert (2000), equations 5 to 7; a peak has three coefficients. In one dimension the
best peaks are intervals between sorted values, so that dynamic programming (Fisher, 1958) finds the
optimum and not a local one.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from cyclescope.stats.summary import Values

COEFFICIENTS = 3
"""Of one peak: place, spread, share."""

Labels = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Partition:
    """The best partition into 1, 2, 3 … peaks: its cost, and the least value of each peak."""

    costs: tuple[float, ...]
    begins: tuple[tuple[float, ...], ...]

    @property
    def best(self) -> int:
        """The number of peaks of least cost."""
        return int(np.argmin(self.costs)) + 1

    def labels(self, values: Values, peaks: int) -> Labels:
        """The peak of each value, counted from the lowest."""
        return np.searchsorted(np.array(self.begins[peaks - 1]), values, side="right") - 1


def partition(values: Values, least_sigma: float, most: int) -> Partition:
    """Partitions into up to `most` peaks; a peak counts for no narrower than `least_sigma`.

    Two equal peaks must differ by four times that to be two: a split gains ln(d / 2σ) for
    each value and pays ln 2 for the choice.

    >>> partition(np.array([100.0] * 50 + [120.0] * 50), 1.0, 5).best
    2
    >>> partition(np.array([100.0] * 50 + [103.0] * 50), 1.0, 5).best
    1
    """
    places, counts = np.unique(values, return_counts=True)
    most = min(most, places.size)
    cost = _interval_costs(places, counts, least_sigma)
    best, cuts = cost[0], [np.zeros(places.size, dtype=np.intp)]
    costs = [float(best[-1])]
    for _ in range(1, most):
        # The last peak begins at i; all before it is parted as well as one peak less can.
        through = np.concatenate(([np.inf], best[:-1]))[:, None] + cost
        cuts.append(np.argmin(through, axis=0))
        best = np.min(through, axis=0)
        costs.append(float(best[-1]))
    begins = tuple(tuple(places[_begins(cuts[: k + 1])].tolist()) for k in range(most))
    return Partition(tuple(costs), begins)


def _interval_costs(places: Values, counts: Labels, least_sigma: float) -> Values:
    """Cost of a peak from place i to place j, infinite for i > j."""
    centred = places - places.mean()
    n = _sums(counts.astype(np.float64))
    first, second = _sums(counts * centred), _sums(counts * centred**2)
    total = float(counts.sum())
    upper = np.triu(np.ones(n.shape, dtype=np.bool_))
    size = np.where(upper, n, 1.0)
    variance = np.maximum(second / size - (first / size) ** 2, least_sigma**2)
    found = size * np.log(variance) - 2 * size * np.log(size / total)
    return np.where(upper, found + COEFFICIENTS * np.log(total), np.inf)


def _sums(values: Values) -> Values:
    """Sum over i … j for every pair, by differences of running sums."""
    running = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray(running[None, 1:] - running[:-1, None])


def _begins(cuts: list[Labels]) -> list[int]:
    """Where each peak of the best partition begins, read back from the last place."""
    end, begins = cuts[0].size - 1, []
    for cut in reversed(cuts):
        begins.append(int(cut[end]))
        end = begins[-1] - 1
    assert all(low < high for low, high in pairwise(begins[::-1]))
    return begins[::-1]


def best_cut(values: Values) -> float:
    """Where two parts have the least squares about their means."""
    ordered = np.sort(values)
    n, running = np.arange(1, ordered.size), np.cumsum(ordered)[:-1]
    total = float(ordered.sum())
    between = running**2 / n + (total - running) ** 2 / (ordered.size - n)
    between[ordered[1:] == ordered[:-1]] = -np.inf
    return float(ordered[int(np.argmax(between))])
