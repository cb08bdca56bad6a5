"""The three proposals: each image moves the identical file, and its counts are exact."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

from cyclescope.studies.peripheral.content import Content, make
from cyclescope.studies.proposals.ablation import (
    ABLATIONS,
    BYTE,
    GRID_BUFFERS,
    LENT,
    PDC,
    RING,
    TIME_OUTS,
    changed,
    chosen,
)
from cyclescope.studies.proposals.declared import DECLARED, FOLDER, REAL, board_of
from cyclescope.studies.proposals.images import built
from cyclescope.studies.proposals.measure import START_CYCLES, measure, received
from cyclescope.studies.proposals.peer import HEADER, Conversation, bodies, packet
from cyclescope.studies.proposals.report.granularity import paper_points
from cyclescope.studies.proposals.results import planned
from cyclescope.studies.proposals.setting import FileSetting, ImageSetting, ReceivedBy
from cyclescope.targets.virtual.board import make_board, read_image
from cyclescope.wire.infrared import fcs

FILE = FileSetting(size=300)
FRAME = chosen(["framing"])[0].others[0]
GRID = chosen(["granularity"])[0].images
CORNERS = (GRID[0], GRID[1], GRID[-len(TIME_OUTS)], GRID[-1])
APART = tuple(one for one in ABLATIONS if one.key != "granularity")
IMAGES = [one for one in (*planned(APART), *CORNERS) if isinstance(one, ImageSetting)]


@cache
def measured(image: ImageSetting) -> dict[str, Any]:
    return measure(image, FILE)


def wire_bytes(file: FileSetting) -> tuple[int, int]:
    """Bytes to the board and from it, of the data packets alone, by the host's own framing."""
    content = make(Content(file.content), file.size, file.seed)
    parts = bodies(file, content)
    to_board = sum(len(packet(b"D", n + 1, part)) for n, part in enumerate(parts))
    return to_board, sum(len(packet(b"A", n + 1)) for n in range(len(parts)))


def test_the_check_is_the_published_one() -> None:
    assert fcs(b"123456789") == 0x906E  # CRC-16/X.25, the catalogue's check value


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.name)
def test_every_image_moves_the_identical_file_and_counts_add_up(image: ImageSetting) -> None:
    found = measured(image)
    assert found["identical"] and not found["packets_repeated"] and not found["unmodelled"]
    to_board, from_board = wire_bytes(FILE)
    assert (found["bytes"]["to_board"], found["bytes"]["from_board"]) == (to_board, from_board)
    load = found["load"]
    spent = sum(part["cycles"]["count"] for part in load["parts"].values())
    assert spent + load["asleep_cycles"] == load["cycles"]
    assert load["cycles"] == found["interval_cycles"][1] - found["interval_cycles"][0]
    parts = [load["parts"][name]["cycles"]["count"] for name in ("application", "driver", "kernel")]
    assert sum(parts) == load["active_cycles"]["count"]
    data = found["accesses"]["data"]["count"]
    assert sum(one["count"] for one in found["accesses"]["widths"].values()) == data
    assert sum(one["count"] for one in found["accesses"]["targets"].values()) == data
    moved = found["transfers"]["to_memory"]["bytes"] + found["accesses"]["line_data"]
    packets = len(bodies(FILE, bytes(FILE.size)))
    # A device that knows frames hands over headers and bodies alone.
    assert moved == (
        FILE.size + packets * HEADER if image.receive is ReceivedBy.FRAME else to_board
    )
    assert found["copies"]["bytes"] == moved
    blocks = found["transfers"]["to_memory"]["number"]
    taken = {ReceivedBy.PDC: blocks, ReceivedBy.FRAME: packets}.get(image.receive, to_board)
    assert found["interactions"] == taken + packets
    assert found["bytes_per_interaction"] == (to_board + from_board) / (taken + packets)
    for stage in ("line_to_application", "line_to_answer"):
        assert found["latency"][stage]["n"] == packets
    active, total = (found["energy"][key]["count"] for key in ("active_nj", "total_nj"))
    assert (active == total) if image.receive is ReceivedBy.POLL else (active < total)


@pytest.mark.parametrize("name", ["byte, lent", "byte, lent, fiq", "byte, lent, context"])
def test_a_ring_begins_again_at_its_end(name: str) -> None:
    found = measure(IMAGES_BY[name], FileSetting(size=4000, content="random"))
    assert found["identical"] and not found["packets_repeated"]


def test_two_runs_of_an_image_are_equal() -> None:
    assert measure(LENT, FILE) == measured(LENT)


@pytest.mark.parametrize("one", ABLATIONS, ids=lambda one: one.key)
def test_images_of_a_comparison_differ_from_their_base_by_one_setting(one: Any) -> None:
    for image in one.others:
        assert 1 <= len(one.base.differences(image)) <= one.changes, image.name
    most = 2 if "granularity" in one.key else 1
    assert one.changes == most


@pytest.mark.parametrize("key", ["granularity", "infrared-granularity"])
def test_a_grid_has_every_buffer_with_every_time_out(key: str) -> None:
    (found,) = chosen([key])
    pairs = {(one.buffer, one.time_out) for one in found.images}  # type: ignore[attr-defined]
    assert len(pairs) == len(found.images) == len(GRID_BUFFERS) * len(TIME_OUTS)


