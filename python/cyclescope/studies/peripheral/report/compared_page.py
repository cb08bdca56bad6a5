"""Two peripheral results beside each other, as one self-contained HTML file."""

from collections.abc import Sequence
from html import escape

from cyclescope.report.page import answered, bullets, document, part, plot
from cyclescope.report.plotted import Figure
from cyclescope.studies.peripheral.compared import PeripheralComparison, TransferPair
from cyclescope.studies.peripheral.gate import PeripheralGate
from cyclescope.studies.peripheral.report import compared_text
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, having
from cyclescope.studies.peripheral.report.section import paragraph, wide_table
from cyclescope.studies.peripheral.report.sections.load import steady
from cyclescope.studies.peripheral.report.stacked_tracks import classes_first, stacked_tracks

TITLE = "Two serial lines beside each other"
JUDGED = "active cycles"


def render(
    found: PeripheralComparison,
    names: tuple[str, str],
    conditions: Sequence[list[tuple[str, str]]],
    gate: PeripheralGate | None,
) -> str:
    """The whole page: a picture and a table for each pair."""
    figures: dict[str, Figure] = {}
    html = []
    for number, pair in enumerate(found.pairs):
        picture = _picture(pair)
        figures |= {f"pair:{number}": picture} if picture else {}
        place = plot(f"pair:{number}", "Active cycles per byte by class") if picture else ""
        settings = compared_text.differing(pair)
        html.append(
            f"<h2>{escape(pair.name)}</h2>{paragraph(settings) if settings else ''}{place}"
            + wide_table(compared_text.HEADINGS, compared_text.rows(pair.quantities))
        )
    under = f"A {names[0]}; B {names[1]}"
    said = [gate.sentence, *gate.broken] if gate else []
    said += [*compared_text.differences(found), *compared_text.missing(found)]
    answer = answered(under, _answer(found), bullets(said, ""))
    both = [(f"{name}, {side}", text) for side, some in zip("AB", conditions, strict=True)
            for name, text in some]  # fmt: skip
    return document(
        "{{pairs}}",
        title=TITLE,
        conditions=both,
        opening=answer,
        data={"figures": figures},
        style=part("peripheral.css", __package__),
        pairs="".join(html) + paragraph(compared_text.MEANING),
    )


def _answer(found: PeripheralComparison) -> str:
    """Which result takes more active cycles per byte, and in how many transfers."""
    judged = [one for pair in found.pairs for one in pair.quantities if one.name == JUDGED]
    ratios = [one.ratio for one in judged if one.ratio is not None]
    if not ratios:
        return f"{len(found.pairs)} transfers are in both; no load was measured in both."
    more, less = sum(one > 1 for one in ratios), sum(one < 1 for one in ratios)
    return (
        f"Of {len(ratios)} transfers B takes more active cycles per byte in {more}, fewer in "
        f"{less}; B / A from {min(ratios):.3f} to {max(ratios):.3f}."
    )


def _picture(pair: TransferPair) -> Figure | None:
    sides = {"A": pair.first, "B": pair.second}
    if len(having(sides.values(), "load")) < len(sides):
        return None
    return stacked_tracks({name: _classes(one) for name, one in sides.items()}, "cycles per byte")


def _classes(one: MeasuredTransfer) -> dict[str, float]:
    rows = steady(one)["classes"]
    return classes_first({row["class"]: row["cycles_per_byte"] for row in rows if not row["idle"]})
