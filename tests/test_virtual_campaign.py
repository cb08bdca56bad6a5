"""A campaign on the virtual board: same bytes again, in any order; boards do not mix; Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.results import storage
from cyclescope.results.files import MANIFEST
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.target.target import OnlyHere, Selection
from cyclescope.targets import open_target
from cyclescope.targets.virtual.target import VirtualBoard
from cyclescope.targets.virtual.uart import UartTransport

FLASH = Selection("lpc2148", "freertos")
SRAM = Selection("lpc2148", "freertos", settings={"code": "sram"}, cases="tasks")


def measure(folder: Path, pattern: str, selection: Selection = FLASH) -> None:
    with open_target(selection) as target:
        collect([target], TECHNIQUE, Plan(pattern), folder)


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_order_and_repetition_change_no_byte(tmp_path: Path) -> None:
    measure(tmp_path / "together", "priority_*")
    for pattern in ("priority_set.r*", "priority_get*", "priority_set*", "priority_get*"):
        measure(tmp_path / "apart", pattern)
    assert content(tmp_path / "together") == content(tmp_path / "apart")


def test_a_series_that_waits_for_a_tick_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    write = UartTransport.write

    def noted(line: UartTransport, data: bytes) -> None:
        written.append(data)
        write(line, data)

    with open_target(FLASH) as target:
        (case,) = (one for one in target.cases() if one.name == "semaphore_take.binary_full")
        monkeypatch.setattr(UartTransport, "write", noted)
        for length in (1, 10):
            target.run_series(case, None, length, empty=False)
        target.reset()
        target.run_series(case, None, 10, empty=False)
    assert len(written) == 3


def test_boards_do_not_mix(tmp_path: Path) -> None:
    measure(tmp_path, "semaphore_take*")
    lab = Selection("lpc2148-lab", "freertos")
    with refused("other-conditions"):
        measure(tmp_path, "semaphore_take*", lab)


def test_provenance_is_whole(tmp_path: Path) -> None:
    measure(tmp_path, "semaphore_take*")
    results = storage.load(tmp_path)
    conditions = results.conditions
    assert (conditions.board, conditions.real, conditions.target) == ("lpc2148", True, "virtual")
    assert conditions.not_on_part == ("measurement_timer",)
    assert (conditions.core_hz, conditions.pclk_hz) == (60_000_000, 60_000_000)
    assert conditions.compiler == "arm-none-eabi-gcc"
    assert conditions.kernel_version == "V11.2.0"
    assert len(conditions.kernel_configuration) > 50
    assert "configTICK_RATE_HZ" in conditions.kernel_configuration
    assert {rule.name for rule in analyse(results).unverified} >= {"vpb-access-cost"}


def test_what_does_not_fit_is_told_and_what_fits_is_kept(tmp_path: Path) -> None:
    measure(tmp_path, "task_create*", SRAM)
    found = analyse(storage.load(tmp_path))
    (refused,) = found.refused
    assert refused.lengths == (25, 50, 75, 100)
    assert refused.needs_bytes > refused.has_bytes
    assert "lpc2148-lab" in refused.where
    assert found.cases[0].n == 10


BRANCH_TO_ITSELF = (0xEAFFFFFE).to_bytes(4, "little")
RETURN_9 = bytes.fromhex("0900a0e3 1eff2fe1")  # mov r0, #9; bx lr
UNDEFINED = bytes.fromhex("f000f0e7")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (RETURN_9, "the call of sample 0 failed (result 0x9): its time means nothing"),
        (BRANCH_TO_ITSELF, "a series has not come to an end in 0.5 s of the board's time"),
        (UNDEFINED, "the firmware stopped: undefined instruction"),
    ],
)
def test_a_case_that_goes_wrong_leaves_the_others(tmp_path: Path, code: bytes, reason: str) -> None:
    with open_target(FLASH) as target:
        assert isinstance(target, VirtualBoard)
        target._session._patience_s = 0.5
        target.board.load_bytes(target.program().symbols["uxQueueMessagesWaiting"], code)
        patched = OnlyHere(target)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(VirtualBoard, "opener", lambda self: patched)
            results = collect([target], TECHNIQUE, Plan("queue_[lm]*"), tmp_path)
    failed = {one.case: one.reason for one in results.manifest.failed}
    assert failed["queue_messages.one"].startswith(reason)
    assert "queue_length.four" in {one.case for one in results.manifest.runs}


def named_runs(folder: Path) -> int:
    """Runs that the manifest names."""
    return len(storage.read_manifest(folder).runs) if (folder / MANIFEST).exists() else 0


def test_ctrl_c_in_the_middle_of_a_series(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "cyclescope", "characterize", "--out", out]
    program = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not (two_runs_kept := named_runs(out) >= 2) and program.poll() is None:
        time.sleep(0.01)
    assert two_runs_kept
    os.kill(program.pid, signal.SIGINT)
    _, told = program.communicate(timeout=120)
    assert program.returncode == 130, told
    kept = len(storage.load(out).runs)
    assert kept >= 2
    planned = len(storage.read_manifest(out).planned_runs())
    assert f"interrupted; {kept} of {planned} runs are kept in {out}" in told
    assert execute(["show", str(out)]) == 0
