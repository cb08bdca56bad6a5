"""Parts of lines in a terminal that have no style, for verbs that need no more."""

import re

GAP = 2
"""Columns between the cells of a summary."""


def cut(text: str, columns: int) -> str:
    """A text of at most so many columns; a longer one ends at a space, so that no number is cut."""
    if len(text) <= columns:
        return text
    return re.sub(r"[\s,;:]*\S*$", " …", text[: columns - 1], count=1)
