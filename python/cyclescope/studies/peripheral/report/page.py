"""The page of `cyclescope peripheral`: one self-contained HTML file."""

from collections.abc import Callable, Sequence
from html import escape

from cyclescope.report.page import answered, bullets, document, part, table
from cyclescope.studies.peripheral.report import matrix, opening
from cyclescope.studies.peripheral.report.beside import beside
from cyclescope.studies.peripheral.report.differences import misprints, reasons
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, measured
from cyclescope.studies.peripheral.report.section import Section, paragraph, wide_table
from cyclescope.studies.peripheral.report.sections import (
    accesses,
    budget,
    buffers,
    energy,
    latency,
    lines,
    load,
    overhead,
    stacks,
)
from cyclescope.studies.peripheral.results import PeripheralResults

TITLE = "The cost of a serial line to its processor"
CONTENT = "{{problems}}{{sections}}"
SECTIONS: tuple[Callable[[Sequence[MeasuredTransfer]], Section | None], ...] = (
    lines.section,
    overhead.section,
    load.section,
    stacks.section,
    budget.section,
    accesses.section,
    buffers.section,
    energy.section,
    latency.section,
)
"""In the order of the paper; then what it did not measure."""
PAPER = (
    "Sauer, Gries, Kulkarni and Keutzer, Performance Analysis of the Peripheral – Processor "
    "Interaction in Embedded Systems, UCB/ERL M03/26, 2003. Its plotted points are not in the "
    "text, so they are not here."
)
BESIDE = ("Stated in the paper's text", "paper", "here", "where")


def render(found: PeripheralResults, problems: list[str]) -> str:
    """The whole page. The same results give the same bytes."""
    transfers = measured(found)
    conditions = matrix.conditions(found)
    sections = [
        *filter(None, (make(transfers) for make in SECTIONS)),
        _matrix(found),
        _differences(transfers),
    ]
    under = opening.under(found.manifest, conditions)
    answer = answered(under, opening.answer(transfers), bullets(opening.points(transfers), "plain"))
    return document(
        CONTENT,
        title=TITLE,
        conditions=conditions,
        opening=answer + _beside(transfers),
        data={"figures": {name: one for part in sections for name, one in part.figures.items()}},
        style=part("peripheral.css", __package__),
        problems=bullets(problems, "problem"),
        sections="".join(f"<h2>{escape(one.heading)}</h2>{one.html}" for one in sections),
    )


def _beside(transfers: Sequence[MeasuredTransfer]) -> str:
    rows = [(one.label, *one.texts, one.stated.where) for one in beside(transfers)]
    made = table(BESIDE, rows, "beside")
    return f'<div class="scroll">{made}</div>{paragraph(PAPER)}' if made else ""


def _matrix(found: PeripheralResults) -> Section:
    rows = matrix.rows(found)
    html = f"{wide_table(matrix.HEADINGS, rows)}{paragraph(matrix.MEANING)}"
    return Section("Transfers", html if rows else "<p>None is finished.</p>")


def _differences(transfers: Sequence[MeasuredTransfer]) -> Section:
    headings = ("In the paper", "does not follow from its other numbers", "stated", "recomputed")
    html = bullets(reasons(transfers), "plain") + wide_table(headings, misprints(), "functions")
    said = "The others of its sums, means and ratios that can be recomputed follow."
    return Section("Differences from the paper, and their reasons", html + paragraph(said))
