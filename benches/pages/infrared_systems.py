"""FreeRTOS beside Linux on an infrared line, for docs/explanation/infrared.md."""

from collections.abc import Callable

from cyclescope.studies.peripheral import paper, recomputed
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer
from pages.infrared_campaigns import STATION_BUFFERS
from pages.infrared_transfers import (
    BOTH,
    FREERTOS,
    accesses,
    active,
    by_size,
    came,
    needed_mhz,
    steady,
    transfer,
    transfers,
    waited,
)
from pages.values import table

SIZES = "infrared_freertos_sizes"


def infrared_freertos() -> str:
    """The same transfer by Linux and by FreeRTOS, beside the paper."""
    both = [transfer(BOTH), transfer(FREERTOS)]
    rows = [
        _both_systems(text, [of(one) for one in both], stated, form)
        for text, of, stated, form in _SYSTEM_ROWS
    ]
    by_class = [_by_class(one) for one in both]
    names = [name for name in by_class[0] if any(found.get(name) for found in by_class)]
    rows += [
        _both_systems(
            f"**{name}**, instructions per byte on the wire",
            [found.get(name, 0.0) for found in by_class],
            paper.INFRARED_LOAD.get(name),
            ",.1f",
        )
        for name in names
    ]
    return table(" | Linux | FreeRTOS | by Linux | paper", *rows)


def _by_class(one: MeasuredTransfer) -> dict[str, float]:
    """Instructions per byte of each class that is not idle."""
    classes = one.documents["load"]["steady"]["classes"]
    return {row["class"]: row["instructions_per_byte"] for row in classes if not row["idle"]}


def _both_systems(text: str, here: list[float], stated: float | None, form: str) -> str:
    written = " | ".join(format(value, form) for value in here)
    ratio = f"{here[1] / here[0]:.2f}" if here[0] else "–"
    theirs = "–" if stated is None else format(stated, form)
    return f"{text} | {written} | {ratio} | {theirs}"


_SYSTEM_ROWS: list[tuple[str, Callable[[MeasuredTransfer], float], float | None, str]] = [
    ("bytes on the wire", lambda one: one.documents["overhead"]["wire_bytes"],
     paper.STATED["wire_bytes_infrared"].value, ",.0f"),
    ("transfer, ms", lambda one: 1000 * one.outcome.seconds, None, ",.0f"),
    ("active instructions per byte on the wire", lambda one: steady(one, "instructions_per_byte"),
     paper.INFRARED_LOAD["active"], ",.1f"),
    ("active instructions per byte of the file",
     lambda one: steady(one, "instructions_per_payload_byte"),
     recomputed.instructions_per_file_byte("infrared"), ",.1f"),
    ("active cycles per byte on the wire", lambda one: steady(one, "cycles_per_byte"), None,
     ",.0f"),
    ("clock that the line needs, MHz", needed_mhz, None, ".1f"),
    ("data accesses per byte on the wire", accesses, None, ",.1f"),
    ("energy per byte on the wire, nJ", lambda one: one.documents["energy"]["total"]["nj_per_byte"],
     None, ",.0f"),
]  # fmt: skip


def infrared_freertos_sizes() -> str:
    """Figure 2 under FreeRTOS, and the load beside Linux's."""
    rows = []
    for begin, one in by_size(SIZES).items():
        linux = transfer("infrared_sizes", size=one.setting.size)
        rows.append(
            f"{begin} | {came(one)} | {one.outcome.seconds:.3f} | {linux.outcome.seconds:.3f} | "
            f"{active(one)} | {active(linux)}"
        )
    head = "bytes of the file | on the wire | overhead | file | s | Linux, s"
    return table(f"{head} | instructions per byte | Linux", *rows)


def infrared_freertos_buffers() -> str:
    """The file of 1,000 bytes by buffer and time-out of the station's PDC."""
    rows = []
    for buffer, time_out in STATION_BUFFERS:
        (one,) = transfers(f"infrared_freertos_{buffer}_{time_out}")
        rows.append(f"{buffer}, {time_out} | {came(one)} | {_receiver(one)}")
    head = "bytes, bits | file | interactions | bytes received in one | instructions | cycles"
    return table(f"{head} | line to reader, ms | transfer, s", *rows)


def _receiver(one: MeasuredTransfer) -> str:
    if "load" not in one.documents:
        return "– | – | – | – | – | –"
    found = one.documents["accesses"]
    return (
        f"{found['interactions']:,} | {found['transfers'][0]['mean_bytes']:.1f} | {active(one)} | "
        f"{steady(one, 'cycles_per_byte'):,.0f} | {waited(one)} | {one.outcome.seconds:.3f}"
    )
