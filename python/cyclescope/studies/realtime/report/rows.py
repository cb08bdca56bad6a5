"""Real-time figures as text: the same rows and sentences in every report."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from cyclescope.quantity import ROUNDING, format_estimate, format_number, microseconds
from cyclescope.stats.distribution import Quantile
from cyclescope.stats.ratio import Ratio
from cyclescope.stats.trend import TOLERANCE, Trend
from cyclescope.studies.realtime.findings import (
    TABLE_1,
    Curve,
    RealtimeFigures,
    Score,
    TrialFigures,
    UnitFigures,
)
from cyclescope.studies.realtime.indicators import BackgroundState, Indicator, ScoreUnit

NAMES = {
    Indicator.SWITCHING: "Task switching",
    Indicator.PREEMPTION: "Task preemption",
    Indicator.INTERRUPT: "Interrupt response",
    Indicator.SHUFFLING: "Semaphore shuffling",
    Indicator.HARDWARE: "Hardware interrupt response",
    Indicator.WAKE_UP: "Wake-up latency of a timer",
}

PLACEMENTS = {
    BackgroundState.READY_EQUAL: "ready, equal priority",
    BackgroundState.READY_LOWER: "ready, lower priority",
    BackgroundState.DELAYED: "delayed",
}

MANY_REJECTED = 0.01
"""A share of rejected samples that normally scattered times would not have by far: 0.14 %."""

SMALL = 0.1
"""A ratio below which three decimals are too coarse."""

MEANING = (
    "Score: the longest time of a replicate by the mean time of the unit, T_standard (Huang et "
    "al., section III.D), as the mean over replicates with fresh seeds. ± is the 95 % interval "
    "between them and of the unit. It is of that mean: an observed maximum bounds nothing, and no "
    "sample shows how far above it a longer time may lie. Left out are what the improved Pauta "
    "criterion rejects of task switching, as in the paper, and of task preemption what the test "
    "itself made long. Filtered scores of others are ours. Again ≥: as many samples more show at "
    "least so much, at 95 %, if samples can be exchanged for one another. Load: share of the "
    "processor that background threads and interrupts outside the test had, measured, of what was "
    "asked for."
)
WHY_NOT_COMPARABLE = (
    "The paper's scores are of an Intel Core i5-2540 under Linux kernels, in a unit that its "
    "floating-point hardware computes. The cost of a clock read by a system call is in every "
    "time. Number of samples, spread, load and length of the unit are not given. Only the order of "
    "two systems measured alike can be set beside it."
)


@dataclass(frozen=True)
class TrialRow:
    """One run as a row of Table I."""

    name: str
    trial: str
    title: str
    n: str
    load: str
    score: str
    again: str
    raw: str
    filtered: str
    integer: str
    minimum: str
    median: str
    p99: str
    p999: str
    maximum: str
    time: str
    paper: str
    remarks: tuple[str, ...]


def rows(found: RealtimeFigures, runs: Iterable[TrialFigures]) -> list[TrialRow]:
    """A row for each run."""
    return [_row(one, found.conditions.core_hz) for one in runs]


def _row(one: TrialFigures, core_hz: int) -> TrialRow:
    papers, maximum = one.papers, one.times.summary.maximum
    return TrialRow(
        name=NAMES[one.trial.indicator],
        trial=one.trial.label,
        title=f"{NAMES[one.trial.indicator]}, {one.trial.among}",
        n=format_number(one.n, 0),
        load=load(one),
        score=scored(papers),
        again=figure(papers.rerun_at_least),
        raw=figure(one.score.greatest),
        filtered=figure(one.filtered.value),
        integer=figure(papers.integer, 2),
        minimum=format_number(one.times.summary.minimum),
        median=cycles(one.times.median),
        p99=cycles(one.times.p99),
        p999=cycles(one.times.p999),
        maximum=format_number(maximum),
        time=f"{microseconds(maximum, core_hz):,.3f}",
        paper=paper(one.trial.indicator),
        remarks=tuple(_remarks(one)),
    )


def _remarks(one: TrialFigures) -> Iterable[str]:
    if one.note:
        yield one.note
    yield from _rejections(one)
    for part in one.begun:
        who = "an interrupt, whatever ran" if part.by_line else "the paper's thread"
        times = part.times
        yield (
            f"begun by {who}: n {times.n:,}, mean {format_number(times.mean)}, "
            f"{format_number(times.minimum)} … {format_number(times.maximum)} cycles"
        )
    if one.lost:
        yield f"{one.lost:,} rises of the line came before the one before was answered"
    if one.truth:
        yield truth(one)
    if one.causes:
        yield f"what came between, by the truth: {'; '.join(_causes(one))}"
    batches = "one batch" if one.batches == 1 else f"{one.batches:,} batches"
    yield (
        f"with 95 % confidence at most {100 * one.score.maximum.longer_share:.2g} % of such times "
        f"are longer than the longest seen; {batches}, {one.duration_s:.3g} s"
    )


REJECTIONS = {
    "pauta": "the improved Pauta criterion rejected",
    "overtaken": "the control thread lost the processor between its reading of the clock and the "
    "resumption, which is the test's own time, in",
}


def _rejections(one: TrialFigures) -> Iterable[str]:
    """Counts of samples that no score has, by cause."""
    for rule, count in one.rejected.items():
        yield (
            f"{REJECTIONS[rule]} {count:,} of {one.n:,} samples; with them the score is "
            f"{figure(one.score.value)}"
        )
        if rule == "pauta" and count / one.n > MANY_REJECTED:
            yield (
                f"{100 * count / one.n:.1f} % rejected: these times do not scatter normally, and "
                "what is rejected may well be ordinary; look at the distribution"
            )


MOST_CAUSES = 8


def _causes(one: TrialFigures) -> Iterable[str]:
    """The longest of them, and always what was not disturbed."""
    for number, cause in enumerate(one.causes):
        if number < MOST_CAUSES or not cause.name:
            rejected = f", {cause.rejected:,} rejected" if cause.rejected else ""
            yield (
                f"{cause.name or 'nothing'} {cause.n:,} × up to {format_number(cause.maximum)} "
                f"cycles{rejected}"
            )
    if (others := len(one.causes) - MOST_CAUSES) > 0:
        yield f"{others} causes of shorter times"


def load(one: TrialFigures) -> str:
    """The share of the processor that the load had, of what was "
    "asked for."""
    return f"{one.measured_load_percent:.1f} of {one.requested_load_percent} %"


