"""Quartiles, and how well samples determine the median, whatever their distribution.

The variance of the median is that of Price and Bonett (2001, Journal of Statistical Computation and
Simulation 68, "Estimating the variance of the sample median"). It is the distance of two order
statistics c places from either end, over twice the normal quantile of the chance that the median
lies between them. That chance is binomial, so the distribution of the samples does not enter; that
they are independent does.
"""

import math
from dataclasses import dataclass

import numpy as np

from cyclescope.stats.summary import Values

FEWEST = 5
"""With fewer samples no order statistics bound the median with any confidence."""


@dataclass(frozen=True)
class Quartiles:
    """Between `lower` and `upper` lies the middle half of n samples, in their own unit.

    `standard_error` is that of the median.
    """

    n: int
    lower: float
    median: float
    upper: float
    standard_error: float

    @property
    def spread(self) -> float:
        """Distance of the quartiles."""
        return self.upper - self.lower


def quartiles(values: Values) -> Quartiles:
    """Quartiles of samples, without an assumption on their distribution.

    >>> quartiles(np.array([10.0, 12.0, 11.0, 13.0, 900.0])).median
    12.0
    """
    if values.size == 0:
        raise ValueError("no samples to summarise")
    ordered = np.sort(values)
    lower, median, upper = (float(one) for one in np.percentile(ordered, (25, 50, 75)))
    return Quartiles(values.size, lower, median, upper, _standard_error(ordered))


def _standard_error(ordered: Values) -> float:
    # Loaded late: processes that only measure never need it, and it is slow to load.
    from scipy import special

    n = ordered.size
    if n < FEWEST:
        return math.inf
    place = max(round((n + 1) / 2 - n**0.5), 1)
    tail = float(special.bdtr(place - 1, n, 0.5))
    distance = float(ordered[n - place] - ordered[place - 1])
    return distance / (2 * float(special.ndtri(1 - tail)))
