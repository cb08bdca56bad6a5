"""Fragment study: what is known of a timed fragment; reports show it, and nothing else.

Times are in core cycles; of a host in ns, as the clock that drives its core is not seen.
"""

from dataclasses import dataclass

import numpy as np

from cyclescope.firmware.fragment.cost_kind import CostKind
from cyclescope.firmware.fragment.plan import Estimated, Observations
from cyclescope.results import TimedFragment
from cyclescope.stats.summary import Values
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Unmodelled, Unverified


@dataclass(frozen=True)
class TimeScale:
    """Unit of times, and how many of it make a second."""

    name: str
    per_second: float


def unit_of(conditions: Conditions) -> TimeScale:
    """The unit of times under these conditions."""
    if conditions.target == "host":
        return TimeScale("ns", 1e9)
    return TimeScale("cycles", float(conditions.core_hz))


@dataclass(frozen=True)
class ExecutionTruth:
    """Exact times of executions on a virtual board.

    `execution` is what one more of them takes: the mean over all unrolled copies that have others
    before and behind them. `least` and `most` are of every execution there was.
    """

    execution: float
    least: int
    most: int
    initialisation: float | None

    @property
    def is_constant(self) -> bool:
        """Whether every execution took the same."""
        return self.least == self.most


@dataclass(frozen=True)
class TechniqueFigures:
    """A technique's estimate from its own measurements.

    `overhead` is the exact epsilon of each point, where a virtual board knows it; `bias` is T_e
    less the truth. `signs` are sentences about its failing. `kind` says what its time means where
    executions overlap, None where they cannot; times are of one of `turns`.
    """

    name: str
    sentence: str
    equation: str
    removes_overhead: bool
    kind: CostKind | None
    turns: int
    observed: Observations
    estimated: Estimated
    overhead: tuple[float, ...] | None
    bias: float | None
    signs: tuple[str, ...]

    @property
    def fitted(self) -> Values:
        """The time of each point by the estimates."""
        return predicted(self.observed, self.estimated)


def predicted(observed: Observations, estimated: Estimated) -> Values:
    """N T_e + M T_i + epsilon of each point (equation 6), or what the technique says itself."""
    if estimated.fitted is not None:
        return estimated.fitted
    times = observed.executions * estimated.execution.value
    if estimated.initialisation:
        times = times + observed.initialisations * estimated.initialisation.value
    return np.asarray(times + (estimated.overhead.value if estimated.overhead else 0.0))


@dataclass(frozen=True)
class Steps:
    """T(1), T(2), T(3), … of unrolled executions. `period` is how many there are from step to step:
    1 on a straight line, None where nothing repeats itself. `expected` is the period by the lines
    of the memory."""

    times: tuple[float, ...]
    period: int | None
    expected: int

    @property
    def is_staircase(self) -> bool:
        return self.period != 1


@dataclass(frozen=True)
class FragmentStudy:
    """A results folder of `cyclescope time`, analysed."""

    tool: str
    conditions: Conditions
    fragment: TimedFragment
    techniques: tuple[TechniqueFigures, ...]
    steps: Steps | None
    truth: ExecutionTruth | None
    missing: tuple[str, ...]
    unverified: tuple[Unverified, ...]
    unmodelled: tuple[Unmodelled, ...]

    @property
    def answer(self) -> TechniqueFigures | None:
        """The technique that was chosen; None if it was not measured."""
        return next((one for one in self.techniques if one.name == self.fragment.chosen), None)
