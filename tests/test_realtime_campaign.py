"""Campaigns of real-time figures: bounds, seams, interruption, resumption, what does not fit."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest
from fake_realtime import FakeRealtime, plain
from numpy.typing import NDArray
from refusals import refused

from cyclescope.errors import Interrupted
from cyclescope.results import whole_files
from cyclescope.results.whole_files import ResultsError
from cyclescope.studies.realtime import storage
from cyclescope.studies.realtime.campaign import Bounds, RealtimePlan, available, collect, curves
from cyclescope.studies.realtime.indicators import PAPERS, BackgroundState, Indicator
from cyclescope.studies.realtime.results import Trial
from cyclescope.studies.realtime.target import Cyclictest, Settings

SWITCHING = Trial(indicator=Indicator.SWITCHING, load_percent=50)
PREEMPTION = Trial(indicator=Indicator.PREEMPTION, load_percent=50)


def content(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*.*")}


def test_small_buffers_are_drained_often_and_the_seams_are_marked(tmp_path: Path) -> None:
    target = FakeRealtime(holds=100)
    results = collect(target, RealtimePlan((SWITCHING,), Bounds(samples=250)), tmp_path)
    run = results.runs[0]
    assert [one.samples for one in run.record.batches] == [100, 100, 50]
    assert run.samples["seam"].to_pylist().count(True) == 3
    assert len({one.seed for one in run.record.batches}) == 3
    assert run.record.whole
    assert run.samples["elapsed"].to_pylist() == run.samples["truth_cycles"].to_pylist()


def test_time_bounds_a_run_on_the_targets_own_clock(tmp_path: Path) -> None:
    target = FakeRealtime(holds=100)
    results = collect(target, RealtimePlan((PREEMPTION,), Bounds(seconds=0.0015)), tmp_path)
    record = results.runs[0].record
    # A batch of 100 takes 100 × 400.5 + 2 × 700 cycles of 60 MHz.
    assert record.duration_s == pytest.approx(3 * 41450 / 60e6)
    assert record.samples == 300
    assert record.whole


def test_each_replicate_is_as_long_as_asked_and_has_seeds_of_its_own(tmp_path: Path) -> None:
    target = FakeRealtime(holds=100)
    plan = RealtimePlan((PREEMPTION,), Bounds(samples=150), replicates=3)
    run = collect(target, plan, tmp_path / "one").runs[0]
    assert [(one.replicate, one.samples) for one in run.record.batches] == [
        (0, 100), (0, 50), (1, 100), (1, 50), (2, 100), (2, 50),
    ]  # fmt: skip
    assert np.bincount(run.replicates).tolist() == [150, 150, 150]
    neighbour = RealtimePlan(plan.trials, plan.bounds, seed=2, replicates=3)
    other = collect(FakeRealtime(holds=100), neighbour, tmp_path / "other").runs[0]
    seeds = [{one.seed for one in each.record.batches} for each in (run, other)]
    assert len(seeds[0] | seeds[1]) == 12
    # More replicates than the folder has are made, with all of them.
    more = RealtimePlan(plan.trials, plan.bounds, replicates=4, resume=True)
    assert collect(FakeRealtime(holds=100), more, tmp_path / "one").runs[0].samples.num_rows == 600


def test_the_measured_load_stands_beside_what_was_asked_for(tmp_path: Path) -> None:
    target = FakeRealtime(gives=lambda asked: asked - 1.5)
    record = (
        collect(target, RealtimePlan((PREEMPTION,), Bounds(samples=200)), tmp_path).runs[0].record
    )
    assert record.requested_load_percent == 50
    assert record.measured_load_percent == record.true_load_percent == pytest.approx(48.5)


@pytest.mark.parametrize(("percent", "cause"), [(25.0, "left it no more"), (75.0, "waking")])
def test_a_load_that_cannot_be_had_is_refused(tmp_path: Path, percent: float, cause: str) -> None:
    target = FakeRealtime(
        gives=lambda asked: percent, formula=lambda settings, index: 100_000 + index
    )
    results = collect(target, RealtimePlan((PREEMPTION,), Bounds(samples=200)), tmp_path)
    assert results.runs == ()
    sentence = results.manifest.refused[0].sentence
    assert f"a load of 50 % cannot be had here: {percent} % was measured" in sentence
    assert cause in sentence and f"ask for about {percent:.0f} %" in sentence


def test_rejected_samples_are_kept_with_their_rule(tmp_path: Path) -> None:
    both = RealtimePlan((SWITCHING, PREEMPTION), Bounds(samples=200))
    switching, preemption = collect(FakeRealtime(), both, tmp_path).runs
    assert switching.samples.num_rows == 200
    assert switching.record.rejected == {"pauta": 4}
    assert set(switching.cycles[switching.rejected]) == {901}
    assert preemption.record.rejected == {}


def test_what_the_test_itself_made_long_is_rejected_by_its_cause(tmp_path: Path) -> None:
    def overtaken(settings: Settings, index: NDArray[np.int64]) -> NDArray[np.int64]:
        return plain(settings, index) + 20_000 * (index == 7)

    run = collect(
        FakeRealtime(overtaken), RealtimePlan((PREEMPTION,), Bounds(samples=200)), tmp_path
    )
    assert run.runs[0].record.rejected == {"overtaken": 2}
    assert set(run.runs[0].cycles[run.runs[0].rejected]) == {20_401}


def test_an_interruption_keeps_what_was_measured_and_the_rest_is_made_later(
    tmp_path: Path,
) -> None:
    plan = RealtimePlan((SWITCHING, PREEMPTION), Bounds(samples=300))

    def stop(settings: Settings) -> None:
        if settings.indicator is Indicator.PREEMPTION and len(target.asked) == 4:
            raise KeyboardInterrupt

    target = FakeRealtime(before_batch=stop)
    with refused("interrupted", Interrupted, naming=["1 of 2", "--resume"]):
        collect(target, plan, tmp_path / "cut")
    kept = storage.load(tmp_path / "cut").runs
    assert [run.samples.num_rows for run in kept] == [300, 100]
    assert not kept[1].record.whole
    target = FakeRealtime()
    collect(target, RealtimePlan(plan.trials, plan.bounds, resume=True), tmp_path / "cut")
    assert {one.indicator for one in target.asked} == {Indicator.PREEMPTION}
    collect(FakeRealtime(), plan, tmp_path / "whole")
    assert content(tmp_path / "cut") == content(tmp_path / "whole")


def test_a_second_interruption_while_the_first_is_told_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(settings: Settings) -> None:
        if target.asked:
            raise KeyboardInterrupt

    def interrupted(path: Path, content: bytes, lasting: bool = True) -> None:
        if path.suffix == ".parquet" and path.parent.name == storage.RUNS:
            os.kill(os.getpid(), signal.SIGINT)
        write(path, content, lasting)

    write = whole_files.write_whole
    monkeypatch.setattr(whole_files, "write_whole", interrupted)
    plan = RealtimePlan((SWITCHING,), Bounds(samples=300))
    target = FakeRealtime(before_batch=stop)
    with refused("interrupted", Interrupted, naming=["0 of 1"]):
        collect(target, plan, tmp_path)
    assert [run.samples.num_rows for run in storage.load(tmp_path).runs] == [100]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_load_that_starves_the_test_ends_the_run_and_is_told(tmp_path: Path) -> None:
    trials = (SWITCHING.model_copy(update={"load_percent": 95}), PREEMPTION)
    results = collect(
        FakeRealtime(starves_above=90), RealtimePlan(trials, Bounds(samples=10)), tmp_path
    )
    starved = next(run for run in results.runs if run.trial.load_percent == 95)
    assert starved.samples.num_rows == 0
    assert starved.record.shortfall == "the load left no time"


def test_tasks_that_do_not_fit_are_noted_and_the_others_measured(tmp_path: Path) -> None:
    crowd = SWITCHING.model_copy(update={"extra_tasks": 64, "placement": BackgroundState.DELAYED})
    results = collect(
        FakeRealtime(), RealtimePlan((crowd, PREEMPTION), Bounds(samples=10)), tmp_path
    )
    assert [run.trial for run in results.runs] == [PREEMPTION]
    assert "64 extra tasks need 9000 bytes" in results.manifest.refused[0].sentence
    assert results.manifest.missing() == []


def test_curves_have_three_placements_and_end_where_memory_does() -> None:
    trials = curves(FakeRealtime(room=16), PAPERS, 50, None)
    # Shuffling and interrupts have a curve of load 0, with a beginning of its own.
    assert len(trials) == len(set(trials)) == 4 * (1 + 3 * 8) + 2
    assert max(one.extra_tasks for one in trials) == 16
    crowds = [one for one in trials if one.placement is BackgroundState.READY_EQUAL]
    assert {one.indicator: one.load_percent for one in crowds} == {
        Indicator.SWITCHING: 50, Indicator.PREEMPTION: 50,
        Indicator.INTERRUPT: 0, Indicator.SHUFFLING: 0,
    }  # fmt: skip
    few = curves(FakeRealtime(room=16), (Indicator.SWITCHING,), 50, 3)
    assert [one.extra_tasks for one in few] == [0, 1, 2, 3, 1, 2, 3, 1, 2, 3]


def test_what_is_not_available_is_left_out_or_refused_when_named() -> None:
    target = FakeRealtime()
    assert Indicator.WAKE_UP not in available(target, ())
    with refused("indicator-not-available"):
        available(target, (Indicator.WAKE_UP,))


def test_other_conditions_are_refused_and_damage_is_seen(tmp_path: Path) -> None:
    plan = RealtimePlan((SWITCHING,), Bounds(samples=10))
    collect(FakeRealtime(), plan, tmp_path)
    other = FakeRealtime(under=FakeRealtime().under.model_copy(update={"core_hz": 12_000_000}))
    with refused("other-conditions", ResultsError, naming=["core_hz"]):
        collect(other, plan, tmp_path)
    path = tmp_path / "runs" / "switching-load50.parquet"
    path.write_bytes(path.read_bytes()[:-7])
    with refused("samples-damaged", ResultsError):
        storage.load(tmp_path)


class Beside:
    """A companion that says when it was started and stopped."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def start(self) -> "Beside":
        self.told.append("start")
        return self

    def stop(self) -> Cyclictest:
        self.told.append("stop")
        return Cyclictest(version="2.40", cycles=3, minimum_us=6, average_us=9.5, maximum_us=41)


class Accompanied(FakeRealtime):
    """A target with such a companion."""

    beside = Beside()

    def unavailable(self) -> dict[Indicator, str]:
        return {}

    def companion(self) -> Beside:
        return self.beside


def test_wake_up_latency_is_measured_beside_cyclictest(tmp_path: Path) -> None:
    target = Accompanied(
        formula=lambda settings, index: 500 + index,
        before_batch=lambda settings: Accompanied.beside.told.append(settings.indicator),
    )
    trials = (PREEMPTION, Trial(indicator=Indicator.WAKE_UP, load_percent=50))
    results = collect(target, RealtimePlan(trials, Bounds(samples=100)), tmp_path)
    assert Accompanied.beside.told == ["preemption", "start", "wake_up", "stop"]
    assert [one.seen.maximum_us for one in results.manifest.cyclictest] == [41]
    assert results.manifest.cyclictest[0].trial.indicator is Indicator.WAKE_UP
