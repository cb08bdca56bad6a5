"""Scores over seeds: how far they swing, and whether their intervals hold what others find."""

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from cyclescope.studies.realtime.analyse import analyse
from cyclescope.studies.realtime.campaign import REPLICATES, Bounds, RealtimePlan, collect
from cyclescope.studies.realtime.findings import TrialFigures
from cyclescope.studies.realtime.indicators import PAPERS, Indicator
from cyclescope.studies.realtime.results import Trial
from cyclescope.studies.realtime.targets.virtual import open_target
from cyclescope.target.target import Selection

INDICATORS = (*PAPERS, Indicator.HARDWARE)
MOST_RATIO = 1.5
OTHERS = 30

opened = cache(open_target)


LPC2148 = Selection(board="lpc2148", kernel="freertos")
AT91X40 = {
    "1 wait": Selection(board="at91x40", kernel="freertos", settings={"romwaits": 1}),
    "on the chip": Selection(board="at91x40", kernel="freertos", settings={"code": "internal"}),
}


def scored(
    trial: Trial,
    folder: Path,
    seed: int,
    replicates: int,
    samples: int,
    selection: Selection = LPC2148,
) -> TrialFigures:
    target = opened(selection)
    plan = RealtimePlan((trial,), Bounds(samples=samples), seed=seed, replicates=replicates)
    found = analyse(collect(target, plan, folder / str(seed)))
    assert found.problems == ()
    return found.runs[0]


def ratio(runs: list[TrialFigures]) -> float:
    scores = [one.papers.value for one in runs]
    return max(scores) / min(scores)


def test_preemption_swings_little_with_the_seed_and_outliers_have_a_cause(tmp_path: Path) -> None:
    trial = Trial(indicator=Indicator.PREEMPTION, load_percent=50)
    runs = [scored(trial, tmp_path, seed, 4, 200) for seed in (1, 2, 3)]
    assert ratio(runs) <= MOST_RATIO
    for run in runs:
        kept = [one for one in run.causes if one.rejected < one.n]
        assert kept[0].maximum == run.papers.maximum.value
        assert kept[0].name, "the longest time that stays has the kernel's path beside it"
        assert "the load ran" not in kept[0].name


def test_what_load_does_to_an_indicator_is_shown_by_the_truth(tmp_path: Path) -> None:
    idle, loaded = (
        scored(
            Trial(indicator=Indicator.SWITCHING, load_percent=load), tmp_path / str(load), 1, 2, 400
        )
        for load in (0, 50)
    )
    # The paper's filter removes what a load does, so that the score is the same.
    assert loaded.papers.value == pytest.approx(idle.papers.value, rel=0.1)
    ran = [one for one in loaded.causes if "the load ran" in one.name]
    assert ran and max(one.maximum for one in ran) == loaded.score.maximum.value
    assert sum(one.rejected for one in ran) == sum(one.n for one in ran)
    assert not [one for one in idle.causes if "the load ran" in one.name]
    assert loaded.score.value > 5 * idle.score.value


@pytest.mark.matrix
@pytest.mark.parametrize("name", AT91X40)
def test_two_fresh_seeds_agree_on_the_at91x40(tmp_path: Path, name: str) -> None:
    """Of ten pairs, one may disagree by chance: scores are maxima, whose intervals scatter."""
    apart = []
    for indicator, load_percent in product(INDICATORS, (0, 50)):
        trial = Trial(indicator=indicator, load_percent=load_percent)
        folder = tmp_path / f"{indicator} {load_percent}"
        one, other = (
            scored(trial, folder, seed, REPLICATES, 500, AT91X40[name]).papers
            for seed in (101, 202)
        )
        if abs(one.value - other.value) > one.half_width + other.half_width:
            apart.append(f"{indicator}, load {load_percent} %: {one.value} and {other.value}")
    assert len(apart) <= 1, apart


@pytest.mark.matrix
@pytest.mark.parametrize("load_percent", [0, 50])
@pytest.mark.parametrize("indicator", INDICATORS)
def test_ten_seeds(tmp_path: Path, indicator: Indicator, load_percent: int) -> None:
    trial = Trial(indicator=indicator, load_percent=load_percent)
    runs = [scored(trial, tmp_path, seed, REPLICATES, 500) for seed in range(1, 11)]
    # A software interrupt is open to the tick but for a moment: some replicates never meet it.
    named = all(next(one for one in run.causes if one.rejected < one.n).name for run in runs)
    assert ratio(runs) <= MOST_RATIO or named
    held = 0
    for number, run in enumerate(runs):
        others = [one.papers.replicates for one in (*runs[number + 1 :], *runs[:number])]
        mean = np.concatenate(others)[:OTHERS].mean()
        held += abs(run.papers.value - mean) <= run.papers.half_width
    # One in ten of them may miss; of ten, by chance, now and then two.
    assert held >= 8, f"{held} of 10 intervals hold the mean of {OTHERS} other seeds"
