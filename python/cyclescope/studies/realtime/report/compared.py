"""Two real-time results beside each other: the paper's Table I, in a terminal and as JSON."""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, Group
from rich.text import Text

from cyclescope.quantity import format_number, microseconds
from cyclescope.report.provenance import under
from cyclescope.report.structured import plain
from cyclescope.report.terminal import heading, sentences, titled
from cyclescope.studies.realtime.findings import (
    RealtimeComparison,
    RealtimeFigures,
    TrialComparison,
)
from cyclescope.studies.realtime.indicators import ScoreUnit
from cyclescope.studies.realtime.report import rows

HEADINGS = ("score A", "score B", "A / B of the maxima", "A / B of the medians", "paper")
WIDTHS = (8, 8, 22, 22, 13)

MEANING = (
    "Scores: the longest time by T_standard of its own system, task switching filtered as in the "
    "paper. A / B of the maxima: of the mean maxima of as many samples in both, with the 95 % "
    "interval over the blocks and of both units. A / B of the medians: of what the paper's thread "
    "began, from the far ends of both intervals, so that it is rather too wide. Below 1, A is the "
    "faster in its own unit. The intervals suppose independent samples. On a deterministic board "
    "the same run gives the same figures again, and they cover what other samples of the same kind "
    "would give."
)


def show(found: RealtimeComparison, console: Console) -> None:
    """Prints what differs, the warnings, and a row for each indicator."""
    for name, one in (("A", found.first), ("B", found.second)):
        units = [("unit", text) for text in rows.units(one)]
        console.print(Text(name, style="bold"))
        console.print(heading([*under(one.conditions), *units]))
    for sentence in found.warnings:
        console.print(Text(f"warning: {sentence}", style="bold yellow"))
    console.print()
    console.print(_table(found))
    console.print()
    console.print(sentences(_footnotes(found)))


def _table(found: RealtimeComparison) -> Group:
    shown = []
    for row in found.rows:
        title = Text(rows.NAMES[row.trial.indicator], style="bold")
        title.append(f"  {row.trial.among}", style="not bold dim")
        figures = (
            rows.figure(row.first.papers.value),
            rows.figure(row.second.papers.value),
            rows.ratio(row.maxima),
            rows.ratio(row.median),
            rows.paper(row.trial.indicator),
        )
        shown.append((title, figures))
    return titled(HEADINGS, WIDTHS, shown)


def _footnotes(found: RealtimeComparison) -> Iterable[str]:
    for row in found.rows:
        yield beside(row, found)
    for one, other in found.curves:
        for name, curve, of in (("A", one, found.first), ("B", other, found.second)):
            unit = of.unit(ScoreUnit.DOUBLE)
            mean = unit.raw.mean if unit else float("nan")
            yield f"{name}: {rows.verdict(curve, mean)}"
    yield from found.absent
    if found.differing:
        yield f"the conditions differ in {', '.join(found.differing)}"
    yield MEANING
    if any(row.paper for row in found.rows):
        yield f"Paper: {rows.WHY_NOT_COMPARABLE}"


def beside(row: TrialComparison, found: RealtimeComparison) -> str:
    """More figures of a row: times, the integer unit, blocks."""
    longest = [
        _longest(one.times.summary.maximum, figures)
        for one, figures in ((row.first, found.first), (row.second, found.second))
    ]
    return (
        f"{row.trial.label}: longest {longest[0]} and {longest[1]}; raw scores "
        f"{rows.figure(row.first.score.value)} and {rows.figure(row.second.score.value)}, in the "
        f"integer unit {rows.figure(row.first.papers.integer, 2)} and "
        f"{rows.figure(row.second.papers.integer, 2)}, free of overhead "
        f"{rows.figure(row.first.papers.net)} and {rows.figure(row.second.papers.net)}. Here n "
        f"is {row.first.n:,} and {row.second.n:,}; blocks of {row.length:,} samples, "
        f"{row.blocks[0].n} and {row.blocks[1].n} of them"
    )


def _longest(maximum: float, found: RealtimeFigures) -> str:
    core_hz = found.conditions.core_hz
    return f"{format_number(maximum)} cycles ({microseconds(maximum, core_hz):.3f} µs)"


def document(found: RealtimeComparison) -> dict[str, Any]:
    """The same as JSON."""
    content: dict[str, Any] = plain(found)
    content["paper"] = {
        "systems": ["RTLinux", "RGMP-ROS"],
        "not_comparable": rows.WHY_NOT_COMPARABLE,
    }
    return content