def truth(one: TrialFigures) -> str:
    """Describes the error of the samples by the board's own clock."""
    assert one.truth is not None
    check = one.truth
    if check.equal == check.n:
        return f"all {check.n:,} samples are what really passed, to the cycle"
    if check.least == check.greatest:
        return (
            f"all {check.n:,} samples are what really passed "
            f"{'+' if check.least > 0 else '−'} {format_number(abs(check.least))} cycles"
        )
    return (
        f"{check.equal:,} of {check.n:,} samples are what really passed; measured - true is "
        f"{format_number(check.least)} … {format_number(check.greatest)} cycles"
    )


def figure(value: float, decimals: int = 3) -> str:
    """A score, with a decimal less for each digit before the point; a dash where there is none.

    >>> figure(0.2134), figure(25.7721), figure(16577.6), figure(float("nan"))
    ('0.213', '25.77', '16,578', '–')
    """
    if math.isnan(value):
        return "–"
    return f"{value:,.{max(0, decimals + 1 - len(str(int(abs(value)))))}f}"


def scored(score: Score) -> str:
    """A score with its interval between replicates."""
    if math.isnan(score.value):
        return "–"
    half = score.half_width
    if math.isinf(half):
        return f"{figure(score.value)} (one replicate)"
    shown = "<0.001" if ROUNDING < half < 0.0005 else figure(half)
    return f"{figure(score.value)} ± {shown}"


def cycles(one: Quantile) -> str:
    """A quantile with its interval, where it has ends."""
    value, low, high = (format_number(part) for part in (one.value, one.low, one.high))
    if low == high == value:
        return value
    return f"{value} ({low if low != '–' else '?'} … {high if high != '–' else '?'})"


