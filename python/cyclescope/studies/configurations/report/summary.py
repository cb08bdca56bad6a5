"""Configurations in at most 40 lines: one line for each."""

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.text import Text

from cyclescope.report.provenance import brief_lines
from cyclescope.report.terminal import WHOLE, aligned, heading, print_within, sentences
from cyclescope.studies.compare.findings import Change
from cyclescope.studies.configurations.findings import (
    AddedCost,
    ConfigurationFound,
    ConfigurationsFound,
    CostRow,
)
from cyclescope.studies.configurations.report import wording

MOST = 18
RATIOS = ("Configuration", "cases", "cycles", "K", "± 95 %", "least", "most")
RATIO_MEANING = (
    "K: mean over functions of time here by time in the base, in cycles; above 1 it is slower. "
    "Least and most: of a case. Cycles: of one call of each case that every configuration explains."
)
COSTS = ("Option", "flash", "RAM", "changed", "adds most", "to")
COST_MEANING = (
    "Bytes that the option, changed alone, adds to the image in flash, and in RAM beside the heap. "
    "Cycles that it adds to the net time of a call in the base."
)


def summarise_ratios(found: ConfigurationsFound, console: Console) -> None:
    """Prints the base's conditions and K of each configuration."""
    rows = [_ratio(one) for one in found.configurations]
    _print(found, RATIOS, rows, f"{RATIO_MEANING} {WHOLE}", console)


def summarise_costs(found: ConfigurationsFound, rows: Sequence[CostRow], console: Console) -> None:
    """Prints the base's conditions and, for each option, how many calls it changes, and most."""
    told = [_cost(found, column, rows) for column in range(len(found.others))]
    told.sort(key=lambda row: -int(row[3].partition(" ")[0].replace(",", "")))
    _print(found, COSTS, told, f"{COST_MEANING} {WHOLE}", console)


def _print(
    found: ConfigurationsFound,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    meaning: str,
    console: Console,
) -> None:
    base = found.base
    lines = brief_lines(base.found.conditions) if base.found else []
    errors = [Text(f"error: {one}", style="bold red") for one in found.problems]
    table: RenderableType = aligned(headings, rows[:MOST])
    if len(rows) > MOST:
        table = Group(table, f"… and {len(rows) - MOST} more (--full)")
    sections = [
        Group(heading([("base", base.name), *lines]), *errors),
        table,
        sentences([meaning], "dim"),
    ]
    print_within(sections, console)


def _ratio(one: ConfigurationFound) -> tuple[str, ...]:
    cases, cycles = wording.spent_figures(one)[:2]
    if not one.ratios:
        return (one.name, cases, cycles, "–", "–", "–", "–")
    means = one.ratios[0].means
    figures = (means.k, means.half_width, means.k_min, means.k_max)
    return (one.name, cases, cycles, *(wording.decimal(figure, 3) for figure in figures))


def _cost(found: ConfigurationsFound, column: int, rows: Sequence[CostRow]) -> tuple[str, ...]:
    one = found.others[column]
    bytes_ = wording.beyond(found, one)
    memory = [f"{more:+,}" for more in bytes_] if bytes_ else ["", ""]
    changed: list[tuple[CostRow, AddedCost]] = [
        (row, cost)
        for row in rows
        if (cost := row.costs[column]) is not None and cost.change is not Change.NONE
    ]
    cases = len({row.case for row, _ in changed})
    of = f"{cases:,} of {len({row.case for row in rows}):,}"
    if not changed:
        return (one.name, *memory, of, "", "")
    row, most = max(changed, key=lambda pair: abs(pair[1].cycles.value))
    where = f"{row.case} {wording.at(row)}".strip()
    return (one.name, *memory, of, wording.cost_figure(most), where)
