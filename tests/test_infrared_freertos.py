"""Transfers by IrDA between two boards with FreeRTOS, recorded, replayed and analysed."""

import json
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from refusals import told_code

from cyclescope.cli import execute
from cyclescope.studies.peripheral import transfer
from cyclescope.studies.peripheral.analyses import (
    accesses,
    buffers,
    energy,
    latency,
    load,
    overhead,
    stacks,
)
from cyclescope.studies.peripheral.analyses.rules import read_rules
from cyclescope.studies.peripheral.analysis import all_analyses
from cyclescope.studies.peripheral.board_side import LINE
from cyclescope.studies.peripheral.choices import Direction, LineDriver, LineType, SystemType
from cyclescope.studies.peripheral.infrared import run
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer

SETTING = TransferSetting(line=LineType.INFRARED, system=SystemType.FREERTOS, size=300)
COMMAND = ["peripheral", "--line", "infrared", "--system", "freertos", "--size", "100"]


@pytest.fixture(scope="module")
def download(tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    return transfer.record(SETTING, tmp_path_factory.mktemp("download"))


@pytest.fixture(scope="module")
def upload(tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    setting = SETTING.model_copy(update={"direction": Direction.UPLOAD})
    return transfer.record(setting, tmp_path_factory.mktemp("upload"))


@pytest.mark.parametrize("name", ["download", "upload"])
def test_the_file_arrives_and_the_replay_of_one_board_is_exact(
    name: str, request: pytest.FixtureRequest
) -> None:
    recorded: Transfer = request.getfixturevalue(name)
    record = recorded.record
    assert record.outcome.identical and record.outcome.decoded_identical
    assert (record.outcome.board_status, record.outcome.peer_status) == (0, 0)
    replay = recorded.replay()
    replay.board.record([f"{LINE}.txd"])
    for stop in (*recorded.steady, record.end_cycle):
        replay.run_to(stop)
    board = replay.board
    assert (board.cycle, board.instructions) == (record.end_cycle, record.end_instructions)
    assert board.registers() == record.end_registers
    sent = [(at, value) for at, to_board, value in recorded.wire if not to_board]
    assert [(at, value) for at, _, value in board.take_recorded()] == sent


@pytest.mark.parametrize("name", ["download", "upload"])
def test_classes_sum_to_all_instructions(name: str, request: pytest.FixtureRequest) -> None:
    """No function is without a class, and the stack, its driver and the kernel have theirs."""
    found = load.analyse(request.getfixturevalue(name), read_rules())
    for part in ("steady", "whole"):
        one = found[part]
        assert sum(row["instructions"] for row in one["classes"]) == one["board_instructions"]
        counts = {row["class"]: row["instructions"] for row in one["classes"]}
        assert not counts["other"] and not counts["fs"]
        assert all(counts[of] for of in ("application", "char", "irda", "kernel", "idle"))
    kinds = found["steady"]["kinds_cycles"]
    assert sum(kinds.values()) == found["steady"]["cycles"]


def test_origins_sum_to_the_wire(download: Transfer) -> None:
    found = overhead.analyse(download)
    origins = found["origins"]
    assert sum(one["bytes"] for one in origins.values()) == found["wire_bytes"]
    assert found["wire_bytes"] == len(download.wire)
    assert origins["payload"]["bytes"] == SETTING.size


def test_stacks_energy_and_accesses_are_of_the_same_run(download: Transfer) -> None:
    rules = read_rules()
    called = stacks.analyse(download, rules)
    counts = sum(one["inclusive_instructions"] for one in called["entries"])
    assert counts == called["board_instructions"]
    spent = energy.analyse(download, rules)
    assert sum(row["energy_fj"] for row in spent["classes"]) == spent["total_fj"]
    begin, end = spent["interval_cycles"]
    assert sum(row["cycles"] for row in spent["classes"]) == end - begin
    found = accesses.analyse(download, rules)
    received = download.record.outcome
    to_memory, from_memory = found["whole_transfers"]
    assert from_memory["bytes"] == received.bytes_from_board
    assert to_memory["bytes"] >= received.bytes_to_board


def test_the_order_of_the_boards_changes_nothing(download: Transfer) -> None:
    swapped = run.run(SETTING, swapped=True)
    assert swapped.wire.sha256 == download.record.wire_sha256
    assert swapped.board.registers() == download.record.end_registers


def test_bit_errors_are_repaired(tmp_path: Path) -> None:
    setting = SETTING.model_copy(update={"errors": 0.0003, "size": 2000})
    recorded = transfer.record(setting, tmp_path)
    came = recorded.record.outcome
    assert came.identical and came.flipped_bits > 0 and came.retransmissions > 0
    replay = recorded.replay()
    replay.run_to(recorded.record.end_cycle)
    assert replay.board.registers() == recorded.record.end_registers


@pytest.mark.parametrize(
    ("options", "code", "remedy"),
    [
        (["--driver", "pdc-receive"], "freertos-driver-has-no-choice", "pdc-send"),
        (["--receive-buffer", "513"], "freertos-buffer-too-large", "--receive-buffer"),
        (["--turnaround", "2"], "no-such-turnaround", "10, 5, 1"),
        (["--size", "16385"], "freertos-file-too-large", "--size"),
        (["--line", "serial"], "freertos-without-serial-line", "--line infrared"),
    ],
)
def test_what_freertos_cannot_do_is_refused(
    options: list[str],
    code: str,
    remedy: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = [*COMMAND, "--out", str(tmp_path), *options]
    assert told_code(command, capsys, naming=[remedy]) == code
    assert not list(tmp_path.glob("transfers"))


def test_the_command_keeps_every_analysis(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute([*COMMAND, "--out", str(tmp_path), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["transfers"]
    assert found["setting"]["system"] == "freertos"
    assert found["outcome"]["identical"]
    assert set(found["analyses"]) == set(all_analyses())
    assert execute(["show", str(tmp_path)]) == 0
    assert "another at91x40 in lock step; FreeRTOS on both" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "copies"), [("download", 4), ("upload", 3)])
def test_each_byte_of_the_file_is_followed_through_the_image(
    name: str, copies: int, request: pytest.FixtureRequest
) -> None:
    """Between the driver's buffer and the file stand the task's stack, and the stack's packet."""
    found = buffers.analyse(request.getfixturevalue(name))
    assert found["file_is_what_was_followed"] and not found["lost_copies"]
    assert found["copies_per_payload_byte"]["min"] == copies
    assert found["copies_per_payload_byte"]["max"] == copies
    assert sum(way["bytes"] for way in found["ways"]) == SETTING.size
    ends = {(way["steps"][0]["to"], way["steps"][-1]["to"]) for way in found["ways"]}
    expected = {
        "download": ("driver: buffers", "station: station_file"),
        "upload": ("station: station_file", f"{LINE}: line"),
    }
    assert ends == {expected[name]}


def test_a_byte_waits_at_most_for_a_full_buffer_or_a_silence(tmp_path: Path) -> None:
    """A small buffer hands its first byte over as soon as it is full: sooner than a frame ends."""
    medians = {}
    for octets in (16, 512):
        setting = SETTING.model_copy(update={"receive_buffer": octets, "size": 1000})
        recorded = transfer.record(setting, tmp_path / f"{octets}")
        found = latency.analyse(recorded)["bytes"]
        assert not found["lost_copies"] and found["n"] > 1000
        stages = found["stages"]
        medians[octets] = stages["line_to_call_returned"]["q50"]
        # While a buffer fills, the reader may still work on the one before, and one waits.
        filled = octets * recorded.record.frame_cycles
        assert stages["handed_over_to_kernel_copy"]["max"] < 3 * filled
        assert recorded.record.outcome.identical
    assert medians[16] < medians[512] / 4


def test_a_later_start_moves_the_other_board_alone(download: Transfer, tmp_path: Path) -> None:
    setting = SETTING.model_copy(update={"offset": 5000})
    moved = transfer.record(setting, tmp_path)
    assert moved.record.outcome.identical
    later = [at for at, to_board, _ in moved.wire if to_board]
    first = [at for at, to_board, _ in download.wire if to_board]
    step = 5000 * download.record.core_hz // 1_000_000
    assert step <= later[0] - first[0] < step + 1000


def test_a_character_takes_the_cycles_of_the_nearest_divisor(download: Transfer) -> None:
    """32,768,000 / (16 · 115,200) is 17.8, so 18."""
    assert download.record.frame_cycles == 160 * 18


def pauses_us(turnaround_ms: float, folder: Path) -> list[float]:
    """From the end of each frame that asks for an answer to the begin of the answer."""
    setting = SETTING.model_copy(update={"size": 1000, "window": 1, "turnaround": turnaround_ms})
    recorded = transfer.record(setting, folder)
    begin, end = recorded.record.steady or (0, 0)
    steady = [one for one in recorded.wire if begin <= one[0] <= end]
    return [
        (later - recorded.record.frame_cycles - ended) * 1e6 / recorded.record.core_hz
        for (ended, first, _), (later, second, _) in pairwise(steady)
        if first != second
    ]


def test_pauses_are_as_long_as_asked_for(tmp_path: Path) -> None:
    """Half a millisecond more makes most of them half a millisecond longer."""
    short, long = (pauses_us(ms, tmp_path / f"{ms}") for ms in (0.5, 1.0))
    assert len(short) == len(long) > 20 and min(short) >= 500
    assert median(long) - median(short) == pytest.approx(500, abs=10)


def test_a_shorter_turnaround_saves_time(download: Transfer, tmp_path: Path) -> None:
    """The same frames, sooner."""
    setting = SETTING.model_copy(update={"turnaround": 0.1})
    quick = transfer.record(setting, tmp_path).record.outcome
    usual = download.record.outcome
    assert quick.identical and quick.packets == usual.packets
    assert quick.cycles < usual.cycles


@pytest.mark.parametrize("driver", [LineDriver.PDC_SEND, LineDriver.PIO])
def test_a_station_that_receives_octets_is_measured_as_well(
    driver: LineDriver, tmp_path: Path
) -> None:
    """Each octet interrupts; its first buffer is the driver's ring."""
    setting = SETTING.model_copy(update={"driver": driver})
    recorded = transfer.record(setting, tmp_path)
    assert recorded.record.outcome.identical and not recorded.record.outcome.overruns
    found = buffers.analyse(recorded)
    assert found["file_is_what_was_followed"]
    begins = {tuple(step["to"] for step in way["steps"][:2]) for way in found["ways"]}
    assert begins == {(f"{LINE}.US_RHR", "driver: ring")}
    counted = latency.analyse(recorded)
    taken = counted["interrupts"][latency.REQUEST]
    assert taken["taken"] == taken["stages"]["asserted_to_handler"]["n"] > setting.size
    assert taken["stages"]["asserted_to_handler"]["max"] < recorded.record.frame_cycles
    assert counted["bytes"]["n"] > setting.size
    entries = {"line_entered"} | ({"send_entered"} if driver is LineDriver.PIO else set())
    assert driver_functions(recorded) >= entries


def driver_functions(recorded: Transfer) -> set[str]:
    """Functions of the steady state that count as the driver."""
    classes = load.analyse(recorded, read_rules())["steady"]["classes"]
    char = next(row for row in classes if row["class"] == "char")
    driver = next(row for row in char["subclasses"] if row["subclass"] == "driver")
    return {one["function"] for one in driver["functions"]}
