"""Net time: mean of the real calls minus mean of the empty calls, with Welch's interval.

Brandolese and Fornaciari, section 2.2, subtract the time of an empty start/stop pair; the interval
of the difference is Welch's (1947), as the two spreads need not be equal.
"""

from dataclasses import dataclass
from enum import StrEnum

from cyclescope.quantity import Estimate
from cyclescope.stats.summary import Summary, student


class Verdict(StrEnum):
    """What a net time can be said to be."""

    MEASURED = "measured"
    INDISTINGUISHABLE = "indistinguishable from zero"
    NEGATIVE = "below zero"


@dataclass(frozen=True)
class Net:
    """The net time and what may be said of it."""

    estimate: Estimate
    verdict: Verdict


def net(call: Summary, empty: Summary, resolution: float = 0.0) -> Net:
    """Subtracts the overhead. `resolution` is what a coarse timer can hide in each difference.

    A negative difference is kept as it is; only the verdict speaks of it.

    >>> twenty, noisy = Summary(9, 20.0, 0.0, 20.0, 20.0), Summary(9, 21.0, 3.0, 15.0, 26.0)
    >>> net(noisy, twenty).verdict, net(twenty, Summary(9, 32.0, 0.0, 32.0, 32.0)).verdict
    (<Verdict.INDISTINGUISHABLE: 'indistinguishable from zero'>, <Verdict.NEGATIVE: 'below zero'>)
    """
    difference = call.mean - empty.mean
    estimate = Estimate(difference, max(_half_width(call, empty), resolution))
    if abs(difference) <= estimate.half_width:
        return Net(estimate, Verdict.INDISTINGUISHABLE)
    return Net(estimate, Verdict.NEGATIVE if difference < 0 else Verdict.MEASURED)


def _half_width(call: Summary, empty: Summary) -> float:
    if call.n < 2 or empty.n < 2:
        return float("inf")
    parts = [(s.standard_error**2, s.n - 1) for s in (call, empty)]
    variance = sum(part for part, _ in parts)
    if variance == 0:
        return 0.0
    degrees = variance**2 / sum(part**2 / freedom for part, freedom in parts)
    return student(degrees) * float(variance**0.5)
