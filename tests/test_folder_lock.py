"""A results folder has one writer at a time, and nothing of what it measured is lost."""

import fcntl
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from test_storage import measure

from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration
from cyclescope.results import storage
from cyclescope.results.folder_lock import LOCK, locked
from cyclescope.results.whole_files import ResultsError

HOLDER = """
import sys, time
from pathlib import Path
from cyclescope.results.folder_lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""
COMMON = ["--board", "lpc2148-lab", "--code", "lab", "--case", "queue_length.*"]
VERBS = {
    "characterize": ["characterize", *COMMON],
    "configurations": ["characterize", *COMMON, "--configurations", "isa=arm,thumb"],
    "options": ["options", "configASSERT", "--case", "queue_length.*"],
    "realtime": ["realtime", "--samples", "5", "--indicator", "switching"],
    "switch": ["switch", "--kernel", "bare", "--point", "60", "--operations", "4"],
    "time": ["time", "examples/fragments/sum_of_squares.c", "--call", "sum_of_squares(values, 8)"],
    "explain": ["explain", "queue_length.*"],
}


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds a folder."""
    program = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert program.stdout is not None and program.stdout.readline() == "held\n"
    try:
        yield program
    finally:
        program.kill()
        program.wait()


def cyclescope(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command as a program of its own."""
    command = [sys.executable, "-m", "cyclescope", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_second_writer_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with holder(out) as first:
        with pytest.raises(ResultsError) as error:
            measure(out)
        assert re.fullmatch(
            rf"{out} is being written to by process {first.pid} on \S+ since "
            r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S*: wait until it has ended, or choose another --out",
            error.value.sentence,
        )
        assert [one.name for one in out.iterdir()] == [LOCK]


def test_the_lock_of_a_killed_process_is_taken_over_and_none_is_left(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with holder(out) as first:
        first.send_signal(signal.SIGKILL)
        first.wait()
        assert json.loads((out / LOCK).read_text())["pid"] == first.pid
        measure(out)
    assert not (out / LOCK).exists()
    assert storage.load(out).runs


COPIED = """
import os, sys
from pathlib import Path
from cyclescope.results.folder_lock import locked
with locked(Path(sys.argv[1])):
    if os.fork() == 0:
        sys.stdin.read()
    os._exit(0)
"""


def test_a_copy_that_outlives_the_writer_holds_no_lock(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COPIED, str(tmp_path / "out")]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as program:
        assert program.wait(timeout=60) == 0
        with locked(tmp_path / "out"):
            pass


def test_a_folder_that_got_nothing_is_not_left_behind(tmp_path: Path) -> None:
    with pytest.raises(KeyError), locked(tmp_path / "a" / "b"):
        raise KeyError
    assert not (tmp_path / "a" / "b").exists()
    with locked(tmp_path), locked(tmp_path / "." / "x" / ".."):  # its own process may go in again
        (tmp_path / "something").touch()
    assert [one.name for one in tmp_path.iterdir()] == ["something"]


def test_a_lock_that_goes_between_opening_and_locking_is_no_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Any] = []
    flock = fcntl.flock

    def removing(file: Any, how: int) -> None:
        flock(file, how)
        taken.append(file)
        if len(taken) == 1:
            (tmp_path / LOCK).unlink()

    monkeypatch.setattr(fcntl, "flock", removing)
    with locked(tmp_path):
        assert len(taken) == 2
        assert os.path.samestat(os.fstat(taken[1].fileno()), (tmp_path / LOCK).stat())


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_that_writes_results_refuses_a_held_folder(verb: str, tmp_path: Path) -> None:
    firmware.build(Configuration())
    with holder(tmp_path) as first:
        done = cyclescope(*VERBS[verb], "--out", tmp_path)
        assert done.returncode == 1, done.stdout
        assert f"is being written to by process {first.pid}" in done.stderr
        assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
    assert [one.name for one in tmp_path.iterdir()] == [LOCK]


def test_of_two_campaigns_into_one_folder_one_measures_and_nothing_is_lost(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cyclescope", "characterize", "--board", "lpc2148-lab",
               "--code", "lab", "--jobs", "1", "--case"]  # fmt: skip
    both = [
        subprocess.Popen(
            [*command, glob, "--out", str(tmp_path / "out")],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        for glob in ("semaphore_*", "mutex_*")
    ]  # fmt: skip
    told = [one.communicate(timeout=180)[1] for one in both]
    codes = [one.returncode for one in both]
    manifest = storage.load(tmp_path / "out").manifest
    assert not manifest.missing()
    if sorted(codes) == [0, 1]:
        assert "is being written to by process" in told[codes.index(1)]
    else:  # one had ended before the other began to write
        assert codes == [0, 0], told
        assert {name.partition("_")[0] for name in manifest.planned} == {"semaphore", "mutex"}
