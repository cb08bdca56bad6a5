"""Errors of techniques: where they were measured, and what was found there."""

from dataclasses import dataclass

from cyclescope.firmware.board_firmware import ErrorMemory
from cyclescope.firmware.fragment.plan import Plan
from cyclescope.stats.summary import Summary

BY_ONE = "line_by_one"
"""The straight line of 1, 2, 3, … executions, wherever they lie in their lines."""

TECHNIQUES = (
    "direct",
    "n_fold",
    "null_fragment",
    "differential",
    BY_ONE,
    "straight_line",
    "robust_line",
    "with_initialisation",
    "balanced_initialisation",
)

EXACT_CYCLES = 100
REPETITIONS = 20


@dataclass(frozen=True)
class ErrorPlace:
    """One line of the table; `isa` and `timer` are values of the board's settings."""

    fragment: str
    isa: str
    memory: ErrorMemory
    timer: str

    @property
    def name(self) -> str:
        """For people and folders."""
        memory = self.memory.name.replace(", ", "-").replace(" ", "")
        return f"{self.fragment}-{self.isa}-{memory}-{self.timer}"


@dataclass(frozen=True)
class Errors:
    """The truth of one place, and the error of each technique there, in cycles.

    `overhead` is the epsilon of a direct measurement, or of the shortest there is.
    """

    place: ErrorPlace
    truth: float
    least: int
    most: int
    period: int | None
    biases: dict[str, float]
    overhead: float


@dataclass(frozen=True)
class Entry:
    """A line of table 1: a technique, its plan, and how many rounds make one measurement.

    `paper` is the paper's time and deviation in µs, which are cycles of its core.
    """

    name: str
    technique: str
    plan: Plan
    rounds: int = 1
    paper: tuple[float, float] | None = None


@dataclass(frozen=True)
class ErrorEntry:
    """An entry measured: the estimates of all repetitions with all seeds, the epsilon that the
    board saw, and the estimates of the repetitions with each seed."""

    entry: Entry
    times: Summary
    overhead: float
    timer_hz: int
    by_seed: tuple[Summary, ...]

    @property
    def sigmas(self) -> tuple[float, float, float]:
        """The deviation of one measurement: the mean over the seeds, the least, the greatest."""
        found = [one.sigma for one in self.by_seed]
        return sum(found) / len(found), min(found), max(found)

    @property
    def theory(self) -> float:
        """Expected error of the estimate: epsilon / N, 0 where the technique is free of it."""
        if len(self.entry.plan) > 1:
            return 0.0
        return self.overhead / self.entry.plan[0].executions
