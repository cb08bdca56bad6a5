"""The report: one self-contained HTML file that asks nothing of the network."""

import json
from html import escape
from importlib.resources import files
from typing import Any

from plotly.offline import get_plotlyjs

from cyclescope.reports import figures
from cyclescope.reports.provenance import among, headline, meaning
from cyclescope.reports.rows import HEADINGS, Row, refusal, rows
from cyclescope.results import Results
from cyclescope.study import Characterization, Confession

CAPTIONS = {
    "histogram": "Distribution in 30 bins",
    "fit": "Law over the measured means",
    "layouts": "Net time by layout",
    "series": "Samples in the order of measurement, first layout",
}


def render(found: Characterization, results: Results) -> str:
    """The whole page. The same results give the same bytes."""
    pictures = {
        f"{one.case.name}:{kind}": figure
        for one in found.cases
        for kind, figure in figures.of_case(one, results.of_case(one.case.name)).items()
    }
    table = rows(found)
    return _fill(
        _read("report.html"),
        title=escape(_title(found)),
        style=_read("report.css"),
        conditions=_definitions(headline(found)),
        problems=_list(found.problems, "problem"),
        table=_table(table),
        meaning=escape(meaning(found)),
        cases="\n".join(_section(row, pictures) for row in table),
        honesty=_honesty(found),
        provenance=_provenance(found),
        figures=json.dumps(pictures, ensure_ascii=False).replace("<", "\\u003c"),
        plotly=get_plotlyjs(),
        script=_read("report.js"),
    )


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text()


def _fill(template: str, **parts: str) -> str:
    """Puts each part in the place of its `{{name}}`; parts are not searched for places again."""
    pieces = template.split("{{")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        filled += [parts[name], rest]
    return "".join(filled)


def _title(found: Characterization) -> str:
    conditions = found.conditions
    return f"{conditions.kernel} {conditions.kernel_version} on {conditions.board}"


def _definitions(pairs: list[tuple[str, str]]) -> str:
    return "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in pairs)


def _list(sentences: list[str], style: str) -> str:
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f'<ul class="{style}">{items}</ul>' if items else ""


def _table(table: list[Row]) -> str:
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in HEADINGS)
    body = "".join(_row(row) for row in table)
    return f'<table id="cases"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _row(row: Row) -> str:
    cells = "".join(f"<td>{escape(figure)}</td>" for figure in row.figures)
    style = ' class="invalid"' if row.problem else ""
    return (
        f'<tr{style}><th scope="row"><a href="#case-{escape(row.name)}">{escape(row.name)}</a>'
        f"<small>{escape(row.call)}</small></th>{cells}</tr>"
    )


def _section(row: Row, pictures: dict[str, Any]) -> str:
    plots = "".join(
        f'<figure><div class="plot" data-figure="{escape(row.name)}:{kind}"></div>'
        f"<figcaption>{caption}</figcaption></figure>"
        for kind, caption in CAPTIONS.items()
        if f"{row.name}:{kind}" in pictures
    )
    remarks = _list([row.problem] if row.problem else [], "problem")
    remarks += _list(list(row.remarks), "remarks")
    figures_line = (
        f"n {row.n}, net {row.net} cycles, σ {row.sigma} of the samples and {row.between} of the "
        f"series' means, observed max {row.maximum}, overhead {row.overhead}"
    )
    return (
        f'<section class="case" id="case-{escape(row.name)}"><h3>{escape(row.name)} '
        f"<small>{escape(row.call)}</small></h3><p>{escape(figures_line)}</p>"
        f'{remarks}<div class="plots">{plots}</div></section>'
    )


def _honesty(found: Characterization) -> str:
    missing = [
        f"{case} at x = {value}" if value is not None else case
        for case, value in dict.fromkeys((case, value) for _, case, value in found.missing)
    ]
    parts = [
        ("Unverified timing rules touched", _confessed(found, found.unverified)),
        ("Met but not modelled", _confessed(found, found.unmodelled)),
        ("Cases that do not fit", [refusal(one) for one in found.refused]),
        ("Planned and not measured", missing),
    ]
    return "".join(
        f"<h3>{heading}</h3>{_list(sentences, 'plain') or '<p>None.</p>'}"
        for heading, sentences in parts
    )


def _confessed(found: Characterization, confessions: tuple[Confession, ...]) -> list[str]:
    return [f"{one.sentence} (in {among(found, one.cases)})" for one in confessions]


def _provenance(found: Characterization) -> str:
    conditions = found.conditions.model_dump(mode="json")
    configuration = conditions.pop("kernel_configuration")
    pairs = [("cyclescope", found.tool), ("technique", found.technique)]
    pairs += [(name, _plain(value)) for name, value in conditions.items()]
    options = [(name, str(value)) for name, value in configuration.items()]
    return (
        f"<dl>{_definitions(pairs)}</dl><details><summary>Kernel configuration "
        f"({len(options)} options)</summary><dl>{_definitions(options)}</dl></details>"
    )


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value)) or "none"
    return str(value)
