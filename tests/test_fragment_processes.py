"""Intervals between processes: simulated ones that differ, and one more that must lie inside."""

import numpy as np

from cyclescope.firmware.fragment.plan import Observations, turned
from cyclescope.studies.time.diagnostics import signs
from cyclescope.studies.time.processes import CLOCK, estimate
from cyclescope.studies.time.technique import find_fragment_technique

LINE = find_fragment_technique("robust_line")
PLAN = turned(LINE.plan(10))
PROCESSES, ROUNDS, T_E = 10, 20, 10.0


def observed(
    random: np.random.Generator, spread: float, processes: int = PROCESSES
) -> Observations:
    """Each process is slower or faster than the others by a share, all its rounds alike."""
    speed = np.repeat(random.normal(1, spread, processes), ROUNDS)[:, None]
    counts = np.array([point.executions for point in PLAN], dtype=np.float64)
    times = (T_E * counts + 5) * speed + random.normal(0, 0.01, (processes * ROUNDS, len(PLAN)))
    return Observations(PLAN, times, processes=processes)


def test_another_process_lies_in_the_interval() -> None:
    random = np.random.default_rng(7)
    held = []
    for _ in range(200):
        found = estimate(LINE, observed(random, 0.05)).execution
        other = estimate(LINE, observed(random, 0.05, 1)).execution.value
        held.append(found.low <= other <= found.high)
    assert np.mean(held) >= 0.93
    pooled = LINE.estimate(observed(random, 0.05)).execution
    assert pooled.half_width < 0.5 * found.half_width, "rounds of one process are no replicates"


def test_processes_that_agree_leave_what_the_clock_may_do_unseen() -> None:
    found = estimate(LINE, observed(np.random.default_rng(1), 0.0))
    assert 1 <= found.execution.half_width / (CLOCK * T_E) < 1.2
    assert found.rejected.shape == (PROCESSES * ROUNDS, len(PLAN))
    assert found.n + found.rejected.sum() == found.rejected.size


def test_a_slow_process_is_no_outlier() -> None:
    """Its rounds are all as slow: taken together with the others' they would be rejected."""
    one = observed(np.random.default_rng(3), 0.0)
    one.times[:ROUNDS] *= 1.1
    found = estimate(LINE, one)
    assert found.execution.value > 1.009 * T_E
    assert [round(value / T_E, 2) for value in found.by_process] == [1.1] + [1.0] * 9
    one.times[:ROUNDS] *= 1.1
    (sign,) = (text for text in signs(one, estimate(LINE, one), "ns") if "processes" in text)
    assert sign.startswith("the processes differ: 10 to 12.1 ns, median 10. ")
