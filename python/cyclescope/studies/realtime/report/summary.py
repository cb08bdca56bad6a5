"""Real-time figures in at most 40 lines: one line for each trial, then what to doubt."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.text import Text

from cyclescope.quantity import format_number
from cyclescope.report.provenance import brief_lines
from cyclescope.report.terminal import (
    WHOLE,
    WIDTH,
    aligned,
    first_of,
    heading,
    print_within,
    sentences,
    some,
)
from cyclescope.studies.realtime.findings import RealtimeComparison, RealtimeFigures, TrialFigures
from cyclescope.studies.realtime.indicators import ScoreUnit
from cyclescope.studies.realtime.report import rows
from cyclescope.studies.realtime.report.terminal import curves

MOST_TRIALS, MOST_CURVES, MOST_DOUBTS = 10, 4, 5
HEADINGS = ("Trial", "n", "score ± 95 %", "median", "longest", "µs")
MEANING = (
    "Score: the longest time of a replicate by the unit's mean time, mean over replicates; median "
    "and longest in cycles, n samples. An observed maximum bounds nothing. "
)
COMPARED = ("Trial", "score A", "score B", "A / B of the maxima")
COMPARED_MEANING = (
    "Score: the longest time by the unit of its own system; below 1, A is the faster in its own "
    "unit. In brackets: 95 % interval. "
)


def summarise(found: RealtimeFigures, console: Console) -> None:
    """Prints conditions, the trials, verdicts over the number of tasks, and what to doubt."""
    errors = [Text(f"error: {one}", style="bold red") for one in found.problems]
    sections: list[RenderableType | None] = [
        Group(heading([*brief_lines(found.conditions), *_units(found)]), *errors),
        _trials(found, found.alone or found.runs),
        _curves(found),
        _doubted(list(_doubts(found))),
        sentences([MEANING + WHOLE], "dim"),
    ]
    print_within(sections, console)


def _units(found: RealtimeFigures) -> list[tuple[str, str]]:
    """The mean time of the unit that scores are in."""
    unit = found.unit(ScoreUnit.DOUBLE)
    return [("unit", f"{format_number(unit.raw.mean)} cycles, n {unit.raw.n:,}")] if unit else []


def _trials(found: RealtimeFigures, runs: Sequence[TrialFigures]) -> Group:
    told = [
        (
            run.trial.label,
            row.n,
            row.score,
            format_number(run.times.median.value),
            row.maximum,
            row.time,
        )
        for run, row in zip(runs[:MOST_TRIALS], rows.rows(found, runs[:MOST_TRIALS]), strict=True)
    ]
    more = [Text(f"… and {len(runs) - MOST_TRIALS} more (--full)")]
    return Group(aligned(HEADINGS, told), *(more if len(runs) > MOST_TRIALS else []))


def _curves(found: RealtimeFigures) -> Group | None:
    if not found.curves:
        return None
    told = first_of(curves(found), MOST_CURVES)
    return Group(Text("Over the number of tasks", style="bold"), sentences(told))


def _doubted(told: Sequence[str]) -> Group | None:
    if not told:
        return None
    shown = first_of(told, MOST_DOUBTS, 3 * WIDTH - 12)
    return Group(Text("What to doubt", style="bold"), sentences(shown))


def _doubts(found: RealtimeFigures) -> Iterator[str]:
    if found.missing:
        yield f"not measured yet: {len(found.missing)} runs of the plan"
    for run in found.runs:
        if rejected := sum(run.rejected.values()):
            yield f"{run.trial.label}: {rejected:,} of {run.n:,} samples are in no score, by rule"
    yield from (
        f"{rows.NAMES[indicator]}: not available; {why}"
        for indicator, why in found.unavailable.items()
    )
    if found.unverified:
        names = [one.name for one in found.unverified]
        yield f"timing rules that no source confirms were touched: {some(names, len(names))}"
    yield from (f"not modelled: {one.sentence}" for one in found.unmodelled)


def summarise_comparison(found: RealtimeComparison, console: Console) -> None:
    """Prints a line for each trial of both, and what keeps them from being compared."""
    told = [
        (
            f"{rows.NAMES[row.trial.indicator]}, {row.trial.among}",
            rows.figure(row.first.papers.value),
            rows.figure(row.second.papers.value),
            rows.ratio(row.maxima),
        )
        for row in found.rows[:MOST_TRIALS]
    ]
    more = len(found.rows) - len(told)
    table: RenderableType = aligned(COMPARED, told)
    doubts = [f"warning: {one}" for one in found.warnings]
    if found.differing:
        doubts.append(f"the conditions differ in {some(found.differing, 8)}")
    sections = [
        Group(table, f"… and {more} more (--full)") if more > 0 else table,
        _doubted([*doubts, *found.absent]),
        sentences([COMPARED_MEANING + WHOLE.replace(", or the report", "")], "dim"),
    ]
    print_within(sections, console)
