"""`cyclescope switch` in at most 40 lines: one line for each kernel and operating point."""

from collections.abc import Iterable, Sequence

from rich.console import Console, Group
from rich.text import Text

from cyclescope.quantity import microseconds
from cyclescope.report.provenance import brief_lines
from cyclescope.report.terminal import (
    WHOLE,
    aligned,
    first_of,
    heading,
    print_within,
    sentences,
    some,
)
from cyclescope.studies.switch.report.tables import PJ_PER_NJ, rated
from cyclescope.studies.switch.results import SwitchResults, SwitchRow, TargetFigures

MOST = 14
HEADINGS = ("Kernel and point", "into", "back", "sum", "µs", "direct", "nJ", "rows")
MEANING = (
    "Cycles into the preempting task and back (δ_t1, δ_t2), least … most over the rows. Rows are "
    "the ways the UART is served and numbers of operations. Columns sum, µs and nJ: simulation, "
    "exact. Column direct: medians of switches timed at several instants. "
)


def summarise(found: SwitchResults, problems: Sequence[str], console: Console) -> None:
    """Prints conditions, agreement of the three ways, and a line for each point."""
    conditions = brief_lines(rated(found)[0].conditions)[:4]
    errors = [Text(f"error: {one}", style="bold red") for one in problems]
    rows = [_row(one) for one in found.targets[:MOST]]
    more = len(found.targets) - len(rows)
    table = aligned(HEADINGS, rows)
    sections = [
        Group(heading(conditions), "", *map(Text, _agreement(found)), *errors),
        Group(table, f"… and {more} more (--full)") if more > 0 else table,
        _doubted(found),
        sentences([MEANING + WHOLE], "dim"),
    ]
    print_within(sections, console)


def _agreement(found: SwitchResults) -> list[str]:
    every = [row for target in found.targets for row in target.rows]
    boundaries = sum(row.boundaries for row in every)
    differing = sum(row.analytic_differences for row in every)
    held = sum(row.measured_cycles.covers(row.median_cycles) for row in every)
    return [
        f"Analytic and simulated differ at {differing:,} of {boundaries:,} instruction boundaries.",
        f"The direct intervals hold the simulated time in {held:,} of {len(every):,} rows.",
    ]


def _row(one: TargetFigures) -> tuple[str, ...]:
    point, rows = one.point, one.rows
    cycles = [row.simulated.switch.cycles for row in rows]
    return (
        f"{one.kernel} {point.name}, {point.core_hz / 1e6:g} MHz",
        _range(row.simulated.out.cycles for row in rows),
        _range(row.simulated.back.cycles for row in rows),
        _range(cycles),
        _range((microseconds(one_, point.core_hz) for one_ in cycles), 2),
        _range(_direct(rows)),
        _range((row.simulated.switch.pj / PJ_PER_NJ for row in rows), 0),
        str(len(rows)),
    )


def _direct(rows: Iterable[SwitchRow]) -> list[float]:
    return [row.measured_cycles.value for row in rows]


def _range(values: Iterable[float], decimals: int = 0) -> str:
    told = [f"{one:,.{decimals}f}" for one in sorted(values)]
    return told[0] if told[0] == told[-1] else f"{told[0]}…{told[-1]}"


def _doubted(found: SwitchResults) -> Group | None:
    rules = sorted({rule for target in found.targets for rule in target.unverified})
    if not rules:
        return None
    told = f"timing rules that no source confirms were touched: {some(rules, len(rules))}"
    return Group(Text("What to doubt", style="bold"), sentences(first_of([told], 1, 220)))
