"""Findings of an analysis of real-time results; reports show them, and nothing else.

Times are in core cycles. Scores have no unit: a time divided by the mean time of the unit (Huang et
al., section III.D).
"""

from dataclasses import dataclass

from cyclescope.results.confession import Confession
from cyclescope.stats.distribution import Distribution
from cyclescope.stats.maximum import Maximum
from cyclescope.stats.net import Net
from cyclescope.stats.ratio import Ratio
from cyclescope.stats.summary import Summary
from cyclescope.stats.trend import Trend
from cyclescope.studies.realtime.indicators import PAPERS, BackgroundState, Indicator, ScoreUnit
from cyclescope.studies.realtime.results import Beside, RefusedTrial, Trial, Worst
from cyclescope.studies.realtime.target import MaskedWindow
from cyclescope.target.conditions import Conditions


@dataclass(frozen=True)
class UnitFigures:
    """One unit: the times of the reference operation, of an empty frame, and between them."""

    unit: ScoreUnit
    arithmetic: str
    raw: Summary
    empty: Summary
    net: Net


@dataclass(frozen=True)
class Score:
    """The longest of some times, in units of T_standard.

    `replicates` are the paper's score of each replicate alone: raw maximum by raw mean of the
    `double` unit. `value` is their mean, `half_width` the 95 % interval between them and of the
    unit; infinite for one replicate. `unit_half_width` is the unit's part. `greatest` is the
    longest of all; `rerun_at_least` what as many samples more show at least, at 95 %. `net` is free
    of what reading the clock adds to both; `integer` is in the integer unit, raw: of the longest.
    Not a number where it is not known.
    """

    maximum: Maximum
    replicates: tuple[float, ...]
    value: float
    half_width: float
    greatest: float
    unit_half_width: float
    rerun_at_least: float
    net: float
    integer: float


@dataclass(frozen=True)
class Facility:
    """Calls of one kernel facility by the background threads in a whole run."""

    name: str
    calls: int
    holds: str


@dataclass(frozen=True)
class TruthCheck:
    """Error of the target's time of each sample: measured - true cycles."""

    n: int
    equal: int
    least: float
    greatest: float


@dataclass(frozen=True)
class Begun:
    """The samples that the paper's thread began, or an interrupt that came whatever ran."""

    by_line: bool
    times: Summary


@dataclass(frozen=True)
class Cause:
    """The samples in which the same came between their two moments, as the target's truth has it.

    An empty `name`: nothing did. `rejected` of them are in no score.
    """

    name: str
    n: int
    median: float
    maximum: float
    rejected: int


@dataclass(frozen=True)
class TrialFigures:
    """One run. The score is of all samples, the kept one without those that a rule rejects: by the
    paper for task switching, the test's own artefacts otherwise. The filtered one is without what
    the improved Pauta criterion rejects; for others than task switching it is ours.

    `rejected` counts by rule. `median_score` is of the samples that the paper's thread began, in
    T_standard.
    """

    trial: Trial
    times: Distribution
    requested_load_percent: int
    measured_load_percent: float
    true_load_percent: float | None
    score: Score
    kept: Score
    filtered: Score
    rejected: dict[str, int]
    median_score: float
    begun: tuple[Begun, ...]
    causes: tuple[Cause, ...]
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
        """The score of the samples that no rule rejects."""
        return self.kept

    @property
    def calls(self) -> int:
        """All calls that the background threads made."""
        return sum(one.calls for one in self.load)


@dataclass(frozen=True)
class Curve:
    """Scores of one indicator over the number of extra tasks that are placed in one way.

    `trend` is of the paper's score, `median_trend` of the median in the same unit; None if there is
    one number of tasks only.
    """

    indicator: Indicator
    load_percent: int
    placement: BackgroundState
    points: tuple[TrialFigures, ...]
    trend: Trend | None
    median_trend: Trend | None

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
    runs: tuple[TrialFigures, ...]
    curves: tuple[Curve, ...]
    unavailable: dict[Indicator, str]
    refused: tuple[RefusedTrial, ...]
    missing: tuple[Trial, ...]
    remarks: tuple[str, ...]
    cyclictest: tuple[Beside, ...]
    unverified: tuple[Confession, ...]
    unmodelled: tuple[Confession, ...]
    problems: tuple[str, ...]

    def unit(self, unit: ScoreUnit) -> UnitFigures | None:
        """One of the two units, if it was measured."""
        return next((one for one in self.units if one.unit is unit), None)

    @property
    def alone(self) -> list[TrialFigures]:
        """The runs without extra tasks: the rows of Table I."""
        return [one for one in self.runs if not one.trial.extra_tasks]


@dataclass(frozen=True)
class TrialComparison:
    """One trial in two results: a row of Table I.

    `length` samples are a block of each; `blocks` are the means of the blocks' maxima, and
    `maxima` the ratio of their scores, first by second. `median` is the ratio of the medians'
    scores, of what the paper's thread began. `paper` are the paper's own figures, of RTLinux and
    RGMP-ROS.
    """

    trial: Trial
    first: TrialFigures
    second: TrialFigures
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
    rows: tuple[TrialComparison, ...]
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
