"""The answer of the study in a sentence, and its most important numbers."""

from collections.abc import Mapping, Sequence
from typing import Any

from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, detailed
from cyclescope.studies.peripheral.results import PeripheralManifest

FJ_PER_UJ = 1e9


def answer(transfers: Sequence[MeasuredTransfer]) -> str:
    """The cost of a byte in the transfer that is nearest to the paper's; else what came of all."""
    if not transfers:
        return "No transfer is finished."
    shown = detailed(transfers)
    first = shown[0] if shown else None
    if first is None or "load" not in first.documents:
        whole = sum(one.outcome.identical for one in transfers)
        return f"{whole} of {len(transfers)} transfers arrived whole."
    steady = first.documents["load"]["steady"]
    active = steady["active"]
    return (
        f"A byte through the USART costs {active['instructions_per_byte']:,.0f} instructions "
        f"({active['cycles_per_byte']:,.0f} cycles) besides idle: {_shares(steady)}. The paper has "
        f"{paper.LOADS[first.setting.line]['active']:g} instructions."
    )


def _shares(steady: Mapping[str, Any]) -> str:
    known = [one for one in steady["classes"] if one["share_of_active_instructions"]]
    known.sort(key=lambda one: -one["instructions"])
    parts = [f"{one['share_of_active_instructions']:.0%} {one['class']}" for one in known[:4]]
    return ", ".join(parts)


def points(transfers: Sequence[MeasuredTransfer]) -> list[str]:
    """A sentence for each further result: transfers, overhead, clock, energy, copies, latency."""
    found = []
    lost = [one for one in transfers if not one.outcome.identical]
    if lost:
        overruns = sum(one.outcome.overruns for one in lost)
        found.append(
            f"{len(lost)} of {len(transfers)} transfers did not arrive whole, with {overruns:,} "
            f"overruns: {', '.join(dict.fromkeys(one.way for one in lost))}."
        )
    for one in detailed(transfers)[:1]:
        found += _of(one)
    return found


def _of(one: MeasuredTransfer) -> list[str]:
    documents, found = one.documents, []
    if "overhead" in documents:
        overhead = documents["overhead"]
        found.append(
            f"{overhead['wire_bytes']:,} bytes go over the line for {overhead['payload_bytes']:,} "
            f"of the file: an overhead of {overhead['overhead_share']:.1%}."
        )
    if "load" in documents and documents["load"].get("budget"):
        budget = documents["load"]["budget"]
        rate, needed = budget["bits_per_s"], budget["measured"]["needed_mhz"]
        needs = paper.stated("needed_mhz", one.setting.line)
        same = needs is not None and rate == paper.LINE_BITS_PER_S
        stated = f"; the paper says {needs.value:g}" if needs and same else ""
        found.append(
            f"A line of {rate:,} bit/s that never pauses needs {needed:.1f} MHz of this "
            f"processor{stated}."
        )
    if "buffers" in documents and documents["buffers"]["copies_per_payload_byte"]["n"]:
        copies = documents["buffers"]["copies_per_payload_byte"]["mean"]
        held = documents["buffers"]["buffers_to_program"]["mean"]
        found.append(
            f"The processor copies a byte {copies:.2f} times; it passes {held:.2f} buffers between "
            f"device and program, in the paper {paper.STATED['buffers'].value:g}."
        )
    if "energy" in documents:
        energy = documents["energy"]
        found.append(
            f"A byte through the USART takes {energy['total']['nj_per_byte']:,.0f} nJ, of which "
            f"{energy['active']['nj_per_byte']:,.0f} are not idle."
        )
    if "latency" in documents:
        found += _latency(documents["latency"])
    return found


def _latency(document: Mapping[str, Any]) -> list[str]:
    stage = document["bytes"]["stages"].get("line_to_call_returned")
    if not stage or not stage["n"]:
        return []
    middle, most = stage["us"]["q50"], stage["us"]["max"]
    return [
        f"From the line to its reader a byte takes {middle:,.0f} µs (median of {stage['n']:,}), "
        f"{most:,.0f} at the most that was observed."
    ]


def under(manifest: PeripheralManifest, conditions: Sequence[tuple[str, str]]) -> str:
    """The conditions in one line."""
    short = "; ".join(text for name, text in conditions if name in ("board", "memory", "line"))
    planned, finished = len(manifest.planned), len(manifest.finished)
    return f"{short}; {finished} of {planned} transfers"
