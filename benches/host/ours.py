"""Our techniques on one chain: as many rounds as fit the budget, in a process that stays.

The plans are those of `cyclescope time --board host`, apart from its ten processes."""

from pathlib import Path

import numpy as np

from cyclescope.firmware.fragment.plan import Estimated, Observations, Plan, turned
from cyclescope.firmware.fragment.source import FragmentSource, case_name
from cyclescope.results import TimedPlan
from cyclescope.stats.summary import Values
from cyclescope.studies.time.experiment_design import STRIDE
from cyclescope.studies.time.iterations import with_turns
from cyclescope.studies.time.technique import find_fragment_technique
from cyclescope.target.target import Selection
from cyclescope.targets import open_target

OURS = ("straight_line", "robust_line", "differential", "n_fold", "direct")
POINTS = 20
PILOT_ROUNDS = 20
LEAST_ROUNDS = 4
SAMPLES_MAX = 8000
CHAINS = Path(__file__).parent / "chains.c"


def plan_of(name: str) -> Plan:
    """Measures as `cyclescope time --board host` does."""
    technique = find_fragment_technique(name)
    if technique.removes_overhead:
        return turned(technique.plan(POINTS, STRIDE))
    return technique.plan(POINTS)


class Ours:
    """The host target with all plans of one chain."""

    def __init__(self, length: int, budget_ms: float) -> None:
        self.length = length
        self._plans = {name: plan_of(name) for name in OURS}
        source = FragmentSource(CHAINS, tuple(self._plans.items()), call=f"chain_{length}")
        self._target = open_target(
            Selection("host", "bare", settings={"timer": "clock_gettime"}, fragment=source)
        )
        self._cases = {case.name: case for case in self._target.cases()}
        timed = [
            with_turns(self._target, TimedPlan(technique=name, case=case_name(name), points=plan))
            for name, plan in self._plans.items()
        ]
        self._turns = {str(one.technique): one.turns for one in timed}
        for one in timed:
            self._target.go_round(self._cases[one.case], one.turns)
        self._rounds = {name: self._fitting(name, budget_ms) for name in OURS}
        self._found: dict[str, list[tuple[Observations, Estimated]]] = {name: [] for name in OURS}

    def _fitting(self, name: str, budget_ms: float) -> int:
        """Rounds whose times sum up to the budget, as far as a series can hold them."""
        round_ns = float(np.median(self._times(name, PILOT_ROUNDS).sum(axis=1)))
        most = SAMPLES_MAX // len(self._plans[name])
        return max(LEAST_ROUNDS, min(most, int(1e6 * budget_ms / round_ns)))

    def _times(self, name: str, rounds: int) -> Values:
        """In ns, rounds × points."""
        points = len(self._plans[name])
        series = self._target.run_series(
            self._cases[case_name(name)], None, rounds * points, empty=False
        )
        counts = np.array([sample.stop - sample.start for sample in series.samples], np.float64)
        return (counts % 2**32).reshape(rounds, points) * self._count_ns

    @property
    def _count_ns(self) -> float:
        return 1e9 / self._target.conditions().timer_hz

    def estimate(self, name: str) -> dict[str, float]:
        """T_e in ns by one technique."""
        times = self._times(name, self._rounds[name])
        turns = self._turns[name]
        observed = Observations(self._plans[name], times / turns, self._count_ns / turns)
        found = find_fragment_technique(name).estimate(observed)
        self._found[name].append((observed, found))
        return {name: found.execution.value}

    def robust(self) -> list[tuple[Observations, Estimated]]:
        """Everything that the robust line was made of."""
        return self._found["robust_line"]

    def shares(self) -> dict[str, tuple[float, float]]:
        """By technique: ms that were timed in each estimate, and the share rejected."""
        return {
            name: (
                float(np.median([observed.times.sum() / 1e6 for observed, _ in found]))
                * self._turns[name],
                float(np.mean([one.rejected.mean() for _, one in found])),
            )
            for name, found in self._found.items()
        }

    def machine(self) -> dict[str, str]:
        return dict(self._target.conditions().machine or {})
