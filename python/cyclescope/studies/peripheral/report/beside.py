"""Numbers that the paper's text states, each beside the same number of these transfers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from cyclescope.studies.peripheral import paper
from cyclescope.studies.peripheral.choices import Direction, LineType
from cyclescope.studies.peripheral.paper import Stated
from cyclescope.studies.peripheral.report.measured import (
    PAPER_BYTES,
    MeasuredTransfer,
    detailed,
    having,
    of_line,
)

SHARE, WHOLE = ".0%", ",.0f"
LABELS = {
    "wire_bytes": ("bytes over the line for a file of 1,000", WHOLE),
    "overhead_least": ("least overhead", SHARE),
    "overhead_large": ("overhead of the largest file", SHARE),
    "overhead_most": ("most overhead, of the smallest file", SHARE),
    "char_share": ("char, of active instructions", SHARE),
    "irq_share": ("irq and softirq, of active instructions", SHARE),
    "time_sched_share": ("time and scheduler, of active instructions", SHARE),
    "application_share": ("application, of active instructions", SHARE),
    "irda_share": ("irda, of active instructions", SHARE),
    "peripheral_share": ("char and irda, of active instructions", SHARE),
    "char": ("char, instructions per byte through the USART", ",.1f"),
    "cycles_per_instruction": ("cycles per active instruction", ",.2f"),
    "active": ("active instructions per byte through the USART", ",.1f"),
    "occupation_least": ("occupation of a processor at 40 MHz", SHARE),
    "occupation_most": ("occupation of a processor at 10 MHz", SHARE),
    "needed_mhz": ("MHz needed for 115,200 bit/s", ",.1f"),
    "factor": ("clock needed, by the line's rate", WHOLE),
    "data_accesses": ("data accesses of the processor, without idle", WHOLE),
    "accesses_per_instruction": ("data accesses per active instruction", ",.2f"),
    "words": ("words, of data accesses", SHARE),
    "bytes": ("bytes, of data accesses", SHARE),
    "three_of_system": ("driver, n_tty and irq, of the system's data accesses", SHARE),
    "char_accesses": ("char, of data accesses", SHARE),
    "irda_accesses": ("irda, of the system's data accesses", SHARE),
    "peripheral_accesses": ("char and irda, of data accesses", SHARE),
    "driver_io_share": ("registers of the USART, of the driver's data accesses", SHARE),
    "control_accesses": ("control accesses per interaction", ",.1f"),
    "interactions": ("interactions with the USART", WHOLE),
    "buffers": ("buffers between device and program", ",.2f"),
}
"""By their names in `paper.STATED`: the text of numbers that are compared, and their format."""
SLOWEST, FASTEST = 10.0, 40.0
"""The paper's clocks in MHz."""


class BesidePaper(NamedTuple):
    """A number of the paper's text and the same one here."""

    name: str
    stated: Stated
    here: float
    line: LineType = LineType.SERIAL

    @property
    def label(self) -> str:
        """The text of the number."""
        text = LABELS[self.name][0]
        return text if self.line is LineType.SERIAL else f"{self.line}: {text}"

    @property
    def texts(self) -> tuple[str, str]:
        """The paper's and ours for people."""
        written = LABELS[self.name][1]
        return format(self.stated.value, written), format(self.here, written)


def beside(transfers: Sequence[MeasuredTransfer]) -> list[BesidePaper]:
    """The numbers of the prose of which these results have the same, in the text's order; those of
    infrared behind those of the serial line."""
    return [one for line in LineType for one in _of_line(of_line(transfers, line), line)]


def _of_line(transfers: Sequence[MeasuredTransfer], line: LineType) -> list[BesidePaper]:
    found: dict[str, float | None] = {}
    found.update(_overhead(transfers))
    for name, read in READERS.items():
        shown = having(detailed(transfers), name)
        if shown:
            found.update(read(shown[0].documents[name]))
    return [
        BesidePaper(name, stated, value, line)
        for name in LABELS
        if (stated := paper.stated(name, line)) and (value := found.get(name)) is not None
    ]


def _overhead(transfers: Sequence[MeasuredTransfer]) -> dict[str, float | None]:
    whole = [
        one
        for one in having(transfers, "overhead")
        if one.outcome.identical
        and one.setting.direction is Direction.DOWNLOAD
        and not one.setting.errors
    ]
    shares = {one.setting.size: one.documents["overhead"]["overhead_share"] for one in whole}
    found: dict[str, float | None] = {}
    sent = [
        one.documents["overhead"]["wire_bytes"] for one in whole if one.setting.size == PAPER_BYTES
    ]
    if sent:
        found["wire_bytes"] = sent[0]
    if len(shares) > 1:
        found["overhead_least"] = min(shares.values())
        found["overhead_large"] = shares[max(shares)]
        found["overhead_most"] = max(shares.values())
    return found


def _load(document: Mapping[str, Any]) -> dict[str, float | None]:
    steady = document["steady"]
    active = steady["active"]["instructions"]
    classes = {one["class"]: one for one in steady["classes"]}
    parts = {
        (one["class"], sub["subclass"]): sub["instructions"]
        for one in steady["classes"]
        for sub in one["subclasses"]
    }

    def of_kernel(*names: str) -> float:
        found: float = sum(parts.get(("kernel", name), 0) for name in names) / active
        return found

    return {
        "char_share": classes["char"]["share_of_active_instructions"],
        "irq_share": of_kernel("irq", "softirq"),
        "time_sched_share": of_kernel("time", "sched"),
        "application_share": classes["application"]["share_of_active_instructions"],
        **_infrared(classes),
        "char": classes["char"]["instructions_per_byte"],
        "cycles_per_instruction": steady["active_cycles_per_instruction"],
        "active": steady["active"]["instructions_per_byte"],
        **_budget(document["budget"]),
    }


def _infrared(classes: Mapping[str, Mapping[str, Any]]) -> dict[str, float | None]:
    if "irda" not in classes:
        return {}
    share = "share_of_active_instructions"
    irda: float = classes["irda"][share]
    return {"irda_share": irda, "peripheral_share": irda + classes["char"][share]}


def _budget(document: Mapping[str, Any]) -> dict[str, float | None]:
    if document["bits_per_s"] != paper.LINE_BITS_PER_S:
        return {}
    way = document["measured"]
    used = {one["mhz"]: one["occupation"] for one in way["clocks"]}
    return {
        "occupation_least": used[FASTEST],
        "occupation_most": used[SLOWEST],
        "needed_mhz": way["needed_mhz"],
        "factor": way["factor"],
    }


def _accesses(document: Mapping[str, Any]) -> dict[str, float | None]:
    return {
        "data_accesses": document["data_accesses"],
        "accesses_per_instruction": document["per_active_instruction"],
        "words": document["widths"]["words"]["share"],
        "bytes": document["widths"]["bytes"]["share"],
        "three_of_system": document["three_of_system"],
        "char_accesses": document["char_share"],
        "irda_accesses": document.get("irda_of_system"),
        "peripheral_accesses": document.get("peripheral_share"),
        "driver_io_share": document["driver_io_share"],
        "control_accesses": document["control_accesses_per_interaction"],
        "interactions": document["interactions"],
    }


def _buffers(document: Mapping[str, Any]) -> dict[str, float | None]:
    return {"buffers": document["buffers_to_program"].get("mean")}


READERS: dict[str, Callable[[Mapping[str, Any]], dict[str, float | None]]] = {
    "load": _load,
    "accesses": _accesses,
    "buffers": _buffers,
}
"""By analysis, what gives the values of its document by the names of `paper.STATED`."""
