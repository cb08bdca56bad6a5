"""Scores, slopes and comparisons of simulated systems whose truth is known."""

import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from fake_realtime import EMPTY_CYCLES, FakeRealtime, plain
from fake_target import CONDITIONS
from numpy.typing import NDArray
from refusals import told_code
from rich.console import Console

from cyclescope.cli import execute
from cyclescope.results import result_type
from cyclescope.stats.trend import TrendVerdict
from cyclescope.studies.realtime import storage
from cyclescope.studies.realtime.analyse import analyse
from cyclescope.studies.realtime.campaign import Bounds, RealtimePlan, alike, collect, curves
from cyclescope.studies.realtime.compare import compare
from cyclescope.studies.realtime.findings import RealtimeFigures
from cyclescope.studies.realtime.indicators import PAPERS, BackgroundState, Indicator, ScoreUnit
from cyclescope.studies.realtime.results import Trial
from cyclescope.studies.realtime.target import Settings

T_STANDARD = 1000.5
LOAD = 50


def measured(
    target: FakeRealtime, folder: Path, samples: int = 400, replicates: int = 1
) -> RealtimeFigures:
    trials = alike(list(Indicator)[:5], LOAD, None, BackgroundState.DELAYED)
    plan = RealtimePlan(tuple(trials), Bounds(samples=samples), replicates=replicates)
    return analyse(collect(target, plan, folder))


def test_the_score_is_the_maximum_by_the_mean_of_the_unit(tmp_path: Path) -> None:
    found = measured(FakeRealtime(), tmp_path)
    preemption = next(one for one in found.runs if one.trial.indicator is Indicator.PREEMPTION)
    assert preemption.papers == preemption.score
    assert preemption.score.value == pytest.approx(1101 / T_STANDARD)
    assert preemption.score.half_width == math.inf, "one replicate says nothing of another"
    assert preemption.score.net == pytest.approx(
        (1101 - EMPTY_CYCLES) / (T_STANDARD - EMPTY_CYCLES)
    )
    assert preemption.score.integer == pytest.approx(1101 / 100.5)
    assert preemption.times.summary.maximum == 1101
    assert preemption.times.median.value == 400
    # Eight samples have another thread's time in them: the fifth longest is one of those.
    assert preemption.score.rerun_at_least == pytest.approx(1101 / T_STANDARD)
    unit = found.unit(ScoreUnit.DOUBLE)
    assert unit is not None
    assert (unit.raw.n, unit.empty.mean) == (100, EMPTY_CYCLES)
    width = preemption.score.value * unit.raw.estimate.half_width / T_STANDARD
    assert preemption.score.unit_half_width == pytest.approx(width)


def test_only_the_paper_score_of_task_switching_is_filtered(tmp_path: Path) -> None:
    found = measured(FakeRealtime(), tmp_path)
    switching, preemption = found.runs[:2]
    assert switching.papers is switching.kept and switching.kept == switching.filtered
    assert switching.papers.value == pytest.approx(201 / T_STANDARD)
    assert switching.score.value == pytest.approx(901 / T_STANDARD), "the raw one stands beside"
    assert switching.rejected == {"pauta": 8}
    assert preemption.filtered.value == pytest.approx(401 / T_STANDARD)
    assert preemption.papers.value == preemption.score.value


def test_a_truth_that_the_target_knows_is_held_against_its_samples(tmp_path: Path) -> None:
    found = measured(FakeRealtime(), tmp_path)
    assert all(one.truth and one.truth.equal == one.truth.n == 400 for one in found.runs)


def test_the_interval_is_between_replicates(tmp_path: Path) -> None:
    longest = iter([1000, 1200, 1100, 1300] * 10)

    def one_longer(settings: Settings, index: NDArray[np.int64]) -> NDArray[np.int64]:
        return plain(settings, index) + next(longest) * (index == 3)

    found = measured(FakeRealtime(one_longer), tmp_path, samples=100, replicates=4)
    score = found.runs[1].papers
    maxima = np.array([401 + one for one in (1000, 1200, 1100, 1300)]) / T_STANDARD
    assert score.replicates == pytest.approx(tuple(maxima))
    assert score.value == pytest.approx(maxima.mean())
    between = 3.18245 * maxima.std(ddof=1) / 2
    assert score.half_width == pytest.approx(math.hypot(between, score.unit_half_width), 1e-5)
    assert score.greatest == pytest.approx(maxima.max())
    assert "(one replicate)" not in told(tmp_path)


def test_causes_are_told_with_what_was_rejected(tmp_path: Path) -> None:
    found = measured(FakeRealtime(), tmp_path)
    load, nothing = found.runs[0].causes
    assert (load.name, load.n, load.maximum, load.rejected) == ("the load ran", 8, 901, 8)
    assert (nothing.name, nothing.n, nothing.maximum, nothing.rejected) == ("", 392, 201, 0)
    assert "the load ran 8 × up to 901 cycles, 8 rejected" in " ".join(told(tmp_path).split())


def test_the_load_is_counted_over_the_batches_and_its_share_told(tmp_path: Path) -> None:
    found = measured(FakeRealtime(), tmp_path)
    assert [(one.name, one.calls) for one in found.runs[0].load] == [("queues", 7 * 400)]
    assert found.problems == ()
    assert (found.runs[0].requested_load_percent, found.runs[0].measured_load_percent) == (50, 50)
    assert "the load had 50.0 % of the processor, 50.0 % by the truth" in " ".join(
        told(tmp_path).split()
    )


