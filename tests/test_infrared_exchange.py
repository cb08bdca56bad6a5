"""Transfers over an infrared line, decoded: octets by origin, the file, and the steady state."""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import pytest
from infrared_frames import conversation

from cyclescope.studies.peripheral.infrared.exchange import InfraredExchange, decode
from cyclescope.studies.peripheral.wire_bytes import WireBytes
from cyclescope.wire.infrared import ORIGINS, wrapped

FRAME_CYCLES, PAUSE_CYCLES, FLAGS = 2880, 300_000, 3
HEAD = "4746 05 02 00"
"""A data frame of sender 0 to the conversation's application: IrLAP, IrLMP, TinyTP."""


def wire_of(sent: Sequence[tuple[int, bytes]]) -> WireBytes:
    """Frames one after the other; sender 0 sends to the board."""
    parts = [(sender, wrapped(content, FLAGS)) for sender, content in sent]
    steps = [FRAME_CYCLES + PAUSE_CYCLES * (not at) for _, data in parts for at in range(len(data))]
    senders = [sender for sender, data in parts for _ in data]
    values = np.frombuffer(b"".join(data for _, data in parts), np.uint8).astype(np.uint16)
    return WireBytes(
        np.array(list(accumulate(steps)), np.int64),
        np.array(senders) == 0,
        values,
        np.zeros(len(values), np.uint16),
    )


def carrying(ns: int, content: bytes) -> tuple[int, bytes]:
    """A data frame of sender 0 with this number; the unit's first octet says that it is content."""
    head = bytearray.fromhex(HEAD)
    head[1] = 0x40 | ns << 1
    return 0, bytes(head) + b"\x02" + content


def transfer(*data: tuple[int, bytes]) -> list[tuple[int, bytes]]:
    """The conversation up to its application's first unit, then these frames."""
    begun = conversation()[:13]
    return [*begun, *data]


@pytest.fixture
def exchange() -> InfraredExchange:
    sent = transfer(carrying(3, b"a\x7db\xc0\xc1"), carrying(4, b"cd"), (1, bytes.fromhex("46b1")))
    return decode(wire_of(sent))


def test_origins_sum_to_the_wire_octet_by_octet(exchange: InfraredExchange) -> None:
    for side in (0, 1):
        own = [one for one in exchange.packets if one.packet.frame.sender == side]
        assert sum(one.end - one.begin for one in own) == len(exchange.origins[side])
        assert own[0].begin == 0
        for one in own:
            frame = one.packet.frame
            assert one.end - one.begin == len(frame.lead) + len(frame.wire)
    assert set(exchange.origins[0]) <= set(ORIGINS)


def test_the_file_is_what_the_frames_carry(exchange: InfraredExchange) -> None:
    assert exchange.content == b"a\x7db\xc0\xc1cd"


def test_each_octet_of_a_data_frame_has_its_origin(exchange: InfraredExchange) -> None:
    one = next(one for one in exchange.packets if one.payload)
    labels = exchange.origins[0][one.begin : one.end]
    stuffed = ["payload", *["stuffing", "payload"], "payload", *["stuffing", "payload"] * 2]
    expected = [
        *["extra flags"] * FLAGS, *["IrLAP"] * 3, *["IrLMP"] * 2, "TinyTP", "file information",
        *stuffed, *["IrLAP"] * 3,
    ]  # fmt: skip
    escapes = one.packet.frame.wire.count(0x7D)
    assert escapes == 3
    assert labels == expected


def test_a_repeated_frame_adds_no_content() -> None:
    sent = transfer(carrying(3, b"abc"), carrying(3, b"abc"), (1, bytes.fromhex("4691")))
    found = decode(wire_of(sent))
    assert found.content == b"abc"
    assert found.retransmissions == 1
    assert found.count()[0, "retransmission"] == FLAGS + len(wrapped(carrying(3, b"abc")[1]))


def test_the_steady_state_ends_with_the_last_acknowledgement() -> None:
    early, late, other = (bytes.fromhex(text) for text in ("4691", "46b1", "4673"))
    sent = transfer(carrying(3, b"abc"), (1, early), carrying(4, b"d"), (1, late), (1, other))
    wire = wire_of(sent)
    found = decode(wire)
    begin, end = found.span(FRAME_CYCLES) or (0, 0)
    first = next(one for one in found.packets if one.payload)
    acknowledgement = found.packets[-2]
    assert begin == first.first_at - FRAME_CYCLES
    assert end == acknowledgement.last_at < wire.cycles[-1]
    assert acknowledgement.packet.lap and acknowledgement.packet.lap.nr == 5


def test_a_later_frame_may_be_acknowledged_with_the_last_payload() -> None:
    """The end of the file follows its last content; one frame acknowledges both."""
    end = bytearray.fromhex(HEAD)
    end[1] = 0x48
    both = bytes.fromhex("46b1")
    sent = transfer(carrying(3, b"abc"), (0, bytes(end) + b"\x03\0\0\0\0"), (1, both))
    wire = wire_of(sent)
    found = decode(wire)
    assert found.content == b"abc"
    assert found.span(FRAME_CYCLES) == (found.packets[-3].first_at - FRAME_CYCLES, wire.cycles[-1])


def test_a_frame_that_asks_for_the_last_payload_again_is_no_end() -> None:
    again, acknowledgement = bytes.fromhex("4679"), bytes.fromhex("4691")
    data = carrying(3, b"abc")
    wire = wire_of(transfer(data, (1, again), data, (1, acknowledgement)))
    assert (decode(wire).span(FRAME_CYCLES) or ())[1] == wire.cycles[-1]


def test_requests_for_seven_repetitions_are_no_end() -> None:
    again = (1, bytes.fromhex("4671")), carrying(3, b"ab")
    wire = wire_of(transfer(carrying(3, b"ab"), *again * 7, again[0], (1, bytes.fromhex("4691"))))
    assert (decode(wire).span(FRAME_CYCLES) or ())[1] == wire.cycles[-1]


def test_an_octet_that_is_no_flag_is_damaged_where_it_stands() -> None:
    wire = wire_of(transfer(carrying(3, b"ab")))
    wire.values[len(wire) - len(wrapped(carrying(3, b"ab")[1], FLAGS)) + 1] = 0
    found = decode(wire)
    begin = found.packets[-1].begin
    assert found.origins[0][begin : begin + FLAGS] == ["extra flags", "damaged", "extra flags"]


def test_without_payload_there_is_no_steady_state() -> None:
    assert decode(wire_of(conversation()[:8])).span(FRAME_CYCLES) is None


def test_noise_is_damaged_and_no_content() -> None:
    wire = wire_of(transfer(carrying(3, b"abc")))
    values = wire.values.copy()
    values[-4] ^= 1
    found = decode(WireBytes(wire.cycles, wire.to_board, values, wire.flipped))
    assert found.content == b""
    assert found.wrong_checks == 1
    assert sum(found.count().values()) == len(wire)
