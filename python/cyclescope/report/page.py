"""Parts that every page of HTML shares: each page is one file that asks nothing of the network."""

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from cyclescope.target.conditions import Conditions


class Json(str):
    """A value that is JSON already."""


def document(
    content: str,
    *,
    title: str,
    heading: str = "",
    conditions: list[tuple[str, str]],
    opening: str = "",
    data: Mapping[str, Mapping[str, Any]],
    script: str = "",
    style: str = "",
    **parts: str,
) -> str:
    """A whole page around `content`, a template that gets the parts.

    The heading is the title if there is none. A page with an `opening`, its answer, has
    the conditions below it. `data` is what scripts read, by its element's id:
    at least the `figures`.
    """
    scripts = [
        f'<script type="application/json" id="{key}">{_embedded(content)}</script>'
        for key, content in data.items()
    ]
    head = "<h2>Measured under</h2>" if opening else ""
    measured_under = f"{head}<dl>{definitions(conditions)}</dl>" if conditions else ""
    drawing = "".join(map(part, ("scales.js", "marks.js", "pictures.js")))
    return fill(
        part("page.html"),
        title=escape(title),
        heading=escape(heading or title),
        style=part("report.css") + style,
        opening=opening,
        conditions=measured_under,
        content=fill(content, **parts),
        scripts="\n".join([*scripts, f"<script>{drawing}{script}</script>"]),
    )


def answered(under: str, answer: str, more: str = "") -> str:
    """The opening of a page: the conditions in one line, the answer, and HTML below it."""
    return f'<p class="under">{escape(under)}</p><p class="answer">{escape(answer)}</p>{more}'


def json_text(content: Any) -> Json:
    """A value as the page has it."""
    return Json(json.dumps(content, ensure_ascii=False, separators=(",", ":")))


def _embedded(content: Mapping[str, Any]) -> str:
    """JSON inside a script element, which no text in it can end."""
    entries = (
        f"{json_text(name)}:{value if isinstance(value, Json) else json_text(value)}"
        for name, value in content.items()
    )
    return f"{{{','.join(entries)}}}".replace("<", "\\u003c")


def part(name: str, package: str = __package__) -> str:
    """The text of a template, style or script in `package`; by default one that all pages share."""
    return files(package).joinpath(name).read_text()


def fill(template: str, **parts: str) -> str:
    """Puts each part in the place of its `{{name}}`; parts are not searched for places again."""
    pieces = template.split("{{")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        filled += [parts[name], rest]
    return "".join(filled)


def table(headings: Iterable[str], rows: Iterable[Sequence[str]], style: str = "") -> str:
    """A small table, each row under its first cell; nothing without rows."""
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        f"{''.join(f'<td>{escape(cell)}</td>' for cell in others)}</tr>"
        for first, *others in rows
    )
    made = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<table class="small {style}">{made}</table>' if body else ""


def plot(figure: str, caption: str, style: str = "") -> str:
    """The place of one of the page's figures."""
    return (
        f'<figure class="{style}"><div class="plot" data-figure="{escape(figure)}"></div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def definitions(pairs: list[tuple[str, str]]) -> str:
    """Names and values below each other."""
    return "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in pairs)


def bullets(sentences: list[str], style: str) -> str:
    """A list of sentences; nothing if there are none."""
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f'<ul class="{style}">{items}</ul>' if items else ""


def listed(sentences: list[str]) -> str:
    """A list of sentences, or that there are none."""
    return bullets(sentences, "plain") or "<p>None.</p>"


def doubts(parts: Iterable[tuple[str, list[str]]]) -> str:
    """Headings, and below each what must be doubted."""
    return "".join(f"<h3>{escape(heading)}</h3>{listed(sentences)}" for heading, sentences in parts)


def provenance(pairs: list[tuple[str, str]], conditions: Conditions) -> str:
    """The pairs, every condition, and the kernel's configuration folded away."""
    content = conditions.model_dump(mode="json")
    configuration = content.pop("kernel_configuration")
    pairs = [*pairs, *((name, _plain(value)) for name, value in content.items())]
    options = [(name, str(value)) for name, value in configuration.items()]
    shown = f"<dl>{definitions(pairs)}</dl>"
    if not options:
        return shown
    return (
        f"{shown}<details><summary>Kernel configuration ({len(options)} options)</summary>"
        f"<dl>{definitions(options)}</dl></details>"
    )


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(one)}" for name, one in value.items()) or "none"
    if isinstance(value, list):
        return " ".join(map(str, value)) or "none"
    return str(value)
