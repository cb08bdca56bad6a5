"""Memory does not grow with the samples: runs are read, looked at and let go."""

import pickle
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_target import CASES, FakeTarget

from cyclescope.campaign.campaign import Plan, collect
from cyclescope.campaign.techniques.direct import TECHNIQUE
from cyclescope.results import Run, RunRecord, reader, result_type, storage
from cyclescope.studies.characterize.analyse import analyse

LARGEST_CASE = max(len(fake.case.values()) for fake in CASES)


class Alive:
    """Counts runs that somebody still holds."""

    def __init__(self) -> None:
        self.now = self.most = self.seen = 0

    def born(self, run: Run) -> Run:
        self.now += 1
        self.seen += 1
        self.most = max(self.most, self.now)
        weakref.finalize(run, self._gone)
        return run

    def _gone(self) -> None:
        self.now -= 1


@pytest.fixture
def alive(monkeypatch: pytest.MonkeyPatch) -> Alive:
    counter, read = Alive(), reader._read_run
    monkeypatch.setattr(reader, "_read_run", lambda *what: counter.born(read(*what)))
    return counter


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    collect([FakeTarget()], TECHNIQUE, Plan(), tmp_path)
    return tmp_path


def test_the_count_sees_runs_that_are_kept(folder: Path, alive: Alive) -> None:
    kept = list(storage.load(folder).runs)
    assert alive.now == len(kept) > LARGEST_CASE + 1


@pytest.mark.parametrize(
    "work",
    [
        lambda folder: analyse(storage.load(folder)),
        lambda folder: result_type.of(folder).analyse(folder).document(),
        lambda folder: result_type.of(folder).analyse(folder).page(),
        lambda folder: [run.cycles("call").size for run in storage.load(folder).runs],
    ],
)
def test_no_more_runs_are_held_than_the_largest_case_has(
    work: Callable[[Path], object], folder: Path, alive: Alive
) -> None:
    found = work(folder)
    assert found and alive.now == 0
    assert alive.seen >= len(storage.read_manifest(folder).runs)
    assert alive.most <= LARGEST_CASE + 1


def test_a_campaign_holds_one_run_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counter, runs = Alive(), TECHNIQUE.runs
    monkeypatch.setattr(TECHNIQUE, "runs", lambda *what: [*map(counter.born, runs(*what))])
    results = collect([FakeTarget()], TECHNIQUE, Plan(), tmp_path)
    assert counter.seen == len(results.runs) > 10
    assert counter.most <= 2


def test_a_run_travels_without_what_was_computed_from_it(folder: Path) -> None:
    run = storage.load(folder).runs[0]
    bare = len(pickle.dumps(run))
    assert run.cycles("call").size
    assert len(pickle.dumps(run)) == bare


def test_opening_a_folder_reads_no_samples(folder: Path, alive: Alive) -> None:
    record: RunRecord = storage.load(folder).manifest.runs[0]
    assert alive.seen == 0
    assert storage.load(folder).run(record.key) is not None
    assert alive.seen == 1
