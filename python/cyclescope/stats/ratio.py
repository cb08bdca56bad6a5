"""Ratio of two means with a 95 % interval, by the delta method on their logarithms.

The variance of ln(a/b) is the sum of the relative variances of the two means, to first order; its
degrees of freedom are Welch's (1947). The interval is not symmetric about the ratio.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cyclescope.stats.summary import Summary, student


@dataclass(frozen=True)
class Ratio:
    """A ratio and the ends of its interval; an end that is not known is not a number."""

    value: float
    low: float
    high: float

    @property
    def differs(self) -> bool:
        """Whether the interval leaves out 1."""
        return self.low > 1 or self.high < 1


def ratio(above: Sequence[Summary], below: Sequence[Summary]) -> Ratio:
    """The product of the means above by the product of those below; all must be positive.

    >>> ratio([Summary(9, 20.0, 0.0, 20.0, 20.0)], [Summary(9, 10.0, 0.0, 10.0, 10.0)])
    Ratio(value=2.0, low=2.0, high=2.0)
    """
    value = math.prod(one.mean for one in above) / math.prod(one.mean for one in below)
    everyone = [*above, *below]
    if any(one.n < 2 for one in everyone):
        return Ratio(value, math.nan, math.nan)
    parts = [((one.standard_error / one.mean) ** 2, one.n - 1) for one in everyone]
    variance = sum(part for part, _ in parts)
    if variance == 0:
        return Ratio(value, value, value)
    freedom = variance**2 / sum(part**2 / degrees for part, degrees in parts)
    spread = math.exp(student(freedom) * math.sqrt(variance))
    return Ratio(value, value / spread, value * spread)
