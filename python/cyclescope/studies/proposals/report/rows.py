"""The tables of each comparison: an image in each row, its base first."""

from collections.abc import Mapping, Sequence
from typing import Any

from cyclescope.studies.proposals.ablation import Ablation
from cyclescope.studies.proposals.results import ProposalsManifest

LOAD = (
    *("Image", "bytes per interaction", "instructions per byte", "cycles per byte", "by base"),
    *("application", "driver", "kernel"),
)
ACCESSES = (
    *("Image", "accesses per byte", "words", "half-words", "bytes", "USART", "controller"),
    *("timer", "of the USART: control", "data", "copies of a byte"),
)
ENERGY = (*("Image", "nJ per byte", "not idle", "declared", "nJ per byte of the file", "by base"),)
LATENCY = (
    *("Image", "request to device: n", "median", "max", "packet to application: n", "median"),
    *("max", "packet to answer: median", "max"),
)
DEVICES = ("usart1", "aic", "tc")

NOTHING = {"per_byte": 0}

Document = Mapping[str, Any]


def documents(found: ProposalsManifest, one: Ablation) -> list[Document]:
    """The documents of a comparison's images, the base first; none without the base."""
    base = found.document(one.base)
    others = (found.document(image) for image in one.others)
    return [base, *(other for other in others if other)] if base else []


def label(document: Document) -> str:
    """The image's name, marked if its board is not real."""
    return f"{document['name']}{'' if document['real'] else ' *'}"


def load_rows(images: Sequence[Document]) -> list[tuple[str, ...]]:
    """Granularity and load. The first image is the base."""
    return [
        (
            label(one),
            f"{one['bytes_per_interaction']:,.1f}",
            f"{_active(one, 'instructions'):,.1f}",
            f"{_active(one, 'cycles'):,.1f}",
            _change(_active(one, "cycles"), _active(images[0], "cycles")),
            *(
                f"{one['load']['parts'][part]['instructions']['per_byte']:,.1f}"
                for part in ("application", "driver", "kernel")
            ),
        )
        for one in images
    ]


def access_rows(images: Sequence[Document]) -> list[tuple[str, ...]]:
    """Data accesses of the core that are not idle, by width and by device."""
    return [
        (
            label(one),
            f"{one['accesses']['data']['per_byte']:,.1f}",
            *(
                f"{one['accesses']['widths'][width]['per_byte']:,.2f}"
                for width in ("words", "half-words", "bytes")
            ),
            *(
                f"{one['accesses']['targets'].get(device, NOTHING)['per_byte']:,.2f}"
                for device in DEVICES
            ),
            f"{one['accesses']['line_control']:,}",
            f"{one['accesses']['line_data']:,}",
            f"{one['copies']['per_received_byte']:.2f}",
        )
        for one in images
    ]


def energy_rows(images: Sequence[Document]) -> list[tuple[str, ...]]:
    """Energy of the board."""
    return [
        (
            label(one),
            f"{one['energy']['total_nj']['per_byte']:,.0f}",
            f"{one['energy']['active_nj']['per_byte']:,.0f}",
            f"{one['energy'].get('declared_nj', NOTHING)['per_byte']:,.0f}",
            f"{one['energy']['total_nj']['per_payload_byte']:,.0f}",
            _change(
                one["energy"]["total_nj"]["per_byte"], images[0]["energy"]["total_nj"]["per_byte"]
            ),
        )
        for one in images
    ]


def latency_rows(images: Sequence[Document]) -> list[tuple[str, ...]]:
    """Stages in cycles."""
    return [
        (
            label(one),
            *_stage(one, "request_to_device"),
            *_stage(one, "line_to_application"),
            *_stage(one, "line_to_answer")[1:],
        )
        for one in images
    ]


def _stage(document: Document, name: str) -> tuple[str, str, str]:
    found = document["latency"][name]
    if not found["n"]:
        return "–", "–", "–"
    return f"{found['n']:,}", f"{found['q50']:,}", f"{found['max']:,}"


def _active(document: Document, what: str) -> float:
    return float(document["load"][f"active_{what}"]["per_byte"])


def _change(value: float, base: float) -> str:
    return "base" if value == base else f"{value / base - 1:+.1%}"


def problems(found: ProposalsManifest) -> list[str]:
    """Images that could not be measured, or whose file is not the one that was sent."""
    wrong = [one for one in found.measured if not one["identical"]]
    return [
        *(f"{one.name}: {one.sentence}" for one in found.failed),
        *(f"{one['name']}: the file that came is not the one that was sent" for one in wrong),
    ]


def declarations(images: Sequence[Document]) -> list[str]:
    """A sentence for each image whose board is not real."""
    return [
        f"* {one['name']}: declared, not real: {one['declared']}."
        for one in images
        if not one["real"]
    ]


def conditions(found: ProposalsManifest) -> list[tuple[str, str]]:
    """The conditions that all images have in common."""
    file, first = found.file, next(iter(found.measured), None)
    clock = f", {first['core_hz'] / 1e6:g} MHz" if first else ""
    waits = f"wait states: ROM {file.rom_waits}, RAM {file.ram_waits}"
    return [
        ("board", f"at91x40{clock}, virtual; images that need more say so"),
        ("software", "FreeRTOS V11.2.0, tick 100 Hz, one task; sends by PDC"),
        ("memory", f"code and data: {file.code}; {waits}"),
        ("line", "USART 1 at 113,778 baud; a character takes 2,880 cycles; no errors"),
        ("file", f"{file.size:,} bytes of {file.content}, seed {file.seed}; {file.body} a packet"),
    ]
