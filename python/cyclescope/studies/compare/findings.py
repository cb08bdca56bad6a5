"""Findings of a comparison of two characterizations; reports show them, and nothing else.

Ratios are the second by the first: above 1, the second is slower.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from cyclescope.quantity import Estimate
from cyclescope.stats.fieller import Mean
from cyclescope.stats.ratio import Ratio
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.characterize.run_figures import Measured
from cyclescope.target.case import Case

ALPHA = 0.05
"""How likely a single false difference is in a whole comparison."""


NO_LAW = "no law"
"""The form of a case that has none."""


class TimeUnit(StrEnum):
    """Unit of times where two clocks differ."""

    CYCLES = "cycles"
    MICROSECONDS = "us"

    @property
    def symbol(self) -> str:
        return "µs" if self is TimeUnit.MICROSECONDS else "cycles"


class IntervalSource(StrEnum):
    """Basis of an interval or a verdict."""

    LAYOUTS = "layouts"
    ONE_LAYOUT = "one layout"
    SAMPLES = "samples"


class Change(StrEnum):
    """Change of a time from the first to the second."""

    SLOWER = "slower"
    FASTER = "faster"
    NONE = "no difference"
    MIXED = "slower and faster"
    UNKNOWN = "not comparable"


@dataclass(frozen=True)
class ConditionDifference:
    """A field in which the conditions differ, and what it is in either."""

    name: str
    first: str
    second: str


@dataclass(frozen=True)
class PointPair:
    """A case at one x in both, its times in the comparison's unit.

    `p_value` is of the hypothesis that the times are equal, `adjusted` the same among all tests of
    the comparison. They are no numbers on one layout of an exact board, where nothing is left to
    chance. `resolution` is a difference that rounding to whole counts of slow timers can make, or
    on one layout the code beside the call.
    """

    parameter: int | None
    first: Measured
    second: Measured
    means: tuple[Mean, Mean]
    basis: IntervalSource
    ratio: Ratio
    difference: Estimate
    resolution: float
    p_value: float
    adjusted: float
    change: Change


@dataclass(frozen=True)
class Pairing:
    """Statements of a table on two cases that do the same under two kernels.

    `nearly` says what differs; None: nothing. `over` says what x is in both; `is_load` if it counts
    objects of the system. `at` has the x at which a case stands for the pair, in A and in B.
    """

    function_class: str
    does: str
    nearly: str | None
    over: str | None
    is_load: bool
    at: tuple[int | None, int | None]


@dataclass(frozen=True)
class CasePair:
    """A case that both have. `ratio` is of the mean times over the x that both have.

    `problem` says why it cannot be compared. `pairing` is there where a table matched two cases.
    """

    first: CaseAnalysis
    second: CaseAnalysis
    points: tuple[PointPair, ...]
    ratio: Ratio
    forms: tuple[str, str]
    remarks: tuple[str, ...]
    problem: str | None
    pairing: Pairing | None = None

    @property
    def case(self) -> Case:
        return self.first.case

    @property
    def name(self) -> str:
        """The case's name, or both names of a pair."""
        if self.pairing is None:
            return self.case.name
        return f"{self.case.name} ~ {self.second.case.name}"

    @property
    def function_class(self) -> str:
        """Of a pair that of the table."""
        return self.pairing.function_class if self.pairing else self.case.function_class

    @property
    def change(self) -> Change:
        """Combines the changes of the points."""
        changes = {point.change for point in self.points} - {Change.NONE, Change.UNKNOWN}
        if self.problem or all(point.change is Change.UNKNOWN for point in self.points):
            return Change.UNKNOWN
        if len(changes) > 1:
            return Change.MIXED
        return next(iter(changes), Change.NONE)

    @property
    def changes_form(self) -> bool:
        return self.forms[0] != self.forms[1]


@dataclass(frozen=True)
class Unmatched:
    """A case that only one of the two has, and why the other has not."""

    name: str
    reason: str


@dataclass(frozen=True)
class ClassFacts:
    """Facts of the cases of one class of functions; all but the mean are cases' names.

    `load_dependent` have a law over the load, `state_dependent` vary with another state or with
    nothing that was recorded; each in the first and in the second.
    """

    name: str
    cases: tuple[str, ...]
    slower: tuple[str, ...]
    faster: tuple[str, ...]
    mixed: tuple[str, ...]
    unchanged: tuple[str, ...]
    unknown: tuple[str, ...]
    form_changes: tuple[str, ...]
    load_dependent: tuple[tuple[str, ...], tuple[str, ...]]
    state_dependent: tuple[tuple[str, ...], tuple[str, ...]]
    geometric_mean: float
    ratios: int