def ratio(one: Ratio) -> str:
    """A ratio with its interval."""
    if math.isnan(one.value):
        return "–"
    value, low, high = (
        f"{part:.2g}" if abs(part) < SMALL else figure(part)
        for part in (one.value, one.low, one.high)
    )
    return f"{value} ({low} … {high})"


def paper(indicator: Indicator) -> str:
    """The paper's own figures, of RTLinux and RGMP-ROS."""
    there = TABLE_1.get(indicator)
    return " / ".join(f"{one:.2f}" for one in there) if there else "–"


def units(found: RealtimeFigures) -> list[str]:
    """Describes each unit in a sentence."""
    return [_unit(one, found.conditions.core_hz) for one in found.units]


def coarse_clock(found: RealtimeFigures) -> list[str]:
    """Says when the unit is shorter than the reading of the clock that it is timed with."""
    one = found.unit(ScoreUnit.DOUBLE)
    if one is None or one.empty.mean <= one.net.estimate.value:
        return []
    return [
        "reading the clock takes longer than the operation that is the unit: these scores describe "
        "the clock, and those free of overhead (in --json) have a wide interval"
    ]


def _unit(one: UnitFigures, core_hz: int) -> str:
    raw, time_us = one.raw, microseconds(one.raw.mean, core_hz)
    return (
        f"{one.unit}: {format_estimate(raw.estimate)} cycles ({time_us:.3f} µs), n {raw.n}, "
        f"σ {format_number(raw.sigma)}, {format_number(raw.minimum)} … "
        f"{format_number(raw.maximum)}; free of overhead {format_estimate(one.net.estimate)} "
        f"(empty frame {format_number(one.empty.mean)}); {one.arithmetic}"
    )


def verdict(one: Curve, unit_cycles: float) -> str:
    """Describes a curve's straight line, with the criterion's figures."""
    where = (
        f"{NAMES[one.indicator]}, load {one.load_percent} %, {PLACEMENTS[one.placement]}, "
        f"{min(one.tasks)} … {max(one.tasks)} tasks"
    )
    if one.trend is None:
        return f"{where}: one number of tasks only"
    told = f"{where}: {one.trend.verdict}. {_line(one.trend, unit_cycles)}"
    if one.median_trend:
        told += f" The median: {one.median_trend.verdict}. {_line(one.median_trend, unit_cycles)}"
    return told


def _line(one: Trend, unit_cycles: float) -> str:
    in_cycles = format_number(one.slope.value * unit_cycles, 2)
    return (
        f"Slope {format_estimate(one.slope, 5)} for each task more ({in_cycles} cycles), in all "
        f"{format_estimate(one.change, 3)} against ±{figure(one.limit)}; residual σ "
        f"{figure(one.residual_sigma, 4)}, n {one.n}."
    )


CRITERION = (
    "Verdicts. Constant: the whole 95 % interval of the straight line's change over the measured "
    f"range lies within {100 * TOLERANCE:.0f} % of the line's value at the fewest tasks. Grows, "
    "falls: the whole interval lies beyond. Undecided: it reaches across, or there are fewer than "
    "three numbers of tasks."
)


def load_sentence(one: TrialFigures) -> str:
    """Rows of the load's work during a run."""
    if not one.trial.load_percent:
        return "no load: the background threads were not there"
    share = f"the load had {one.measured_load_percent:.1f} % of the processor"
    if one.true_load_percent is not None:
        share += f", {one.true_load_percent:.1f} % by the truth"
    if not one.calls:
        return share
    silent = [part.name for part in one.load if not part.calls]
    never = f"; none of {', '.join(silent)}" if silent else ""
    called = len(one.load) - len(silent)
    return f"{share}: {one.calls:,} calls of {called} facilities by the background threads{never}"


def masked_sentence(one: TrialFigures) -> str:
    """The longest masked window beside the response (section II.C)."""
    if one.masked is None:
        return "not known: only a target that is seen from outside knows"
    window = one.masked
    return (
        f"{window.longest_cycles:,} cycles in {window.call} of {window.task}, from {window.begin} "
        f"to {window.end}; the longest time of this run is "
        f"{format_number(one.times.summary.maximum)}, its median "
        f"{format_number(one.times.median.value)}"
    )
