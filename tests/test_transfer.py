"""Transfers by G-Kermit between this machine and Linux on the AT91x40, recorded and replayed."""

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from linux_session import needs_linux
from refusals import refused

from cyclescope.firmware.linux.built import RAM, RAM_END
from cyclescope.firmware.linux.system import PAGE
from cyclescope.studies.peripheral import peer, transfer
from cyclescope.studies.peripheral.analyses import overhead
from cyclescope.studies.peripheral.board_side import BOARD, LINE, system
from cyclescope.studies.peripheral.choices import Direction, LineDriver
from cyclescope.studies.peripheral.content import Content
from cyclescope.studies.peripheral.kermit.origins import ByteOrigin
from cyclescope.studies.peripheral.live import LiveLine
from cyclescope.studies.peripheral.noise import BitErrors
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer
from cyclescope.studies.peripheral.wire_bytes import HeardCharacters
from cyclescope.targets.virtual.board import make_board

pytestmark = needs_linux

SIGNALS = [f"{LINE}.rxd", f"{LINE}.txd"]


@pytest.fixture(scope="module")
def download(tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    return transfer.record(TransferSetting(), tmp_path_factory.mktemp("download"))


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    setting = TransferSetting(direction=Direction.UPLOAD, errors=0.0005, content=Content.RANDOM)
    return transfer.record(setting, tmp_path_factory.mktemp("noisy"))


def _spin() -> None:
    while True:
        pass


@contextmanager
def busy_machine() -> Iterator[None]:
    busy = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(3)]
    for one in busy:
        one.start()
    try:
        yield
    finally:
        for one in busy:
            one.kill()


def repeats(recorded: Transfer, stops: list[int]) -> bool:
    """Whether a replay in these steps ends as the record did, with the same wire."""
    replay = recorded.replay()
    replay.board.record(SIGNALS)
    for stop in [*stops, recorded.record.end_cycle]:
        replay.run_to(stop)
    wire = [(at, name == SIGNALS[0], value) for at, name, value in replay.board.take_recorded()]
    return (
        replay.board.cycle == recorded.record.end_cycle
        and replay.board.instructions == recorded.record.end_instructions
        and replay.board.registers() == recorded.record.end_registers
        and wire == recorded.wire
    )


def test_the_file_arrives(download: Transfer) -> None:
    came = download.record.outcome
    assert came.identical
    assert came.received_sha256 == came.sha256
    assert (came.board_status, came.peer_status) == (0, 0)
    assert came.decoded_identical
    assert (came.lost_to_board, came.overruns, came.wrong_checks) == (0, 0, 0)
    assert came.bytes_to_board + came.bytes_from_board == len(download.wire)


@pytest.mark.parametrize("direction", list(Direction))
@pytest.mark.parametrize("content", list(Content))
def test_files_arrive_both_ways(direction: Direction, content: Content, tmp_path: Path) -> None:
    setting = TransferSetting(direction=direction, content=content, size=300, packet=200)
    assert transfer.record(setting, tmp_path).record.outcome.identical


