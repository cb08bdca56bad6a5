"""The matrix of transfers as rows of text: what came of each, and what went over the line."""

from collections.abc import Iterator, Sequence

from cyclescope.studies.peripheral.choices import LineType
from cyclescope.studies.peripheral.report.measured import titled
from cyclescope.studies.peripheral.results import PeripheralResults
from cyclescope.studies.peripheral.transfer import SYSTEM_NAMES, Transfer

HEADINGS = (
    *("Transfer", "file", "to board", "from board", "overhead", "overruns", "lost", "repeated"),
    *("cycles", "s"),
)
MEANING = (
    "Exact for each recording. Bytes are those of the line, both ways; overhead is what they have "
    "beyond the file, by the file's size. Overruns are the driver's count, lost are characters "
    "that it never saw, repeated are packets. Cycles go from the first character to the last."
)


def rows(found: PeripheralResults) -> list[tuple[str, ...]]:
    """A row for each finished transfer."""
    return [_row(one) for one in found.transfers()]


def _row(one: Transfer) -> tuple[str, ...]:
    came = one.record.outcome
    size = one.setting.size
    beyond = (came.bytes_to_board + came.bytes_from_board - size) / size
    return (
        titled(one.setting),
        "same" if came.identical else "not whole",
        f"{came.bytes_to_board:,}",
        f"{came.bytes_from_board:,}",
        f"{beyond:.1%}" if came.identical else "",
        f"{came.overruns:,}",
        "?" if came.lost_to_board is None else f"{came.lost_to_board:,}",
        f"{came.retransmissions:,}",
        f"{came.cycles:,}",
        f"{came.seconds:.3f}",
    )


def conditions(found: PeripheralResults) -> list[tuple[str, str]]:
    """The conditions that all transfers have in common."""
    first = next(found.transfers(), None)
    if first is None:
        return [("board", "at91x40")]
    record, setting = first.record, first.setting
    return [
        ("board", f"at91x40, {record.core_hz / 1e6:g} MHz, virtual"),
        *_second_board(found),
        ("memory", f"16 bits wide; wait states: ROM {setting.rom_waits}, RAM {setting.ram_waits}"),
        ("line", f"{setting.baud:,} baud; a character takes {record.frame_cycles:,} cycles"),
        *_protocols(found),
        *((f"gkermit, {side}", digest) for side, digest in sorted(record.kermit_sha256.items())),
    ]


def _second_board(found: PeripheralResults) -> Iterator[tuple[str, str]]:
    """The other board of infrared transfers, with its system."""
    for one in found.transfers():
        if one.record.peer_system is not None:
            system = SYSTEM_NAMES[one.setting.system]
            yield "second", f"infrared: another at91x40 in lock step; {system} on both"
            return


def _protocols(found: PeripheralResults) -> Iterator[tuple[str, str]]:
    """The options of each line's protocol."""
    settings = {one.line: one for one in reversed(found.manifest.planned)}
    if serial := settings.get(LineType.SERIAL):
        streaming = ", streaming" * serial.streaming
        yield "packets", f"up to {serial.packet} characters{streaming}"
    if infrared := settings.get(LineType.INFRARED):
        pause = f"{infrared.turnaround:g} ms before an answer"
        yield "frames", f"up to {infrared.frame} bytes of data, window {infrared.window}, {pause}"


def problems(found: PeripheralResults) -> Iterator[str]:
    """Transfers that were not measured, and those whose figures contradict each other."""
    for failed in found.manifest.failed:
        yield f"{failed.name}: {failed.sentence}"
    for one in found.transfers():
        came, name = one.record.outcome, one.setting.name
        if came.remark:
            yield f"{name}: {came.remark}"
        if came.identical and not came.decoded_identical:
            yield f"{name}: the decoded wire is not the file: do not use its bytes by origin"
        if came.wrong_checks:
            yield f"{name}: {came.wrong_checks} packets have a wrong check: do not use its origins"
        if not one.record.host_is_exact:
            yield (
                f"{name}: this host hides what the peer waits for: another recording may differ, "
                "use this one alone"
            )


def analyses(found: PeripheralResults) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Each analysis of each transfer: the transfer's name, what it answers, and its lines."""
    from cyclescope.studies.peripheral.analysis import all_analyses

    known = all_analyses()
    for one in found.transfers():
        for name, document in found.documents(one.setting).items():
            if name in known:
                yield titled(one.setting), known[name].sentence, known[name].lines(document)
