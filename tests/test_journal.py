"""The journal of a manifest: no moment at which a killed process loses a finished run."""

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from fake_target import CONDITIONS, FakeTarget, fake
from refusals import refused

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.results import Key, journal, storage
from cyclescope.results.journal import JOURNAL, MANIFEST
from cyclescope.target.case import Parameter

CASES = ("semaphore*",)
LENGTHS = (2,)
EXPLAINED = "explain/semaphore-take.json"


def plan(**how: bool) -> Plan:
    return Plan(CASES, lengths=LENGTHS, **how)


def measure(folder: Path, **how: bool) -> None:
    collect([FakeTarget()], TECHNIQUE, plan(**how), folder)


def content(folder: Path) -> dict[str, bytes]:
    files = (one for one in folder.rglob("*") if one.is_file() and one.name != ".lock")
    return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def keys(folder: Path) -> set[Key]:
    return {one.key for one in storage.load(folder).manifest.runs}


# A process that is killed at one of its steps on the disk.


@contextmanager
def every_step(step: Callable[[], None]) -> Iterator[None]:
    """Calls `step` before each thing that is done to the disk, and in the middle of each write to
    the journal."""

    def before(function: Any) -> Any:
        def stepping(*arguments: Any, **options: Any) -> Any:
            step()
            return function(*arguments, **options)

        return stepping

    write = os.write

    def halves(file: int, data: Any) -> int:
        step()
        half = len(data) // 2
        written = write(file, data[:half])
        step()
        return written + write(file, data[half:])

    with pytest.MonkeyPatch.context() as patch:
        for where, name in (
            (os, "open"), (os, "fsync"), (os, "close"), (os, "ftruncate"),
            (Path, "open"), (Path, "replace"), (Path, "unlink"), (Path, "mkdir"),
        ):  # fmt: skip
            patch.setattr(where, name, before(getattr(where, name)))
        patch.setattr(os, "write", halves)
        yield


