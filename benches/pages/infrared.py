"""Transfers over both lines for docs/explanation/infrared.md: tables beside the paper's."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cyclescope.studies.peripheral import paper, recomputed, results
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, measured
from cyclescope.studies.peripheral.report.sections import lines
from cyclescope.studies.peripheral.setting import LineType
from pages.runs import (
    FOLDER,
    INFRARED_FRAMES,
    INFRARED_WINDOWS,
    SERIAL_BAUDS,
    PageError,
    made_folder,
    once,
    today,
)
from pages.values import table

BOTH, SIZES, NOISY = "infrared", "infrared_sizes", "infrared_noise"
FREERTOS, UPLOADS = "infrared_freertos", "infrared_uploads"
SIZE = 1000


@once
def transfers(name: str) -> list[MeasuredTransfer]:
    """Every transfer of a campaign."""
    made_folder(name)
    return measured(results.load(FOLDER / name))


def _one(name: str, line: LineType = LineType.INFRARED, size: int = SIZE) -> MeasuredTransfer:
    for one in transfers(name):
        if (one.setting.line, one.setting.size) == (line, size):
            return one
    raise PageError(f"the campaign {name} has no transfer of {size} bytes over {line}")


def _pair() -> Mapping[LineType, MeasuredTransfer]:
    both = lines.pair(transfers(BOTH))
    if both is None:
        raise PageError("the campaign has no file that arrived whole over both lines")
    return both


def infrared_sizes() -> str:
    """Bytes, overhead, time and load of both lines by the file's size."""
    rows = []
    for size in sorted({one.setting.size for one in transfers(SIZES)}):
        both = [_one(SIZES, line, size) for line in LineType]
        cells = [f"{size:,}"]
        for one in both:
            found = one.documents["overhead"]
            cells += [f"{found['wire_bytes']:,}", f"{found['overhead_share']:.1%}"]
        cells += [f"{one.outcome.seconds:.3f}" for one in both]
        cells.append(f"{both[1].outcome.seconds / both[0].outcome.seconds:.2f}")
        cells += [_active(one) for one in both]
        rows.append(" | ".join(cells))
    return table(
        "bytes of the file | serial: on the wire | overhead | infrared: on the wire | overhead | "
        "serial, s | infrared, s | ratio | serial: instructions per byte | infrared",
        *rows,
    )


def _active(one: MeasuredTransfer) -> str:
    steady = one.documents["load"]["steady"]
    return f"{steady['active']['instructions_per_byte']:,.1f}"


def infrared_origins() -> str:
    """Bytes of both lines by the paper's origins, for its file."""
    both = _pair()
    shares = [lines.categories(one) for one in both.values()]
    rows = [f"{name} | {shares[0][name]:.1f} % | {shares[1][name]:.1f} %" for name in shares[0]]
    totals = [one.documents["overhead"]["overhead_share"] for one in both.values()]
    rows.append(f"**all** | **{totals[0]:.1%}** | **{totals[1]:.1%}**".replace("%", " %"))
    return table("overhead, of the file | serial | infrared", *rows)


def infrared_frames_by_origin() -> str:
    """Octets of the infrared transfer by the protocols' own origins."""
    found = _one(BOTH).documents["overhead"]
    rows = [
        f"{name} | {one['to_board']:,} | {one['from_board']:,}"
        for name, one in found["origins"].items()
        if one["bytes"]
    ]
    rows.append(f"**all** | **{found['to_board_bytes']:,}** | **{found['from_board_bytes']:,}**")
    return table("octets | received | sent", *rows)


def infrared_lines() -> str:
    """Serial and infrared beside each other, per byte on the wire and per byte of the file."""
    rows = [" | ".join(one.texts) for one in lines.rows(_pair())]
    return table(" | ".join(lines.HEADINGS), *rows)


def infrared_verdict() -> str:
    """The ratio of the times, and the ranking in both units."""
    return lines.verdict(_pair())


