"""Files over the whole IrDA stack: sizes, windows, losses, credits; each frame judged by tshark."""

import re
import subprocess
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import median
from zlib import crc32

import pytest
from infrared_frames import needs_tshark
from infrared_host import (
    DIFFERS,
    DONE,
    LINK_LOST,
    NO_ANSWER,
    NO_LINK,
    NO_SERVICE,
    NO_STATION,
    REFUSED,
    Run,
    program,
    run,
    transfer,
)

from cyclescope.wire.infrared import bytes_by_origin
from cyclescope.wire.infrared.expected import FIELDS, TTP_FIELDS
from cyclescope.wire.infrared.irlap import PARAMETERS

SMALL = "sizes=1"
"""Data of 64 octets: a bit error rate of 1e-4 damages every twentieth frame."""
NOISY = "errors=100000"


def content(octets: int, seed: int = 1) -> bytes:
    """Octets of all values."""
    return Random(seed).randbytes(octets)


@pytest.mark.parametrize("octets", [0, 1, 100, 1000, 16_000, 1_000_000])
def test_a_file_arrives_as_it_was(octets: int, tmp_path: Path) -> None:
    """Origins of the line's octets add up, and payload is the file's size."""
    found = transfer(tmp_path, content(octets), "until=300")
    counts = bytes_by_origin(found.packets)
    assert sum(one.total() for one in counts.values()) == found.octets()
    assert counts[0]["payload"] == octets and counts[1]["payload"] == 0
    assert all(one["retransmission"] == one["damaged"] == 0 for one in counts.values())


@pytest.mark.parametrize("special", [0x7D, 0xC0, 0xC1, 0xFF])
def test_a_file_of_marks_arrives(special: int, tmp_path: Path) -> None:
    """Each octet is stuffed, but 0xFF, which is none of the marks within a frame."""
    found = transfer(tmp_path, bytes([special]) * 3000)
    assert (bytes_by_origin(found.packets)[0]["stuffing"] >= 3000) == (special != 0xFF)


@pytest.mark.parametrize("frames", range(1, 8))
def test_windows_of_all_sizes(frames: int, tmp_path: Path) -> None:
    """No station sends more frames in a row than the other one takes, and some are as many."""
    found = transfer(tmp_path, content(4000), SMALL, f"windows={1 << frames - 1:x}")
    offered = [one.negotiation.values() for one in found.packets if one.negotiation]
    assert [one["window frames"] for one in offered] == [(frames,), (frames,)]
    longest = count = 0
    for one in found.packets:
        if one.lap and one.frame.sender == 0:
            count = count + 1 if one.lap.kind == "I" else 0
            longest = max(longest, count)
            count = 0 if one.lap.poll_final else count
    assert longest == frames


@pytest.mark.parametrize("bit", range(6))
def test_data_of_all_sizes(bit: int, tmp_path: Path) -> None:
    """The largest frame carries the data size that was agreed on, with its header."""
    found = transfer(tmp_path, content(5000), f"sizes={1 << bit:x}")
    sizes = PARAMETERS[0x83][1]
    assert max(len(one.frame.content or b"") for one in found.packets) == sizes[bit] + 2


@pytest.mark.parametrize("seed", range(1, 21))
def test_a_file_over_a_noisy_line(seed: int, tmp_path: Path) -> None:
    """A bit error rate of 1e-4, a window of 7 frames, and the first UA is lost."""
    found = transfer(
        tmp_path,
        content(16_000, seed),
        SMALL,
        NOISY,
        f"seed={seed}",
        "lose=1:ef:63:0:1",
        "until=200",
    )
    assert found.counters[0]["connect_repeated"] >= 1
    assert found.counters[1]["wrong_fcs"] > 0
    assert "REJ" in found.kinds()
    counts = bytes_by_origin(found.packets)
    assert counts[0]["retransmission"] > 0
    assert sum(one.total() for one in counts.values()) == found.octets()


