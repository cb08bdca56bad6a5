"""Configurations in a terminal of 80 columns: the ratio K, or what each adds to a call."""

from collections.abc import Sequence

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cyclescope.report.terminal import WIDTH, heading
from cyclescope.studies.configurations.findings import ConfigurationsFound, CostRow
from cyclescope.studies.configurations.report import wording

RATIO_WIDTHS = (15, 4, 6, 7, 8, 14, 6, 6, 6, 6)
SPENT_WIDTHS = (24, 10, 9, 9, 9, 8, 9)
BASE_WIDTH = 15
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def show_ratios(found: ConfigurationsFound, console: Console) -> None:
    """Prints the base's conditions, where the cycles go, and K of each configuration."""
    console.print(heading(wording.conditions(found)))
    console.print()
    _lines(console, wording.SPENT_HEADINGS, SPENT_WIDTHS)
    for one in found.configurations:
        console.print(Text(one.name, style="bold red" if one.problem else "bold"))
        console.print(_line(wording.spent_figures(one), SPENT_WIDTHS))
    _sentence(console, wording.spent_meaning(found))
    if found.others:
        console.print(Text("Ratio to the base", style="bold"))
        _lines(console, wording.RATIO_HEADINGS, RATIO_WIDTHS)
    for one in found.others:
        console.print(Text(one.name, style="bold"))
        for figures in wording.ratio_lines(one):
            console.print(_line(figures, RATIO_WIDTHS))
    _sentence(console, wording.RATIO_MEANING)
    _problems(found, console)


def show_costs(found: ConfigurationsFound, rows: Sequence[CostRow], console: Console) -> None:
    """Prints the table of calls and configurations, in as many parts as the width takes."""
    console.print(heading(wording.conditions(found)))
    console.print()
    idle = wording.idle(found, rows)
    shown = [(number, one) for number, one in enumerate(found.others) if one.name not in idle]
    letters = dict(zip((number for number, _ in shown), LETTERS, strict=False))
    for number, one in shown:
        beside = wording.footprint(found, one)
        console.print(
            Text(f"  {letters[number]}  {one.name}" + (f"  ({beside})" if beside else ""))
        )
    console.print()
    changed = [row for row in rows if row.changes]
    for columns in _parts([number for number, _ in shown], changed):
        _cost_table(changed, columns, letters, console)
    if idle:
        _sentence(console, f"No call changes with: {', '.join(idle)}.")
    _sentence(console, f"{len(changed)} rows of {len(rows)}. {wording.COST_MEANING}")
    _sentence(console, wording.alignment(found))
    _problems(found, console)


def _parts(columns: Sequence[int], rows: Sequence[CostRow]) -> list[list[int]]:
    """The columns in parts that fit beside the base."""
    parts: list[list[int]] = []
    used = WIDTH
    for column in columns:
        width = _width(column, rows)
        if used + width > WIDTH:
            parts.append([])
            used = BASE_WIDTH
        parts[-1].append(column)
        used += width
    return parts


def _width(column: int, rows: Sequence[CostRow]) -> int:
    return 1 + max((len(wording.cost_figure(row.costs[column])) for row in rows), default=1)


def _cost_table(
    rows: Sequence[CostRow], columns: Sequence[int], letters: dict[int, str], console: Console
) -> None:
    widths = (BASE_WIDTH, *(_width(column, rows) for column in columns))
    _lines(console, ("base", *(letters[column] for column in columns)), widths)
    for row in rows:
        console.print(Text(row.case, style="bold").append(f"  {wording.at(row)}", "not bold dim"))
        figures = (wording.cost_figure(row.costs[column]) for column in columns)
        console.print(_line((wording.base_figure(row), *figures), widths))
    console.print()


def _lines(console: Console, headings: Sequence[str], widths: Sequence[int]) -> None:
    console.print(_line(headings, widths))
    console.print(Rule(style="dim"))


def _line(figures: Sequence[str], widths: Sequence[int]) -> RenderableType:
    line = Table.grid(padding=(0, 0, 0, 1))
    for width in widths:
        line.add_column(width=width, justify="right", no_wrap=True)
    line.add_row(*map(Text, figures))
    return line


def _sentence(console: Console, sentence: str) -> None:
    console.print(Padding(Text(sentence, style="dim"), (0, 0, 1, 2)))


def _problems(found: ConfigurationsFound, console: Console) -> None:
    for sentence in found.problems:
        console.print(Text(f"error: {sentence}", style="bold red"))