def test_a_replay_repeats_the_run(download: Transfer) -> None:
    begin, end = download.steady
    assert repeats(download, [begin, (begin + end) // 2, end])
    assert repeats(download, [])


def test_a_replay_of_a_noisy_line_repeats_the_run(noisy: Transfer) -> None:
    assert repeats(noisy, [noisy.steady[0] + 12_345])


def test_a_replay_without_a_byte_is_another_run(download: Transfer) -> None:
    """A recording that lacks one character does not give the run."""
    found = download.replay()
    heard = found.heard
    found.heard = HeardCharacters(heard.cycles[1:], heard.values[1:])
    found.run_to(download.record.end_cycle)
    assert found.board.registers() != download.record.end_registers


def test_another_recording_is_the_same_on_a_busy_machine(
    download: Transfer, tmp_path: Path
) -> None:
    with busy_machine():
        again = transfer.record(download.setting, tmp_path)
    assert again.record == download.record
    assert again.wire == download.wire


def test_bit_errors_are_repaired(noisy: Transfer) -> None:
    came = noisy.record.outcome
    assert came.identical
    assert came.decoded_identical
    assert came.flipped_bits > 0
    assert came.retransmissions > 0
    assert noisy.exchange.count()[1, ByteOrigin.RETRANSMISSION] > 0


def test_receiving_by_interrupts_overruns_at_115200_baud(tmp_path: Path) -> None:
    lost = transfer.record(TransferSetting(driver=LineDriver.PIO), tmp_path).record.outcome
    assert lost.overruns > 0
    assert lost.lost_to_board is not None and lost.lost_to_board >= lost.overruns
    assert not lost.identical


def test_receiving_by_interrupts_keeps_up_at_9600_baud(tmp_path: Path) -> None:
    setting = TransferSetting(driver=LineDriver.PIO, baud=9600, size=200)
    kept = transfer.record(setting, tmp_path).record.outcome
    assert kept.identical
    assert kept.overruns == 0


def test_steady_state_spans_the_data(download: Transfer) -> None:
    begin, end = download.steady
    carrying = [one for one in download.exchange.packets if one.packet.kind == "D"]
    assert begin == carrying[0].first_at - download.record.frame_cycles
    assert end in [at for at, to_board, _ in download.wire if not to_board]
    assert carrying[-1].last_at < end < download.record.end_cycle


@pytest.mark.parametrize("name", ["download", "noisy"])
def test_overhead_sums_to_the_wire(name: str, request: pytest.FixtureRequest) -> None:
    recorded: Transfer = request.getfixturevalue(name)
    found = overhead.analyse(recorded)
    origins = found["origins"].values()
    assert sum(one["bytes"] for one in origins) == len(recorded.wire) == found["wire_bytes"]
    payload = found["origins"]["payload"]["bytes"]
    assert payload + found["saved_bytes"] == recorded.setting.size
    assert any(f"{found['to_board_bytes']:,}" in line for line in overhead.lines(found))


def test_a_transfer_is_read_back(download: Transfer) -> None:
    again = transfer.load(download.folder)
    assert again.record == download.record
    assert again.wire == download.wire


def test_a_recording_of_another_linux_is_refused(download: Transfer) -> None:
    hashes = {**download.record.system["sha256"], "kernel": "0" * 64}
    other = download.record.model_copy(update={"system": {"sha256": hashes}})
    with refused("recorded-with-other-linux"):
        Transfer(download.folder, other).replay()


def test_a_peer_that_is_killed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dies = tmp_path / "gkermit"
    dies.write_text("#!/bin/sh\nkill -9 $$\n")
    dies.chmod(0o755)
    monkeypatch.setattr(peer, "find", lambda: peer.HostKermit(dies, peer.sha256(dies)))
    with refused("peer-vanished", naming=[9]):
        transfer.record(TransferSetting(size=100), tmp_path / "kept")


def test_a_file_that_memory_cannot_hold_is_named(tmp_path: Path) -> None:
    setting = TransferSetting(direction=Direction.UPLOAD, size=1_400_000)
    with refused("board-memory-full", naming=["--size"]):
        transfer.record(setting, tmp_path)


def test_a_file_of_one_megabyte_comes_from_the_rom() -> None:
    """It lies in the board's memory once, whole, before G-Kermit starts."""
    setting = TransferSetting(direction=Direction.UPLOAD, size=1_000_000)
    board = make_board(BOARD)
    system(setting).load(board)
    LiveLine(board, BitErrors(0, 1)).boot()
    ram, file = board.read_memory(RAM, RAM_END - RAM), setting.file()
    assert {ram.count(file[at : at + PAGE]) for at in range(0, len(file), PAGE)} == {1}


@pytest.mark.matrix
def test_a_file_of_one_megabyte_goes_up(tmp_path: Path) -> None:
    setting = TransferSetting(direction=Direction.UPLOAD, size=1_000_000)
    came = transfer.record(setting, tmp_path).record.outcome
    assert came.identical and came.decoded_identical
    assert (came.overruns, came.lost_to_board, came.retransmissions) == (0, 0, 0)


def test_both_channels_of_the_pdc_at_once(tmp_path: Path) -> None:
    """Errors in lengths make the peer speak while the board does; no transfer gets lost."""
    setting = TransferSetting(size=4000, errors=0.001)
    came = transfer.record(setting, tmp_path).record.outcome
    assert came.remark is None
    assert came.identical
