"""The head of every table in a terminal of 80 columns."""

from collections.abc import Iterable

from rich.table import Table
from rich.text import Text

WIDTH = 80


def heading(lines: Iterable[tuple[str, str]]) -> Table:
    """Returns the head of a table: names and values."""
    table = Table(box=None, show_header=False, padding=(0, 1), width=WIDTH)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(ratio=1)
    for name, value in lines:
        table.add_row(name, Text(value))
    return table
