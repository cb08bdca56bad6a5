"""Reset of an IrLAP connection, and frames without a connection: TEST and UI."""

from pathlib import Path

import pytest
from irda_session import DISC, FRMR, SNRM, UA, Session, framed, medium, run, station
from test_irda_lap import FIRST, SECOND, octets
from test_irda_secondary import answers, with_foreign_primary

CONNECTED_US = 3_000_000
TEST, RNRM, RD = 0xF3, 0x93, 0x53


def unnumbered(session: Session) -> list[tuple[int, int]]:
    """Station and control of each unnumbered frame, in order."""
    return [(one.station, one.control) for one in session.frames() if one.control & 3 == 3]


def connected(folder: Path, *plan: str) -> Session:
    """Two stations, the first one primary, and what the plan has at CONNECTED_US or later."""
    lines = [medium(), station(FIRST, file=folder / "back"), station(SECOND, file=folder / "out")]
    return run(folder, [*lines, f"at 0 0 connect {SECOND:x}", *plan, "until 12000000"])


@pytest.mark.parametrize("asker", (0, 1))
def test_reset(tmp_path: Path, asker: int) -> None:
    """SNRM without information and UA; a secondary asks for it by RNRM. Then data goes on."""
    (tmp_path / "in").write_bytes(octets(1000))
    plan = [
        f"at {CONNECTED_US} {number} {verb}"
        for number, verb in ((0, f"send {tmp_path / 'in'}"), (1, f"send {tmp_path / 'in'}"))
    ]
    plan += [f"at 6000000 {asker} reset", f"at 8000000 0 send {tmp_path / 'in'}"]
    session = connected(tmp_path, *plan)
    expected = [(0, SNRM), (1, UA), (1, RNRM), (0, SNRM), (1, UA)]
    assert unnumbered(session) == [one for one in expected if asker == 1 or one != (1, RNRM)]
    again = [one for one in session.frames() if one.us > 6_000_000 and one.control & 3 == 3]
    assert {one.content[0] >> 1 for one in again} == {session.frames(0)[1].content[0] >> 1}
    assert all(not one.info for one in again)
    assert [len(session.named("was_reset", number)) for number in (0, 1)] == [1, 1]
    numbers = [one.control >> 1 & 7 for one in session.frames(0) if one.control & 1 == 0]
    assert numbers == [0, 0]
    assert (tmp_path / "out").read_bytes() == octets(1000) * 2
    assert (tmp_path / "back").read_bytes() == octets(1000)
    assert session.named("disconnected") == []


def test_a_lost_ua_repeats_the_reset(tmp_path: Path) -> None:
    session = connected(tmp_path, "lose 1 ef 63 1 2", f"at {CONNECTED_US} 0 reset")
    assert [control for _, control in unnumbered(session)] == [SNRM, UA] * 4
    assert len(session.named("was_reset", 0)) == 1
    assert len(session.named("was_reset", 1)) == 3
    assert session.named("disconnected") == []


def test_a_reset_that_nobody_takes_ends_the_connection(tmp_path: Path) -> None:
    """Four SNRM, then four DISC."""
    session = connected(tmp_path, "lose 1 ef 63 1 9999", f"at {CONNECTED_US} 0 reset")
    controls = [control for number, control in unnumbered(session) if number == 0]
    assert controls[1:] == [SNRM] * 4 + [DISC] * 4
    assert session.named("disconnected", 0) == [["5"]]


def test_frmr_resets(tmp_path: Path) -> None:
    """A frame that the secondary cannot understand: FRMR, SNRM, UA."""
    lines = [medium(), station(FIRST, speeds=0x02), station(SECOND, speeds=0x02), "foreign"]
    lines += [f"at 0 0 connect {SECOND:x}"]
    first = run(tmp_path, [*lines, "until 1500000"])
    (address,) = {one.content[0] for one in first.frames(0) if one.control == 0x11}
    wrong = framed(bytes((address, 0x3F))).hex()  # XID with P
    last = max(one.us for one in first.frames(1) if one.control == 0x11)
    lines.append(f"at {last + 40_000} 2 raw 9600:{wrong}")
    session = run(tmp_path, [*lines, "until 4000000"])
    controls = [control for number, control in unnumbered(session) if number != 2]
    assert controls == [SNRM, UA, FRMR, SNRM, UA]
    assert [len(session.named("was_reset", number)) for number in (0, 1)] == [1, 1]
    assert session.named("disconnected") == []


