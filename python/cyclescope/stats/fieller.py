"""Two means with their standard errors: the ratio's interval by Fieller's theorem, and its test.

The hypothesis second = factor · first + offset has t = (second - factor · first - offset) / s on
Welch's (1947) degrees of freedom. Here s² is the sum of both variances, the first's times factor².
Fieller (1954, section 4) inverts that test over the factor, so that interval and test agree. They
agree also where a mean is not far from zero: there the interval has no ends, and is not a number.
"""

import math
from dataclasses import dataclass

from cyclescope.stats.ratio import Ratio
from cyclescope.stats.summary import Summary, student


@dataclass(frozen=True)
class Mean:
    """A mean, its standard error and the degrees of freedom of that."""

    value: float
    standard_error: float
    freedom: float

    @classmethod
    def of(cls, summary: Summary) -> "Mean":
        """Returns mean and error of samples; one sample has no error."""
        if summary.n < 2:
            return cls(summary.mean, math.inf, 1)
        return cls(summary.mean, summary.standard_error, summary.n - 1)


def interval(first: Mean, second: Mean) -> Ratio:
    """second / first with its 95 % interval.

    >>> interval(Mean(10, 0.1, 20), Mean(20, 0.3, 20)).value
    2.0
    >>> interval(Mean(10, 5, 20), Mean(20, 0.3, 20)).low
    nan
    """
    if first.value <= 0 or second.value <= 0:
        return Ratio(math.nan, math.nan, math.nan)
    value = second.value / first.value
    variances = first.standard_error**2, second.standard_error**2
    if not all(map(math.isfinite, variances)):
        return Ratio(value, math.nan, math.nan)
    t = student(_freedom(first, second, value)) if any(variances) else 0.0
    g = t**2 * variances[0] / first.value**2
    if g >= 1:
        return Ratio(value, math.nan, math.nan)
    half = t / first.value * math.sqrt((1 - g) * variances[1] + value**2 * variances[0])
    return Ratio(value, (value - half) / (1 - g), (value + half) / (1 - g))


def p_above(first: Mean, second: Mean, factor: float = 1.0, offset: float = 0.0) -> float:
    """How likely so great a second mean is by chance if it is but factor · first + offset.

    >>> p_above(Mean(10, 0, 5), Mean(10, 0, 5)), p_above(Mean(10, 0, 5), Mean(11, 0, 5))
    (1.0, 0.0)
    """
    return _tail(first, second, factor, second.value - factor * first.value - offset)


def p_below(first: Mean, second: Mean, factor: float = 1.0, offset: float = 0.0) -> float:
    """How likely so small a second mean is by chance if it is as much as factor · first + offset.

    >>> p_below(Mean(10, 0, 5), Mean(9, 0, 5)), p_below(Mean(10, 0, 5), Mean(9, 0, 5), 0.9)
    (0.0, 1.0)
    """
    return _tail(first, second, factor, factor * first.value + offset - second.value)


def _tail(first: Mean, second: Mean, factor: float, beyond: float) -> float:
    # Loaded late: processes that only measure never need it, and it is slow to load.
    from scipy import special

    error = math.hypot(factor * first.standard_error, second.standard_error)
    if not math.isfinite(error):
        return math.nan
    if error == 0:
        return 0.0 if beyond > 0 else 1.0
    return float(special.stdtr(_freedom(first, second, factor), -beyond / error))


def p_different(first: Mean, second: Mean) -> float:
    """How likely so great a difference is by chance if the two are equal.

    >>> p_different(Mean(10, 0, 5), Mean(10, 0, 5)), p_different(Mean(11, 0, 5), Mean(10, 0, 5))
    (1.0, 0.0)
    """
    return min(1.0, 2 * min(p_above(first, second), p_below(first, second)))


def _freedom(first: Mean, second: Mean, factor: float) -> float:
    """Welch's degrees of freedom of second - factor · first."""
    parts = (
        ((factor * first.standard_error) ** 2, first.freedom),
        (second.standard_error**2, second.freedom),
    )
    below = sum(part**2 / degrees for part, degrees in parts)
    return sum(part for part, _ in parts) ** 2 / below
