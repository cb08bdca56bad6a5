"""SREJ: a receiver that keeps packets out of sequence asks for the missing one alone."""

from pathlib import Path

import pytest
from irda_session import Session, framed, medium, run, station
from test_irda_lap import FIRST, SECOND, octets
from test_irda_secondary import answers

CONNECTED_US = 3_000_000
REJ, SREJ = 0x09, 0x0D


def moved(folder: Path, keeps: tuple[bool, bool], *more: str, head: str = "") -> Session:
    """6,000 octets from each station to the other, 128 a frame, which have to arrive identical."""
    for name, seed in (("in", 0), ("in-back", 1)):
        (folder / name).write_bytes(octets(6000, seed))
    session = run(
        folder,
        [
            head or medium(),
            station(FIRST, file=folder / "out-back", keeps=keeps[0], sizes=0x03),
            station(SECOND, file=folder / "out", keeps=keeps[1], sizes=0x03),
            *more,
            f"at 0 0 connect {SECOND:x}",
            f"at {CONNECTED_US} 0 send {folder / 'in'}",
            f"at {CONNECTED_US} 1 send {folder / 'in-back'}",
            "until 200000000",
        ],
    )
    assert (folder / "out").read_bytes() == octets(6000, 0)
    assert (folder / "out-back").read_bytes() == octets(6000, 1)
    return session


def asked(session: Session, number: int) -> list[tuple[int, int]]:
    """Kind and number of each REJ and SREJ of a station."""
    controls = [one.control for one in session.frames(number)]
    return [(one & 0x0F, one >> 5) for one in controls if one & 0x0F in (REJ, SREJ)]


def sent(session: Session, number: int) -> list[int]:
    return [one.control >> 1 & 7 for one in session.frames(number) if one.control & 1 == 0]


@pytest.mark.parametrize("keeper", (0, 1))
def test_one_missing_packet_is_sent_again_alone(tmp_path: Path, keeper: int) -> None:
    """The third packet of a window of four is lost: SREJ 2, packet 2, and on with 4."""
    keeps = (keeper == 0, keeper == 1)
    session = moved(tmp_path, keeps, f"lose {1 - keeper} 0f 04 0 1")
    assert asked(session, keeper) == [(SREJ, 2)]
    assert sent(session, 1 - keeper)[:7] == [0, 1, 2, 3, 2, 4, 5]
    assert session.counters[keeper]["data_kept"] == 1
    assert session.counters[keeper]["data_discarded"] == 0
    assert session.counters[1 - keeper]["data_repeated"] == 1
    assert session.counters[1 - keeper]["selective_received"] == 1


def test_several_missing_packets_are_asked_for_by_reject(tmp_path: Path) -> None:
    """Packets 0 and 2 of four are lost: REJ 0. Kept packets are passed on once."""
    session = moved(tmp_path, (False, True), "lose 0 0f 00 0 1", "lose 0 0f 04 0 1")
    assert asked(session, 1) == [(REJ, 0)]
    assert sent(session, 0)[:9] == [0, 1, 2, 3, 0, 1, 2, 3, 4]
    assert session.counters[1]["data_kept"] == 2
    assert session.counters[1]["data_discarded"] == 2


def test_a_lost_srej_is_sent_again(tmp_path: Path) -> None:
    """The primary polls after its time; the secondary says again what it misses."""
    (tmp_path / "in").write_bytes(octets(6000))
    session = run(
        tmp_path,
        [
            medium(),
            station(FIRST, sizes=0x03),
            station(SECOND, file=tmp_path / "out", keeps=True, sizes=0x03),
            "lose 0 0f 04 0 1",
            "lose 1 0f 0d 0 2",
            f"at 0 0 connect {SECOND:x}",
            f"at {CONNECTED_US} 0 send {tmp_path / 'in'}",
            "until 60000000",
        ],
    )
    assert (tmp_path / "out").read_bytes() == octets(6000)
    assert asked(session, 1) == [(SREJ, 2)] * 3
    assert session.counters[0]["final_timeouts"] == 2
    assert sent(session, 0)[:6] == [0, 1, 2, 3, 2, 4]


