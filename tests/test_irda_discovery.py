"""Discovery of IrLAP: slots, answers, equal addresses, two stations that look at once."""

from pathlib import Path

import pytest
from irda_session import XID_COMMAND, XID_RESPONSE, Session, framed, medium, run, station

INFO = [bytes((0x80 | number, 0x02, 0)) + b"station %d" % number for number in range(6)]
"""Two octets of hints, the character set, a nickname."""


def discover(folder: Path, others: int, slots: int, seed: int, *more: str) -> Session:
    """The first station looks for the others, after the medium was quiet."""
    stations = [station(info=INFO[number].hex()) for number in range(others + 1)]
    lines = [medium(seed), *stations, f"at 0 0 discover {slots}", *more, "until 6000000"]
    return run(folder, lines)


def found(session: Session) -> list[tuple[int, bytes]]:
    """Address and information of each station that the first one found."""
    (values,) = session.named("discovered", 0)
    assert values[0] == "0" and int(values[1]) == len(values) - 2
    pairs = (value.split(":") for value in values[2:])
    return [(int(address, 16), bytes.fromhex(info)) for address, info in pairs]


@pytest.mark.parametrize("others", range(1, 6))
@pytest.mark.parametrize("slots", (1, 6, 8, 16))
@pytest.mark.parametrize("seed", (1, 2, 3))
def test_finds_who_answers_alone(tmp_path: Path, others: int, slots: int, seed: int) -> None:
    """Found is whoever was alone in its slot; each answers once, in a slot of its choice."""
    session = discover(tmp_path, others, slots, seed)
    addresses = [counters["address"] for counters in session.counters]
    answers = [frame for frame in session.frames() if frame.content[1] == XID_RESPONSE]
    assert sorted(frame.station for frame in answers) == list(range(1, others + 1))
    alone = [
        frame.station
        for frame in answers
        if all(other is frame or other.info[10] != frame.info[10] for other in answers)
    ]
    expected = {(addresses[number], INFO[number]) for number in alone}
    assert expected == set(found(session))
    assert slots > 1 or others == 1 or expected == set()
    # The discovering station's last command has its own information, and reaches all.
    heard = session.named("was_discovered")
    assert heard == [[f"{addresses[0]:08x}:{INFO[0].hex()}"]] * others
    commands = [frame for frame in session.frames(0) if frame.content[1] == XID_COMMAND]
    assert [frame.info[10] for frame in commands] == [*range(slots), 0xFF]
    for frame in commands:
        assert frame.content[0] == 0xFF
        assert frame.info[:9] == b"\x01" + addresses[0].to_bytes(4, "little") + b"\xff" * 4
        assert (frame.info[9], frame.info[11]) == ((1, 6, 8, 16).index(slots), 0)
        assert frame.info[12:] == (INFO[0] if frame.info[10] == 0xFF else b"")
    for frame in answers:
        target = addresses[0].to_bytes(4, "little")
        assert frame.content[0] == 0xFE and frame.info[5:9] == target


def test_slots_are_drawn(tmp_path: Path) -> None:
    """Every slot is chosen at some time."""
    chosen = set()
    for seed in range(30):
        session = discover(tmp_path, 3, 6, seed)
        chosen |= {one.info[10] for one in session.frames() if one.content[1] == XID_RESPONSE}
    assert chosen == set(range(6))


def test_media_must_be_quiet(tmp_path: Path) -> None:
    """Half a second after the last octet of others, at the earliest; ten seconds at most."""
    lines = [medium(), station(), "foreign"]
    noise = [f"at {200000 + 300000 * number} 1 raw 9600:55" for number in range(10)]
    session = run(tmp_path, [*lines, "at 0 0 discover 1", *noise, "until 6000000"])
    last = max(us for us, number, *_ in session.octets if number == 1)
    assert last + 500_000 <= session.frames(0)[0].us <= last + 700_000
    noise = [f"at {300000 * number} 1 raw 9600:55" for number in range(1, 40)]
    session = run(tmp_path, [*lines, "at 0 0 discover 1", *noise, "until 15000000"])
    assert session.named("discovered") == [["4", "0"]]
    assert session.frames(0) == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("equal", ("others", "own"))
