"""A peer that thinks in no time of the board: when it is done, and what it says."""

import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from refusals import refused

from cyclescope.targets.virtual.lines import instant_program
from cyclescope.targets.virtual.lines.instant_program import InstantProgram

THINKS = """
import os, time
while line := os.read(0, 1):
    if line == b"?":
        time.sleep(0.3)
        os.write(1, b"answer")
        time.sleep(0.1)
        os.write(1, b" and more")
"""


@contextmanager
def running(program: str, folder: Path) -> Iterator[InstantProgram]:
    found = InstantProgram([sys.executable, "-c", program], folder)
    try:
        yield found
    finally:
        found.close()


def test_an_answer_is_whole_however_long_it_takes(tmp_path: Path) -> None:
    with running(THINKS, tmp_path) as peer:
        assert peer.answer() == b""
        assert peer.answer(b"silence") == b""
        assert peer.answer(b"well?") == b"answer and more"
        assert peer.is_exact
        assert peer.status is None


def test_more_than_a_pipe_takes(tmp_path: Path) -> None:
    echo = "import os\nwhile got := os.read(0, 70000):\n    os.write(1, got)"
    with running(echo, tmp_path) as peer:
        data = bytes(range(256)) * 2000
        assert peer.answer(data) == data


def test_a_program_that_ends_is_heard_out(tmp_path: Path) -> None:
    with running(
        "import os; os.read(0, 1); os.write(1, b'bye'); raise SystemExit(3)", tmp_path
    ) as peer:
        assert peer.answer(b"x") == b"bye"
        assert peer.status == 3
        assert peer.answer(b"more") == b""


def test_a_program_that_never_reads_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instant_program, "PATIENCE_S", 0.5)
    with (
        running("while True: pass", tmp_path) as peer,
        refused("peer-does-not-answer"),
    ):
        peer.answer(b"x")
    assert peer.status is not None


def test_a_host_that_hides_what_a_program_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instant_program, "READ_CALLS", {})
    with running(THINKS, tmp_path) as peer:
        peer.answer(b"x")
        assert not peer.is_exact


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with refused("peer-program-not-there"):
        InstantProgram(["no-such-program"], tmp_path)


def _spin() -> None:
    while True:
        pass


def test_answers_are_whole_on_a_loaded_machine(tmp_path: Path) -> None:
    """Four busy processes compete with the peer, which thinks between its bytes."""
    stutters = """
import os
while os.read(0, 1):
    for letter in b"abcdefgh":
        sum(range(20000))
        os.write(1, bytes([letter]))
"""
    busy = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(4)]
    for one in busy:
        one.start()
    try:
        with running(stutters, tmp_path) as peer:
            assert [peer.answer(b"x") for _ in range(30)] == [b"abcdefgh"] * 30
    finally:
        for one in busy:
            one.kill()
