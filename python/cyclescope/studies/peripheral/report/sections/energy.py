"""Energy per byte by class and by term."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cyclescope.report.page import plot
from cyclescope.report.plotted import Figure
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, detailed, having
from cyclescope.studies.peripheral.report.section import Section, number, paragraph, wide_table
from cyclescope.studies.peripheral.report.stacked_tracks import classes_first, stacked_tracks

NAME = "energy"
FJ_PER_NJ = 1_000_000


def section(transfers: Sequence[MeasuredTransfer]) -> Section | None:
    """Nanojoules per byte through the USART of the transfers that are shown in detail."""
    shown = having(detailed(transfers), NAME)
    if not shown:
        return None
    unit = "nJ per byte"
    figures: dict[str, Figure] = {
        "energy:classes": stacked_tracks({one.way: _by_class(one) for one in shown}, unit),
        "energy:terms": stacked_tracks({one.way: _by_term(one) for one in shown}, unit),
    }
    html = [
        plot("energy:classes", "Energy per byte through the USART by class; idle is sleep"),
        plot("energy:terms", "The same by what consumes it"),
    ]
    rows = []
    for one in shown:
        document = one.documents[NAME]
        terms = _by_term(one)
        rows.append(
            (
                one.title,
                *(number(terms.get(name, 0.0)) for name in document["terms_fj"]),
                number(document["total"]["nj_per_byte"]),
                number(document["active"]["nj_per_byte"]),
                number(document["total"]["nj_per_payload_byte"]),
            )
        )
    first = shown[0].documents[NAME]
    headings = ("nJ per byte", *first["terms_fj"], "all", "without idle", "per byte of the file")
    said = (
        f"The paper measured no energy. The model: {first['conditions']}. "
        f"Not in it: {first['not_modelled']}."
    )
    return Section(
        "Energy per byte",
        f'<div class="plots">{"".join(html)}</div>{wide_table(headings, rows)}{paragraph(said)}',
        figures,
    )


def _wire(document: Mapping[str, Any]) -> int:
    return document["bytes"]["wire"] or 1


def _by_class(one: MeasuredTransfer) -> dict[str, float]:
    document = one.documents[NAME]
    found: Counter[str] = Counter()
    for row in document["classes"]:
        found[row["class"]] += row["energy_fj"]
    return classes_first(
        {name: value / FJ_PER_NJ / _wire(document) for name, value in found.items()}
    )


def _by_term(one: MeasuredTransfer) -> dict[str, float]:
    document = one.documents[NAME]
    return {
        name: value / FJ_PER_NJ / _wire(document) for name, value in document["terms_fj"].items()
    }
