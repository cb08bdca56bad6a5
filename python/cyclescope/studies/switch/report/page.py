"""The page of `cyclescope switch`: one self-contained HTML file."""

from html import escape

from cyclescope.report.page import bullets, document, part, plot, provenance, table
from cyclescope.report.provenance import under
from cyclescope.studies.switch.report.figures import all_figures
from cyclescope.studies.switch.report.tables import Table, rated, tables
from cyclescope.studies.switch.report.terminal import conditions
from cyclescope.studies.switch.results import SwitchResults


def render(found: SwitchResults, problems: list[str]) -> str:
    """The whole page. The same results give the same bytes."""
    first = rated(found)[0]
    figures = all_figures(found)
    return document(
        part("switch.html", __package__),
        title=f"Cost of a context switch on {first.conditions.board}",
        conditions=[*under(first.conditions)[:4], *conditions(found)],
        data={"figures": {name: figure for name, (_, figure) in figures.items()}},
        problems=bullets(problems, "problem"),
        tables="".join(_table(one) for one in tables(found)),
        plots="".join(plot(name, caption) for name, (caption, _) in figures.items()),
        provenance="".join(
            f"<details><summary>{escape(one.kernel)} at {escape(one.point.name)}</summary>"
            + provenance([("cyclescope", found.tool)], one.conditions)
            + "</details>"
            for one in found.targets
        ),
    )


def _table(one: Table) -> str:
    notes = "".join(f'<p class="meaning">{escape(note)}</p>' for note in one.notes)
    return (
        f'<h2>{escape(one.title)}</h2><div class="scroll">{table(one.headings, one.rows)}</div>'
        f"{notes}"
    )
