"""The way of a byte through its buffers, and how often it is copied."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, detailed, having
from cyclescope.studies.peripheral.report.section import (
    Section,
    folded,
    number,
    paragraph,
    wide_table,
)

NAME = "buffers"
MOST_WAYS = 3
DISTRIBUTIONS = {
    "copies_per_payload_byte": "copies of each byte of the file",
    "buffers_per_payload_byte": "buffers on its whole way",
    "buffers_to_program": "buffers between device and program",
    "saves_per_payload_byte": "saves of a register that held it",
    "stores_per_followed_byte": "stores of each byte on the wire",
}
ARROW = '<li class="arrow" aria-hidden="true">→</li>'
HEADINGS = ("Followed byte by byte", "n", "min", "quartiles", "max (observed)", "mean", "paper")


def section(transfers: Sequence[MeasuredTransfer]) -> Section | None:
    """The most frequent ways of the transfers that are shown in detail."""
    shown = having(detailed(transfers), NAME)
    if not shown:
        return None
    first, *others = shown
    said = (
        "Each byte of the file is followed from the receiver to the file's page, or from there to "
        "the transmitter. The values that instructions and the PDC move decide. A copy is a store "
        "into another buffer. Exact for these recordings."
    )
    html = f"<h3>{escape(first.title)}</h3>{_whole(first)}{paragraph(said)}"
    html += "".join(folded(f"Ways of a byte: {one.title}", _whole(one)) for one in others)
    return Section("The buffers on the way of a byte", html)


def _whole(one: MeasuredTransfer) -> str:
    document = one.documents[NAME]
    ways = document["ways"]
    pictures = "".join(way_picture(way, document) for way in ways[:MOST_WAYS])
    more = sum(way["bytes"] for way in ways[MOST_WAYS:])
    rest = f"{len(ways) - MOST_WAYS} more ways of {more:,} bytes." if more else ""
    tables = _distributions(document) + _carrying(document)
    return f"{pictures}{paragraph(rest) if rest else ''}{tables}"


def way_picture(way: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    """The steps of a way as boxes, each under the function that filled it."""
    steps = ARROW.join(
        f"<li><small>{escape(step['by'])}</small><b>{escape(step['to'])}</b></li>"
        for step in way["steps"]
    )
    of = f"{way['bytes']:,} of {document['payload_bytes']:,} bytes of the file"
    return f'<figure class="way"><figcaption>{of}</figcaption><ol>{steps}</ol></figure>'


def _distributions(document: Mapping[str, Any]) -> str:
    rows = []
    for key, text in DISTRIBUTIONS.items():
        one = document[key]
        stated = f"{paper.STATED['buffers'].value:g}" if key == "buffers_to_program" else ""
        if one["n"]:
            quartiles = " ".join(f"{one[part]:,}" for part in ("q25", "q50", "q75"))
            figures = (f"{one['n']:,}", f"{one['min']:,}", quartiles, f"{one['max']:,}")
            rows.append((text, *figures, number(one["mean"], 2), stated))
    return wide_table(HEADINGS, rows)


def _carrying(document: Mapping[str, Any]) -> str:
    carrying = document["carrying"]
    rows = [
        (one["function"], f"{one['instructions']:,}", f"{one['cycles']:,}")
        for one in carrying["functions"]
    ]
    per_byte = (
        f"Instructions that carry a byte of the line: "
        f"{number(carrying['instructions_per_payload_byte'])} and "
        f"{number(carrying['cycles_per_payload_byte'])} cycles per byte of the file"
    )
    return folded(per_byte, wide_table(("Function", "instructions", "cycles"), rows))