def test_several_files_one_after_the_other(tmp_path: Path) -> None:
    names = [tmp_path / f"{size}.bin" for size in (300, 0, 5000)]
    for name in names:
        name.write_bytes(content(int(name.stem)))
    into = tmp_path / "received.bin"
    found = run("send_host", tmp_path, f"into={into}", *(f"file={one}" for one in names))
    assert found.values("ended") == [(0,), (0,), (0,)]
    assert into.read_bytes() == b"".join(one.read_bytes() for one in names)


def test_exhausted_credits_stop_the_sender_until_new_ones_come(tmp_path: Path) -> None:
    """The receiver gives none from 1.3 s to 8 s: meanwhile no data passes, then all of it."""
    found = transfer(tmp_path, content(16_000), SMALL, "credits=5", "hold=1.3:8")
    assert found.counters[0]["times_without_credit"] > 0
    assert found.counters[1]["credit_frames_sent"] > 10
    data_ns = [one.frame.begin_ns for one in found.packets if one.ttp and one.ttp.data]
    pauses = [later - sooner for sooner, later in pairwise(data_ns)]
    start = found.packets[0].frame.begin_ns
    assert max(pauses) > 5_000_000_000
    assert any(8_000_000_000 < at < start + 9_000_000_000 for at in data_ns)


def overdrawn(found: Run) -> list[int]:
    """Frames with a segment for which the sender had no credit."""
    credits, wrong = Counter[tuple[int, int, int]](), []
    for at, one in enumerate(found.packets):
        if one.ttp is None or one.lmp is None or one.repeated:
            continue
        sender, lsaps = one.frame.sender, (one.lmp.source, one.lmp.destination)
        credits[1 - sender, lsaps[1], lsaps[0]] += one.ttp.credit
        if not one.ttp.connects and one.ttp.data:
            credits[sender, *lsaps] -= 1
            wrong += [at] if credits[sender, *lsaps] < 0 else []
    return wrong


@pytest.mark.parametrize("credits", (1, 2, 5, 14, 127))
def test_no_segment_is_sent_without_a_credit(credits: int, tmp_path: Path) -> None:
    """An account of each connection by the frames of the line."""
    found = transfer(tmp_path, content(8_000), SMALL, f"credits={credits}", "hold=1.3:4")
    assert sum(one.ttp is not None for one in found.packets) > 100
    assert overdrawn(found) == []
    shared = run("mux_host", tmp_path, "connections=4", f"credits={credits}", "octets=4000")
    assert overdrawn(shared) == []


@pytest.mark.parametrize(
    ("options", "result"),
    [
        (["receiver=0"], NO_STATION),
        (["receiver=2"], NO_SERVICE),
        (["lose=1:ef:63:0:99"], NO_LINK),
        (["refuse=1"], REFUSED),
        (["refuse=2"], REFUSED),
        (["vanish=2", "until=100"], LINK_LOST),
        (["credits=5", "hold=1.3:90", "until=120"], NO_ANSWER),
    ],
)
def test_a_transfer_that_cannot_be_ends_with_its_reason(
    options: list[str], result: int, tmp_path: Path
) -> None:
    (tmp_path / "file.bin").write_bytes(content(16_000))
    found = run("send_host", tmp_path, f"file={tmp_path / 'file.bin'}", SMALL, *options)
    assert found.values("ended") == [(result,)]


def test_the_sender_tries_each_station_that_it_found(tmp_path: Path) -> None:
    """Station 1 has no such class, station 2 has it; seeds differ in who is found first."""
    (tmp_path / "file.bin").write_bytes(content(1000))
    answers = set()
    for seed in range(1, 9):
        into = tmp_path / f"{seed}.bin"
        options = (f"file={tmp_path / 'file.bin'}", f"into={into}", f"seed={seed}", "receiver=3")
        found = run("send_host", tmp_path, *options)
        assert found.values("ended") == found.values("ended", 2) == [(0,)]
        assert into.read_bytes() == content(1000)
        answers.add(tuple(one.answer.code for one in found.packets if one.answer))
    assert answers == {(0,), (1, 0)}


