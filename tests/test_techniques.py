"""The techniques for fragments on times whose truth is known: plans, results, rejects."""

import numpy as np
import pytest
from refusals import refused

from cyclescope.campaign.technique import find
from cyclescope.firmware.fragment.plan import Estimated, Observations, Plan
from cyclescope.studies.time.technique import (
    FragmentTechnique,
    find_fragment_technique,
    fragment_techniques,
)

TECHNIQUES = fragment_techniques()
FREE = sorted(name for name, one in TECHNIQUES.items() if one.removes_overhead)
T_E, T_I, EPSILON, LOOP, LINK = 100.0, 35.0, 8.5, 3.0, 2.0


def times_of(plan: Plan, rounds: int = 30) -> Observations:
    """Times without noise: equation 6, and some cycles for each iteration of a loop."""
    row = [
        p.executions * (T_E + LOOP * p.looped) + p.initialisations * T_I + p.links * LINK + EPSILON
        for p in plan
    ]
    return Observations(plan, np.tile(np.array(row), (rounds, 1)))


def exact(technique: FragmentTechnique, points: int = 20) -> Estimated:
    return technique.estimate(times_of(technique.plan(points)))


def test_the_folder_offers_the_papers_techniques() -> None:
    assert sorted(TECHNIQUES) == [
        "arguments_apart", "balanced_initialisation", "dependent_line", "differential", "direct",
        "n_fold", "null_fragment", "robust_line", "straight_line", "with_initialisation",
    ]  # fmt: skip
    for name, one in TECHNIQUES.items():
        assert one.name == name
        assert one.equation.startswith("Moreno and Fischmeister")


def test_an_unknown_technique_is_answered_with_those_there_are() -> None:
    with refused("no-such-fragment-technique", naming=["magic", "differential"]):
        find_fragment_technique("magic")
    with refused("no-such-plugin"):
        find("n_fold")


@pytest.mark.parametrize("name", FREE)
def test_without_noise_the_result_is_the_time(name: str) -> None:
    found = exact(TECHNIQUES[name])
    assert found.execution.value == pytest.approx(T_E, abs=1e-9)
    assert found.execution.half_width == pytest.approx(0, abs=1e-9)
    assert found.sigma == pytest.approx(0, abs=1e-9)
    assert found.overhead is not None
    assert found.overhead.value == pytest.approx(EPSILON, abs=1e-9)
    if TECHNIQUES[name].needs_initialisation:
        assert found.initialisation is not None
        assert found.initialisation.value == pytest.approx(T_I, abs=1e-9)


def test_the_others_are_off_by_what_they_say() -> None:
    assert exact(TECHNIQUES["direct"]).execution.value == pytest.approx(T_E + EPSILON)
    n_fold = exact(TECHNIQUES["n_fold"], points=10).execution
    assert n_fold.value == pytest.approx(T_E + LOOP + EPSILON / 10)
    # A null fragment whose readings cost a cycle more than those around the fragment.
    plan = TECHNIQUES["null_fragment"].plan(2)
    off = TECHNIQUES["null_fragment"].estimate(
        Observations(plan, np.tile([EPSILON + 1, T_E + EPSILON], (5, 1)))
    )
    assert off.execution.value == pytest.approx(T_E - 1)


@pytest.mark.parametrize("name", sorted(TECHNIQUES))
@pytest.mark.parametrize("period", [1, 4])
def test_unrolled_copies_come_in_periods(name: str, period: int) -> None:
    plan = TECHNIQUES[name].plan(12, period)
    assert len(plan) <= 12
    assert all(p.initialisations >= p.executions for p in plan if p.initialisations)
    if TECHNIQUES[name].removes_overhead:
        assert all(p.executions % period == 0 and p.initialisations % period == 0 for p in plan)
        assert len({(p.executions, p.links) for p in plan}) == len(plan)


@pytest.mark.parametrize("name", FREE)
def test_a_steady_drift_of_the_clock_moves_nothing(name: str) -> None:
    """Of 0.1 from each measurement to the next. Two points cannot but take it for their own. An
    even number of points has no middle for the one that determines T_i."""
    observed = times_of(TECHNIQUES[name].plan(20))
    drift = 0.1 * np.arange(observed.times.size).reshape(observed.times.shape)
    found = TECHNIQUES[name].estimate(Observations(observed.plan, observed.times + drift))
    tolerance = {"differential": 0.1001, "with_initialisation": 0.05}.get(name, 0.005)
    assert found.execution.value == pytest.approx(T_E, abs=tolerance)


