"""The table of cases that a reader filters, sorts and opens; report.js does that."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from types import MappingProxyType

from cyclescope.report.page import fill, part

NOTHING: Mapping[str, str] = MappingProxyType({})


def case_table(
    headings: Sequence[str],
    cases: Iterable[str],
    meaning: str,
    explained: Mapping[str, str] = NOTHING,
) -> str:
    """The whole of it, made of what `case` gives. `explained` stands below a heading."""
    head = "".join(
        f'<th scope="col"><button type="button">{escape(heading)}</button>'
        f"{_small(explained.get(heading))}</th>"
        for heading in headings
    )
    return fill(
        part("cases.html"),
        labels=_labels(headings),
        head=head,
        cases="".join(cases),
        meaning=escape(meaning),
    )


def _small(text: str | None) -> str:
    return f"<small>{escape(text)}</small>" if text else ""


def _glued(figure: str) -> str:
    """A range breaks between its ends, and no value apart from its interval."""
    return escape(figure).replace(" ± ", "&nbsp;±&nbsp;")


def _labels(headings: Sequence[str]) -> str:
    """Labels before each figure where a narrow page has no columns."""
    rules = (
        f"#cases tr.row td:nth-child({column})::before {{ content: {_quoted(heading)}; }}"
        for column, heading in enumerate(headings[1:], 2)
    )
    return f"@media screen and (max-width: 70rem) {{ {' '.join(rules)} }}"


def _quoted(text: str) -> str:
    """A string of CSS inside a style element, which no text in it can end."""
    return json.dumps(text, ensure_ascii=False).replace("<", "\\3c ")


def anchor_of(name: str) -> str:
    """A name as part of an anchor, which may have no spaces."""
    return escape(name).replace(" ", "")


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
    name, anchor = escape(name), anchor_of(name)
    cells = "".join(
        f'<td data-key="{"" if math.isnan(key) else key}">{_glued(figure)}</td>'
        for figure, key in zip(figures, keys, strict=True)
    )
    return (
        f'<tbody id="case-{anchor}"><tr class="row{style}"><th scope="row">'
        f'<button type="button" aria-expanded="false" aria-controls="more-{anchor}">{name}</button>'
        f"<small>{about}</small></th>{cells}</tr>"
        f'<tr class="more" id="more-{anchor}" hidden><td colspan="{len(figures) + 1}">'
        f"<div>{more}</div></td></tr></tbody>"
    )