def test_the_same_seed_gives_the_same_line(tmp_path: Path) -> None:
    """Octets and their times; another seed gives others."""
    lines = []
    for number, seed in enumerate((3, 3, 4)):
        folder = tmp_path / str(number)
        folder.mkdir()
        lines.append(transfer(folder, content(2000), SMALL, NOISY, f"seed={seed}").log.read_text())
    assert lines[0] == lines[1] != lines[2]


def test_connections_share_the_link(tmp_path: Path) -> None:
    """Four connections to one LSAP carry 20,000 octets each; one of them is held for 20 s."""
    found = run("mux_host", tmp_path, "ask=Test/IrDA:TinyTP:LsapSel", "connections=4",
                "octets=20000", "hold=2:2:30")  # fmt: skip
    ended_us = {values[0]: at for at, _, name, values in found.events if name == "all_came"}
    assert sorted(ended_us) == [0, 1, 2, 3]
    assert not found.values("differs", 1)
    late = [number for number, at in ended_us.items() if at > 30_000_000]
    assert len(late) == 1


def test_connections_get_equal_shares_of_the_link(tmp_path: Path) -> None:
    """Until the first of four has sent all, each of them has sent nearly as much."""
    found = run("mux_host", tmp_path, "connections=4", "octets=40000")
    first_us = min(at for at, _, name, _ in found.events if name == "all_came")
    data = [one for one in found.packets if one.lmp and one.lmp.opcode is None]
    shares = Counter(
        one.lmp.source for one in data if one.lmp and one.frame.begin_ns < 1000 * first_us
    )
    senders = [count for lsap, count in shares.items() if lsap >= 0x10]
    assert len(senders) == 4 and min(senders) > 0.9 * max(senders)


def test_credits_come_before_they_are_used_up(tmp_path: Path) -> None:
    """Two windows of credits: the sender never waits, and a frame of credits has half of them."""
    found = transfer(tmp_path, content(16_000), SMALL, "credits=14")
    assert found.counters[0]["times_without_credit"] == 0
    alone = [one.ttp.credit for one in found.packets if one.ttp and not one.ttp.data]
    assert min(alone) == 7


