"""Transfers by IrDA between two boards with Linux, recorded and replayed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from linux_session import needs_linux

from cyclescope.studies.peripheral import transfer
from cyclescope.studies.peripheral.analyses import buffers, load, overhead
from cyclescope.studies.peripheral.analyses.rules import read_rules
from cyclescope.studies.peripheral.board_side import LINE
from cyclescope.studies.peripheral.choices import Direction, LineDriver, LineType
from cyclescope.studies.peripheral.infrared import run
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer

pytestmark = needs_linux

SETTING = TransferSetting(line=LineType.INFRARED, size=300)


@pytest.fixture(scope="module")
def download(tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    return transfer.record(SETTING, tmp_path_factory.mktemp("download"))


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    setting = SETTING.model_copy(update={"errors": 0.0003, "size": 2000})
    return transfer.record(setting, tmp_path_factory.mktemp("noisy"))


def repeats(recorded: Transfer, stops: list[int]) -> bool:
    """Whether a replay in these steps ends as the record did, and hears and sends the same."""
    replay, record = recorded.replay(), recorded.record
    replay.board.record([f"{LINE}.rxd", f"{LINE}.txd"])
    for stop in [*stops, record.end_cycle]:
        replay.run_to(stop)
    seen: dict[str, list[tuple[int, int]]] = {"rxd": [], "txd": []}
    for at, name, value in replay.board.take_recorded():
        seen[name.rpartition(".")[2]].append((at, value))
    heard = [recorded.heard.cycles.tolist(), recorded.heard.values.tolist()]
    sent = [(at, value) for at, to_board, value in recorded.wire if not to_board]
    return (
        replay.board.cycle == record.end_cycle
        and replay.board.instructions == record.end_instructions
        and replay.board.registers() == record.end_registers
        and seen["rxd"] == list(zip(*heard, strict=True))
        and seen["txd"] == sent
    )


@contextmanager
def one_processor() -> Iterator[None]:
    """Lets this process use one processor of the host."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def test_the_file_arrives(download: Transfer) -> None:
    came = download.record.outcome
    assert came.identical and came.decoded_identical
    assert (came.board_status, came.peer_status, came.remark) == (0, 0, None)
    assert came.wrong_checks == 0
    assert came.bytes_to_board + came.bytes_from_board == len(download.wire)


def test_the_file_arrives_from_the_analysed_board(tmp_path: Path) -> None:
    """The sender is analysed; the wire is that of the download in the other direction."""
    setting = SETTING.model_copy(update={"direction": Direction.UPLOAD})
    sent = transfer.record(setting, tmp_path)
    assert sent.record.outcome.identical
    counts = sent.exchange.count()
    assert counts[1, "payload"] == setting.size and counts[0, "payload"] == 0
    followed = buffers.analyse(sent)
    assert followed["file_bytes_followed"] == setting.size
    assert followed["file_is_what_was_followed"]


@pytest.mark.parametrize("driver", [LineDriver.PIO, LineDriver.PDC_SEND])
@pytest.mark.parametrize("offset", [1300, 6100])
def test_an_answer_that_begins_before_the_end_is_noticed_is_kept(
    driver: LineDriver, offset: int, tmp_path: Path
) -> None:
    """The kernel looks for the transmitter's end at ticks. Octets of PIO are read at once, so some
    of the answer's may wait beside the echo."""
    changed = {"driver": driver, "baud": 9600, "ram_waits": 0, "offset": offset}
    came = transfer.record(SETTING.model_copy(update=changed), tmp_path).record.outcome
    assert came.identical
    assert (came.board_status, came.peer_status) == (0, 0)
    assert came.retransmissions == came.overruns == 0


def test_a_replay_of_one_board_repeats_the_run_of_two(download: Transfer) -> None:
    begin, end = download.steady
    assert repeats(download, [begin, end])


def test_a_replay_of_a_noisy_medium_repeats_the_run(noisy: Transfer) -> None:
    assert repeats(noisy, [noisy.steady[0] + 12_345])


def test_the_board_hears_its_own_light(download: Transfer) -> None:
    heard, came = download.heard, download.record.outcome
    assert len(heard.cycles) >= came.bytes_to_board + came.bytes_from_board
    own = download.wire_bytes.cycles[~download.wire_bytes.to_board]
    assert np.isin(own, heard.cycles).all()


def test_the_order_of_boards_and_the_hosts_processors_change_nothing(download: Transfer) -> None:
    swapped = run.run(SETTING, swapped=True)
    with one_processor():
        alone = run.run(SETTING)
    for again in (swapped, alone):
        assert again.wire.sha256 == download.record.wire_sha256
        assert again.heard is not None and again.heard.sha256 == download.record.heard_sha256
        assert again.board.cycle == download.record.end_cycle
        assert again.board.registers() == download.record.end_registers


def test_bit_errors_are_repaired(noisy: Transfer) -> None:
    came = noisy.record.outcome
    assert came.identical
    assert came.flipped_bits > 0
    assert came.retransmissions > 0


def test_another_seed_gives_other_errors(noisy: Transfer, tmp_path: Path) -> None:
    again = transfer.record(noisy.setting.model_copy(update={"error_seed": 2}), tmp_path)
    assert again.record.outcome.identical
    assert again.record.wire_sha256 != noisy.record.wire_sha256


@pytest.mark.parametrize("name", ["download", "noisy"])
def test_overhead_sums_to_the_wire(name: str, request: pytest.FixtureRequest) -> None:
    recorded: Transfer = request.getfixturevalue(name)
    found = overhead.analyse(recorded)
    origins = found["origins"].values()
    assert sum(one["bytes"] for one in origins) == len(recorded.wire) == found["wire_bytes"]
    assert found["origins"]["payload"]["bytes"] == recorded.setting.size


def test_frames_and_window_are_the_settings(tmp_path: Path) -> None:
    """The largest frame's data, and frames in a row before an acknowledgement."""
    setting = SETTING.model_copy(update={"size": 1000, "frame": 128, "window": 2})
    found = transfer.record(setting, tmp_path).exchange
    frames = [one for one in found.packets if one.payload]
    assert max(len(one.payload) for one in frames) in range(100, 129)
    in_a_row = longest = 0
    for one in found.packets:
        in_a_row = in_a_row + 1 if one.payload else 0
        longest = max(longest, in_a_row)
    assert longest == 2


def test_the_stack_has_a_class_of_its_own(download: Transfer) -> None:
    steady = load.analyse(download, read_rules())["steady"]
    classes = {one["class"]: one for one in steady["classes"]}
    parts = {one["subclass"] for one in classes["irda"]["subclasses"]}
    assert {"sir", "lap", "lmp", "ttp", "port"} <= parts
    assert classes["irda"]["instructions"] > 0.1 * steady["active"]["instructions"]
    assert classes["irda"]["paper_instructions_per_byte"] == 56.0


def test_every_byte_of_the_file_is_followed(download: Transfer) -> None:
    found = buffers.analyse(download)
    assert found["file_bytes_followed"] == SETTING.size
    assert found["file_is_what_was_followed"]
    assert found["buffers_to_program"]["max"] < found["buffers_per_payload_byte"]["max"]
