"""An IrLAP connection frame by frame: rejects, flow control, end, silence, wrong frames."""

import itertools
from pathlib import Path

import pytest
from irda_session import DISC, DM, SNRM, UA, Session, framed, medium, run, station
from test_irda_lap import FIRST, SECOND, octets, transfer

CONNECTED_US = 3_000_000
RD = 0x53


def sent_and_same(folder: Path, lines: list[str], count: int = 6000) -> Session:
    """A transfer of random octets; raises if they do not arrive identical."""
    data = octets(count)
    begin, *rest = lines
    scenario = transfer(folder, data, [begin], sizes=0x03)
    plan = [f"at {CONNECTED_US} 0 send {folder / 'in'}", *rest, "until 60000000"]
    session = run(folder, scenario + plan)
    assert (folder / "out").read_bytes() == data
    return session


def numbers(session: Session, number: int) -> list[int]:
    """Numbers of the packets that a station sent, in order."""
    return [one.control >> 1 & 7 for one in session.frames(number) if one.control & 1 == 0]


def test_reject(tmp_path: Path) -> None:
    """The third packet is lost: REJ asks for it, and sending goes on from there."""
    session = sent_and_same(tmp_path, [medium(), "lose 0 0f 04 0 1"])
    rejects = [one for one in session.frames(1) if one.control & 0x0F == 0x09]
    assert [one.control >> 5 for one in rejects] == [2]
    sent = numbers(session, 0)
    assert sent[:9] == [0, 1, 2, 3, 4, 5, 6, 2, 3]
    assert session.counters[0]["rejects_received"] == 1


def test_selective_reject(tmp_path: Path) -> None:
    """SREJ of a foreign secondary brings one packet again, and no other."""
    data = octets(64 * 4)
    (tmp_path / "in").write_bytes(data)
    session = run_with_foreign_secondary(
        tmp_path,
        windows=0x7F,
        answers=[
            "11",  # RR, final
            "5d",  # SREJ of packet 2, final
            "91",  # RR: 4 expected
        ],
        plan=[f"at 0 0 send {tmp_path / 'in'}"],
    )
    sent = numbers(session, 0)
    assert sent == [0, 1, 2, 3, 2]
    assert session.counters[0]["selective_received"] == 1


def run_with_foreign_secondary(
    folder: Path, windows: int, answers: list[str], plan: list[str]
) -> Session:
    """Connects to a secondary that the test plays: it answers polls with these octets.

    Each answer takes one more run of the scenario, as the time of the poll must be known.
    """
    lines = [medium(), station(FIRST, speeds=0x02), "foreign", f"at 0 0 connect {SECOND:x}", *plan]
    session = run(folder, [*lines, "until 1000000"])
    (asked,) = (one for one in session.frames(0) if one.control == SNRM)
    connection = asked.info[8]
    parameters = bytes.fromhex("010102820101830101") + bytes((0x84, 1, windows))
    parameters += bytes.fromhex("850101860104080101")
    ends = SECOND.to_bytes(4, "little") + FIRST.to_bytes(4, "little")
    replies = [bytes((connection, UA)) + ends + parameters]
    replies += [bytes((connection,)) + bytes.fromhex(one) for one in answers]
    now_us = 0
    for reply in replies:
        session = run(folder, [*lines, f"until {now_us + 800_000}"])
        poll = next(one for one in session.frames(0) if one.us > now_us and one.control & 0x10)
        octet_us = 10_000_000 // 9600
        now_us = poll.us + len(framed(poll.content, 0)) * octet_us + 15_000
        lines.append(f"at {now_us} 1 raw 9600:{framed(reply).hex()}")
    return run(folder, [*lines, f"until {now_us + 100_000}"])


def test_flow_control(tmp_path: Path) -> None:
    """RNR stops data until RR; nothing is lost."""
    busy = [f"at {CONNECTED_US + 60_000} 1 busy 1", "at 6000000 1 busy 0"]
    session = sent_and_same(tmp_path, [medium(), *busy], 20000)
    frames = session.frames()
    stops = [one.us for one in frames if one.station == 1 and one.control & 0x0F == 0x05]
    assert stops and stops[-1] <= 6_000_000
    between = [one for one in frames if one.station == 0 and stops[0] < one.us < 6_000_000]
    assert between and all(one.control & 0x0F == 0x01 for one in between)  # RR, polling
    assert session.counters[0]["busy_received"] == len(stops)
    assert session.counters[1]["data_discarded"] > 0


