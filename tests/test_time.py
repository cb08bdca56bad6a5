"""The study of small times: what it chooses, measures, keeps, warns of and shows."""

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fake_fragment import (
    EXECUTION,
    INITIALISATION,
    NOISY,
    OVERHEAD,
    TURN,
    UNDER,
    FakeFragment,
    designed,
    staircase,
)
from refusals import refused
from rich.console import Console

from cyclescope.errors import Interrupted
from cyclescope.results import result_type, storage
from cyclescope.studies.time.analyse import analyse
from cyclescope.studies.time.experiment_design import ExperimentDesign, MeasuringPlace
from cyclescope.studies.time.findings import FragmentStudy, TechniqueFigures
from cyclescope.studies.time.measure import measure
from cyclescope.studies.time.report import figures
from cyclescope.studies.time.report.wording import HEADINGS
from cyclescope.studies.time.targets import recorded
from cyclescope.target.case import Case
from cyclescope.target.code_fetches import CodeFetches
from cyclescope.target.series import Series
from cyclescope.target.target import FragmentTruth
from cyclescope.targets.replay import RecordedLayout

QUIET = MeasuringPlace(noisy=False)
INITIALISED = '#include "fragment.h"\nINITIALISE { x = 1; }\nEXECUTE { x = x + 1; }\n'


def study(
    folder: Path, design: ExperimentDesign, **options: object
) -> tuple[FragmentStudy, dict[str, TechniqueFigures]]:
    target = FakeFragment(design.plans, **options)  # type: ignore[arg-type]
    found = analyse(measure(target, design, folder / "results"))
    return found, {one.name: one for one in found.techniques}


def interrupted_now_and_then(random: np.random.Generator, measurement: int) -> float:
    return random.normal(0, 2) + (5_000 if random.random() < 0.01 else 0)


def test_every_technique_is_as_wrong_as_theory_says(tmp_path: Path) -> None:
    found, by_name = study(tmp_path, designed(tmp_path, QUIET, techniques=("all",), points=10))
    biases = {name: one.bias for name, one in by_name.items()}
    assert biases == {
        "direct": OVERHEAD,
        "n_fold": pytest.approx(TURN + OVERHEAD / 10),
        "null_fragment": pytest.approx(0),
        "differential": pytest.approx(0),
        "straight_line": pytest.approx(0),
        "robust_line": pytest.approx(0),
    }
    assert found.truth is not None
    assert (found.truth.execution, found.truth.is_constant) == (EXECUTION, True)
    assert by_name["straight_line"].overhead == (OVERHEAD,) * 10


def test_initialisations_are_told_apart(tmp_path: Path) -> None:
    design = designed(tmp_path, QUIET, INITIALISED, techniques=("all",))
    found, by_name = study(tmp_path, design)
    assert set(by_name) == {"with_initialisation", "balanced_initialisation"}
    assert found.fragment.chosen == "balanced_initialisation"
    assert "INITIALISE" in found.fragment.reason
    for one in by_name.values():
        assert one.estimated.execution.value == pytest.approx(EXECUTION)
        assert one.estimated.initialisation is not None
        assert one.estimated.initialisation.value == pytest.approx(INITIALISATION)
    assert found.truth is not None
    assert found.truth.initialisation == INITIALISATION


def test_a_line_of_four_calls_makes_the_period_four(tmp_path: Path) -> None:
    lined = MeasuringPlace(noisy=False, fetches=CodeFetches(line_bytes=16, call_bytes=4))
    design = designed(tmp_path, lined)
    assert design.fragment.period == 4
    assert "multiples of 4 calls" in design.fragment.reason
    found, by_name = study(tmp_path, design, cost=staircase)
    assert found.steps is not None
    assert found.steps.period == 4
    assert by_name["straight_line"].bias == pytest.approx(0)
    assert by_name["straight_line"].signs == ()


def test_an_interval_that_misses_what_the_board_saw_is_told(tmp_path: Path) -> None:
    design = designed(tmp_path, QUIET, period=1, techniques=("robust_line",))
    _, by_name = study(
        tmp_path, design, cost=lambda _, measurement: 101 if 30 <= measurement < 40 else 100
    )
    found = by_name["robust_line"]
    assert found.bias is not None
    assert abs(found.bias) > found.estimated.execution.half_width
    assert "outside the ±" in shown(tmp_path / "results")