@pytest.mark.parametrize("seed", range(20))
def test_identical_at_one_wrong_bit_in_ten_thousand(tmp_path: Path, seed: int) -> None:
    """Both stations keep and ask by SREJ; the first UA is lost."""
    head = medium(seed, error_rate=1e-4)
    session = moved(tmp_path, (True, True), "lose 1 ef 63 0 1", head=head)
    assert [values[4] for values in session.named("connected")] == ["4", "4"]
    assert sum(one["selective_sent"] for one in session.counters) > 0
    assert session.counters[0]["connect_repeated"] > 0
    assert session.named("disconnected") == []


def foreign(folder: Path, *contents: bytes, keeps: bool = True) -> Session:
    """A secondary of a primary that the test plays; connection address 5, windows of four."""
    ask = FIRST.to_bytes(4, "little") + SECOND.to_bytes(4, "little") + b"\x0a"
    parameters = bytes.fromhex("01010282010183010184010f850101860101080101")
    plan = [framed(b"\xff\x93" + ask + parameters), framed(b"\x0b\x11")]
    plan += [framed(b"\x0b" + content) for content in contents]
    lines = [medium(), station(SECOND, file=folder / "out", keeps=keeps), "foreign"]
    lines += [
        f"at {1000000 + 200000 * number} 1 raw 9600:{one.hex()}" for number, one in enumerate(plan)
    ]
    return run(folder, [*lines, f"until {1200000 + 200000 * len(plan)}"])


def test_a_primary_that_repeats_without_a_poll(tmp_path: Path) -> None:
    """It missed the answer and sends all four again: none of them is taken for a later one."""
    first = [bytes((control,)) + b"%d" % control for control in (0x00, 0x02, 0x04, 0x16)]
    session = foreign(tmp_path, *first, *first, b"\x18e")
    assert (tmp_path / "out").read_bytes() == b"02422e"
    assert session.counters[0]["data_kept"] == 0
    assert session.counters[0]["data_discarded"] == 4
    assert answers(session) == [b"\x11", b"\x91", b"\x91", b"\xb1"]


def test_kept_packets_are_dropped_at_rnr(tmp_path: Path) -> None:
    """Packets 1 and 2 are kept, then the station is busy for a while: they have to come again."""
    begin = foreign(tmp_path, b"\x02b", b"\x14c")
    assert answers(begin)[-1:] == [b"\x1d"]  # SREJ 0
    lines = (tmp_path / "scenario").read_text().splitlines()[:-1]
    last = int(lines[-1].split()[1])
    poll, first = (framed(b"\x0b" + one).hex() for one in (b"\x11", b"\x10a"))
    lines += [
        f"at {last + 100000} 0 busy 1",
        f"at {last + 200000} 1 raw 9600:{first}",
        f"at {last + 400000} 1 raw 9600:{poll}",
        f"at {last + 500000} 0 busy 0",
        f"at {last + 600000} 1 raw 9600:{first}",
    ]
    session = run(tmp_path, [*lines, f"until {last + 900000}"])
    assert answers(session)[-3:] == [b"\x15", b"\x15", b"\x31"]  # RNR 0 twice, RR 1
    assert (tmp_path / "out").read_bytes() == b"a"


def test_offered_window(tmp_path: Path) -> None:
    """A station that keeps packets offers four frames, half of the numbers."""
    session = foreign(tmp_path)
    (ua,) = (one for one in session.frames(0) if one.control == 0x73)
    assert bytes.fromhex("84010f") in ua.info
    (ua,) = (one for one in foreign(tmp_path, keeps=False).frames(0) if one.control == 0x73)
    assert bytes.fromhex("84017f") in ua.info