@pytest.mark.parametrize("ender", (0, 1))
def test_end(tmp_path: Path, ender: int) -> None:
    """DISC of the primary, RD of the secondary; both report the end and can connect again."""
    lines = transfer(tmp_path, b"", [medium()])
    end = [f"at {CONNECTED_US} {ender} disconnect", f"at 6000000 1 connect {FIRST:x}"]
    session = run(tmp_path, [*lines, *end, "until 9000000"])
    assert session.named("disconnected") == [["0"], ["0"]]
    controls = [(one.station, one.control) for one in session.frames() if one.control & 3 == 3]
    expected = [(0, SNRM), (1, UA), (1, RD), (0, DISC), (1, UA), (1, SNRM), (0, UA)]
    assert controls == [one for one in expected if ender == 1 or one != (1, RD)]
    assert [values[1] for values in session.named("connected")[2:]] == ["1", "0"]
    for number in (0, 1):  # no station takes its own echo for a frame
        assert session.counters[number]["good_frames"] == len(session.frames(1 - number))


@pytest.mark.parametrize("bit", (0, 1, 2, 4, 7))
@pytest.mark.parametrize("speed", (0x02, 0x20))
def test_minimum_turnaround(tmp_path: Path, bit: int, speed: int) -> None:
    """A station begins to send as late as the other one needs, and not much later."""
    data = octets(2000)
    lines = transfer(tmp_path, data, [medium()], speeds=0x02 | speed, min_turnaround=1 << bit)
    session = run(
        tmp_path, [*lines, f"at {CONNECTED_US} 0 send {tmp_path / 'in'}", "until 5000000"]
    )
    pause = (10_000, 5_000, 1_000, 500, 100, 50, 10, 0)[bit]
    octet_us = 10_000_000 / (9600 if speed == 0x02 else 115200)
    sent = [one for one in session.octets if one[0] > CONNECTED_US]
    pauses = [
        later[0] - earlier[0] - octet_us
        for earlier, later in itertools.pairwise(sent)
        if (earlier[1], later[1]) == (0, 1)
    ]
    assert len(pauses) > 1
    assert all(pause - 2 <= one <= pause + 2 for one in pauses)


def test_refused(tmp_path: Path) -> None:
    lines = [medium(), station(FIRST), station(SECOND, accepts=0)]
    session = run(tmp_path, [*lines, f"at 0 0 connect {SECOND:x}", "until 9000000"])
    assert session.named("disconnected") == [["1"]]
    assert [one.control for one in session.frames()] == [SNRM, DM]


def test_undecided(tmp_path: Path) -> None:
    """A client that does not decide: DM after 400 ms."""
    lines = [medium(), station(FIRST), station(SECOND, accepts=2)]
    session = run(tmp_path, [*lines, f"at 0 0 connect {SECOND:x}", "until 9000000"])
    asked, refused = session.frames()
    assert (asked.control, refused.control) == (SNRM, DM)
    assert 400_000 < refused.us - asked.us < 500_000


@pytest.mark.parametrize("at_us", (300_000, 530_000, 700_000))
def test_cancelled(tmp_path: Path, at_us: int) -> None:
    """The client gives up while the station listens, sends SNRM, or waits for the answer."""
    lines = [medium(), station(FIRST), "at 0 0 connect 77", f"at {at_us} 0 disconnect"]
    session = run(tmp_path, [*lines, "until 9000000"])
    assert session.named("disconnected") == [["0"]]
    assert len(session.frames(0)) == (at_us > 500_000)


@pytest.mark.parametrize("plan", ("discover 8", "connect 77", f"connect {FIRST:x}"))
def test_gives_way(tmp_path: Path, plan: str) -> None:
    """Another station's SNRM comes while this one listens for its own plan."""
    ask = FIRST.to_bytes(4, "little") + SECOND.to_bytes(4, "little") + b"\x0a"
    begin = framed(bytes((0xFF, SNRM)) + ask + bytes.fromhex("010102080101")).hex()
    poll = framed(b"\x0b\x11").hex()
    lines = [medium(), station(SECOND), "foreign", f"at 0 0 {plan}"]
    lines += [f"at 200000 1 raw 9600:{begin}", f"at 700000 1 raw 9600:{poll}"]
    session = run(tmp_path, [*lines, "until 900000"])
    given_up = {
        "discover 8": [("discovered", ["4", "0"]), ("connect_asked", [f"{FIRST:08x}"])],
        "connect 77": [("disconnected", ["4"]), ("connect_asked", [f"{FIRST:08x}"])],
    }
    *before, (connected, _) = [(name, values) for _, _, name, values in session.events]
    assert connected == "connected"
    assert before == given_up.get(plan, [])  # asked by the one it asks: no question


def test_heard_again(tmp_path: Path) -> None:
    """After three seconds of silence the other station answers again."""
    lines = [*transfer(tmp_path, b"", [medium()]), "lose 1 00 00 4 7"]
    session = run(tmp_path, [*lines, "until 20000000"])
    assert session.named("silent", 0) == [["1"], ["0"]]
    assert session.named("disconnected") == []


