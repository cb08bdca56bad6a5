"""Results of `cyclescope peripheral` in a terminal."""

from rich.console import Console, Group
from rich.text import Text

from cyclescope.report.terminal import aligned, heading, print_within, sentences
from cyclescope.studies.peripheral.report import matrix
from cyclescope.studies.peripheral.results import PeripheralResults

MOST = 16


def show(found: PeripheralResults, problems: list[str], console: Console) -> None:
    """Prints the matrix and every analysis of every transfer."""
    _head(found, problems, console)
    console.print(aligned(matrix.HEADINGS, matrix.rows(found)))
    for title, sentence, lines in matrix.analyses(found):
        console.print(Text(f"\n{title}: {sentence}", style="bold"))
        for line in lines:
            console.print(Text(line))
    console.print(sentences([matrix.MEANING], "dim"))


def summarise(found: PeripheralResults, problems: list[str], console: Console) -> None:
    """Prints the matrix in at most 40 lines."""
    rows = matrix.rows(found)
    table = aligned(matrix.HEADINGS, rows[:MOST])
    more = len(rows) - MOST
    print_within(
        [
            _heading(found, problems),
            Group(table, f"… and {more} more (--full)") if more > 0 else table,
            sentences([matrix.MEANING], "dim"),
        ],
        console,
    )


def _head(found: PeripheralResults, problems: list[str], console: Console) -> None:
    console.print(_heading(found, problems))


def _heading(found: PeripheralResults, problems: list[str]) -> Group:
    errors = [Text(f"error: {one}", style="bold red") for one in problems]
    return Group(heading(matrix.conditions(found)), "", *errors)
