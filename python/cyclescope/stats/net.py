"""Net time: mean of the real calls minus mean of the empty calls, with Welch's interval; or, where
samples are noisy, the same of the medians.

Brandolese and Fornaciari, section 2.2, subtract the time of an empty start/stop pair. The interval
of the difference is Welch's (1947), as the two spreads need not be equal. That of the difference of
medians is Price and Bonett's (2002, Journal of Statistical Computation and Simulation 72,
"Distribution-free confidence intervals for difference and ratio of medians"). It takes samples for
independent, which they are not where a machine drifts. So it gives way, if that is wider, to
Student's interval over the differences of the series' medians. There each real series is taken
beside its own empty one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from cyclescope.quantity import Estimate
from cyclescope.stats.quartiles import Quartiles
from cyclescope.stats.summary import Summary, Values, normal, student, summarise


class NetVerdict(StrEnum):
    """Verdicts on a net time."""

    MEASURED = "measured"
    INDISTINGUISHABLE = "indistinguishable from zero"
    NEGATIVE = "below zero"


class Basis(StrEnum):
    """Basis of a figure's interval: the samples, a link that was not measured, or nothing, if
    the figure is the image's own."""

    SAMPLES = "95 %, of the samples"
    IMAGE = "exact, this image"
    NEW_LINK = "95 %, of a new link"


@dataclass(frozen=True)
class Net:
    """The net time and what may be said of it."""

    estimate: Estimate
    verdict: NetVerdict
    basis: Basis = Basis.SAMPLES


def net(call: Summary, empty: Summary, resolution: float = 0.0) -> Net:
    """Subtracts the overhead. `resolution` is what a coarse timer can hide in each difference.

    A negative difference is kept as it is; only the verdict speaks of it.

    >>> twenty, noisy = Summary(9, 20.0, 0.0, 20.0, 20.0), Summary(9, 21.0, 3.0, 15.0, 26.0)
    >>> net(noisy, twenty).verdict
    <NetVerdict.INDISTINGUISHABLE: 'indistinguishable from zero'>
    >>> net(twenty, Summary(9, 32.0, 0.0, 32.0, 32.0)).verdict
    <NetVerdict.NEGATIVE: 'below zero'>
    """
    return _judged(call.mean - empty.mean, max(_half_width(call, empty), resolution))


def net_of_medians(
    call: Quartiles, empty: Quartiles, by_series: Values, resolution: float = 0.0
) -> Net:
    """Subtracts the overhead, median from median; `by_series` has the same of each series.

    >>> call, empty = Quartiles(9, 80.0, 90.0, 99.0, 3.0), Quartiles(9, 38.0, 40.0, 42.0, 4.0)
    >>> found = net_of_medians(call, empty, np.array([49.0, 51.0, 50.0])).estimate
    >>> found.value, round(found.half_width, 1)
    (50.0, 9.8)
    """
    half_width = normal() * float(np.hypot(call.standard_error, empty.standard_error))
    if by_series.size > 1:
        half_width = max(half_width, summarise(by_series).estimate.half_width)
    return _judged(call.median - empty.median, max(half_width, resolution))


def net_of_image(call: Summary, empty: Summary) -> Net:
    """The same on a machine that is exact: whoever repeats it in this image gets the same figure,
    so it has no interval.

    >>> net_of_image(Summary(9, 20.0, 0.0, 20.0, 20.0), Summary(9, 5.0, 0.0, 5.0, 5.0)).estimate
    Estimate(value=15.0, half_width=0.0)
    """
    return replace(_judged(call.mean - empty.mean, 0.0), basis=Basis.IMAGE)


def net_of_new_link(nets: Sequence[Net], resolution: float = 0.0) -> tuple[Net, Summary]:
    """The mean of the layouts' net times, with an interval for one more, and their spread.

    Student's prediction interval, at least as wide as what was seen. Layouts are bounded and take
    few values: it is no theorem here, and tests hold it against links of other seeds.

    >>> nets = [Net(Estimate(value, 0.0), NetVerdict.MEASURED) for value in (100.0, 102.0, 104.0)]
    >>> found, spread = net_of_new_link(nets)
    >>> found.estimate.value, round(found.estimate.half_width, 2), spread.sigma
    (102.0, 9.94, 2.0)
    """
    spread = summarise(np.array([one.estimate.value for one in nets]))
    half_width = float("inf")
    if spread.n > 1:
        predicted = student(spread.n - 1) * spread.sigma * (1 + 1 / spread.n) ** 0.5
        seen = max(spread.maximum - spread.mean, spread.mean - spread.minimum)
        half_width = max(predicted, seen, resolution)
    verdict = NetVerdict.INDISTINGUISHABLE
    if spread.minimum > 0 or spread.maximum < 0:
        verdict = NetVerdict.NEGATIVE if spread.maximum < 0 else NetVerdict.MEASURED
    return Net(Estimate(spread.mean, half_width), verdict, Basis.NEW_LINK), spread


def _judged(value: float, half_width: float) -> Net:
    estimate = Estimate(value, half_width)
    if abs(value) <= half_width:
        return Net(estimate, NetVerdict.INDISTINGUISHABLE)
    return Net(estimate, NetVerdict.NEGATIVE if value < 0 else NetVerdict.MEASURED)


def _half_width(call: Summary, empty: Summary) -> float:
    if call.n < 2 or empty.n < 2:
        return float("inf")
    parts = [(s.standard_error**2, s.n - 1) for s in (call, empty)]
    variance = sum(part for part, _ in parts)
    if variance == 0:
        return 0.0
    degrees = variance**2 / sum(part**2 / freedom for part, freedom in parts)
    return student(degrees) * float(variance**0.5)
