"""IrLAP between stations on a simulated medium: connections, negotiation, errors."""

import random
from pathlib import Path

import pytest
from irda_session import SNRM, UA, medium, run, station

FIRST, SECOND = 0x11111111, 0x22222222
SPEEDS = (9600, 19200, 38400, 57600, 115200)
CAPACITY = {9600: 400, 19200: 800, 38400: 1600, 57600: 2360, 115200: 4800}
"""Octets in 500 ms, as IrLAP limits a window."""


def octets(count: int, seed: int = 0) -> bytes:
    """Random octets; a third of them need an escape on the line."""
    source = random.Random(seed)
    return bytes(source.choice((source.randrange(256), 0x7D, 0xC0)) for _ in range(count))


def transfer(folder: Path, data: bytes, lines: list[str], **offers: int) -> list[str]:
    """A scenario's stations: the first one connects and sends, the second one keeps."""
    (folder / "in").write_bytes(data)
    return [
        *lines[:1],
        station(FIRST, **offers),
        station(SECOND, file=folder / "out", **offers),
        *lines[1:],
        f"at 0 0 connect {SECOND:x}",
    ]


def fitting(speed: int, share: float, size: int, window: int) -> tuple[int, int]:
    """Octets and frames that fit into a share of 500 ms, with 12 extra BOFs and 1 ms of pause."""
    overhead, pause = 6 + 12 * speed // 115200, speed // 10 // 1000
    while window * (size + overhead) + pause > CAPACITY[speed] * share:
        size, window = (size, window - 1) if window > 1 else (size // 2, window)
    return size, window


@pytest.mark.parametrize("window", (2, 7))
@pytest.mark.parametrize(
    ("speed", "turnaround", "share"),
    [
        *((speed, 0x01, 1) for speed in SPEEDS),
        (9600, 0x0F, 1),
        (115200, 0x03, 1 / 2),
        (115200, 0x07, 1 / 5),
        (115200, 0x0F, 1 / 10),
    ],
)
def test_what_fits_on_the_line(
    tmp_path: Path, speed: int, turnaround: int, share: float, window: int
) -> None:
    """At each speed and time on the medium: first the window becomes smaller, then the size."""
    for size in (64, 256, 512, 2048):
        offers = {"speeds": 0x02 | 2 << SPEEDS.index(speed), "max_turnaround": turnaround}
        offers |= {"windows": (1 << window) - 1, "sizes": size // 64 * 2 - 1}
        lines = [medium(), station(FIRST), station(SECOND, **offers), "until 2000000"]
        lines.insert(3, f"at 0 0 connect {SECOND:x}")
        (link,) = run(tmp_path, lines).named("connected", 0)
        assert (int(link[3]), int(link[4])) == fitting(speed, share, size, window)


@pytest.mark.parametrize("window", range(1, 8))
@pytest.mark.parametrize("size", (64, 128, 256, 512, 1024, 2048))
def test_each_window_and_size(tmp_path: Path, window: int, size: int) -> None:
    """The receiver's window and size hold, within the line's capacity."""
    data = octets(5000, window * size)
    (tmp_path / "in").write_bytes(data)
    offers = {"windows": (1 << window) - 1, "sizes": size // 64 * 2 - 1}
    session = run(
        tmp_path,
        [
            medium(),
            station(FIRST),
            station(SECOND, file=tmp_path / "out", **offers),
            f"at 0 0 connect {SECOND:x}",
            f"at 2000000 0 send {tmp_path / 'in'}",
            "until 30000000",
        ],
    )
    assert (tmp_path / "out").read_bytes() == data
    for number in (0, 1):  # no station takes its own echo for a frame
        assert session.counters[number]["good_frames"] == len(session.frames(1 - number))
    (link,) = session.named("connected", 0)
    sent_window = int(link[4])
    assert (int(link[3]), sent_window) == fitting(115200, 1, size, window)
    (peer,) = session.named("connected", 1)
    assert peer[5:7] == link[3:5]  # what one sends the other one receives
    # On the line: never more frames in a row, never longer ones.
    longest, row = 0, 0
    for frame in session.frames():
        is_data = frame.control & 1 == 0
        longest = max(longest, len(frame.info) if is_data else 0)
        row = row + 1 if is_data else 0
        assert row <= sent_window
        row = 0 if frame.control & 0x10 else row
    assert longest == size


@pytest.mark.parametrize("speed", range(5))
def test_each_speed(tmp_path: Path, speed: int) -> None:
    data = octets(3000, speed)
    offers = {"speeds": 0x02 | 1 << (speed + 1)}
    lines = transfer(tmp_path, data, [medium()], **offers)
    session = run(tmp_path, [*lines, f"at 2000000 0 send {tmp_path / 'in'}", "until 60000000"])
    assert (tmp_path / "out").read_bytes() == data
    (link,) = session.named("connected", 0)
    assert int(link[2]) == SPEEDS[speed]
    assert int(link[3]) * int(link[4]) < CAPACITY[SPEEDS[speed]]
    # Octets of a frame of data follow each other at that speed.
    frame = max(session.frames(0), key=lambda one: len(one.content))
    times = [us for us, number, *_ in session.octets if number == 0 and us >= frame.us]
    assert (times[50] - times[0]) / 50 == pytest.approx(10e6 / SPEEDS[speed], abs=0.05)


@pytest.mark.parametrize("seed", range(20))
def test_identical_at_one_wrong_bit_in_ten_thousand(tmp_path: Path, seed: int) -> None:
    """16,384 octets arrive identical, both stations sending, window 7."""
    data, back = octets(16384, seed), octets(16384, seed + 100)
    (tmp_path / "in").write_bytes(data)
    (tmp_path / "in-back").write_bytes(back)
    offers = {"sizes": 0x03}  # 128 octets
    session = run(
        tmp_path,
        [
            medium(seed, error_rate=1e-4),
            station(FIRST, file=tmp_path / "out-back", **offers),
            station(SECOND, file=tmp_path / "out", **offers),
            f"at 0 0 connect {SECOND:x}",
            f"at 9000000 0 send {tmp_path / 'in'}",
            f"at 9000000 1 send {tmp_path / 'in-back'}",
            "until 400000000",
        ],
    )
    assert (tmp_path / "out").read_bytes() == data
    assert (tmp_path / "out-back").read_bytes() == back
    for counters in session.counters:
        assert counters["wrong_fcs"] + counters["broken_off"] > 10
        assert counters["data_repeated"] > 10
    assert sum(counters["rejects_sent"] for counters in session.counters) > 0
    assert session.named("connected", 0)[0][4] == "7"
    assert session.named("disconnected") == []


def test_lost_snrm(tmp_path: Path) -> None:
    lines = transfer(tmp_path, b"", [medium(), "lose 0 ff 93 0 2"])
    session = run(tmp_path, [*lines, "until 10000000"])
    assert len(session.named("connected")) == 2
    asked = [frame.whole for frame in session.frames(0) if frame.control == SNRM]
    assert asked == [False, False, True]


@pytest.mark.parametrize("lost", (1, 2))
def test_lost_ua(tmp_path: Path, lost: int) -> None:
    """The secondary changed its speed when its UA was lost; it comes back and answers again."""
    data = octets(2000)
    lines = transfer(tmp_path, data, [medium(), f"lose 1 ff 73 0 {lost}"])
    session = run(tmp_path, [*lines, f"at 9000000 0 send {tmp_path / 'in'}", "until 12000000"])
    answered = [frame.whole for frame in session.frames(1) if frame.control == UA]
    assert answered == [False] * lost + [True]
    assert len(session.named("connect_asked")) == 1
    assert len(session.named("connected")) == 2
    assert (tmp_path / "out").read_bytes() == data
