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
    chance. `resolution` is what rounding to whole counts of slow timers can hide in a difference.
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
class CasePair:
    """A case that both have. `ratio` is of the mean times over the x that both have.

    `problem` says why it cannot be compared.
    """

    first: CaseAnalysis
    second: CaseAnalysis
    points: tuple[PointPair, ...]
    ratio: Ratio
    forms: tuple[str, str]
    remarks: tuple[str, ...]
    problem: str | None

    @property
    def case(self) -> Case:
        return self.first.case

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
class Comparison:
    """Two characterizations beside each other. `tests` is how many p-values were adjusted."""

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

    @property
    def clocks_differ(self) -> bool:
        return self.first.conditions.core_hz != self.second.conditions.core_hz

    @property
    def bases(self) -> list[IntervalSource]:
        """The bases of the figures, each once."""
        there = {point.basis for pair in self.pairs for point in pair.points}
        return [basis for basis in IntervalSource if basis in there]