def test_paper_design_and_balanced_design_of_initialisation() -> None:
    """The paper's T_i rests on one equation: more points do not help, and it is far less sure."""
    sigma = {}
    for name in ("with_initialisation", "balanced_initialisation"):
        for points in (20, 80):
            observed = times_of(TECHNIQUES[name].plan(points), rounds=400)
            noise = np.random.default_rng(3).standard_normal(observed.times.shape)
            found = TECHNIQUES[name].estimate(Observations(observed.plan, observed.times + noise))
            assert found.initialisation is not None
            sigma[name, points] = found.initialisation.half_width / 1.96 * 20
    # σ of one time is 1: never below it but by rounds, whatever the number of points.
    assert sigma["with_initialisation", 20] > 0.9
    assert sigma["with_initialisation", 80] > 0.9
    assert sigma["balanced_initialisation", 20] < 0.06
    assert sigma["balanced_initialisation", 80] < 0.01


@pytest.mark.parametrize(
    "name", ["robust_line", "with_initialisation", "balanced_initialisation", "differential"]
)
def test_interrupts_move_nothing_and_stay_on_file(name: str) -> None:
    observed = times_of(TECHNIQUES[name].plan(20))
    random = np.random.default_rng(9)
    hit = random.random(observed.times.shape) < 0.02
    times = observed.times + random.normal(0, 0.01, hit.shape) + 5000 * hit
    found = TECHNIQUES[name].estimate(Observations(observed.plan, times))
    assert found.execution.value == pytest.approx(T_E, abs=0.02)
    assert found.rejected[hit].all()
    assert found.rule
    if name != "differential":
        assert found.n == times.size - found.rejected.sum()
        assert found.rejected.sum() <= hit.sum() + 5


def test_differential_sets_median_and_mean_beside() -> None:
    plan = TECHNIQUES["differential"].plan(2)
    times = np.array([[8.5, 108.5]] * 9 + [[8.5, 1108.5]])
    found = TECHNIQUES["differential"].estimate(Observations(plan, times))
    beside = dict(found.beside)
    assert found.execution.value == 100
    assert beside["median"].value == 100
    assert beside["mean"].value == pytest.approx(200)
    assert found.rejected.nonzero()[0].tolist() == [9, 9]


def test_a_coarse_clock_is_not_believed_beyond_its_count() -> None:
    """25.3 counts of 4 each: every round counts the same, and the mean is no finer for it."""
    for name in sorted(TECHNIQUES):
        plan = TECHNIQUES[name].plan(20)
        truth = times_of(plan).times + 1.3 * np.array([p.executions for p in plan])
        found = TECHNIQUES[name].estimate(Observations(plan, 4 * np.floor(truth / 4), 4.0))
        assert found.execution.half_width > 0
        if TECHNIQUES[name].removes_overhead:
            assert found.execution.low <= T_E + 1.3 <= found.execution.high, name


def overlapped(latency: float, throughput: float, rounds: int = 20) -> Observations:
    """Calls of a processor that overlaps those which need not wait."""
    plan = TECHNIQUES["dependent_line"].plan(20)

    def call(links: float) -> float:
        return max(latency + LINK * links, throughput) if links else throughput

    row = [p.executions * call(p.links / p.executions) + EPSILON for p in plan]
    return Observations(plan, np.tile(np.array(row), (rounds, 1)))


@pytest.mark.parametrize(
    ("latency", "throughput", "told"), [(28.0, 10.4, 28.0), (1.0, 12.0, 12.0), (4.0, 4.0, 4.0)]
)
def test_a_latency_is_free_of_its_links_and_no_less_than_the_throughput(
    latency: float, throughput: float, told: float
) -> None:
    found = TECHNIQUES["dependent_line"].estimate(overlapped(latency, throughput))
    assert found.execution.value == pytest.approx(told, abs=1e-6)
    assert dict(found.beside)["without waiting"].value == pytest.approx(throughput, abs=1e-6)
    assert found.fitted is not None
