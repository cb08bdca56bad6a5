"""Campaigns: the same bytes whoever makes the runs, and nothing finished is lost when one dies."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path

import pytest
from fake_target import BYTES, FakeTarget, fake
from refusals import refused

from cyclescope import interruption
from cyclescope.campaign import executors
from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.cli import execute
from cyclescope.errors import Interrupted
from cyclescope.results import storage
from cyclescope.studies.characterize.analyse import analyse
from cyclescope.target.case import Case
from cyclescope.target.target import CaseFailed
from cyclescope.targets.replay import Replay

SEED = 20261121
PATIENCE_S = 60


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    collect([FakeTarget()], TECHNIQUE, Plan(), tmp_path / "recording")
    return tmp_path / "recording"


def start(board: str, out: Path, *options: str) -> subprocess.Popen[str]:
    """`cyclescope characterize` in a group of processes of its own."""
    command = [sys.executable, "-m", "cyclescope", "characterize", "--board", board]
    return subprocess.Popen(
        [*command, "--out", out, *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def wait_for(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def files(out: Path) -> int:
    return len(list(out.glob("runs/*/*.parquet")))


def is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def reached(program: subprocess.Popen[str], out: Path, goal: int) -> Callable[[], bool]:
    return lambda: files(out) >= goal or program.poll() is not None


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_random_moments_and_resumed_the_folder_is_the_same(
    recording: Path, tmp_path: Path, jobs: int
) -> None:
    board, whole, out = f"replay:{recording}", tmp_path / "whole", tmp_path / "out"
    assert execute(["characterize", "--board", board, "--out", str(whole)]) == 0
    moments, seen = random.Random(SEED + jobs), 0
    for _ in range(4):
        program = start(board, out, "--resume", "--jobs", str(jobs))
        goal = seen + moments.randrange(1, 6)
        wait_for(
            lambda program=program, goal=goal: files(out) >= goal or program.poll() is not None
        )
        time.sleep(moments.uniform(0, 0.01))
        os.kill(program.pid, signal.SIGKILL)
        program.communicate(timeout=60)
        wait_for(lambda program=program: is_gone(program.pid))
        finished = len(storage.load(out).runs)
        assert finished >= max(seen, 1), "a finished run was lost"
        seen = finished
    assert seen < 29, "killed too late to test anything"
    assert execute(["characterize", "--board", board, "--out", str(out), "--resume"]) == 0
    assert content(out) == content(whole)


def test_the_same_bytes_however_many_processes(recording: Path, tmp_path: Path) -> None:
    for jobs in (1, 2, 5):
        out = ["--out", str(tmp_path / str(jobs)), "--jobs", str(jobs)]
        assert execute(["characterize", "--board", f"replay:{recording}", *out]) == 0
    assert content(tmp_path / "1") == content(tmp_path / "2") == content(tmp_path / "5")


def test_a_virtual_board_measures_the_same_in_other_processes(tmp_path: Path) -> None:
    choice = ["--case", "[ey]*"]
    for jobs in ("1", "2"):
        out = ["--out", str(tmp_path / jobs), "--jobs", jobs]
        assert execute(["characterize", *choice, *out]) == 0
    assert content(tmp_path / "1") == content(tmp_path / "2")


def test_any_executor_will_do(tmp_path: Path) -> None:
    recorded = collect([FakeTarget()], TECHNIQUE, Plan(), tmp_path / "recorded")
    replay = Replay(recorded, recorded.conditions.layout)
    with ThreadPoolExecutor(1) as executor:
        collect([replay], TECHNIQUE, Plan(), tmp_path / "out", executor=executor, jobs=1)
    assert content(tmp_path / "out") == content(tmp_path / "recorded")


def test_resuming_makes_only_what_is_missing_or_not_whole(tmp_path: Path) -> None:
    def resets(plan: Plan) -> int:
        target = FakeTarget()
        collect([target], TECHNIQUE, plan, tmp_path)
        return target.resets

    assert resets(Plan("semaphore*", resume=True)) == 2
    assert resets(Plan("semaphore*", resume=True)) == 0
    assert resets(Plan("[st]*", resume=True)) == 2
    before = content(tmp_path)
    damaged = tmp_path / storage.file_name(0, "task-create", None)
    damaged.write_bytes(damaged.read_bytes()[:-1])
    assert resets(Plan("[st]*", resume=True)) == 1
    assert content(tmp_path) == before
    assert resets(Plan("[st]*")) == 4


def test_a_case_of_which_nothing_fits_is_finished(tmp_path: Path) -> None:
    target = FakeTarget([fake("big", lambda x, n, i: 1, needs_bytes=lambda length: 51_200)])
    for _ in range(2):
        collect([target], TECHNIQUE, Plan(resume=True), tmp_path)
    assert target.resets == 1


def failing(case: Case, length: int) -> None:
    """A hook of the fake target: two runs go wrong, one of them in the middle."""
    if case.name == "malloc" and length == 75:
        raise CaseFailed(case.name, "the call of sample 3 failed")


def test_a_case_that_fails_leaves_the_others_and_is_tried_again(tmp_path: Path) -> None:
    target = FakeTarget(before_series=failing)
    results = collect([target], TECHNIQUE, Plan(), tmp_path / "out")
    assert len(results.manifest.runs) == 21
    assert {one.case for one in results.manifest.failed} == {"malloc"}
    assert [one.parameter for one in results.manifest.failed] == list(BYTES.values)
    assert results.manifest.missing() == []
    assert analyse(results).problems[0] == ("malloc at x = 1: failed: the call of sample 3 failed")
    mended = FakeTarget()
    collect([mended], TECHNIQUE, Plan(resume=True), tmp_path / "out")
    assert mended.resets == 8, "only what failed is made again"
    collect([FakeTarget()], TECHNIQUE, Plan(), tmp_path / "whole")
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_a_run_that_fails_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    collect([FakeTarget()], TECHNIQUE, Plan("m*"), tmp_path)
    results = collect([FakeTarget(before_series=failing)], TECHNIQUE, Plan("m*"), tmp_path)
    assert (len(results.manifest.runs), len(results.manifest.failed)) == (0, 8)


def test_failures_are_told_at_the_end_and_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    collect([FakeTarget(before_series=failing)], TECHNIQUE, Plan(), tmp_path / "recording")
    board, out = f"replay:{tmp_path / 'recording'}", tmp_path / "out"
    assert execute(["characterize", "--board", board, "--jobs", "2", "--out", str(out)]) == 1
    told = capsys.readouterr()
    assert told.err.startswith("cyclescope: ") and told.err.count("\n") == 1
    assert all(name in told.err for name in ("malloc", str(out), "--resume")), told.err
    assert re.findall(r"\d+", told.err.replace(str(out), "")) == ["8", "1", "21"], told.err
    assert "error: malloc: failed in 8 runs: the call of sample 3 failed" in told.out
    assert "malloc at x = 128: failed" in (out / "report.html").read_text()
    assert execute(["show", str(out), "--json"]) == 1
    failed = json.loads(capsys.readouterr().out)["failed"]
    assert failed[0]["reason"] == "the call of sample 3 failed"
    assert execute(["compare", str(out), str(out)]) == 1
    assert "in the first 8 runs failed" in " ".join(capsys.readouterr().out.split())
    assert execute(["compare", str(out), str(out), "--case", "q*"]) == 0


def test_a_campaign_of_which_everything_failed_is_told_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    collect([FakeTarget(before_series=failing)], TECHNIQUE, Plan("malloc"), tmp_path)
    assert execute(["show", str(tmp_path)]) == 1
    assert execute(["report", str(tmp_path)]) == 0


def test_leftovers_of_a_killed_process_are_cleared(tmp_path: Path) -> None:
    (tmp_path / ".manifest.json.draft").write_text("{")
    collect([FakeTarget()], TECHNIQUE, Plan("semaphore*"), tmp_path)
    before = content(tmp_path)
    stray = tmp_path / storage.file_name(0, "malloc", 8)
    stray.write_text("never named by a manifest")
    stray.with_name(f".{stray.name}.draft").write_text("half")
    collect([FakeTarget()], TECHNIQUE, Plan("semaphore*", resume=True), tmp_path)
    assert content(tmp_path) == before


def test_replace_and_resume_contradict(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["characterize", "--replace", "--resume"]) == 2
    assert "--replace discards what --resume keeps" in capsys.readouterr().err


def test_a_killed_worker_is_told_and_what_was_kept_stays(tmp_path: Path) -> None:
    out = tmp_path / "out"
    program = start("lpc2148", out, "--jobs", "2")
    wait_for(lambda: files(out) >= 3)
    os.kill(measuring(program.pid)[0], signal.SIGKILL)
    _, told = program.communicate(timeout=PATIENCE_S)
    assert program.returncode == 1
    found = re.fullmatch(
        r"cyclescope: a process that measured was killed; (\d+) of (\d+) runs are kept in "
        rf"{re.escape(str(out))}, --resume makes the others\n", told
    )  # fmt: skip
    assert found, told
    assert 2 <= len(storage.load(out).runs) == int(found[1]) < int(found[2])
    wait_for(lambda: is_gone(program.pid))


def measuring(parent: int) -> list[int]:
    """The processes of `executors.Processes` below a process."""
    own = Path(f"/proc/{parent}/cmdline").read_text()
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(one) for one in children if Path(f"/proc/{one}/cmdline").read_text() == own]


def test_ctrl_c_ends_all_processes_with_one_sentence(tmp_path: Path) -> None:
    out = tmp_path / "out"
    program = start("lpc2148", out, "--jobs", "2")
    wait_for(lambda: files(out) >= 3)
    os.killpg(program.pid, signal.SIGINT)  # as a terminal does, to all of them
    _, told = program.communicate(timeout=PATIENCE_S)
    assert program.returncode == 130, told
    kept = len(storage.load(out).runs)
    assert told.startswith(f"cyclescope: interrupted; {kept} of ")
    assert told.count("\n") == 1
    wait_for(lambda: is_gone(program.pid))


def swallowing(case: Case, length: int) -> None:
    with suppress(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
        signal.sigtimedwait([], 0)  # the handler runs at the latest here


def test_ctrl_c_that_a_library_swallows_ends_the_campaign_all_the_same(tmp_path: Path) -> None:
    target = FakeTarget(before_series=swallowing)
    with interruption.heeded(), refused("interrupted", Interrupted, naming=["1 of 29"]):
        collect([target], TECHNIQUE, Plan(), tmp_path)
    assert len(storage.load(tmp_path).runs) == 1


def test_a_target_that_no_other_process_can_open(tmp_path: Path) -> None:
    named = ["--jobs 1", "0 of 29", "--resume"]
    with refused("target-opens-in-one-process", naming=named), executors.local(2) as executor:
        collect([FakeTarget()], TECHNIQUE, Plan(), tmp_path, executor=executor, jobs=2)


def test_an_error_in_another_process_is_its_sentence(recording: Path, tmp_path: Path) -> None:
    results = storage.load(recording)
    target = Replay(results, results.conditions.layout)
    (recording / storage.file_name(0, "semaphore-give", None)).unlink()
    with refused("samples-missing", naming=["semaphore-give"]), executors.local(2) as executor:
        collect([target], TECHNIQUE, Plan(), tmp_path / "out", executor=executor, jobs=2)


def test_processes_stopped_while_they_send_large_results_do_end() -> None:
    large_bytes = 100_000_000  # much more than a pipe holds, so that sending takes a while
    with pytest.raises(KeyboardInterrupt), executors.local(2) as executor:
        wait({executor.submit(bytes, large_bytes) for _ in range(6)}, return_when=FIRST_COMPLETED)
        raise KeyboardInterrupt
