"""The decoder of Kermit's wire, judged by exchanges of Debian's G-Kermit with itself."""

import shutil
from collections import Counter

import pytest
from kermit_wires import EXCHANGES, HostExchange, record, recorded, sides

from cyclescope.studies.peripheral.content import Content, make
from cyclescope.studies.peripheral.kermit import checks
from cyclescope.studies.peripheral.kermit.encoding import NotKermitData, Prefixes, decode
from cyclescope.studies.peripheral.kermit.origins import (
    ByteOrigin,
    KermitExchange,
    SideBytes,
    follow,
)
from cyclescope.studies.peripheral.kermit.packets import packets
from cyclescope.studies.peripheral.noise import STOP_BIT, BitErrors

RECORDED = recorded()
NAMES = [one.name for one in EXCHANGES]
needs_gkermit = pytest.mark.skipif(shutil.which("gkermit") is None, reason="not installed: gkermit")


def followed(name: str) -> KermitExchange:
    return follow(*sides(RECORDED[name]))


def file_of(name: str) -> bytes:
    (found,) = [one.file for one in EXCHANGES if one.name == name]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_decoded_data_are_the_file(name: str) -> None:
    found = followed(name)
    content = bytes(found.content)
    assert content == file_of(name)
    assert found.wrong_checks == 0


@pytest.mark.parametrize("name", NAMES)
def test_origins_sum_to_the_bytes_on_the_wire(name: str) -> None:
    counts = followed(name).count()
    for side in (0, 1):
        on_wire = sum(len(data) for sender, data in RECORDED[name] if sender == side)
        assert sum(number for (of, _), number in counts.items() if of == side) == on_wire
    payload = counts[0, ByteOrigin.PAYLOAD]
    assert payload == len(file_of(name)) - followed(name).saved
    assert counts[1, ByteOrigin.PAYLOAD] == 0
    assert counts[0, ByteOrigin.OTHER] == counts[1, ByteOrigin.OTHER] == 2  # CR LF at the end


@pytest.mark.parametrize("name", ["text", "random", "long", "seven bits"])
def test_framing_is_what_the_protocol_says(name: str) -> None:
    found = followed(name)
    data = [one.packet for one in found.packets if one.packet.kind in "FAD"]
    # Mark, length, sequence, type, three characters of the CRC, end of line; long ones three more.
    expected = sum(8 + 3 * (one.data_at - one.begin == 7) for one in data)
    assert found.count()[0, ByteOrigin.FRAMING] == expected


def test_kinds_of_packets_in_order() -> None:
    kinds = "".join(one.packet.kind for one in followed("text").packets if one.side == 0)
    assert kinds == "SFADDDDZB"
    assert [one.packet.kind for one in followed("text").packets if one.side == 1] == ["Y"] * 9


def test_repeat_prefixes_save_bytes() -> None:
    found = followed("runs")
    assert found.saved > 250
    assert sum(found.count().values()) < len(RUNS_FILE) + 350


RUNS_FILE = file_of("runs")


def test_eighth_bits_are_prefixed() -> None:
    high = sum(byte >= 0x80 for byte in file_of("seven bits"))
    assert followed("seven bits").count()[0, ByteOrigin.TRANSCODING] >= high
    assert all(byte < 0x80 for _, data in RECORDED["seven bits"] for byte in data)


def test_streaming_has_no_answers_to_data() -> None:
    answers = [one.packet.kind for one in followed("streaming").packets if one.side == 1]
    assert answers == ["Y"] * 5


def test_a_repeated_packet_is_a_retransmission() -> None:
    clean, found = followed("text"), followed("damaged")
    assert (clean.retransmissions, found.retransmissions) == (0, 2)
    counts = Counter(found.count())
    repeated = sum(counts.pop((side, ByteOrigin.RETRANSMISSION)) for side in (0, 1))
    assert counts == clean.count()
    assert repeated == sum(map(len, (RECORDED["damaged"][8][1], RECORDED["damaged"][9][1])))


def test_steady_state_spans_the_data_packets() -> None:
    found = followed("text")
    carrying = [one for one in found.packets if one.packet.kind == "D"]
    answered = next(
        one
        for one in found.packets
        if one.side == 1 and one.packet.sequence == carrying[-1].packet.sequence
    )
    assert found.span(1) == (carrying[0].first_at - 1, answered.last_at)
    assert followed("empty").span(1) is None


def test_a_damaged_byte_makes_a_wrong_check() -> None:
    first, second = sides(RECORDED["text"])
    (data, *_) = [one.packet for one in followed("text").packets if one.packet.kind == "D"]
    flipped = bytearray(first.sent)
    flipped[data.begin + 6] ^= 1
    found = follow(SideBytes(bytes(flipped), first.ends), second)
    assert found.wrong_checks == 1
    assert bytes(found.content) != file_of("text")


def test_a_cut_packet_is_of_no_origin() -> None:
    (begin, *_) = packets(RECORDED["text"][0][1])
    assert list(packets(RECORDED["text"][0][1][: begin.end - 3])) == []


def test_checks_of_all_types() -> None:
    """Type 3 is CRC-16/KERMIT, whose value over the digits is known."""
    digits = b"123456789"
    assert checks.check(3, digits) == bytes([0x2 + 32, 0x06 + 32, 0x09 + 32])
    assert checks.check(2, digits) == bytes([(477 >> 6) + 32, (477 & 63) + 32])
    assert checks.check(1, digits) == bytes([((477 + (477 >> 6 & 3)) & 63) + 32])


def test_data_that_end_in_a_prefix_are_refused() -> None:
    with pytest.raises(NotKermitData):
        list(decode(b"ab#", Prefixes()))


@needs_gkermit
@pytest.mark.parametrize("exchange", EXCHANGES[:3], ids=NAMES[:3])
def test_recorded_exchanges_are_those_of_the_program(exchange: HostExchange) -> None:
    assert record(exchange) == RECORDED[exchange.name]


@pytest.mark.parametrize("kind", list(Content))
def test_files_come_from_their_seed(kind: Content) -> None:
    assert make(kind, 5000, 1) == make(kind, 5000, 1)
    assert len(make(kind, 5000, 1)) == 5000
    assert make(kind, 5000, 1) != make(kind, 5000, 2)


def test_bit_errors_have_their_rate_and_come_from_their_seed() -> None:
    rate, characters = 0.01, 20_000
    errors = BitErrors(rate, 1)
    masks = [errors.mask(True, one) for one in range(characters)]
    assert masks == [BitErrors(rate, 1).mask(True, one) for one in range(characters)]
    assert masks != [errors.mask(False, one) for one in range(characters)]
    flips = sum(mask.bit_count() for mask in masks)
    expected = rate * 9 * characters
    assert abs(flips - expected) < 5 * expected**0.5
    assert any(mask & STOP_BIT for mask in masks)
    assert not any(BitErrors(0, 1).mask(True, one) for one in range(100))
