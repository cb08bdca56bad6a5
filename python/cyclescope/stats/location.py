"""Where a sample lies, whatever a few far values do: trimmed mean and median, with 95 % intervals.

Moreno and Fischmeister, sections 3.1 and 4.1, take either of the differences of their measurements.
"""

import math

import numpy as np

from cyclescope.quantity import Estimate
from cyclescope.stats.least_squares import Kept
from cyclescope.stats.summary import CONFIDENCE, Values, student

TRIMMED = 0.1
"""Share rejected at each end. For Gaussian noise it costs 3 % of precision; it bears one far value
in ten on either side."""


def inner(values: Values, resolution: float = 0.0) -> Kept:
    """Which values are neither among the lowest nor the highest tenth; equal values go together.

    Differences within two counts of a clock around the median stay. Rounding alone moves the
    difference of two times so far. Which side it goes to more often is the fraction of a count.
    """
    cut, ordered = int(TRIMMED * values.size), np.sort(values)
    low, high = ordered[cut], ordered[values.size - cut - 1]
    rounding = 2 * resolution
    middle = float(np.median(ordered))
    least, most = min(low, middle - rounding), max(high, middle + rounding)
    return np.asarray((least <= values) & (values <= most))


def trimmed_mean(values: Values, kept: Kept) -> tuple[Estimate, float]:
    """The mean of the kept values, and its standard error.

    Tukey and McLaughlin (1963): the others count as the last that are kept on their side
    (winsorised variance). The interval is Student's, on as many degrees of freedom as are kept,
    less one.

    >>> values = np.array([1.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 99.0])
    >>> trimmed_mean(values, inner(values))
    (Estimate(value=10.0, half_width=0.0), 0.0)
    """
    left = values[kept]
    mean = float(left[0] + (left - left[0]).mean())
    if left.size < 2:
        return Estimate(mean, math.inf), math.inf
    winsorised = np.clip(values, left.min(), left.max()) - left[0]
    sigma = float(winsorised.std(ddof=1)) * values.size**0.5 / left.size
    return Estimate(mean, student(left.size - 1) * sigma), sigma


def median(values: Values) -> Estimate:
    """The median; its interval is that of order statistics, free of any assumption on the shape.

    The further of the two ends is given as half-width, for intervals here are symmetrical.
    """
    from scipy import stats

    ordered = np.sort(values)
    middle = float(np.median(ordered))
    rank = int(stats.binom.ppf((1 - CONFIDENCE) / 2, values.size, 0.5))
    if rank < 1:
        return Estimate(middle, math.inf)
    low, high = float(ordered[rank - 1]), float(ordered[values.size - rank])
    return Estimate(middle, max(middle - low, high - middle))
