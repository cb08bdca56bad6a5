"""Scores, slopes and comparisons of simulated systems whose truth is known."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
from fake_realtime import EMPTY_CYCLES, FakeRealtime, plain
from fake_target import CONDITIONS
from numpy.typing import NDArray
from rich.console import Console

from cyclescope import kind
from cyclescope import realtime_storage as storage
from cyclescope.cli import execute
from cyclescope.realtime import PAPERS, Indicator, Placement, Settings, Unit
from cyclescope.realtime_campaign import Bounds, Plan, alike, collect, curves
from cyclescope.realtime_results import Trial
from cyclescope.realtime_study import RealtimeFigures
from cyclescope.stats.trend import Verdict
from cyclescope.studies.compare_realtime import compare
from cyclescope.studies.realtime import analyse

T_STANDARD = 1000.5
LOAD = 50


def measured(target: FakeRealtime, folder: Path, samples: int = 400) -> RealtimeFigures:
    trials = alike(list(Indicator)[:5], LOAD, None, Placement.DELAYED)
    return analyse(collect(target, Plan(tuple(trials), Bounds(samples=samples)), folder))


def test_the_score_is_the_maximum_by_the_mean_of_the_unit(tmp_path: Path) -> None:
    found = measured(FakeRealtime(), tmp_path)
    preemption = next(one for one in found.runs if one.trial.indicator is Indicator.PREEMPTION)
    assert preemption.papers is preemption.score
    assert preemption.score.value == pytest.approx(1101 / T_STANDARD)
    assert preemption.score.net == pytest.approx(
        (1101 - EMPTY_CYCLES) / (T_STANDARD - EMPTY_CYCLES)
    )
    assert preemption.score.integer == pytest.approx(1101 / 100.5)
    assert preemption.times.summary.maximum == 1101
    assert preemption.times.median.value == 400
    # Eight samples have another thread's time in them: the fifth longest is one of those.
    assert preemption.score.rerun_at_least == pytest.approx(1101 / T_STANDARD)
    unit = found.unit(Unit.DOUBLE)
    assert unit is not None
    assert (unit.raw.n, unit.empty.mean) == (100, EMPTY_CYCLES)
    width = preemption.score.value * unit.raw.estimate.half_width / T_STANDARD
    assert preemption.score.unit_half_width == pytest.approx(width)


def test_only_the_paper_score_of_task_switching_is_filtered(tmp_path: Path) -> None:
    found = measured(FakeRealtime(), tmp_path)
    switching, preemption = found.runs[:2]
    assert switching.papers is switching.filtered
    assert switching.papers.value == pytest.approx(201 / T_STANDARD)
    assert switching.score.value == pytest.approx(901 / T_STANDARD), "the raw one stands beside"
    assert (switching.rejected, switching.passes) == (8, 1)
    assert preemption.filtered.value == pytest.approx(401 / T_STANDARD)
    assert preemption.papers.value == preemption.score.value


def test_a_truth_that_the_target_knows_is_held_against_its_samples(tmp_path: Path) -> None:
    found = measured(FakeRealtime(), tmp_path)
    assert all(one.truth and one.truth.equal == one.truth.n == 400 for one in found.runs)


def test_the_load_is_counted_over_the_batches_and_an_idle_one_is_a_problem(tmp_path: Path) -> None:
    found = measured(FakeRealtime(), tmp_path / "loaded")
    assert [(one.name, one.calls) for one in found.runs[0].load] == [("queues", 7 * 400)]
    assert found.problems == ()

    class Idle(FakeRealtime):
        def measure(self, settings: Settings, n: int):  # type: ignore[no-untyped-def]
            batch = super().measure(settings, n)
            return type(batch)(**{**vars(batch), "load": ()})

    found = measured(Idle(), tmp_path / "idle")
    assert "preemption, load 50 %: the background threads made no call" in found.problems[0]
    assert len(found.problems) == 4, "task switching outranks the load"


def noisy(slope: float, sigma: float) -> FakeRealtime:
    """A system whose times grow by so many cycles for each task ready at equal priority."""
    random = np.random.default_rng(5)

    def formula(settings: Settings, index: NDArray[np.int64]) -> NDArray[np.int64]:
        tasks = settings.extra_tasks if settings.placement is Placement.READY_EQUAL else 0
        times = 1000 + slope * tasks + random.normal(0, sigma, index.size).clip(-50, 50)
        return times.round().astype(np.int64)

    return FakeRealtime(formula=formula, holds=1000, room=64)


@pytest.mark.parametrize(
    ("slope", "sigma", "expected"),
    [
        (0, 0, Verdict.CONSTANT), (0, 5, Verdict.CONSTANT), (0.2, 0, Verdict.CONSTANT),
        (10, 0, Verdict.GROWS), (10, 5, Verdict.GROWS), (-5, 5, Verdict.FALLS),
    ],
)  # fmt: skip
def test_the_verdict_on_curves_of_known_slope(
    tmp_path: Path, slope: float, sigma: float, expected: Verdict
) -> None:
    target = noisy(slope, sigma)
    trials = curves(target, (Indicator.SHUFFLING,), LOAD, None)
    found = analyse(collect(target, Plan(tuple(trials), Bounds(samples=500)), tmp_path))
    by_placement = {one.placement: one for one in found.curves}
    assert by_placement[Placement.READY_EQUAL].tasks == [0, 8, 16, 24, 32, 40, 48, 56, 64]
    trends = {placement: one.trend for placement, one in by_placement.items()}
    equal = trends[Placement.READY_EQUAL]
    assert equal is not None
    assert equal.verdict is expected
    if sigma == 0:
        assert equal.slope.value * T_STANDARD == pytest.approx(slope)
    others = [trends[Placement.READY_LOWER], trends[Placement.DELAYED]]
    assert {one.verdict for one in others if one} == {Verdict.CONSTANT}


def test_points_whose_load_was_outranked_have_a_line_of_their_own(tmp_path: Path) -> None:
    class Outranked(FakeRealtime):
        def measure(self, settings: Settings, n: int):  # type: ignore[no-untyped-def]
            batch = super().measure(settings, n)
            ran = not settings.extra_tasks or settings.placement is not Placement.READY_EQUAL
            return type(batch)(**{**vars(batch), "load": batch.load if ran else ()})

    target = Outranked(formula=lambda settings, index: plain(settings, index) * 3)
    trials = curves(target, (Indicator.INTERRUPT,), LOAD, None)
    found = analyse(collect(target, Plan(tuple(trials), Bounds(samples=50)), tmp_path))
    equal = next(one for one in found.curves if one.placement is Placement.READY_EQUAL)
    assert found.problems == ()
    assert [one.trial.extra_tasks for one in equal.fitted] == equal.tasks[1:]
    assert equal.trend is not None and equal.trend.n == 8
    assert "without the 1 of 9 points at which it did" in " ".join(told(tmp_path).split())


def test_a_curve_of_two_points_decides_nothing(tmp_path: Path) -> None:
    target = FakeRealtime()
    trials = curves(target, (Indicator.SHUFFLING,), LOAD, 1)
    found = analyse(collect(target, Plan(tuple(trials), Bounds(samples=50)), tmp_path))
    assert {one.trend.verdict for one in found.curves if one.trend} == {Verdict.UNDECIDED}


def two(tmp_path: Path, second: FakeRealtime, samples: int = 400) -> tuple[Path, Path]:
    folders = tmp_path / "first", tmp_path / "second"
    measured(FakeRealtime(), folders[0])
    measured(second, folders[1], samples)
    return folders


def test_two_systems_are_compared_over_blocks_of_as_many_samples(tmp_path: Path) -> None:
    def twice(settings: Settings, index: NDArray[np.int64]) -> NDArray[np.int64]:
        return 2 * plain(settings, index)

    folders = two(tmp_path, FakeRealtime(formula=twice), 800)
    found = compare(*map(storage.load, folders))
    assert [row.trial.indicator for row in found.rows][:4] == list(PAPERS)
    switching = found.rows[0]
    assert (switching.length, switching.blocks[0].n, switching.blocks[1].n) == (39, 10, 20)
    assert switching.maxima.value == pytest.approx(0.5)
    assert switching.maxima.low < 0.5 < switching.maxima.high
    assert switching.median.value == pytest.approx(0.5)
    assert switching.paper == (3.21774, 1.73517)
    assert any("800 samples" in one for one in found.warnings)


def test_other_arithmetic_is_warned_of_in_words(tmp_path: Path) -> None:
    hard = FakeRealtime(arithmetic="hardware, 64-bit double")
    folders = two(tmp_path, hard)
    warning = compare(*map(storage.load, folders)).warnings[0]
    assert "software, 64-bit double in the first and hardware, 64-bit double" in warning
    same = compare(storage.load(folders[0]), storage.load(folders[0]))
    assert same.warnings == ()
    assert {row.maxima.value for row in same.rows} == {1.0}


def test_a_clock_longer_than_the_unit_is_warned_of(tmp_path: Path) -> None:
    class Quick(FakeRealtime):
        def calibrate(self, unit: Unit, n: int = 100):  # type: ignore[no-untyped-def]
            slow = super().calibrate(unit, n)
            return type(slow)(**{**vars(slow), "empty": slow.samples})

    _, second = two(tmp_path, Quick())
    found = compare(storage.load(second), storage.load(second))
    assert "reading the clock takes longer than the operation" in found.warnings[0]
    assert np.isnan(found.rows[0].first.score.net)


def told(folder: Path) -> str:
    screen = Console(width=80, file=io.StringIO(), color_system=None)
    kind.of(folder).analyse(folder).show(screen)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def test_the_terminal_says_everything_in_80_columns(tmp_path: Path) -> None:
    measured(FakeRealtime(words=("a virtual machine: maxima are demonstrations",)), tmp_path)
    text = told(tmp_path)
    assert max(map(len, text.splitlines())) <= 80
    flat = " ".join(text.split())
    assert "double: 1,000.5 ± 0.1 cycles" in flat
    assert "rejected 8 of 400 samples (passes: 1)" in flat
    assert "not available; interrupts have a figure of their own here" in flat
    assert "a virtual machine: maxima are demonstrations" in flat
    assert "118 cycles in xQueueSend of background 2" in flat


def test_show_report_and_compare_from_the_folders_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = map(str, two(tmp_path, FakeRealtime(formula=plain)))
    assert execute(["show", first, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["runs"][0]["score"]["value"] == pytest.approx(901 / T_STANDARD)
    assert execute(["report", first]) == 0
    assert (Path(first) / "report.html").stat().st_size > 1_000_000
    capsys.readouterr()
    assert execute(["compare", first, second, "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    assert compared["rows"][1]["paper"] == [5.68273, 3.40269]
    assert execute(["compare", first, second]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "RGMP-ROS" not in out and "Intel Core i5-2540" in out
    assert execute(["compare", first, str(tmp_path / "nowhere")]) == 1


def test_results_of_different_kinds_are_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from fake_target import FakeTarget

    from cyclescope import campaign
    from cyclescope.techniques.direct import TECHNIQUE

    measured(FakeRealtime(), tmp_path / "realtime")
    plan = campaign.Plan(pattern="malloc")
    campaign.collect([FakeTarget()], TECHNIQUE, plan, tmp_path / "calls")
    assert execute(["compare", str(tmp_path / "realtime"), str(tmp_path / "calls")]) == 1
    assert "only two of a kind can be compared" in capsys.readouterr().err


def test_what_is_missing_is_a_problem_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crowd = Trial(indicator=Indicator.SWITCHING, load_percent=LOAD, extra_tasks=64,
                  placement=Placement.READY_EQUAL)  # fmt: skip
    starved = Trial(indicator=Indicator.PREEMPTION, load_percent=95)
    target = FakeRealtime(starves_above=90, under=CONDITIONS)
    collect(target, Plan((crowd, starved), Bounds(samples=10)), tmp_path)
    assert execute(["show", str(tmp_path)]) == 1
    flat = " ".join(capsys.readouterr().out.split())
    assert "64 extra tasks need 9000 bytes and the kernel has 8000" in flat
    assert "preemption, load 95 %: no samples; the load left no time" in flat