def test_secondary_octet_by_octet(tmp_path: Path) -> None:
    """Data, a reset of the primary, and packet 0 again."""
    session = with_foreign_primary(
        tmp_path, b"\x11", b"\x10abc", b"\x12def", bytes((SNRM,)), b"\x11", b"\x10ghi"
    )
    assert answers(session) == [b"\x11", b"\x31", b"\x51", bytes((UA,)), b"\x11", b"\x31"]
    assert (tmp_path / "out").read_bytes() == b"abcdefghi"
    assert session.counters[0]["resets"] == 1


def test_a_secondary_that_gets_no_reset_asks_for_the_end(tmp_path: Path) -> None:
    """RNRM four times, then RD."""
    with_foreign_primary(tmp_path, *[b"\x11"] * 8)
    lines = (tmp_path / "scenario").read_text().splitlines()
    lines.insert(-1, "at 1600000 0 reset")
    plan = sorted(
        (one for one in lines if one.startswith("at ")), key=lambda one: int(one.split()[1])
    )
    rest = [one for one in lines if not one.startswith("at ")]
    session = run(tmp_path, [*rest[:-1], *plan, rest[-1]])
    controls = [one[0] for one in answers(session)]
    assert controls == [0x11, *[RNRM] * 4, *[RD] * 3]


def test_test_without_a_connection(tmp_path: Path) -> None:
    """The other station returns the octets with the addresses exchanged; a third one is silent."""
    lines = [medium(), station(FIRST), station(SECOND), station(0x33333333)]
    plan = [f"at 1000000 0 test {SECOND:x}:0102c07d", "at 2000000 0 test 44444444:05"]
    session = run(tmp_path, [*lines, *plan, "until 3000000"])
    first, second = (one.to_bytes(4, "little") for one in (FIRST, SECOND))
    asked, answer, none = session.frames()
    assert asked.content == b"\xff" + bytes((TEST,)) + first + second + bytes.fromhex("0102c07d")
    assert answer.content == b"\xfe" + bytes((TEST,)) + second + first + bytes.fromhex("0102c07d")
    assert (answer.station, none.station) == (1, 0)
    assert session.named("tested") == [[f"{SECOND:08x}", "0102c07d"]]


def test_broadcast(tmp_path: Path) -> None:
    """UI to all stations; while the medium is busy or longer than 384 octets it is refused."""
    lines = [medium(), station(FIRST), station(SECOND), station(0x33333333)]
    plan = ["at 100000 0 broadcast 00", f"at 1000000 0 broadcast {'7d' * 384}"]
    plan += ["at 1100000 0 broadcast 00", f"at 4000000 0 broadcast {'7d' * 385}"]
    session = run(tmp_path, [*lines, *plan, "until 6000000"])
    (frame,) = session.frames()
    assert frame.content == b"\xff\x03" + b"\x7d" * 384
    assert session.named("broadcast") == [["7d" * 384]] * 2
    assert session.named("refused") == [["broadcast"]] * 3


def test_a_discovery_after_a_test(tmp_path: Path) -> None:
    """TEST to a station that is about to look for others: both go on."""
    lines = [medium(), station(FIRST), station(SECOND)]
    plan = [f"at 1000000 0 test {SECOND:x}:01", "at 1010000 1 discover 6"]
    session = run(tmp_path, [*lines, *plan, "until 6000000"])
    assert session.named("tested") == [[f"{SECOND:08x}", "01"]]
    assert session.named("discovered", 1)[0][:2] == ["0", "1"]


@pytest.mark.parametrize("ender", (0, 1))
def test_an_end_during_a_reset_comes_after_it(tmp_path: Path, ender: int) -> None:
    """A client ends the connection while SNRM or its UA is under way: DISC and UA follow."""
    for later_us in range(100, 60_000, 4_900):
        plan = (f"at {CONNECTED_US} 0 reset", f"at {CONNECTED_US + later_us} {ender} disconnect")
        session = connected(tmp_path, *plan)
        seen = unnumbered(session)
        assert seen[-2:] == [(0, DISC), (1, UA)]
        assert ((1, RD) in seen) == (ender == 1)
        assert [session.named("disconnected", one) for one in (0, 1)] == [[["0"]], [["0"]]]