def noisy(slope: float, sigma: float) -> FakeRealtime:
    """A system whose times grow by so many cycles for each task ready at equal priority."""
    random = np.random.default_rng(5)

    def formula(settings: Settings, index: NDArray[np.int64]) -> NDArray[np.int64]:
        tasks = settings.extra_tasks if settings.placement is BackgroundState.READY_EQUAL else 0
        times = 1000 + slope * tasks + random.normal(0, sigma, index.size).clip(-50, 50)
        return times.round().astype(np.int64)

    return FakeRealtime(formula=formula, holds=1000, room=64)


@pytest.mark.parametrize(
    ("slope", "sigma", "expected"),
    [
        (0, 0, TrendVerdict.CONSTANT), (0, 5, TrendVerdict.CONSTANT),
        (0.2, 0, TrendVerdict.CONSTANT),
        (10, 0, TrendVerdict.GROWS), (10, 5, TrendVerdict.GROWS), (-5, 5, TrendVerdict.FALLS),
    ],
)  # fmt: skip
def test_the_verdict_on_curves_of_known_slope(
    tmp_path: Path, slope: float, sigma: float, expected: TrendVerdict
) -> None:
    target = noisy(slope, sigma)
    trials = curves(target, (Indicator.SHUFFLING,), LOAD, None)
    found = analyse(collect(target, RealtimePlan(tuple(trials), Bounds(samples=500)), tmp_path))
    by_placement = {one.placement: one for one in found.curves}
    assert by_placement[BackgroundState.READY_EQUAL].tasks == [0, 8, 16, 24, 32, 40, 48, 56, 64]
    trends = {placement: one.trend for placement, one in by_placement.items()}
    equal = trends[BackgroundState.READY_EQUAL]
    assert equal is not None
    assert equal.verdict is expected
    if sigma == 0:
        assert equal.slope.value * T_STANDARD == pytest.approx(slope)
    others = [trends[BackgroundState.READY_LOWER], trends[BackgroundState.DELAYED]]
    assert {one.verdict for one in others if one} == {TrendVerdict.CONSTANT}


def test_a_curve_of_two_points_decides_nothing(tmp_path: Path) -> None:
    target = FakeRealtime()
    trials = curves(target, (Indicator.SHUFFLING,), LOAD, 1)
    found = analyse(collect(target, RealtimePlan(tuple(trials), Bounds(samples=50)), tmp_path))
    assert {one.trend.verdict for one in found.curves if one.trend} == {TrendVerdict.UNDECIDED}


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
        def calibrate(self, unit: ScoreUnit, n: int = 100):  # type: ignore[no-untyped-def]
            slow = super().calibrate(unit, n)
            return type(slow)(**{**vars(slow), "empty": slow.samples})

    _, second = two(tmp_path, Quick())
    found = compare(storage.load(second), storage.load(second))
    assert "reading the clock takes longer than the operation" in found.warnings[0]
    assert np.isnan(found.rows[0].first.score.net)


def told(folder: Path) -> str:
    screen = Console(width=80, file=io.StringIO(), color_system=None)
    result_type.of(folder).analyse(folder).show(screen)
    assert isinstance(screen.file, io.StringIO)
    return screen.file.getvalue()


def test_the_terminal_says_everything_in_80_columns(tmp_path: Path) -> None:
    measured(FakeRealtime(words=("a virtual machine: maxima are demonstrations",)), tmp_path)
    text = told(tmp_path)
    assert max(map(len, text.splitlines())) <= 80
    flat = " ".join(text.split())
    assert "double: 1,000.5 ± 0.1 cycles" in flat
    assert "rejected 8 of 400 samples" in flat
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
    assert (Path(first) / "report.html").stat().st_size > 50_000
    capsys.readouterr()
    assert execute(["compare", first, second, "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    assert compared["rows"][1]["paper"] == [5.68273, 3.40269]
    assert execute(["compare", first, second, "--full"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "RGMP-ROS" not in out and "Intel Core i5-2540" in out
    assert execute(["compare", first, str(tmp_path / "nowhere")]) == 1


def test_results_of_different_kinds_are_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from fake_target import FakeTarget

    from cyclescope.campaign import campaign
    from cyclescope.campaign.techniques.direct import TECHNIQUE

    measured(FakeRealtime(), tmp_path / "realtime")
    plan = campaign.Plan(pattern="malloc")
    campaign.collect([FakeTarget()], TECHNIQUE, plan, tmp_path / "calls")
    both = [str(tmp_path / "realtime"), str(tmp_path / "calls")]
    assert told_code(["compare", *both], capsys, naming=both) == "results-of-two-kinds"


def test_what_is_missing_is_a_problem_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crowd = Trial(indicator=Indicator.SWITCHING, load_percent=LOAD, extra_tasks=64,
                  placement=BackgroundState.READY_EQUAL)  # fmt: skip
    starved = Trial(indicator=Indicator.PREEMPTION, load_percent=95)
    target = FakeRealtime(starves_above=90, under=CONDITIONS)
    collect(target, RealtimePlan((crowd, starved), Bounds(samples=10)), tmp_path)
    assert execute(["show", str(tmp_path)]) == 1
    flat = " ".join(capsys.readouterr().out.split())
    assert "64 extra tasks need 9000 bytes and the kernel has 8000" in flat
    assert "preemption, load 95 %: no samples; the load left no time" in flat
