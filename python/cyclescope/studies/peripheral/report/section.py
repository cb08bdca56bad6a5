"""A section of the page: its heading, its HTML, and the figures that the HTML has places for."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from cyclescope.report.page import table
from cyclescope.report.plotted import Figure


class Section(NamedTuple):
    """A part of the page. `figures` are by the names of their places."""

    heading: str
    html: str
    figures: Mapping[str, Figure] = {}


def wide_table(headings: Sequence[str], rows: Sequence[Sequence[str]], style: str = "") -> str:
    """A table that scrolls by itself where the window is narrow."""
    return f'<div class="scroll">{table(headings, rows, style)}</div>' if rows else ""


def paragraph(text: str) -> str:
    """Text under a figure or a table."""
    return f'<p class="meaning">{escape(text)}</p>'


def folded(summary: str, html: str) -> str:
    """HTML that opens when the reader asks for it."""
    return f"<details><summary>{escape(summary)}</summary>{html}</details>"


def number(value: float | None, decimals: int = 1) -> str:
    """A figure for a table; a dash if it is unknown."""
    return "–" if value is None else f"{value:,.{decimals}f}"


def share(value: float | None) -> str:
    """A share in percent."""
    return "–" if value is None else f"{value:.1%}"
