"""The table of cases that a reader filters, sorts and opens; report.js does that."""

import math
from collections.abc import Iterable, Sequence
from html import escape

from cyclescope.report.page import fill, part


def case_table(headings: Iterable[str], cases: Iterable[str], meaning: str) -> str:
    """The whole of it, made of what `case` gives."""
    head = "".join(
        f'<th scope="col"><button type="button">{escape(heading)}</button></th>'
        for heading in headings
    )
    return fill(part("cases.html"), head=head, cases="".join(cases), meaning=escape(meaning))


def case(
    name: str,
    about: str,
    figures: Sequence[str],
    keys: Iterable[float],
    more: str,
    style: str = "",
) -> str:
    """A case's row, and below it the row that opens.

    The figures sort by the keys, one for each; `about` and `more` are HTML already.
    """
    name = escape(name)
    cells = "".join(
        f'<td data-key="{"" if math.isnan(key) else key}">{escape(figure)}</td>'
        for figure, key in zip(figures, keys, strict=True)
    )
    return (
        f'<tbody id="case-{name}"><tr class="row{style}"><th scope="row">'
        f'<button type="button" aria-expanded="false" aria-controls="more-{name}">{name}</button>'
        f"<small>{about}</small></th>{cells}</tr>"
        f'<tr class="more" id="more-{name}" hidden><td colspan="{len(figures) + 1}">'
        f"<div>{more}</div></td></tr></tbody>"
    )