def test_without_the_period_the_staircase_is_seen_and_told(tmp_path: Path) -> None:
    design = designed(tmp_path, QUIET, period=1)
    _, by_name = study(tmp_path, design, cost=lambda copy, _: 10 + (40 if copy % 4 == 0 else 0))
    assert by_name["straight_line"].bias != pytest.approx(0)
    assert "no straight line" in by_name["straight_line"].signs[0]
    assert "measure again with --period 4" in shown(tmp_path / "results")


def test_a_noisy_place_gets_the_robust_line(tmp_path: Path) -> None:
    design = designed(tmp_path, MeasuringPlace(noisy=True), rounds=100)
    found, by_name = study(
        tmp_path, design, disturb=interrupted_now_and_then, under=NOISY, exact=False
    )
    one = by_name["robust_line"]
    assert found.answer is one
    assert one.estimated.execution.low <= EXECUTION <= one.estimated.execution.high
    assert 0 < one.estimated.rejected.sum() < 60
    assert (found.truth, one.bias, found.steps) == (None, None, None)
    assert " ns (" in shown(tmp_path / "results")


def test_rejected_times_do_not_stretch_the_pictures(tmp_path: Path) -> None:
    design = designed(tmp_path, MeasuringPlace(noisy=True), rounds=100)
    _, by_name = study(tmp_path, design, disturb=interrupted_now_and_then, under=NOISY, exact=False)
    one = by_name["robust_line"]
    rejected = int(one.estimated.rejected.sum())
    pictures = figures.of_technique(one, "ns")
    assert set(pictures) == {"times", "residuals", "order", "histogram"}
    for kind in ("times", "residuals", "order"):
        *kept, cut = pictures[kind]["data"]
        assert cut["edge"] and not any(trace.get("edge") for trace in kept)
        assert f": {rejected}, the furthest at " in cut["name"]
    assert sum(sum(bars["y"]) for bars in pictures["histogram"]["data"]) == (
        one.observed.times.size - rejected
    )


def test_a_coarse_clock_is_averaged_over_more_rounds(tmp_path: Path) -> None:
    design = designed(tmp_path, MeasuringPlace(noisy=False, coarse=True))
    assert (design.fragment.chosen, design.rounds) == ("straight_line", 50)
    assert "rounding is all the noise" in design.fragment.reason


def test_a_drift_is_told(tmp_path: Path) -> None:
    design = designed(tmp_path, MeasuringPlace(noisy=True), points=5, rounds=60)
    _, by_name = study(
        tmp_path,
        design,
        disturb=lambda random, measurement: random.normal(0, 1) + measurement / 10,
        under=NOISY,
        exact=False,
    )
    assert any("the times drift" in sign for sign in by_name["robust_line"].signs)


def test_a_coarse_clock_is_told(tmp_path: Path) -> None:
    coarse = UNDER.model_copy(update={"timer_hz": 15_000_000})
    _, by_name = study(tmp_path, designed(tmp_path, QUIET), under=coarse)
    one = by_name["straight_line"]
    assert any("the clock counts 4 cycles at a time" in sign for sign in one.signs)
    assert one.estimated.execution.low <= EXECUTION <= one.estimated.execution.high


def test_samples_stay_on_file_with_the_rule_that_rejected_them(tmp_path: Path) -> None:
    design = designed(tmp_path, MeasuringPlace(noisy=True), points=10, rounds=50)
    study(tmp_path, design, disturb=interrupted_now_and_then, under=NOISY, exact=False)
    run = storage.load(tmp_path / "results").runs[0]
    rejected = run.rejected()
    assert run.samples.num_rows == 10 * 51
    assert rejected.pop("warm-up") == 10
    assert sum(rejected.values()) > 0


