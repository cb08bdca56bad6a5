"""The page of `cyclescope switch`: one self-contained HTML file."""

from html import escape

from cyclescope.reports.page import bullets, document, provenance
from cyclescope.reports.provenance import under
from cyclescope.reports.switch.figures import all_figures
from cyclescope.reports.switch.tables import Table, rated, tables
from cyclescope.reports.switch.terminal import conditions
from cyclescope.switching.results import Results

SCRIPT = 'for (const plot of document.querySelectorAll(".plot")) sight.observe(plot);'


def render(found: Results, problems: list[str]) -> str:
    """The whole page. The same results give the same bytes."""
    first = rated(found)[0]
    figures = all_figures(found)
    return document(
        "switch.html",
        title=f"What a context switch costs on {first.conditions.board}",
        conditions=[*under(first.conditions)[:4], *conditions(found)],
        data={"figures": {name: figure for name, (_, figure) in figures.items()}},
        script=SCRIPT,
        problems=bullets(problems, "problem"),
        tables="".join(_table(one) for one in tables(found)),
        plots="".join(_plot(name, caption) for name, (caption, _) in figures.items()),
        provenance="".join(
            f"<details><summary>{escape(one.kernel)} at {escape(one.point.name)}</summary>"
            + provenance([("cyclescope", found.tool)], one.conditions)
            + "</details>"
            for one in found.targets
        ),
    )


def _plot(name: str, caption: str) -> str:
    return (
        f'<figure><div class="plot" data-figure="{name}"></div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _table(one: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in one.headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in one.rows
    )
    notes = "".join(f'<p class="meaning">{escape(note)}</p>' for note in one.notes)
    return (
        f'<h2>{escape(one.title)}</h2><div class="scroll"><table class="small"><thead><tr>{head}'
        f"</tr></thead><tbody>{body}</tbody></table></div>{notes}"
    )
