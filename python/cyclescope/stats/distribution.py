"""Distribution of times that must be answered for to their last one: quantiles and the tail.

Every quantile is a time that was seen (the inverse of the empirical distribution). Its interval
comes from the ranks alone and holds whatever the distribution: Conover, "Practical Nonparametric
Statistics" (1999), section 3.2. It supposes that the samples are independent.
"""

from dataclasses import dataclass

import numpy as np

from cyclescope.stats.summary import CONFIDENCE, Summary, Values, summarise

LEVELS = (0.5, 0.99, 0.999)
TAIL_POINTS = 300
"""The points of a tail that are drawn at most."""


@dataclass(frozen=True)
class Quantile:
    """The time that a share `level` of the samples does not exceed; an open end is not a number."""

    level: float
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Distribution:
    """n times in one unit: mean, deviation, extremes, and the quantiles of `LEVELS`."""

    summary: Summary
    quantiles: tuple[Quantile, ...]

    @property
    def median(self) -> Quantile:
        return self.quantiles[0]

    @property
    def p99(self) -> Quantile:
        return self.quantiles[1]

    @property
    def p999(self) -> Quantile:
        return self.quantiles[2]


def quantile(values: Values, level: float) -> Quantile:
    """One quantile with its 95 % interval.

    >>> quantile(np.arange(1.0, 1001.0), 0.99)
    Quantile(level=0.99, value=990.0, low=983.0, high=997.0)
    >>> quantile(np.array([7.0, 7.0]), 0.5).value
    7.0
    """
    # Loaded late: scipy.stats takes a second.
    from scipy import stats

    value = float(np.quantile(values, level, method="inverted_cdf"))
    tested = stats.quantile_test(values, q=value, p=level)
    ends = tested.confidence_interval(confidence_level=CONFIDENCE)
    return Quantile(level, value, float(ends.low), float(ends.high))


def distribution(values: Values) -> Distribution:
    """Returns the distribution of one or more samples."""
    return Distribution(summarise(values), tuple(quantile(values, level) for level in LEVELS))


def tail(values: Values) -> tuple[Values, Values]:
    """The share of samples that are at least as long, over the time: all of it in few points.

    Equal times are one point. Of many different ones the longest all stay, and fewer and fewer of
    the others, as evenly as their shares lie on a logarithmic scale.

    >>> times, shares = tail(np.array([3.0, 5.0, 3.0, 4.0]))
    >>> times.tolist(), shares.tolist()
    ([3.0, 4.0, 5.0], [1.0, 0.5, 0.25])
    """
    times, counts = np.unique(values, return_counts=True)
    at_least = np.cumsum(counts[::-1])[::-1]
    shares = at_least / values.size
    if times.size <= TAIL_POINTS:
        return times, shares
    ranks = np.unique(np.geomspace(1, values.size, TAIL_POINTS).astype(int))
    chosen = np.unique(np.searchsorted(-at_least, -ranks, side="left").clip(0, times.size - 1))
    return times[chosen], shares[chosen]
