"""A whole IrDA station octet by octet: IrLMP, IAS and TinyTP as a foreign primary hears them."""

from pathlib import Path

import pytest
from irda_replay import OFFERS, Replay, heard, replay

OURS, THEIRS = "22222222", "11111111"
SNRM = f"ff93 {THEIRS} {OURS} 0a 01013e820101830101840101850180860180080101"
"""Connection address 5, windows of one frame of 64 octets."""
TTP_CONNECT, FILE = "8220010082 06010400000400", "01000000ff66"
ACCEPTED = "a00281008506010400000800"
"""Confirm of TinyTP: five credits, units of 2,048 octets."""


def primary(folder: Path, *packets: str, more: tuple[str, ...] = ()) -> Replay:
    """A primary connects and sends these packets of IrLMP in order, each with P."""
    answers, contents, received = 0, [SNRM, "0b11"], 0
    for number, packet in enumerate(packets):
        contents.append(f"0b{answers << 5 | (number & 7) << 1 | 0x10:02x}{packet}")
        lines = [f"station {OURS} Station 5 {OFFERS}", *more, "receive", *heard(*contents)]
        received = sum(one[1] & 1 == 0 for one in replay(folder, lines).sent)
        answers = received & 7
    return replay(folder, [f"station {OURS} Station 5 {OFFERS}", *more, "receive",
                           *heard(*contents)])  # fmt: skip


def packets(found: Replay) -> list[str]:
    """Information of the I frames that the station sent."""
    return [one[2:].hex() for one in found.sent if one[1] & 1 == 0]


def test_data_without_a_connection(tmp_path: Path) -> None:
    """Disconnect with reason 6. Data to LSAP 70, which is connectionless, has no answer."""
    assert packets(primary(tmp_path, "0520aa")) == ["a0050206"]
    assert packets(primary(tmp_path, "7020aa")) == []


def test_connect_to_nobody(tmp_path: Path) -> None:
    assert packets(primary(tmp_path, "85200100")) == ["a0050208"]


@pytest.mark.parametrize("mode", (0, 1))
def test_access_mode(tmp_path: Path, mode: int) -> None:
    """Exclusive mode is unsupported: status FF, and the mode stays multiplexed."""
    assert packets(primary(tmp_path, f"80200300{mode:02x}")) == ["a00083ff00"]


@pytest.mark.parametrize("octets", (0, 1, 45, 254, 255, 256, 300))
def test_length_of_a_string(tmp_path: Path, octets: int) -> None:
    """The octet before a string is its length; 255 octets at most, in frames of 61 octets."""
    question = "0020" + "84" + "04" + b"Text".hex() + "05" + b"Value".hex()
    more = (f"string Text Value {octets}",)
    length = min(octets, 255)
    whole = bytes.fromhex(f"00 0001 0000 03 00 {length:02x}") + b"x" * length
    pieces = [whole[at : at + 61] for at in range(0, len(whole), 61)]
    acknowledged = ["0020c4"] * (len(pieces) - 1)
    found = packets(primary(tmp_path, "80200100", question, *acknowledged, more=more))
    expected = [("04" if one is not pieces[-1] else "84") + one.hex() for one in pieces]
    assert found == ["a0008100", *["2000" + one for one in expected]]


@pytest.mark.parametrize("operation", (1, 2, 3, 5))
def test_other_operations(tmp_path: Path, operation: int) -> None:
    """Unsupported: FF, to the operation that was asked for."""
    found = primary(tmp_path, "80200100", f"0020{0x80 | operation:02x}00")
    assert packets(found) == ["a0008100", f"2000{0x80 | operation:02x}ff"]


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    """Three frames of a question: two acknowledgements, then no such class."""
    pieces = ["002004" + "80" + "41" * 57, "002004" + "41" * 58, "002084" + "41" * 20]
    found = primary(tmp_path, "80200100", *pieces)
    assert packets(found) == ["a0008100", "2000c4", "2000c4", "20008401"]


def segments(folder: Path, count: int, credit: int = 0) -> list[str]:
    """Packets of the station that gives five credits and holds, after segments with one octet."""
    contents = [SNRM, "0b11", f"0b10{TTP_CONNECT}"]
    lines = [f"station {OURS} Station 5 {OFFERS}", "receive", *heard(*contents), "hold"]
    for number in range(1, count + 1):
        lines += heard(f"0b{1 << 5 | (number & 7) << 1 | 0x10:02x}0220{credit:02x}61")
    return packets(replay(folder, lines))


def test_a_segment_without_credit_ends_the_connection(tmp_path: Path) -> None:
    """The station gave five credits. The sixth segment is answered by a disconnect, reason 1."""
    assert segments(tmp_path, 5) == [ACCEPTED]
    assert segments(tmp_path, 6) == [ACCEPTED, "a0020201"]


def test_reset_ends_connections(tmp_path: Path) -> None:
    """After SNRM the old connection's data gets reason 6; a new connection is taken."""
    begin = heard(SNRM, "0b11", f"0b10{TTP_CONNECT}", "0b93", f"0b100220{'00'}{FILE}",
                  f"0b32{TTP_CONNECT}")  # fmt: skip
    found = replay(tmp_path, [f"station {OURS} Station 5 {OFFERS}", "receive", *begin])
    assert [one.hex() for one in found.sent if one[1] & 3 == 3][1:] == ["0a73"]
    assert packets(found) == [
        ACCEPTED,
        "a0020206",
        ACCEPTED,
    ]