def test_fewer_layers_and_larger_buffers_cost_less() -> None:
    copies = [
        measured(image)["copies"]["per_received_byte"] for image in chosen(["layers-pdc"])[0].images
    ]
    stream, queue, lent, direct = copies
    assert queue > 2 and stream > lent > direct
    loads = [
        measured(changed(LENT, buffer=size))["load"]["active_cycles"]["count"]
        for size in (4, 8, 16, 32, 64)
    ]
    assert loads == sorted(loads, reverse=True) and len(set(loads)) == 5


def test_a_fast_interrupt_is_at_the_device_sooner_than_a_normal_one() -> None:
    fast, normal = measured(IMAGES_BY["byte, lent, fiq"]), measured(RING)
    stage = "request_to_device"
    assert fast["latency"][stage]["n"] == normal["latency"][stage]["n"] == wire_bytes(FILE)[0]
    # SUB, STM of five registers and LDR come before: 1, 6 and 3 cycles by the core's manual.
    assert (fast["latency"][stage]["q50"], normal["latency"][stage]["q50"]) == (15, 15 + 10)
    assert fast["interrupts"]["usart1.interrupt"] == wire_bytes(FILE)[0]


def test_declared_support_by_the_processor_is_at_the_device_sooner() -> None:
    for one in chosen(["processor-byte", "processor-pdc"]):
        base = measured(one.base)
        for image in one.others:
            assert isinstance(image, ImageSetting)
            if image.receive is not ReceivedBy.POLL:
                stage, found = "request_to_device", measured(image)
                assert found["latency"][stage]["q50"] < base["latency"][stage]["q50"]


def test_an_image_with_coprocessor_moves_is_undefined_on_the_real_core(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cyclescope.studies.proposals.measure.board_of", lambda image: REAL)
    with refused("board-stopped-answering"):
        measure(IMAGES_BY["byte, lent, coprocessor"], FILE)


IMAGES_BY = {image.name: image for image in IMAGES}


def test_the_board_is_the_real_one_unless_a_result_says_what_is_declared() -> None:
    for image in IMAGES:
        found = measured(image)
        assert found["real"] == (board_of(image) == REAL) == (not found["declared"])
        if not found["real"]:
            assert found["declared"] == DECLARED[str(image.deviation)]
            assert "declared, not real" in make_board(board_of(image)).describe()["description"]
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(DECLARED)


def test_an_image_for_a_declared_board_fails_on_the_real_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cyclescope.studies.proposals.measure.board_of", lambda image: REAL)
    with refused("board-stopped-answering"):
        measure(IMAGES_BY["byte, lent, fiq"], FILE)


def conversation(image: ImageSetting) -> tuple[Conversation, Callable[[], bytes]]:
    """A board that waits for packets, and what gives the file that it has."""
    elf = read_image(built(image, FILE).elf)
    board = make_board(board_of(image))
    board.load(elf)
    board.reset()
    board.run(cycles=START_CYCLES)
    return Conversation(board), lambda: received(board, elf)


@pytest.mark.parametrize("image", [PDC, BYTE, RING, changed(PDC, receive=ReceivedBy.POLL), FRAME])
def test_a_damaged_packet_is_asked_for_again(image: ImageSetting) -> None:
    line, file = conversation(image)
    line.exchange(b"B")
    line.exchange(b"D", b"first", damage=4)
    line.exchange(b"D", bytes(range(256)))
    assert line.repeated == 1
    assert file() == b"first" + bytes(range(256))


def test_a_packet_that_comes_twice_is_kept_once() -> None:
    line, file = conversation(PDC)
    line.exchange(b"B")
    line.exchange(b"D", b"once")
    line.sequence -= 1
    line.exchange(b"D", b"once")
    assert file() == b"once"


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"entry": "fiq"}, "makes no call of the kernel"),
        ({"time_out": 0}, "a reader that looks itself"),
        ({"buffer": 5}, "There is no buffer=5"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(
    settings: Mapping[str, Any], text: str
) -> None:
    with refused("build-failed", naming=[text]):
        built(changed(PDC, **settings), FILE)


def test_the_papers_points_are_those_of_its_tables() -> None:
    (_, serial, load), (_, infrared, infrared_load) = paper_points()
    assert serial == pytest.approx((1385 + 141) / (91 + 18), abs=0.05)
    assert infrared == pytest.approx((2159 + 926) / (23 + 15), abs=0.05)
    assert (load, infrared_load) == (222.8, 117.9)


def test_the_verb_measures_shows_and_goes_on(tmp_path: Path) -> None:
    def run(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cyclescope", "proposals", "--out", str(tmp_path / "r")]
        return subprocess.run([*command, *more], capture_output=True, text=True)

    asked = ("--proposal", "layers-pdc", "--file-bytes", "100")
    first = run(*asked, "--json")
    assert first.returncode == 0, first.stderr
    document = json.loads(first.stdout)
    assert [one["name"] for one in document["measured"]] == document["comparisons"][0]["images"]
    again = run(*asked)
    assert again.returncode == 1 and "--resume" in again.stderr
    resumed = run(*asked, "--resume")
    assert resumed.returncode == 0 and "saves" in resumed.stdout
    assert len(resumed.stdout.splitlines()) <= 40
    other = run("--proposal", "buffer", "--resume")
    assert other.returncode == 1 and "other proposals" in other.stderr
    page = (tmp_path / "r" / "report.html").read_text()
    assert "Granularity and load" in page and "paper, serial" in page
    unknown = run("--proposal", "nothing", "--replace")
    assert unknown.returncode == 1 and "choose one of: layers-pdc" in unknown.stderr