@pytest.mark.parametrize(("unit", "takes"), [(1, 4096), (61, 61), (62, 4096), (4096, 4096)])
def test_units_are_cut_into_segments_and_joined(unit: int, takes: int, tmp_path: Path) -> None:
    """Units shorter than a segment, as long, and of many; each arrives as one."""
    options = (f"unit={unit}", f"takes={takes}", "octets=8192", "ask=Test/IrDA:TinyTP:LsapSel")
    found = run("mux_host", tmp_path, *options, "until=100")
    assert found.values("all_came", 1) == [(0, -(-8192 // unit))]
    assert any(one.ttp and one.ttp.flag for one in found.packets if one.ttp and one.ttp.data) == (
        unit > 61
    )


def test_a_unit_that_is_too_long_is_not_sent(tmp_path: Path) -> None:
    found = run("mux_host", tmp_path, "unit=1001", "takes=1000")
    assert found.values("not_sent") == [(0, 1001)]


def test_questions_to_the_information_access_service(tmp_path: Path) -> None:
    """Each type of value, a class and an attribute that are not there."""
    asked = ("Device/DeviceName", "Test/Integer", "Test/Octets", "Test/Missing")
    options = [f"ask={one}" for one in (*asked, "Test/None", "None/Integer")]
    found = run("mux_host", tmp_path, *options)
    assert [result for _, result in found.values("answer")] == [0, 0, 0, 0, 2, 1]
    assert found.values("integer") == [(1, -2)]
    answers = [one.answer for one in found.packets if one.answer]
    assert [one.code for one in answers] == [0, 0, 0, 0, 2, 1]
    values = [value for one in answers[:3] for value in one.values]
    assert values == [(0, 3, b"Station"), (1, 1, -2), (1, 2, bytes.fromhex("c0c17d00ff"))]


def test_answers_and_questions_of_several_frames(tmp_path: Path) -> None:
    """Frames of 64 octets: each but the last has no last-bit and is acknowledged.

    tshark 4.0 reads each frame as if it were whole, so it does not judge this line.
    """
    class_name = "Test of a class whose name is as long as names can be, 60 oct"[:60]
    assert len(class_name) == 60
    asked = ("Test/Long", "Test/Longest", "Test/Octets of all lengths", f"{class_name}/Integer")
    options = [f"ask={one}" for one in asked]
    found = run("mux_host", tmp_path, *options, judged=False)
    assert [result for _, result in found.values("answer")] == [0, 0, 0, 1]
    long, longest, sequence, none = (one.answer for one in found.packets if one.answer)
    assert not [one.fault for one in found.packets if one.fault]
    text = b"A value that is longer than a frame of 64 octets, which is the "
    text += b"smallest size of data that two stations can agree on."
    assert (long.values, none.code) == (((1, 3, text),), 1)
    assert longest.values == ((1, 3, bytes(range(255))),)
    octets = bytes(at & 0xFF for at in range(1024))
    assert sequence.values == ((1, 2, octets),)
    crcs = [crc32(one) for one in (text, bytes(range(255)), octets)]
    heard = [value & 0xFFFFFFFF for _, value in found.values("octets")]
    assert heard == crcs
    ias = [one for one in found.packets if one.lmp and one.lmp.is_ias and one.lmp.opcode is None]
    controls = [(one.frame.sender, one.lmp.data[0]) for one in ias if one.lmp]
    pieces = [-(-(8 + size) // 61) for size in map(len, (text, bytes(255), octets))]
    expected = []
    for count in pieces:
        expected += [(0, 0x84), *[(1, 0x04), (0, 0xC4)] * (count - 1), (1, 0x84)]
    expected += [(0, 0x04), (1, 0xC4), (0, 0x84), (1, 0x84)]
    assert controls == expected
    assert all(len(one.lmp.data) == 62 for one in ias if one.lmp and not one.lmp.data[0] & 0x80)


def test_nobody_listens(tmp_path: Path) -> None:
    """The connect is answered by a disconnect: no such client."""
    found = run("mux_host", tmp_path, "absent=1")
    assert found.values("disconnected") == [(0, 8)]
    assert [one.lmp.reason for one in found.packets if one.lmp and one.lmp.reason] == [8]


def test_upper_layers_bear_any_packet() -> None:
    """Damaged packets of all layers above IrLAP, with checks of addresses and of behaviour."""
    command = [program("fuzz_host", sanitized=True), "7", "400"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    counts = {name: int(value) for name, value in map(str.split, ended.stdout.splitlines())}
    assert counts["damaged"] > 1000 and counts["not_ended"] == 0
    assert all(counts[f"result_{one}"] > 0 for one in (DIFFERS, LINK_LOST, NO_ANSWER))


def test_the_stack_bears_any_frame() -> None:
    """Damaged frames and others among them, with checks of addresses and of behaviour."""
    command = [program("fuzz_host", sanitized=True), "1", "1000", "frames"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    counts = {name: int(value) for name, value in map(str.split, ended.stdout.splitlines())}
    assert counts["added"] + counts["damaged"] > 5000 and counts["not_ended"] == 0
    assert counts["resets"] > 500 and counts["selective"] > 50
    assert all(counts[f"result_{one}"] > 0 for one in (DONE, DIFFERS, NO_LINK, LINK_LOST))


def test_transfers_with_checks_of_addresses(tmp_path: Path) -> None:
    (tmp_path / "file.bin").write_bytes(content(16_000))
    options = (f"file={tmp_path / 'file.bin'}", SMALL, NOISY)
    assert run("send_host", tmp_path, *options, sanitized=True).values("ended") == [(0,)]
    assert run("mux_host", tmp_path, "connections=8", sanitized=True).values("all_came", 1)


@needs_tshark
def test_tshark_has_judged_the_transfers_above(tmp_path: Path) -> None:
    """run() lets tshark judge each line; here the judged capture is looked at."""
    transfer(tmp_path, content(1000))
    assert (tmp_path / "line.pcap").stat().st_size > 1000


PAGE = Path(__file__).parents[1] / "docs" / "reference" / "irda.md"
PAGE_ROW = re.compile(
    r"^\| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| (\d+) % \|((?: [\d,]+ \|){4})$", re.M
)
HEADERS = ("IrLAP", "IrLMP", "TinyTP")


@pytest.mark.parametrize("row", PAGE_ROW.findall(PAGE.read_text()), ids=lambda row: row[:2])
def test_the_page_has_the_octets_of_these_runs(row: tuple[str, ...], tmp_path: Path) -> None:
    size, data, total = (int(one.replace(",", "")) for one in row[:3])
    largest = PARAMETERS[0x83][1].index(data)
    found = transfer(tmp_path, content(size), f"sizes={(2 << largest) - 1:x}")
    counts = sum(bytes_by_origin(found.packets).values(), Counter[str]())
    assert counts.total() == total
    assert round(100 * (total - size) / size) == int(row[3])
    headers = sum(counts[one] for one in HEADERS)
    columns = [headers, counts["stuffing"], counts["acknowledgement"]]
    columns.append(total - size - sum(columns))
    assert [f"{one:,}" for one in columns] == row[4].replace("|", "").split()


def test_the_page_has_as_many_rows_and_fields() -> None:
    text = PAGE.read_text()
    assert len(PAGE_ROW.findall(text)) == 5
    assert f"{len(FIELDS) + len(TTP_FIELDS)} fields have to equal ours" in text


def test_the_page_has_the_repeats_of_twenty_seeds(tmp_path: Path) -> None:
    """The runs of test_a_file_over_a_noisy_line, without their lines."""
    repeats = "| frames with data that were sent again"
    again = repeats_of_twenty_seeds(tmp_path)
    rows = [f"{repeats} {again['0 data_repeated']}", f"| REJ sent {again['1 rejects_sent']}"]
    again = repeats_of_twenty_seeds(tmp_path, "windows=f")
    rows.append(f"{repeats}, window of 4, REJ {again['0 data_repeated']}")
    again = repeats_of_twenty_seeds(tmp_path, "windows=f", "selective=1")
    rows.append(f"{repeats}, window of 4, SREJ {again['0 data_repeated']}")
    rows.append(f"| SREJ sent, window of 4 {again['1 selective_sent']}")
    assert [row for row in rows if row not in PAGE.read_text()] == []


def repeats_of_twenty_seeds(folder: Path, *more: str) -> dict[str, str]:
    """Median, least and most of each counter, as cells of a table; the file arrives each time."""
    counts: defaultdict[str, list[int]] = defaultdict(list)
    file, into = folder / "file.bin", folder / "received.bin"
    for seed in range(1, 21):
        file.write_bytes(content(16_000, seed))
        options = [SMALL, NOISY, f"seed={seed}", "lose=1:ef:63:0:1", "until=200", *more]
        command = [program("send_host"), f"file={file}", f"into={into}", *options]
        rows = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
        assert into.read_bytes() == file.read_bytes()
        for row in rows:
            name, _, value = row.rpartition(" ")
            counts[name].append(int(value))
    return {
        name: f"| {round(median(found))} | {min(found)} | {max(found)} |"
        for name, found in counts.items()
        if len(found) == 20
    }
