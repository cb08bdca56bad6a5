"""Real-time figures in a terminal of 80 columns, under their conditions."""

from collections.abc import Iterable, Sequence

from rich.console import Console, Group
from rich.text import Text

from cyclescope.quantity import format_number
from cyclescope.report.provenance import under
from cyclescope.report.terminal import heading, sentences, titled
from cyclescope.studies.realtime.findings import RealtimeFigures, TrialFigures
from cyclescope.studies.realtime.indicators import ScoreUnit
from cyclescope.studies.realtime.report import rows
from cyclescope.studies.realtime.results import Beside

HEADINGS = ("n", "load", "score ± 95 %", "again ≥", "raw", "min", "median", "max", "max µs")
WIDTHS = (6, 11, 14, 7, 6, 6, 6, 6, 8)


def show(found: RealtimeFigures, console: Console) -> None:
    """Prints conditions, units, Table I, determinism, and what must be said about them."""
    units = [("unit", one) for one in rows.units(found)]
    console.print(heading([*under(found.conditions), *units]))
    console.print()
    console.print(_table(found, found.alone or found.runs))
    console.print()
    if found.curves:
        console.print(Text("Over the number of tasks", style="bold"))
        console.print(sentences(curves(found)))
        console.print()
    console.print(sentences(_footnotes(found)))
    for sentence in found.problems:
        console.print(Text(f"error: {sentence}", style="bold red"))


def _table(found: RealtimeFigures, runs: Sequence[TrialFigures]) -> Group:
    """Two lines for each run: what it is, and its figures; quantiles without their intervals."""
    shown = []
    for run, row in zip(runs, rows.rows(found, runs), strict=True):
        title = Text(row.name, style="bold").append(f"  {run.trial.among}", style="not bold dim")
        times = (row.minimum, format_number(run.times.median.value), row.maximum, row.time)
        figures = (row.n, row.load, row.score, row.again, row.raw, *times)
        shown.append((title, figures))
    return titled(HEADINGS, WIDTHS, shown)


def curves(found: RealtimeFigures) -> list[str]:
    """A verdict for each curve."""
    unit = found.unit(ScoreUnit.DOUBLE)
    mean = unit.raw.mean if unit else float("nan")
    return [rows.verdict(one, mean) for one in found.curves]


def _footnotes(found: RealtimeFigures) -> Iterable[str]:
    shown = found.alone or found.runs
    for run, row in zip(shown, rows.rows(found, shown), strict=True):
        yield f"{row.trial}: {rows.load_sentence(run)}"
        yield from (f"{row.trial}: {remark}" for remark in row.remarks)
        if run.masked:
            yield f"{row.trial}: interrupts masked at the longest for {rows.masked_sentence(run)}"
    for indicator, why in found.unavailable.items():
        yield f"{rows.NAMES[indicator]}: not available; {why}"
    yield from rows.coarse_clock(found)
    yield from found.remarks
    yield from map(cyclictest, found.cyclictest)
    if found.missing:
        yield f"not measured yet: {len(found.missing)} runs of the plan"
    for one in found.unverified:
        yield f"unverified timing rule touched: {one.name} (text in the report)"
    yield from (f"not modelled: {one.sentence}" for one in found.unmodelled)
    yield rows.MEANING
    if found.curves:
        yield rows.CRITERION


def cyclictest(one: Beside) -> str:
    """Prints cyclictest's results beside a trial."""
    seen = one.seen
    if seen.refused:
        return f"{one.trial.label}: cyclictest did not run: {seen.refused}"
    return (
        f"{one.trial.label}: cyclictest {seen.version} at the same time: {seen.minimum_us} µs at "
        f"least, mean {seen.average_us} µs, {seen.maximum_us} µs at most in {seen.cycles:,} cycles "
        f"({seen.command})"
    )
