"""Diagnostics of a technique that fails: each a sentence with its figure, beside the estimate.

All techniques rest on a line that fits (Moreno and Fischmeister, section 4.1). The deviation of the
points from it says how well it models the measurements.
"""

from collections.abc import Iterator

import numpy as np

from cyclescope.firmware.fragment.plan import Estimated, Observations
from cyclescope.quantity import ROUNDING, format_number
from cyclescope.stats.summary import Values
from cyclescope.studies.time.findings import ExecutionTruth, predicted

SIGNIFICANCE = 0.001
WORTH_TELLING = 0.01
"""The share of T_e that a deviation must have to be reported."""
MOST_REJECTED = 0.25
PROCESSES_APART = 0.1
"""More of T_e than a core's clock commonly moves by."""
LEAST_ROUNDS = 10


def signs(observed: Observations, estimated: Estimated, unit: str) -> tuple[str, ...]:
    """Returns diagnostics from the times themselves."""
    found = (_staircase, _drift, _quantisation, _crowd, _processes)
    return tuple(text for sign in found for text in sign(observed, estimated, unit))


def truth_signs(truth: ExecutionTruth | None) -> tuple[str, ...]:
    """Returns diagnostics from the truth, which the times may not show."""
    if truth is None or truth.is_constant:
        return ()
    return (
        f"the fragment is not constant: one execution took {truth.least:,} to {truth.most:,} "
        "cycles, depending on where its call lies, on what was executed before, or on its data",
    )


def _worth(observed: Observations, estimated: Estimated) -> float:
    """The least deviation that is reported. Points that go round are long. Where their code goes on
    in the next line of a cache is a matter of chance. So there it is a share of the points'
    times."""
    if any(point.turned for point in observed.plan):
        return WORTH_TELLING * float(np.median(observed.times))
    return WORTH_TELLING * estimated.execution.value


def _kept(observed: Observations, estimated: Estimated) -> Values:
    return np.where(estimated.rejected, np.nan, observed.times)


def _staircase(observed: Observations, estimated: Estimated, unit: str) -> Iterator[str]:
    """Lack of fit: point means that lie off the line by more than their own scatter explains.

    The F-test of the points' means about the fit against the rounds about those means.
    """
    unknowns = estimated.unknowns or (
        1 + (estimated.overhead is not None) + (estimated.initialisation is not None)
    )
    points = len(observed.plan)
    times = _kept(observed, estimated)
    rounds = times.shape[0]
    if points <= unknowns or rounds < 2:
        return
    counts = np.sum(np.isfinite(times), axis=0)
    if not counts.all():
        return
    means = np.nanmean(times, axis=0)
    off = means - predicted(observed, estimated)
    worst = float(np.max(np.abs(off)))
    if worst <= max(observed.resolution, ROUNDING, _worth(observed, estimated)):
        return
    within = float(np.nansum((times - means) ** 2)) / max(counts.sum() - points, 1)
    between = float(np.sum(counts * off**2)) / (points - unknowns)
    if within == 0 or _tail(between / within, points - unknowns, counts.sum() - points):
        yield (
            f"T(N) is no straight line: its points lie up to {format_number(worst)} {unit} off. "
            "Causes may be fetch-line periodicity, executions that are not alike, or executions so "
            "short that the processor overlaps them with their neighbours"
        )


def _tail(ratio: float, above: float, below: float) -> bool:
    from scipy import special

    return bool(special.fdtrc(above, below, ratio) < SIGNIFICANCE)


def _drift(observed: Observations, estimated: Estimated, unit: str) -> Iterator[str]:
    """Rank correlation of the rounds' median residual with their number (Spearman)."""
    residuals = _kept(observed, estimated) - predicted(observed, estimated)
    middles = np.nanmedian(residuals[np.isfinite(residuals).any(axis=1)], axis=1)
    if middles.size < LEAST_ROUNDS or np.ptp(middles) == 0:
        return
    # Loaded late: scipy.stats takes a second.
    from scipy import stats

    slope = float(stats.theilslopes(middles)[0])
    moved = slope * (middles.size - 1)
    least = max(observed.resolution, _worth(observed, estimated))
    if abs(moved) > least and stats.spearmanr(range(middles.size), middles).pvalue < SIGNIFICANCE:
        yield (
            f"the times drift: the last round is {format_number(moved)} {unit} from the first "
            "(warming up, or a clock frequency that changes); measure longer, or fix the frequency"
        )


def _quantisation(observed: Observations, estimated: Estimated, unit: str) -> Iterator[str]:
    """A clock coarser than the scatter: its rounding is the same in every round."""
    if observed.resolution == 0 or observed.times.shape[0] < 2:
        return
    spread = float(observed.times.var(axis=0, ddof=1).mean())
    if spread < observed.resolution**2 / 12:
        yield (
            f"the clock counts {format_number(observed.resolution)} {unit} at a time and the times "
            "scatter less: repeating averages nothing away. So the interval covers a whole count "
            "of each time; more executions (--points) narrow it"
        )


def _crowd(observed: Observations, estimated: Estimated, unit: str) -> Iterator[str]:
    """Outliers that are too many to be outliers."""
    share = float(np.mean(estimated.rejected))
    if estimated.rule and share > MOST_REJECTED:
        yield (
            f"{100 * share:.0f} % of the times were rejected: what disturbs them is no rare event"
        )


def _processes(observed: Observations, estimated: Estimated, unit: str) -> Iterator[str]:
    """Processes of which one is far from the others: their mean is then the time of none."""
    each = estimated.by_process
    if each and max(each) - min(each) > PROCESSES_APART * abs(estimated.execution.value):
        least, middle, most = (
            format_number(float(one)) for one in (min(each), np.median(each), max(each))
        )
        yield (
            f"the processes differ: {least} to {most} {unit}, median {middle}. Causes are where "
            "their pages lie, what their branches fall together with, and the clock of the core. "
            "Another process may take any of these times"
        )
