"""The page of `cyclescope peripheral`: one self-contained HTML file."""

from html import escape

from cyclescope.report.page import bullets, document, table
from cyclescope.studies.peripheral.report import matrix
from cyclescope.studies.peripheral.results import PeripheralResults

CONTENT = "{{problems}}<h2>Transfers</h2>{{matrix}}<p>{{meaning}}</p>{{analyses}}"


def render(found: PeripheralResults, problems: list[str]) -> str:
    """The whole page. The same results give the same bytes."""
    analyses = (
        f"<h3>{escape(title)}: {escape(sentence)}</h3><pre>{escape(chr(10).join(lines))}</pre>"
        for title, sentence, lines in matrix.analyses(found)
    )
    return document(
        CONTENT,
        title="The cost of a serial line to its processor",
        conditions=matrix.conditions(found),
        data={"figures": {}},
        problems=bullets(problems, "problem"),
        matrix=f'<div class="scroll">{table(matrix.HEADINGS, matrix.rows(found))}</div>',
        meaning=escape(matrix.MEANING),
        analyses="".join(analyses),
    )