def test_nothing_common(tmp_path: Path) -> None:
    """No disconnect time that both take: DM, and the client is not asked."""
    lines = [medium(), station(FIRST, disconnect=0x01), station(SECOND, disconnect=0x80)]
    session = run(tmp_path, [*lines, f"at 0 0 connect {SECOND:x}", "until 9000000"])
    assert session.named("disconnected") == [["1"]]
    assert session.named("connect_asked") == []


def test_nobody_there(tmp_path: Path) -> None:
    lines = [medium(), station(FIRST), "at 0 0 connect 77", "until 12000000"]
    session = run(tmp_path, lines)
    assert session.named("disconnected") == [["2"]]
    assert session.counters[0]["connect_repeated"] >= 10


@pytest.mark.parametrize("seed", range(10))
def test_both_ask_at_once(tmp_path: Path, seed: int) -> None:
    """One connection comes about; neither client is asked."""
    lines = [medium(seed), station(FIRST), station(SECOND)]
    asks = [f"at 0 0 connect {SECOND:x}", f"at 0 1 connect {FIRST:x}"]
    session = run(tmp_path, [*lines, *asks, "until 9000000"])
    assert session.named("connect_asked") == []
    roles = sorted((one[0], one[1]) for one in session.named("connected"))
    assert roles in (
        [(f"{FIRST:08x}", "0"), (f"{SECOND:08x}", "1")],
        [(f"{FIRST:08x}", "1"), (f"{SECOND:08x}", "0")],
    )


@pytest.mark.parametrize("higher", (False, True))
def test_of_two_who_ask_the_higher_address_is_primary(tmp_path: Path, higher: bool) -> None:
    """The other station's SNRM comes while this one waits for the answer to its own."""
    other = 0x33333333 if higher else FIRST
    ask = other.to_bytes(4, "little") + SECOND.to_bytes(4, "little") + b"\x0a"
    asks = framed(bytes((0xFF, SNRM)) + ask + bytes.fromhex("010102080101")).hex()
    lines = [medium(), station(SECOND), "foreign", f"at 0 0 connect {other:x}"]
    session = run(tmp_path, [*lines, f"at 700000 1 raw 9600:{asks}", "until 1300000"])
    assert [one.control for one in session.frames(0)] == [SNRM, UA if higher else SNRM]


def test_polls_of_an_idle_primary(tmp_path: Path) -> None:
    """P timer: pauses double from 10 ms to the time that a station may keep the medium."""
    session = run(tmp_path, [*transfer(tmp_path, b"", [medium()]), "until 9000000"])
    polls = [one.us for one in session.frames(0) if one.control & 0x1F == 0x11]
    pauses = [later - earlier for earlier, later in itertools.pairwise(polls)]
    for number, pause in enumerate(pauses):
        assert pause == pytest.approx(min(10_000 << number, 500_000), abs=12_000)
    assert pauses[-1] > 500_000
    assert session.counters[0]["final_timeouts"] == 0


def test_silent_station(tmp_path: Path) -> None:
    """The other station falls silent: threshold after 3 s, end after the disconnect time."""
    offers = {"disconnect": 0x02}  # 8 s
    lines = [*transfer(tmp_path, b"", [medium()], **offers), "lose 1 00 00 4 9999"]
    session = run(tmp_path, [*lines, "until 20000000"])
    begin = max(one.us for one in session.frames(1) if one.whole)
    (threshold,) = (us for us, number, name, _ in session.events if (number, name) == (0, "silent"))
    end = {number: us for us, number, name, _ in session.events if name == "disconnected"}
    assert 3_000_000 <= threshold - begin <= 3_800_000
    assert 8_000_000 <= end[0] - begin <= 8_800_000
    last = max(one.us for one in session.frames(0))  # heard the primary until it gave up
    assert 8_000_000 <= end[1] - last <= 8_800_000
    assert session.named("disconnected") == [["2"], ["2"]]


def test_lost_final(tmp_path: Path) -> None:
    """F timer: after half a second without an answer the primary polls, and sends no data."""
    session = sent_and_same(tmp_path, [medium(), "lose 1 1f 11 11 2"])
    assert session.counters[0]["final_timeouts"] == 2
    lost = [one.us for one in session.frames(1) if not one.whole]
    assert lost[0] > CONNECTED_US
    after = [next(one for one in session.frames(0) if one.us > us) for us in lost]
    assert all(one.control & 0x1F == 0x11 for one in after)
    pauses = [one.us - us for one, us in zip(after, lost, strict=True)]
    assert all(500_000 < pause < 700_000 for pause in pauses)


def test_unit_data(tmp_path: Path) -> None:
    """UI goes both ways, beside the sequence."""
    plan = [f"at {CONNECTED_US} 0 unit 0102c0", f"at {CONNECTED_US} 1 unit 7dff"]
    session = run(tmp_path, [*transfer(tmp_path, b"", [medium()]), *plan, "until 9000000"])
    assert session.named("unit_data", 1) == [["0102c0"]]
    assert session.named("unit_data", 0) == [["7dff"]]