def infrared_load() -> str:
    """Active instructions per byte by class and sub-class, beside Table 2."""
    steady = _one(BOTH).documents["load"]["steady"]
    rows = []
    for one in steady["classes"]:
        if one["idle"] or not one["instructions"]:
            continue
        share = one["share_of_active_instructions"]
        theirs = paper.INFRARED_LOAD.get(one["class"])
        of = "–" if theirs is None else f"{theirs / paper.INFRARED_LOAD['active']:.0%}"
        rows.append(f"**{one['class']}** | {_cells(one)} | {share:.0%} | {of}")
        rows += [f"{sub['subclass']} | {_cells(sub)} | | " for sub in _largest(one)]
    active = steady["active"]
    rows.append(f"**active** | {_cells(active)} | 100% | 100%")
    head = "per byte through the USART | instructions | paper | cycles | share | paper"
    return table(head, *rows)


def _largest(one: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    return [sub for sub in one["subclasses"] if sub["instructions_per_byte"] >= 1.0]


def _cells(row: Mapping[str, Any]) -> str:
    stated = row["paper_instructions_per_byte"]
    theirs = "–" if stated is None else f"{stated:g}"
    return f"{row['instructions_per_byte']:,.1f} | {theirs} | {row['cycles_per_byte']:,.0f}"


def infrared_accesses() -> str:
    """Accesses by the core, beside sections 4.3 and 4.4."""
    found = _one(BOTH).documents["accesses"]
    stated = found["paper"]
    rows = [
        ("data accesses, not idle", found["data_accesses"], stated["data_accesses"], ",.0f"),
        ("data accesses per active instruction", found["per_active_instruction"],
         stated["accesses_per_instruction"], ".2f"),
        ("words", found["widths"]["words"]["share"], stated["words"], ".0%"),
        ("bytes", found["widths"]["bytes"]["share"], stated["bytes"], ".0%"),
        ("irda, of the system's", found["irda_of_system"], stated["irda_accesses"], ".0%"),
        ("char and irda, of all", found["peripheral_share"], stated["peripheral_accesses"], ".0%"),
        ("registers, of the driver's", found["driver_io_share"], stated["driver_io_share"], ".0%"),
    ]  # fmt: skip
    written = [
        f"{text} | {format(here, form)} | {format(theirs, form)}"
        for text, here, theirs, form in rows
    ]
    return table("accesses | here | paper", *written)


def infrared_registers() -> str:
    """Tables 3 and 4: accesses by device, and by register of the USART."""
    found = _one(BOTH).documents["accesses"]
    names = {"aic": "aic", "tc": "tc", "usart1": "usart"}
    devices = {one["device"]: one for one in found["devices"]}
    rows = []
    for name, theirs in names.items():
        one = devices.get(name, {"reads": 0, "writes": 0, "accesses": 0})
        rows.append(_row(f"**{name}**", one, paper.DEVICES["infrared"][theirs]))
    rows += [
        _row(one["group"], one, one["paper"])
        for one in found["registers"]
        if one["accesses"] or one["paper"]
    ]
    head = "device, register of the USART | reads | writes | all | paper: reads | writes | all"
    return table(head, *rows)


def _row(name: str, one: Mapping[str, Any], stated: tuple[int, ...] | None) -> str:
    theirs = " | ".join(f"{value:,}" for value in stated) if stated else "– | – | –"
    return f"{name} | {one['reads']:,} | {one['writes']:,} | {one['accesses']:,} | {theirs}"


def infrared_transfers() -> str:
    """Table 5: the PDC's transfers of the whole run, and the frames on the wire."""
    one = _one(BOTH)
    rows = []
    for moved in one.documents["accesses"]["whole_transfers"]:
        theirs = moved["paper"]
        rows.append(
            f"{moved['direction']} | {moved['bytes']:,} | {moved['wire_bytes']:,} | "
            f"{moved['number']:,} | {moved['mean_bytes']:.1f} | {theirs['bytes']:,} | "
            f"{theirs['number']:,} | {theirs['mean_bytes']:g}"
        )
    return table(
        "PDC | bytes | of the other side, or own | number | mean | paper: bytes | number | mean",
        *rows,
    )


def infrared_freertos() -> str:
    """The same transfer by Linux and by FreeRTOS, beside the paper."""
    both = [_one(BOTH), _one(FREERTOS)]
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


def _steady(one: MeasuredTransfer, key: str) -> float:
    return float(one.documents["load"]["steady"]["active"][key])


def _needed_mhz(one: MeasuredTransfer) -> float:
    return float(one.documents["load"]["budget"]["measured"]["needed_mhz"])


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
    ("active instructions per byte on the wire", lambda one: _steady(one, "instructions_per_byte"),
     paper.INFRARED_LOAD["active"], ",.1f"),
    ("active instructions per byte of the file",
     lambda one: _steady(one, "instructions_per_payload_byte"),
     recomputed.instructions_per_file_byte("infrared"), ",.1f"),
    ("active cycles per byte on the wire", lambda one: _steady(one, "cycles_per_byte"), None,
     ",.0f"),
    ("clock that the line needs, MHz", _needed_mhz, None, ".1f"),
    ("data accesses per byte on the wire", lambda one: one.documents["accesses"]["per_wire_byte"],
     None, ",.1f"),
    ("energy per byte on the wire, nJ", lambda one: one.documents["energy"]["total"]["nj_per_byte"],
     None, ",.0f"),
]  # fmt: skip


