"""IrLAP's secondary, octet by octet: the tests play its primary."""

from pathlib import Path

from irda_session import DISC, FRMR, SNRM, UA, Session, framed, medium, run, station
from test_irda_lap import FIRST, SECOND

TEST = 0xE3


def with_foreign_primary(folder: Path, *contents: bytes) -> Session:
    """The station is secondary of a primary that the test plays; connection address 5."""
    ask = FIRST.to_bytes(4, "little") + SECOND.to_bytes(4, "little") + b"\x0a"
    parameters = bytes.fromhex("010102820101830101840101850101860101080101")
    plan = [framed(bytes((0xFF, SNRM)) + ask + parameters)]
    plan += [framed(bytes((0x0B,)) + content) for content in contents]
    lines = [medium(), station(SECOND, file=folder / "out"), "foreign"]
    lines += [
        f"at {1000000 + 400000 * number} 1 raw 9600:{one.hex()}" for number, one in enumerate(plan)
    ]
    return run(folder, [*lines, f"until {1000000 + 400000 * len(plan)}"])


def answers(session: Session) -> list[bytes]:
    """The secondary's frames on the connection, behind its UA, without the address."""
    frames = session.frames(0)
    assert frames[0].content[:2] == bytes((0x0A, UA))
    assert all(one.content[0] == 0x0A for one in frames)
    return [one.content[1:] for one in frames[1:]]


def test_connection_from_elsewhere(tmp_path: Path) -> None:
    """Poll, data, TEST, end, octet by octet."""
    session = with_foreign_primary(
        tmp_path, b"\x11", b"\x10abc", b"\x12def", bytes((TEST | 0x10,)) + b"echo", bytes((DISC,))
    )
    assert answers(session) == [b"\x11", b"\x31", b"\x51", bytes((TEST | 0x10,)) + b"echo", b"\x73"]
    assert (tmp_path / "out").read_bytes() == b"abcdef"
    assert session.named("disconnected") == [["0"]]


def test_frames_not_allowed(tmp_path: Path) -> None:
    """FRMR says which control octet, the numbers, and why."""
    session = with_foreign_primary(tmp_path, b"\x11", b"\x3f", b"\xb1", b"\x11")
    assert answers(session) == [
        b"\x11",
        bytes((FRMR, 0x3F, 0x10, 0x01)),  # XID is none of a connection
        bytes((FRMR, 0xB1, 0x10, 0x08)),  # acknowledges what was never sent
        b"\x11",
    ]
    assert session.counters[0]["frames_rejected"] == 2


def test_other_connections_and_echoes_are_ignored(tmp_path: Path) -> None:
    """A response in the secondary's own direction, and another connection's frames."""
    session = with_foreign_primary(tmp_path, b"\x11")
    whole = answers(session)
    lines = (tmp_path / "scenario").read_text().splitlines()
    for number, address in enumerate((0x0A, 0x0D, 0x0C)):
        other = framed(bytes((address, 0x11))).hex()
        lines.insert(-1, f"at {1900000 + 200000 * number} 1 raw 9600:{other}")
    assert answers(run(tmp_path, [*lines[:-1], "until 2900000"])) == whole


def test_lost_connection_begins_anew(tmp_path: Path) -> None:
    """SNRM of the connected primary: the old connection ends, a new one begins."""
    ask = FIRST.to_bytes(4, "little") + SECOND.to_bytes(4, "little") + b"\x0a"
    lines = [medium(), station(SECOND), "foreign"]
    again = framed(bytes((0xFF, SNRM)) + ask + bytes.fromhex("010102080101")).hex()
    poll = framed(b"\x0b\x11").hex()
    plan = [f"at 1000000 1 raw 9600:{again}", f"at 1500000 1 raw 9600:{poll}"]
    plan += [f"at 2000000 1 raw 9600:{again}", f"at 2500000 1 raw 9600:{poll}"]
    session = run(tmp_path, [*lines, *plan, "until 2800000"])
    assert [name for _, _, name, _ in session.events] == [
        "connect_asked",
        "connected",
        "disconnected",
        "connect_asked",
        "connected",
    ]
