"""What an analysis finds in real-time results; reports show it, and nothing else.

Times are in core cycles. Scores have no unit: a time divided by the mean time of the unit (Huang et
al., section III.D).
"""

from dataclasses import dataclass

from cyclescope.conditions import Conditions
from cyclescope.realtime import PAPERS, Indicator, MaskedWindow, Placement, Unit
from cyclescope.realtime_results import Beside, RefusedTrial, Trial, Worst
from cyclescope.stats.distribution import Distribution
from cyclescope.stats.maximum import Maximum
from cyclescope.stats.net import Net
from cyclescope.stats.ratio import Ratio
from cyclescope.stats.summary import Summary
from cyclescope.stats.trend import Trend
from cyclescope.study import Confession


@dataclass(frozen=True)
class UnitFigures:
    """One unit: the times of the reference operation, of an empty frame, and between them."""

    unit: Unit
    arithmetic: str
    raw: Summary
    empty: Summary
    net: Net


@dataclass(frozen=True)
class Score:
    """The longest of some times, in units of T_standard.

    `value` is the paper's: raw maximum by raw mean of the `double` unit. `unit_half_width` is what
    the interval of that mean alone makes of it; `rerun_at_least` what as many samples more show at
    least, at 95 %. `net` is free of what reading the clock adds to both; `integer` is in the
    integer unit, raw. Not a number where it cannot be told.
    """

    maximum: Maximum
    value: float
    unit_half_width: float
    rerun_at_least: float
    net: float
    integer: float


@dataclass(frozen=True)
class Facility:
    """What the background threads did with one facility of the kernel in a whole run."""

    name: str
    calls: int
    holds: str


@dataclass(frozen=True)
class TruthCheck:
    """What the target said against what really passed, for each sample: measured - true cycles."""

    n: int
    equal: int
    least: float
    greatest: float


@dataclass(frozen=True)
class Begun:
    """The samples that one kind of thread began: the paper's, or background threads while they held
    the scheduler or interrupts off."""

    held: bool
    times: Summary


@dataclass(frozen=True)
class RunFigures:
    """One run. The filtered score is the paper's for task switching; for all others it is ours.

    `median_score` is of the samples that the paper's thread began, in T_standard.
    """

    trial: Trial
    times: Distribution
    score: Score
    filtered: Score
    rejected: int
    passes: int
    median_score: float
    begun: tuple[Begun, ...]
    batches: int
    duration_s: float
    load: tuple[Facility, ...]
    masked: MaskedWindow | None
    ticks: int | None
    lost: int
    truth: TruthCheck | None
    worst: Worst | None
    note: str | None

    @property
    def n(self) -> int:
        """Samples, the rejected ones among them."""
        return self.times.summary.n

    @property
    def papers(self) -> Score:
        """The score by the paper's rule: filtered for task switching, of all samples otherwise."""
        return self.filtered if self.trial.indicator is Indicator.SWITCHING else self.score

    @property
    def calls(self) -> int:
        """All calls that the background threads made."""
        return sum(one.calls for one in self.load)

    @property
    def idle(self) -> bool:
        """Whether a load was asked for and never ran."""
        return self.trial.load_percent > 0 and self.calls == 0

    @property
    def outranked(self) -> bool:
        """Whether threads that are always ready outrank the load, so that it cannot run."""
        return (
            self.trial.indicator is Indicator.SWITCHING
            or self.trial.placement is Placement.READY_EQUAL
        )


@dataclass(frozen=True)
class Curve:
    """Scores of one indicator over the number of extra tasks that are placed in one way.

    `trend` is of the paper's score, `median_trend` of the median in the same unit; None if there is
    one number of tasks only. Both are of the `fitted` points: where the load could not run among
    many tasks, those at which it did not.
    """

    indicator: Indicator
    load_percent: int
    placement: Placement
    points: tuple[RunFigures, ...]
    trend: Trend | None
    median_trend: Trend | None

    @property
    def fitted(self) -> list[RunFigures]:
        """The points at which the load ran, or did not, as it did among the most tasks."""
        return [one for one in self.points if one.idle == self.points[-1].idle]

    @property
    def tasks(self) -> list[int]:
        """The numbers of tasks of all points."""
        return [one.trial.extra_tasks for one in self.points]


@dataclass(frozen=True)
class RealtimeFigures:
    """Everything that a folder of real-time results says."""

    tool: str
    conditions: Conditions
    capacity: int
    units: tuple[UnitFigures, ...]
    runs: tuple[RunFigures, ...]
    curves: tuple[Curve, ...]
    unavailable: dict[Indicator, str]
    refused: tuple[RefusedTrial, ...]
    missing: tuple[Trial, ...]
    remarks: tuple[str, ...]
    cyclictest: tuple[Beside, ...]
    unverified: tuple[Confession, ...]
    unmodelled: tuple[Confession, ...]
    problems: tuple[str, ...]

    def unit(self, unit: Unit) -> UnitFigures | None:
        """One of the two units, if it was measured."""
        return next((one for one in self.units if one.unit is unit), None)

    @property
    def alone(self) -> list[RunFigures]:
        """The runs without extra tasks: the rows of Table I."""
        return [one for one in self.runs if not one.trial.extra_tasks]


@dataclass(frozen=True)
class Row:
    """One trial in two results: a row of Table I.

    `length` samples are a block of each; `blocks` are the means of the blocks' maxima, and
    `maxima` the ratio of their scores, first by second. `median` is the ratio of the medians'
    scores, of what the paper's thread began. `paper` are the paper's own figures, of RTLinux and
    RGMP-ROS.
    """

    trial: Trial
    first: RunFigures
    second: RunFigures
    length: int
    blocks: tuple[Summary, Summary]
    maxima: Ratio
    median: Ratio
    paper: tuple[float, float] | None


@dataclass(frozen=True)
class RealtimeComparison:
    """Two results beside each other. `warnings` say what keeps figures from being compared."""

    first: RealtimeFigures
    second: RealtimeFigures
    rows: tuple[Row, ...]
    curves: tuple[tuple[Curve, Curve], ...]
    differing: tuple[str, ...]
    warnings: tuple[str, ...]
    absent: tuple[str, ...]


TABLE_1 = {
    Indicator.SWITCHING: (3.21774, 1.73517),
    Indicator.PREEMPTION: (5.68273, 3.40269),
    Indicator.INTERRUPT: (6.33027, 2.97413),
    Indicator.SHUFFLING: (8.20751, 6.49854),
}
"""The paper's Table I: RTLinux and RGMP-ROS on an Intel Core i5-2540."""

assert set(TABLE_1) == set(PAPERS)
