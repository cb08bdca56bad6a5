"""Tables of an analysis as lines of text."""

from collections.abc import Sequence


def left_and_numbers(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Aligned lines of header and rows: the first column to the left, the others to the right."""
    table = [tuple(header), *map(tuple, rows)]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        numbers = (f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))
        return "  ".join([f"{row[0]:<{widths[0]}}", *numbers]).rstrip()

    return [line(row) for row in table]
