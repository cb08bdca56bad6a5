"""The ways of a file's bytes through Linux, and how long interrupts and bytes wait."""

from dataclasses import dataclass, replace
from typing import Any

import pytest
from linux_session import needs_linux
from refusals import refused

from cyclescope.firmware.linux import built
from cyclescope.firmware.linux.layout import ElfSymbols, KernelLayout, layout
from cyclescope.studies.peripheral import transfer
from cyclescope.studies.peripheral.analyses import buffers, followed, latency
from cyclescope.studies.peripheral.analyses.distributions import distribution
from cyclescope.studies.peripheral.analyses.followed import CopiedByte, FollowedBytes
from cyclescope.studies.peripheral.choices import Direction, LineDriver
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer

SIZE = 300
SLOW = 9600
"""PIO loses bytes at the paper's speed."""


def recorded(factory: pytest.TempPathFactory, driver: LineDriver, direction: Direction) -> Transfer:
    baud = SLOW if driver is LineDriver.PIO else 115_200
    setting = TransferSetting(driver=driver, direction=direction, size=SIZE, baud=baud)
    return transfer.record(setting, factory.mktemp(setting.name))


@pytest.fixture(scope="module", params=list(Direction))
def by_pdc(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    return recorded(tmp_path_factory, LineDriver.PDC, request.param)


@pytest.fixture(scope="module", params=list(Direction))
def by_pio(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    return recorded(tmp_path_factory, LineDriver.PIO, request.param)


@pytest.fixture(scope="module")
def download(tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    return recorded(tmp_path_factory, LineDriver.PDC, Direction.DOWNLOAD)


def test_a_distribution_has_values_that_occurred() -> None:
    assert distribution([4, 1, 1, 10]) == {
        "n": 4, "min": 1, "q25": 1, "q50": 1, "q75": 4, "max": 10, "mean": 4,
        "counts": [[1, 2], [4, 1], [10, 1]],
    }  # fmt: skip
    assert distribution([]) == {"n": 0, "counts": []}


@dataclass
class Memory:
    """Two buffers, a program's memory, and a function whose first instruction saves registers."""

    def symbol(self, address: int) -> tuple[str, str]:
        return ("kernel", "driver") if address < 0x100 else ("gkermit", "decode")

    def at(self, address: int) -> Any:
        names = {0x1000: "ring", 0x2000: "kernel stack of gkermit", 0x3000: "gkermit: packet"}
        return type("Object", (), {"name": names[address & 0xF000]})()

    def saves_register(self, address: int) -> bool:
        return address == 0x200


def hand_made() -> FollowedBytes:
    """One byte by PIO: to the ring, saved on a stack, to the program."""
    register = followed.RECEIVED
    copies = [
        CopiedByte(0, 0, 0x10, register, 0xFFFCC018, 5, 65, 65),
        CopiedByte(0, 1, 0x20, None, 0x1000, 9, 65, 65),
        CopiedByte(0, 2, 0x200, None, 0x2000, 12, 65, 65),
        CopiedByte(0, 3, 0x210, None, 0x3000, 20, 65, 65),
    ]
    memory: Any = Memory()
    return FollowedBytes(copies, 0, [], [(100, memory)], [])


def test_a_saved_register_is_no_buffer() -> None:
    found = hand_made()
    way = buffers._way(found, 4)
    assert way == [
        ("line", followed.RECEIVED),
        ("kernel: driver", "ring"),
        ("gkermit: decode", "gkermit: packet"),
    ]
    assert buffers._buffers(way) == ["ring", "gkermit: packet"]
    assert (buffers._copies(way), buffers._to_program(way, uploads=False, program="gkermit")) == (
        2,
        2,
    )


def check_ways(document: dict[str, Any], steps: list[str], copies: int) -> None:
    """Nearly all bytes go this way. One that fills a buffer of the C library, or that does not fit
    into a packet, goes through one or two more."""
    assert document["file_is_what_was_followed"]
    assert document["file_bytes_followed"] == document["payload_bytes"] == SIZE
    assert document["lost_copies"] == 0
    assert document["copies_per_payload_byte"]["q25"] == copies
    assert document["copies_per_payload_byte"]["q75"] == copies
    assert document["copies_per_payload_byte"]["max"] <= copies + 2
    assert document["ways"][0]["bytes"] > 0.9 * SIZE or document["driver"] == LineDriver.PIO
    holders = [[step["to"] for step in way["steps"]] for way in document["ways"]]
    assert steps in holders
    assert sum(way["bytes"] for way in document["ways"]) == SIZE
    assert document["carrying"]["instructions"] > SIZE * copies
    assert buffers.lines(document)


RECEIVING = [
    "ttyS1: flip buffer", "ttyS1: buffer of n_tty", "kernel stack of gkermit",
    "gkermit: tinbuf", "gkermit: stack", "gkermit: rcvpkt", "memory mapped by a program",
    "page cache",
]  # fmt: skip
SENDING = [
    "page cache", "gkermit: zinbuf", "gkermit: c.0", "gkermit: xxdata", "gkermit: sndpkt",
    "ttyS1: write buffer of the tty", "ttyS1: transmit ring of the driver",
]  # fmt: skip


@needs_linux
def test_the_pdc_hands_a_byte_through_five_buffers_to_the_program(by_pdc: Transfer) -> None:
    document = buffers.analyse(by_pdc)
    if by_pdc.setting.direction is Direction.DOWNLOAD:
        check_ways(document, ["ttyS1: receive buffer of the PDC", *RECEIVING], copies=8)
        assert document["buffers_to_program"]["counts"] == [[5, SIZE]]
    else:
        check_ways(document, [*SENDING, "usart1: line"], copies=6)
        assert document["buffers_to_program"]["counts"] == [[3, SIZE]]


@needs_linux
def test_the_ring_of_the_driver_takes_the_place_of_the_pdcs_buffer(by_pio: Transfer) -> None:
    document = buffers.analyse(by_pio)
    if by_pio.setting.direction is Direction.DOWNLOAD:
        way = [followed.RECEIVED, "ttyS1: receive ring of the driver", *RECEIVING]
        check_ways(document, way, copies=9)
        assert document["buffers_to_program"]["counts"] == [[5, SIZE]]
    else:
        check_ways(document, [*SENDING, followed.SENT], copies=7)


@needs_linux
def test_a_byte_that_is_not_the_files_is_noticed(download: Transfer) -> None:
    found = followed.followed(download)
    assert buffers._file_is_followed(found, download)
    last = max(buffers._stored(found).values())
    right = found.copies[last - 1]
    found.copies[last - 1] = right._replace(value=right.value ^ 1)
    assert not buffers._file_is_followed(found, download)
    # A byte of framing in place of one of payload.
    framing = next(one for one in found.copies if one.arrived == 1 and not one.source)
    found.copies[last - 1] = right._replace(byte=framing.byte)
    assert not buffers._file_is_followed(found, download)


@needs_linux
def test_a_file_of_other_content_is_in_no_page(
    download: Transfer, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = b"?" + download.setting.file()[1:]
    monkeypatch.setattr(TransferSetting, "file", lambda _: other)
    document = buffers.analyse(download)
    assert not document["file_is_what_was_followed"]
    assert document["ways_end"] == "program"


@needs_linux
def test_of_a_long_transfer_a_part_is_followed(
    download: Transfer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed, "MOST_BYTES", 200)
    document = buffers.analyse(download)
    assert document["file_is_what_was_followed"] is None
    assert 50 < document["file_bytes_followed"] < 200
    assert document["ways_end"] == "program"
    assert document["buffers_to_program"]["counts"] == [[5, document["file_bytes_followed"]]]
    assert any("in the paper: 5" in line for line in buffers.lines(document))
    waits = latency.analyse(download)
    assert waits["conditions"]["observed_cycles"] < waits["conditions"]["steady_cycles"]


@needs_linux
def test_requests_of_interrupts_are_those_of_the_signal(by_pio: Transfer) -> None:
    found = latency._observe(by_pio)
    begin, end = by_pio.steady
    replay = by_pio.replay()
    replay.run_to(begin)
    replay.board.watch(signals=[latency.REQUEST])
    replay.run_to(end)
    rises = [at for at, _, level in replay.board.take_changes() if level]
    own = [one for one in found.interrupts if one.source == latency.REQUEST]
    assert len(own) > SIZE
    assert {one.asserted for one in own} <= set(rises)
    assert abs(len(own) - len(rises)) <= 10
    late = [one for one in own if one.asserted > one.taken]
    assert all(one.asserted < one.taken < one.began for one in own if one not in late)
    assert len(late) < len(own) / 100
    stages = latency._interrupts(latency.REQUEST, found, 1)["stages"]
    assert stages["entry_to_vector"]["n"] + len(late) == len(own)
    assert all(stage["min"] > 0 for stage in stages.values() if stage["n"])


@needs_linux
def test_the_stages_of_a_byte_add_up(by_pdc: Transfer) -> None:
    document = latency.analyse(by_pdc)
    received = document["bytes"]
    stages = received["stages"]
    begin, end = by_pdc.steady
    came = sum(begin < at <= end for at, to_board, _ in by_pdc.wire if to_board)
    assert abs(received["n"] + received["unread"] - came) <= 1
    # The steady state ends before the last packet is read.
    assert received["unread"] < 100
    assert received["n"] > came / 2
    parts = ["line_to_handed_over", "handed_over_to_kernel_copy", "kernel_copy_to_program",
             "program_to_call_returned"]  # fmt: skip
    whole = stages["line_to_call_returned"]
    assert sum(stages[name]["mean"] for name in parts) == pytest.approx(whole["mean"])
    assert whole["us"]["mean"] == pytest.approx(whole["mean"] / 32.768)
    usart = document["interrupts"][latency.REQUEST]["stages"]
    assert usart["asserted_to_handler"]["min"] >= usart["vector_to_handler"]["min"]
    assert any("out of sleep" in line for line in latency.lines(document))


@needs_linux
def test_a_kernel_without_a_symbol_or_field_is_refused() -> None:
    known = layout(built().kernel().vmlinux)
    other = replace(known, structures={})
    with refused("linux-without-field"):
        other.offset("task_struct.mm")
    with refused("linux-without-symbol"):
        KernelLayout(known.symbols, {}).symbols.named("no_such_symbol")
    assert isinstance(known.symbols, ElfSymbols)
