"""The rows of table 1: which points each measures, and what it makes of their times."""

from dataclasses import dataclass

import numpy as np

from cyclescope.firmware.fragment.plan import Observations, Plan, Point
from cyclescope.stats.summary import Values
from cyclescope.studies.time.technique import find_fragment_technique

CYCLES = 100
"""One execution of the routine, exactly."""


@dataclass(frozen=True)
class Row:
    """A row: its points are measured `rounds` times for one estimate, which is made `estimates`
    times in each experiment. The paper's mean and deviation are in µs."""

    name: str
    technique: str
    points: Plan
    rounds: int
    paper: tuple[float, float]
    estimates: int = 1

    @property
    def measurements(self) -> int:
        """Pulses of an experiment."""
        return len(self.points) * self.rounds * self.estimates

    @property
    def keeps_overhead(self) -> float:
        """The share of ε that is in the estimate."""
        return 1 / self.points[0].executions if self.technique == "direct" else 0.0

    @property
    def least_sigma(self) -> float | None:
        """The Gauss–Markov limit of the rounds together, by the deviation of one time."""
        if self.technique == "direct":
            return None
        n = np.array([point.executions for point in self.points], np.float64)
        return float(1 / np.sqrt(self.rounds * ((n - n.mean()) ** 2).sum()))

    def estimated(self, times: Values) -> Values:
        """One estimate of each `rounds` rounds: times is experiments × measurements.

        Equations 4 and 5 for all estimates at once. A difference is a line of two points: the mean
        of two executions less one, as in section 3.1. `checked` has the laboratory's own.
        """
        rounds = times.reshape(-1, self.rounds, len(self.points))
        n = np.array([point.executions for point in self.points], np.float64)
        if self.technique == "direct":
            return np.asarray(rounds.mean(axis=(1, 2)) / n[0])
        weights = (n - n.mean()) / ((n - n.mean()) ** 2).sum()
        return np.asarray((rounds @ weights).mean(axis=1))

    def checked(self, times: Values) -> float:
        """The first estimate as `cyclescope time` makes it, of the same times."""
        first = times.reshape(-1, self.rounds, len(self.points))[0]
        estimated = find_fragment_technique(self.technique).estimate(
            Observations(self.points, first)
        )
        beside = dict(estimated.beside)
        return beside["mean"].value if "mean" in beside else estimated.execution.value


def _line(points: int, paper: tuple[float, float], estimates: int) -> Row:
    plan = find_fragment_technique("straight_line").plan(points)
    return Row(f"Line fitting 1×–{points}×", "straight_line", plan, 1, paper, estimates)


def _differential(rounds: int, paper: tuple[float, float]) -> Row:
    return Row(f"Differential {rounds}×", "differential", (Point(1), Point(2)), rounds, paper)


def _executing(times: int, paper: tuple[float, float]) -> Row:
    name = "Direct (1×)" if times == 1 else f"Executing {times}×"
    return Row(name, "direct", (Point(times),), 1, paper)


ROWS = (
    _line(10, (99.986, 0.125), estimates=40),
    _line(20, (100.001, 0.044), estimates=8),
    _differential(55, (99.834, 0.237)),
    _differential(210, (100.009, 0.121)),
    _differential(1000, (100.003, 0.05)),
    _executing(1, (108.521, 1.119)),
    _executing(10, (100.808, 0.135)),
    _executing(20, (100.412, 0.068)),
    _executing(55, (100.154, 0.024)),
    _executing(100, (100.087, 0.012)),
    _executing(210, (100.004, 0.004)),
)
