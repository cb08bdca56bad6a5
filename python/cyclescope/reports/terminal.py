"""The table in a terminal of 80 columns, under its conditions."""

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cyclescope.reports.provenance import MEANING, among, headline
from cyclescope.reports.rows import HEADINGS, Row, refusal, rows
from cyclescope.study import Characterization

WIDTH = 80
COLUMNS = (5, 17, 5, 8, 7)


def show(found: Characterization, console: Console) -> None:
    """Prints conditions, table, and what must be said about the figures."""
    console.print(_conditions(found))
    console.print()
    console.print(_table(found))
    console.print()
    for sentence in _footnotes(found):
        console.print(Padding(Text(sentence), (0, 0, 0, 2)))
    for sentence in found.problems:
        console.print(Text(f"error: {sentence}", style="bold red"))


def _conditions(found: Characterization) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1), width=WIDTH)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(ratio=1)
    for name, value in headline(found):
        table.add_row(name, Text(value))
    return table


def _table(found: Characterization) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), width=WIDTH, show_edge=False)
    table.add_column(HEADINGS[0], ratio=1, overflow="fold")
    for heading, width in zip(HEADINGS[1:], COLUMNS, strict=True):
        table.add_column(heading, justify="right", overflow="fold", width=width)
    for row in rows(found):
        table.add_row(_name(row), *(Text(figure) for figure in row.figures))
    return table


def _name(row: Row) -> Text:
    style = "bold red" if row.problem else "bold"
    return Text.assemble((row.name, style), "\n", (row.call, "dim"))


def _footnotes(found: Characterization) -> list[str]:
    notes = [f"{row.name}: {remark}" for row in rows(found) for remark in row.remarks]
    notes += [refusal(one) for one in found.refused]
    if found.missing:
        notes.append(f"not measured yet: {len(found.missing)} runs of the plan")
    notes += [
        f"unverified timing rules touched in {where}: {', '.join(rules)} (texts in the report)"
        for where, rules in _by_cases(found)
    ]
    notes += [f"not modelled: {one.sentence}" for one in found.unmodelled]
    return [*notes, MEANING]


def _by_cases(found: Characterization) -> list[tuple[str, list[str]]]:
    rules: dict[str, list[str]] = {}
    for one in found.unverified:
        rules.setdefault(among(found, one.cases), []).append(one.name)
    return list(rules.items())
