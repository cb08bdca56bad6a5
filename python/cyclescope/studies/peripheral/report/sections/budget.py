"""The budget of a byte and the occupation of the processor, against its clock."""

from collections.abc import Mapping, Sequence
from typing import Any

from cyclescope.report.page import plot
from cyclescope.report.plotted import Figure
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, detailed, having
from cyclescope.studies.peripheral.report.section import Section, number, paragraph, wide_table
from cyclescope.studies.peripheral.report.stacked_tracks import line_figure

NAME = "load"
PERCENT = 100
WAYS = {
    "paper_numbers": "the paper's numbers",
    "paper_way": "here, counted as the paper does",
    "measured": "here, measured cycles",
}


def section(transfers: Sequence[MeasuredTransfer]) -> Section | None:
    """Budget and occupation of the transfer that is nearest to the paper's."""
    shown = [one for one in having(detailed(transfers), NAME) if one.documents[NAME].get("budget")]
    if not shown:
        return None
    first = shown[0]
    document = first.documents[NAME]["budget"]
    figures: dict[str, Figure] = {
        "budget:instructions": _lines(document, "instructions_per_byte", 1, "instructions"),
        "budget:occupation": _lines(document, "occupation", PERCENT, "percent of all cycles"),
    }
    figures["budget:occupation"]["layout"]["yaxis"]["rangemode"] = "tozero"
    line = f"{document['bits_per_s']:,} bit/s"
    html = [
        plot("budget:instructions", f"Instructions in the time of a byte at {line}"),
        plot("budget:occupation", "Occupation by the transfer, if the line never pauses"),
    ]
    own = document["measured"]
    said = (
        f"{first.title}. The paper counts 8 bits a byte and 1.9 cycles an instruction. Here a byte "
        f"has {own['frame_bits']} bits, and an active instruction took "
        f"{own['cycles_per_instruction']:.2f} cycles with this board's wait states; with another "
        "clock they would be others. The factor is the clock that is needed by the line's rate."
    )
    return Section(
        "Budget and occupation against the clock",
        f'<div class="plots">{"".join(html)}</div>{_table(shown)}{paragraph(said)}',
        figures,
    )


def _lines(document: Mapping[str, Any], key: str, scale: float, unit: str) -> Figure:
    lines = {
        name: sorted((one["mhz"], one[key] * scale) for one in document[way]["clocks"])
        for way, name in WAYS.items()
    }
    found = line_figure(lines, "MHz", unit, log=False)
    found["layout"]["xaxis"].pop("type")
    return found


def _table(shown: Sequence[MeasuredTransfer]) -> str:
    first = shown[0].documents[NAME]["budget"]
    clocks = [f"{one['mhz']:g} MHz" for one in first["measured"]["clocks"]]
    ways = [("the paper's numbers", first["paper_numbers"])]
    for one in shown:
        budget = one.documents[NAME]["budget"]
        ways += [
            (f"{one.way}, the paper's way", budget["paper_way"]),
            (f"{one.way}, measured", budget["measured"]),
        ]
    rows = [
        (
            name,
            number(way["active_instructions_per_byte"]),
            *(
                f"{number(one['instructions_per_byte'], 0)} ({one['occupation']:.0%})"
                for one in way["clocks"]
            ),
            number(way["needed_mhz"]),
            number(way["factor"], 0),
        )
        for name, way in ways
    ]
    headings = ("Instructions that fit (occupation)", "used", *clocks, "MHz needed", "factor")
    return wide_table(headings, rows)