def test_equal_addresses(tmp_path: Path, seed: int, equal: str) -> None:
    """Stations with one address take new ones; then each is found under its own."""
    addresses = (0xAAAA, 0xBBBB, 0xBBBB) if equal == "others" else (0xAAAA, 0xAAAA, 0xCCCC)
    stations = [station(one, info=INFO[number].hex()) for number, one in enumerate(addresses)]
    session = run(tmp_path, [medium(seed), *stations, "at 0 0 discover 16", "until 9000000"])
    after = [counters["address"] for counters in session.counters]
    answers = [one for one in session.frames() if one.content[1] == XID_RESPONSE]
    if not all(one.whole for one in answers):
        return  # both in one slot: this seed shows no conflict
    assert len(set(after)) == 3 and after[0] == 0xAAAA
    renamed = (1, 2) if equal == "others" else (1,)
    assert set(found(session)) == {(after[number], INFO[number]) for number in (1, 2)}
    for number in (1, 2):
        assert (after[number] != addresses[number]) == (number in renamed)
    flags = {one.info[9] for one in session.frames(0) if one.info[5:9] != b"\xff" * 4}
    assert flags == {3 | 4}  # 16 slots, new address


@pytest.mark.parametrize("seed", range(8))
def test_two_look_at_once(tmp_path: Path, seed: int) -> None:
    """Each ends with a result; a station that gives way has heard of the other one."""
    stations = [station(info=INFO[number].hex()) for number in range(2)]
    plan = ["at 0 0 discover 8", "at 0 1 discover 8", "until 9000000"]
    session = run(tmp_path, [medium(seed), *stations, *plan])
    for number in range(2):
        (values,) = session.named("discovered", number)
        assert values[:2] in (["0", "1"], ["4", "0"])
        assert values[0] == "0" or session.named("was_discovered", number)
    assert any(values[:2] == ["0", "1"] for values in session.named("discovered"))


@pytest.mark.parametrize("higher", (False, True))
def test_of_two_the_higher_address_goes_on(tmp_path: Path, higher: bool) -> None:
    """Another station's command arrives between two commands of this one."""
    other = (0x9999 if higher else 0x1111).to_bytes(4, "little")
    command = framed(b"\xff\x3f\x01" + other + b"\xff" * 4 + b"\0\0\0").hex()
    lines = [medium(), station(0x5555), "foreign", "at 0 0 discover 8", "until 900000"]
    begin = run(tmp_path, lines).frames(0)[0].us
    lines.insert(4, f"at {begin + 50_000} 1 raw 9600:{command}")
    session = run(tmp_path, [*lines[:-1], "until 5000000"])
    controls = [frame.control for frame in session.frames(0)]
    if higher:
        assert session.named("discovered") == [["4", "0"]]
        assert controls == [XID_COMMAND, XID_RESPONSE]
    else:
        assert session.named("discovered") == [["0", "0"]]
        assert controls == [XID_COMMAND] * 9


def test_wrong_commands_get_no_answer(tmp_path: Path) -> None:
    """Cut off, of another format, for another station, or from no station."""
    begin, all_stations = b"\xff\x3f\x01", b"\xff" * 4
    whole = begin + b"\x01\0\0\0" + all_stations + b"\0\0\0"
    wrong = [
        whole[:-1],
        whole.replace(begin, b"\xff\x3f\x02"),
        begin + b"\x01\0\0\0" + b"\x77\0\0\0" + b"\0\0\0",
        begin + bytes(4) + all_stations + b"\0\0\0",
        whole[:-2] + b"\x01\0",  # slot 1 of one slot
    ]
    plan = [
        f"at {1000000 * (number + 1)} 1 raw 9600:{framed(content).hex()}"
        for number, content in enumerate([*wrong, whole])
    ]
    session = run(tmp_path, [medium(), station(), "foreign", *plan, "until 9000000"])
    assert [frame.us // 1000000 for frame in session.frames(0)] == [len(wrong) + 1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("own", (False, True))
def test_three_stations_of_one_address_after_a_collision(
    tmp_path: Path, seed: int, own: bool
) -> None:
    """In one slot their answers collide; then each takes an address of its own and is found."""
    first = 0xBBBB if own else 0xAAAA
    stations = [
        station(first if number == 0 else 0xBBBB, info=INFO[number].hex()) for number in range(4)
    ]
    plan = ["at 0 0 discover 1", *(f"at {4000000 + 6000000 * at} 0 discover 16" for at in range(3))]
    session = run(tmp_path, [medium(seed), *stations, *plan, "until 24000000"])
    collided, *results = session.named("discovered", 0)
    assert collided == ["0", "0"]
    answers = [one for one in session.frames() if one.content[1] == XID_RESPONSE]
    assert [one.whole for one in answers[:3]] == [False] * 3
    after = [counters["address"] for counters in session.counters]
    assert len(set(after)) == 4 and after[0] == first
    found = [{value.split(":")[0] for value in values[2:]} for values in results]
    assert {f"{one:08x}" for one in after[1:]} in found