def test_rounds_that_do_not_fit_come_in_several_series(tmp_path: Path) -> None:
    design = designed(tmp_path, QUIET, points=10, rounds=12)
    target = FakeFragment(design.plans, most_samples=80)
    results = measure(target, design, tmp_path / "results")
    run = results.runs[0]
    assert sorted(set(run.samples["length"].to_pylist())) == [70]
    assert run.rejected() == {"warm-up": 20}
    assert analyse(results).techniques[0].estimated.n == 120


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_replayed_recording_gives_the_same_bytes(tmp_path: Path) -> None:
    design = designed(tmp_path, QUIET, points=10, rounds=12, techniques=("all",))
    target = FakeFragment(design.plans, most_samples=80)
    measure(target, design, tmp_path / "recorded")
    replayed = RecordedLayout(tmp_path / "recorded")()
    measure(replayed, recorded(tmp_path / "recorded"), tmp_path / "replayed")
    assert content(tmp_path / "recorded") == content(tmp_path / "replayed")


def test_an_interrupt_keeps_what_was_measured(tmp_path: Path) -> None:
    def interrupt(case: str) -> None:
        if case == "fragment.steps":
            raise KeyboardInterrupt

    design = designed(tmp_path, QUIET)
    target = FakeFragment(design.plans, before_series=interrupt)
    with refused("interrupted", Interrupted, naming=["1 of 2"]):
        measure(target, design, tmp_path / "results")
    found = analyse(storage.load(tmp_path / "results"))
    assert found.missing == ("fragment.steps",)
    assert "not measured yet: fragment.steps" in shown(tmp_path / "results")


@pytest.mark.parametrize(
    ("text", "technique", "code", "named"),
    [
        ("", "with_initialisation", "technique-needs-initialise", "straight_line"),
        (INITIALISED, "direct", "technique-omits-initialise", "direct"),
        ("", "magic", "no-such-fragment-technique", "straight_line"),
    ],
)
def test_techniques_that_do_not_suit_are_refused(
    tmp_path: Path, text: str, technique: str, code: str, named: str
) -> None:
    with refused(code, naming=[named]):
        designed(tmp_path, QUIET, text, techniques=(technique,))


def test_a_truth_without_all_copies_is_refused(tmp_path: Path) -> None:
    class Blind(FakeFragment):
        def witness_fragment(
            self, case: Case, length: int
        ) -> tuple[Series, tuple[FragmentTruth, ...]]:
            series, truths = super().witness_fragment(case, length)
            return series, tuple(replace(one, executions=one.executions[1:]) for one in truths)

    design = designed(tmp_path, QUIET)
    with refused("executions-unlike-plan"):
        measure(Blind(design.plans), design, tmp_path / "results")


def test_more_copies_than_any_board_holds_are_not_compiled(tmp_path: Path) -> None:
    with refused("too-many-copies"):
        designed(tmp_path, QUIET, points=1_000)


def shown(folder: Path) -> str:
    out = io.StringIO()
    result_type.of(folder).analyse(folder).show(Console(file=out, width=80))
    assert max(map(len, out.getvalue().splitlines())) <= 80
    return " ".join(out.getvalue().split())


def test_reports_come_from_the_folder_alone(tmp_path: Path) -> None:
    study(tmp_path, designed(tmp_path, QUIET, techniques=("all",)))
    folder = tmp_path / "results"
    text = shown(folder)
    assert "sum takes 100 ± 0 cycles (1.6667 µs)" in text
    assert "By straight_line: this clock has no noise" in text
    assert "lpc2148 (virtual)" in text
    analysis = result_type.of(folder).analyse(folder)
    document = json.loads(json.dumps(analysis.document(), allow_nan=False))
    assert document["execution"]["value"] == pytest.approx(100)
    assert len(document["techniques"]) == 6
    page = analysis.page()
    assert page == result_type.of(folder).analyse(folder).page()
    assert "WCET" not in text


def test_every_column_is_explained() -> None:
    columns = (Path(__file__).parent.parent / "docs" / "reference" / "columns.md").read_text()
    explained = columns.partition("## `time`")[2].partition("\n## ")[0]
    for heading in HEADINGS:
        assert f"\n| {heading} |" in explained


@pytest.mark.parametrize(
    ("technique", "least"),
    [("straight_line", 3), ("robust_line", 3), ("direct", 1), ("differential", 1)],
)
def test_fewer_points_than_a_technique_needs_are_refused(
    tmp_path: Path, technique: str, least: int
) -> None:
    requested = {"techniques": (technique,)}
    assert designed(tmp_path, QUIET, points=least, **requested).plans[0][0] == technique
    if least > 1:
        with refused("too-few-points"):
            designed(tmp_path, QUIET, points=least - 1, **requested)