@dataclass(frozen=True)
class PlatformRatio:
    """K of one quantity over functions, second by first (Brandolese and Fornaciari, Table 5).

    Cases of one function are no independent evidence: each of the `n` functions has the mean of its
    `cases`' ratios. `k` is the mean over functions, `half_width` that of its 95 % interval, `sigma`
    the functions' sample deviation. `without_one` are the least and greatest K that leaving out one
    function gives. One function more has its ratio within `another` of K in 95 % of cases, if they
    are normal; `held_percent` of those measured do, each predicted by the others. `left_out` has a
    sentence for each case that has no ratio.
    """

    of: str
    n: int
    cases: int
    k: float
    half_width: float
    another: float
    held_percent: float
    without_one: tuple[float, float]
    k_max: float
    k_min: float
    sigma: float
    max_case: str
    min_case: str
    left_out: tuple[str, ...]

    @property
    def sigma_percent(self) -> float:
        """σ in percent of K; not a number for fewer than two cases."""
        return 100 * self.sigma / self.k if self.n else math.nan


@dataclass(frozen=True)
class PlatformRatios:
    """K of the mean times and of each coefficient of the laws."""

    unit: TimeUnit
    means: PlatformRatio
    m: PlatformRatio
    q: PlatformRatio

    @property
    def lines(self) -> tuple[PlatformRatio, ...]:
        return (self.means, self.m, self.q)


@dataclass(frozen=True)
class SystemClass:
    """Calls of one class in two operating systems; each pair counts once.

    `means` are over the pairs in `timed`, of each the mean over its x. `adjusted` is the p-value of
    equal means among all classes; not a number where nothing is left to chance. `wins` are the
    pairs that are faster in A and in B, at every x; `forms` how many laws there are of each form.
    `exchanged` of `orders` pairs of calls have the other order by time in B.
    """

    name: str
    pairs: tuple[str, ...]
    timed: tuple[str, ...]
    means: tuple[Mean, Mean]
    ratio: Ratio
    geometric_mean: float
    p_value: float
    adjusted: float
    wins: tuple[tuple[str, ...], tuple[str, ...]]
    forms: tuple[dict[str, int], dict[str, int]]
    form_changes: tuple[str, ...]
    exchanged: int
    orders: int


@dataclass(frozen=True)
class Dependence:
    """How the times of a pair grow from the first to the last x of both.

    `over` says what x is; `is_load` if it counts objects of the system. `growth` is for one unit of
    x, in A and in B; not a number where it was not varied.
    """

    name: str
    function_class: str
    over: str
    is_load: bool
    ends: tuple[int, int] | None
    growth: tuple[float, float]
    forms: tuple[str, str]


@dataclass(frozen=True)
class RankMove:
    """A pair whose place among all differs most: 1 is the slowest call of its system."""

    name: str
    places: tuple[int, int]


@dataclass(frozen=True)
class Systems:
    """Two operating systems, by class of functions (Brandolese and Fornaciari, section 4.3).

    `kendall_tau` compares the orders of all timed pairs by their times: 1 if they are the same.
    """

    classes: tuple[SystemClass, ...]
    whole: SystemClass
    dependences: tuple[Dependence, ...]
    moves: tuple[RankMove, ...]
    kendall_tau: float


@dataclass(frozen=True)
class Comparison:
    """Two characterizations beside each other. `tests` is how many p-values were adjusted.

    `systems` is there where a table matched the cases of two kernels.
    """

    first: Characterization
    second: Characterization
    unit: TimeUnit
    differences: tuple[ConditionDifference, ...]
    pairs: tuple[CasePair, ...]
    only_first: tuple[Unmatched, ...]
    only_second: tuple[Unmatched, ...]
    classes: tuple[ClassFacts, ...]
    platform: PlatformRatios
    tests: int
    warnings: tuple[str, ...]
    systems: Systems | None = None

    @property
    def clocks_differ(self) -> bool:
        return self.first.conditions.core_hz != self.second.conditions.core_hz

    @property
    def bases(self) -> list[IntervalSource]:
        """The bases of the figures, each once."""
        there = {point.basis for pair in self.pairs for point in pair.points}
        return [basis for basis in IntervalSource if basis in there]
