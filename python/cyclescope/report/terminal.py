"""Parts of tables and summaries in a terminal of 80 columns."""

from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cyclescope.report.plain_text import GAP, cut

WIDTH = 80
MOST_LINES = 40
"""Lines that a verb prints without --full."""

CLOSING_LINES = 3
"""Those of them that are left for where the results are."""

WHOLE = "Everything: --full, or the report."


def heading(lines: Iterable[tuple[str, str]]) -> Table:
    """Returns the head of a table: names and values."""
    table = Table(box=None, show_header=False, padding=(0, 1), width=WIDTH)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(ratio=1)
    for name, value in lines:
        table.add_row(name, Text(value))
    return table


def fitting(widths: Sequence[int], lines: Iterable[Sequence[str]]) -> tuple[int, ...]:
    """The widths of columns, changed only as far as a number or word would be broken otherwise.

    Columns that are too narrow for their longest word take what there is beyond the last column,
    then what those with the most to spare have. A width counts the gap before its column.
    """
    needed = [1] * len(widths)
    for line in lines:
        for at, cell in enumerate(line):
            needed[at] = max(needed[at], bool(at) + max(map(len, cell.split()), default=0))
    fitted = [max(width, need) for width, need in zip(widths, needed, strict=True)]
    for _ in range(sum(fitted) - WIDTH):
        spare = [width - need for width, need in zip(fitted, needed, strict=True)]
        if max(spare) > 0:
            fitted[spare.index(max(spare))] -= 1
    return tuple(fitted)


def cells(figures: Sequence[str], widths: Sequence[int], last_style: str = "") -> Table:
    """Figures right-aligned in columns so wide; a range breaks between its numbers."""
    line = Table.grid(padding=(0, 0, 0, 1))
    for width in widths:
        line.add_column(width=width, justify="right", overflow="fold")
    line.add_row(*map(Text, figures[:-1]), Text(figures[-1], style=last_style))
    return line


def titled(
    headings: Sequence[str],
    widths: Sequence[int],
    lines: Sequence[tuple[Text, Sequence[str]]],
) -> Group:
    """Two lines for each: what it is, and its figures under the headings."""
    fitted = fitting(widths, [headings, *(figures for _, figures in lines)])
    shown: list[RenderableType] = [cells(headings, fitted), Rule(style="dim")]
    for title, figures in lines:
        shown += [title, cells(figures, fitted)]
    return Group(*shown)


def sentences(told: Iterable[str], style: str = "") -> Group:
    """An indented paragraph for each."""
    return Group(*(Padding(Text(one, style=style), (0, 0, 0, 2)) for one in told))


def aligned(headings: Sequence[str], rows: Iterable[Sequence[str]], width: int = WIDTH) -> Group:
    """A line for each row, the first cell to the left, no other cell broken.

    The first is cut in its middle if need be: names differ at their ends.
    """
    table = [tuple(headings), *map(tuple, rows)]
    widths = [max(len(row[at]) for row in table) for at in range(1, len(headings))]
    longest = max(len(row[0]) for row in table)
    name = max(min(longest, width - sum(GAP + one for one in widths)), 1)
    lines = []
    for number, row in enumerate(table):
        figures = (f"{'':{GAP}}{one:>{at}}" for one, at in zip(row[1:], widths, strict=True))
        line = f"{_without_middle(row[0], name):<{name}}{''.join(figures)}".rstrip()
        lines.append(Text(line, style="" if number else "bold"))
    return Group(*lines)


def _without_middle(text: str, columns: int) -> str:
    if len(text) <= columns:
        return text
    end = columns // 3
    return f"{text[: columns - end - 1]}…{text[len(text) - end :]}"


def some(names: Iterable[str], most: int = 3) -> str:
    """The first of several names, and how many more there are."""
    listed = list(dict.fromkeys(names))
    more = f" and {len(listed) - most:,} more" if len(listed) > most else ""
    return f"{', '.join(listed[:most])}{more}"


def first_of(told: Sequence[str], most: int, columns: int = 2 * WIDTH - 12) -> list[str]:
    """The first of many sentences, cut where they are long, and how many are left out."""
    shown = [cut(one, columns) for one in told[:most]]
    if len(told) > most:
        shown.append(f"… and {len(told) - most:,} more (--full)")
    return shown


def print_within(
    sections: Sequence[RenderableType | None],
    console: Console,
    most: int = MOST_LINES - CLOSING_LINES,
) -> None:
    """Prints sections with an empty line between, at most so many lines.

    The sections are given by importance: the last ones give way first. The first is always shown.
    """
    shown = [one for one in sections if one is not None]
    heights = [len(console.render_lines(one, pad=False)) for one in shown]
    while len(shown) > 1 and sum(heights) + len(heights) - 1 > most:
        shown.pop()
        heights.pop()
    for number, one in enumerate(shown):
        if number:
            console.print()
        console.print(one)
