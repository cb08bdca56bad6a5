"""Does a score move with the number of tasks? A straight line, and a verdict by equivalence.

Huang et al., section IV.B, look at Figure 9 and say that the scores increase, but little. Here
"little" is stated: the change of the line over the measured range, with its 95 % interval, against
TOLERANCE of the line's value at the fewest tasks.

    constant    the whole interval of the change lies within the tolerance
    grows       the whole interval lies above the tolerance
    falls       the whole interval lies below it, on the other side
    undecided   the interval reaches across a tolerance, or there are fewer than three points

A change that is surely there but small is constant: "within 5 %" is the claim, not "none".
"""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from cyclescope.quantity import ROUNDING, Estimate
from cyclescope.stats.summary import Values, student

TOLERANCE = 0.05


class TrendVerdict(StrEnum):
    """How a score moves with the number of tasks."""

    CONSTANT = "constant"
    GROWS = "grows"
    FALLS = "falls"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Trend:
    """A straight line through a curve's points.

    `slope` is for each task more, `change` over the whole range, `limit` what it is compared with.
    `residual_sigma` (n - 2) states how well a straight line describes the points at all.
    """

    slope: Estimate
    intercept: float
    change: Estimate
    limit: float
    residual_sigma: float
    n: int
    verdict: TrendVerdict


def trend(x: Values, y: Values) -> Trend | None:
    """Fits and judges; None if all points have the same x.

    >>> trend(np.array([0.0, 4.0, 8.0]), np.array([2.0, 2.0, 2.0])).verdict
    <TrendVerdict.CONSTANT: 'constant'>
    >>> found = trend(np.array([0.0, 4.0, 8.0, 16.0]), np.array([2.0, 2.4, 2.8, 3.6]))
    >>> round(found.slope.value, 3), found.verdict
    (0.1, <TrendVerdict.GROWS: 'grows'>)
    """
    span = float(np.ptp(x)) if x.size else 0.0
    if span == 0:
        return None
    # Loaded late: scipy.stats takes a second.
    from scipy import stats

    line = stats.linregress(x, y)
    slope, intercept, n = float(line.slope), float(line.intercept), int(x.size)
    residuals = y - (intercept + slope * x)
    if n < 3:
        sigma, half = math.nan, math.inf
    else:
        sigma = float(np.sqrt(np.sum(residuals**2) / (n - 2)))
        half = student(n - 2) * sigma / float(np.sqrt(np.sum((x - x.mean()) ** 2)))
    change = Estimate(slope * span, half * span)
    limit = TOLERANCE * abs(intercept + slope * float(x.min()))
    verdict = _judge(change, limit + ROUNDING)
    return Trend(Estimate(slope, half), intercept, change, limit, sigma, n, verdict)


def _judge(change: Estimate, limit: float) -> TrendVerdict:
    if -limit <= change.low and change.high <= limit:
        return TrendVerdict.CONSTANT
    if change.low > limit:
        return TrendVerdict.GROWS
    if change.high < -limit:
        return TrendVerdict.FALLS
    return TrendVerdict.UNDECIDED