def in_a_child(work: Callable[[int], None]) -> tuple[int, bytes]:
    """Runs work in another process, with a pipe to write to; how it ended, and what it wrote."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            work(writing)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        written = pipe.read()
    return os.waitpid(child, 0)[1], written


def killed_at(number: int, folder: Path, **how: bool) -> tuple[bool, set[Key]]:
    """Measures until that step; whether it was killed there, and which runs it had finished."""

    def work(writing: int) -> None:
        write, steps = os.write, iter(range(number + 1))
        store = storage.Writer.store

        def step() -> None:
            if next(steps) == number:
                os.kill(os.getpid(), signal.SIGKILL)

        def acknowledged(self: storage.Writer, *arguments: Any) -> None:
            store(self, *arguments)
            for one in arguments[0]:
                for key in one.keys:
                    write(writing, json.dumps(key).encode() + b"\n")

        with pytest.MonkeyPatch.context() as patch, every_step(step):
            patch.setattr(storage.Writer, "store", acknowledged)
            measure(folder, **how)

    status, written = in_a_child(work)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    assert killed or status == 0, f"step {number} ended with {status}"
    return killed, {tuple(json.loads(line)) for line in written.splitlines()}


@pytest.mark.parametrize("way", ["new", "again", "resume", "replace"])
def test_killed_at_every_step_no_finished_run_is_lost(way: str, tmp_path: Path) -> None:
    expected = tmp_path / "expected"
    measure(expected)
    whole, steps, killed = content(expected), 0, True
    how = {way: True} if way in ("resume", "replace") else {}
    while killed:
        folder = tmp_path / f"{steps}"
        if way != "new":
            shutil.copytree(expected, folder)
        if way == "resume":
            (folder / storage.file_name(0, "semaphore-give", None)).write_bytes(b"torn")
        if way == "replace":
            (folder / EXPLAINED).parent.mkdir()
            (folder / EXPLAINED).write_text("{}")
        killed, finished = killed_at(steps, folder, **how)
        if (folder / MANIFEST).exists() and way != "resume":
            assert keys(folder) >= finished, f"step {steps}"
        measure(folder, **({"replace": True} if way == "replace" else {"resume": True}))
        assert content(folder) == whole, f"step {steps}"
        steps += 1
    assert steps > 20, "too few steps: is what writes still among them?"


# Readers of a journal.


def unfolded(folder: Path) -> None:
    """A folder whose process ended before it folded its journal."""
    measured = collect([FakeTarget()], TECHNIQUE, Plan("queue-send"), folder.with_name("measured"))
    manifest = measured.manifest
    writer = storage.Writer.begin(
        folder, [CONDITIONS], TECHNIQUE.name, manifest.cases, manifest.planned
    )
    for run in measured.runs:
        writer.add([(run, None)])
    assert len(storage.read_manifest(folder).runs) == len(measured.runs) == 8


def test_a_journal_that_is_cut_anywhere_holds_the_runs_before_the_cut(tmp_path: Path) -> None:
    folder = tmp_path / "cut"
    unfolded(folder)
    whole, counts = (folder / JOURNAL).read_bytes(), []
    runs = storage.read_manifest(folder).runs
    for size in (*range(0, len(whole), 5), len(whole)):
        (folder / JOURNAL).write_bytes(whole[:size])
        found = storage.read_manifest(folder).runs
        assert all(one in runs for one in found)
        counts.append(len(found))
    assert counts == sorted(counts) and set(counts) == set(range(len(runs) + 1))
    (folder / JOURNAL).unlink()
    assert storage.read_manifest(folder).runs == ()


@pytest.mark.parametrize("place", [0.1, 0.5, 0.8])
def test_a_journal_that_was_edited_is_refused(place: float, tmp_path: Path) -> None:
    folder = tmp_path / "edited"
    unfolded(folder)
    lines = (folder / JOURNAL).read_bytes()
    at = int(place * len(lines))
    (folder / JOURNAL).write_bytes(lines[:at] + bytes([lines[at] ^ 1]) + lines[at + 1 :])
    number = lines[:at].count(b"\n") + 1
    with refused("journal-damaged", naming=[folder / JOURNAL, f"line {number}"]):
        storage.read_manifest(folder)


def test_a_line_that_was_taken_out_is_missed(tmp_path: Path) -> None:
    folder = tmp_path / "without"
    unfolded(folder)
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    (folder / JOURNAL).write_bytes(b"".join([*lines[:3], *lines[4:]]))
    with refused("journal-damaged", naming=["line 4"]):
        storage.read_manifest(folder)


def test_a_journal_that_is_folded_already_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "folded"
    unfolded(folder)
    lines = (folder / JOURNAL).read_bytes()
    before = storage.folded(folder)
    assert not (folder / JOURNAL).exists()
    (folder / JOURNAL).write_bytes(lines)
    assert storage.read_manifest(folder) == before
    collect([FakeTarget()], TECHNIQUE, Plan("queue-send", resume=True), folder)
    assert not (folder / JOURNAL).exists()


def test_a_write_that_fails_leaves_journal_and_writer_as_they_were(tmp_path: Path) -> None:
    folder = tmp_path / "full"
    unfolded(folder)
    storage.folded(folder)
    runs = list(storage.load(folder).runs)
    writer = storage.Writer.begin(
        folder, [CONDITIONS], TECHNIQUE.name, storage.read_manifest(folder).cases, ["queue-send"]
    )
    writer.add([(runs[0], None)])
    before, manifest = (folder / JOURNAL).read_bytes(), writer.manifest
    write = os.write

    def full(file: int, data: Any) -> int:
        if written := write(file, data[:5]):
            raise OSError(28, os.strerror(28))
        return written

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", full)
        with refused("cannot-write", naming=[JOURNAL, os.strerror(28)]):
            writer.add([(runs[1], None)])
    assert (folder / JOURNAL).read_bytes() == before
    assert writer.manifest == manifest == storage.read_manifest(folder)
    writer.add([(runs[1], None)])
    assert writer.finish() == storage.read_manifest(folder)


# Bytes that a campaign writes.


def bytes_written(folder: Path, runs: int) -> int:
    """Bytes of the manifest and its journal that a campaign of so many runs writes."""
    written, write, fold = 0, os.write, journal.fold

    def counted(file: int, data: Any) -> int:
        nonlocal written
        written += len(data)
        return write(file, data)

    def counted_whole(at: Path, manifest: bytes) -> None:
        nonlocal written
        written += len(manifest)
        fold(at, manifest)

    values = tuple(range(1000, 1000 + runs))
    case = fake(
        "send", lambda x, n, i: x, parameter=Parameter(name="size", unit="byte", values=values)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", counted)
        patch.setattr(journal, "fold", counted_whole)
        results = collect([FakeTarget([case])], TECHNIQUE, Plan(lengths=(1,)), folder)
    assert len(results.runs) == runs
    return written


def test_the_manifest_costs_as_many_bytes_as_there_are_runs(tmp_path: Path) -> None:
    counts = (25, 50, 100, 200)
    sizes = [bytes_written(tmp_path / f"{count}", count) for count in counts]
    first, second, third = (after - before for before, after in pairwise(sizes))
    # Written whole at each run, every difference would be four times the one before.
    assert second == pytest.approx(2 * first, rel=0.05)
    assert third == pytest.approx(2 * second, rel=0.05)