def infrared_frame_sizes() -> str:
    """The file of 1,000 bytes by size of frames and window."""
    rows = []
    for frame in INFRARED_FRAMES:
        for window in INFRARED_WINDOWS:
            one = _one(f"infrared_{frame}_{window}")
            found = one.documents["overhead"]
            rows.append(
                f"{frame:,} | {window} | {sum(found['packets'].values())} | "
                f"{found['wire_bytes']:,} | {found['overhead_share']:.1%} | "
                f"{one.outcome.seconds:.3f} | {_active(one)}"
            )
    head = "data of a frame | window | frames | on the wire | overhead | s | instructions per byte"
    return table(head, *rows)


def infrared_noise() -> str:
    """A file over a medium with bit errors, in a sentence."""
    (one,) = transfers(NOISY)
    came = one.outcome
    state = "arrives whole" if came.identical else "does not arrive whole"
    found = one.documents["overhead"]
    return (
        f"A file of {one.setting.size:,} bytes {state} at a rate of {one.setting.errors:g}. "
        f"Flipped bits: {came.flipped_bits:,}; frames sent again: {came.retransmissions:,}; "
        f"bytes on the wire: {found['wire_bytes']:,}; {came.seconds:.2f} s. n = 1, exact for its "
        "seed."
    )


def infrared_uploads() -> str:
    """Uploads by the file's size: the sending board."""
    rows = []
    for one in sorted(transfers(UPLOADS), key=lambda one: one.setting.size):
        found = one.documents["overhead"]
        rows.append(
            f"{one.setting.size:,} | {found['wire_bytes']:,} | {found['overhead_share']:.1%} | "
            f"{one.outcome.seconds:.3f} | {_active(one)}"
        )
    return table(
        "bytes of the file | on the wire | overhead | s | instructions per byte on the wire", *rows
    )


def infrared_pio() -> str:
    """The file of 1,000 bytes without the PDC, by the speed of the line."""
    rows = []
    for baud in SERIAL_BAUDS:
        (one,) = _whole_or_not(f"infrared_pio_{baud}")
        came = one.outcome
        overruns = "–" if came.board_status is None else f"{came.overruns:,}"
        rows.append(
            f"{baud:,} | {'whole' if came.identical else 'not whole'} | "
            f"{came.bytes_to_board + came.bytes_from_board:,} | {came.retransmissions:,} | "
            f"{overruns} | {came.seconds:.3f}"
        )
    return table("bit/s, at most | file | on the wire | frames again | overruns | s", *rows)


def _whole_or_not(name: str) -> list[MeasuredTransfer]:
    """Every transfer of a campaign, whose command fails if a file does not arrive."""
    try:
        return transfers(name)
    except PageError:
        return measured(results.load(FOLDER / name))


def infrared_made() -> str:
    """Of which day the page's figures are."""
    return f"Made by `make pages` on {today()}."
