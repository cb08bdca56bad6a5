"""Study: what an analysis finds in results; reports show it, and nothing else."""

from dataclasses import dataclass
from enum import StrEnum

from cyclescope.laws.clustering import Cluster
from cyclescope.laws.model import Fitted
from cyclescope.results import Failed, Key, Refused
from cyclescope.results.confession import Confession
from cyclescope.results.thresholds import Terms
from cyclescope.stats.hidden import CandidateFactor
from cyclescope.stats.net import Basis
from cyclescope.stats.position import Position
from cyclescope.studies.characterize.run_figures import Measured, RunFigures
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions, Layout

DEFAULT_TERMS = Terms()


class Behaviour(StrEnum):
    """How a time depends on what surrounds the call (Brandolese and Fornaciari, section 3)."""

    CONSTANT = "constant"
    STATE_DEPENDENT = "state dependent"
    ENUMERATED = "enumerated"
    NUMERICAL = "numerical"


@dataclass(frozen=True)
class Spread:
    """The series that varies most against what it may: its σ, the limit, and where it is.

    Figures of a case are significant only if that of all its series is within the limit.
    """

    sigma: float
    limit: float
    mean: float
    parameter: int | None
    length: int
    layout_number: int

    @property
    def low(self) -> bool:
        return self.sigma <= self.limit


@dataclass(frozen=True)
class PositionAt:
    """In one layout at one x: how the place of a call in its series decides its net time
    exactly."""

    parameter: int | None
    layout_number: int
    position: Position


@dataclass(frozen=True)
class CaseLaws:
    """The law of a case, and what hides behind its times.

    `law` is over the parameter, or the constant of a case without one; `law_refused` says why there
    is none. `load_law` is over the length of the series, where that is the load. `clusters` have a
    law each; with more than one there is a hidden parameter. `candidate_factors` are the
    circumstances that explain it, the strongest first, at `hidden_at`; `hidden` says so as text.
    `apart` samples are in no cluster. `positions` are there where times differ and the place in the
    series predicts every sample; `position` says so in a sentence. `labels` has the number of the
    cluster of each sample, from 1, or 0 if it is unclustered. They are in the order of the plain
    link's runs, of which laws and clusters are.
    """

    behaviour: Behaviour
    law: Fitted | None
    law_refused: str | None
    load_law: Fitted | None
    spread: Spread | None = None
    clusters: tuple[Cluster, ...] = ()
    apart: int = 0
    candidate_factors: tuple[CandidateFactor, ...] = ()
    hidden: str | None = None
    hidden_at: int | None = None
    positions: tuple[PositionAt, ...] = ()
    position: str | None = None
    labels: bytes = b""


@dataclass(frozen=True, kw_only=True)
class CaseAnalysis(CaseLaws):
    """Analysis of one case: its figures and its law. `problem` says why they must not be used.

    `repeats_in` is the function of the instruction that is executed most often at the greatest x,
    if a look inside shows it.
    """

    case: Case
    measured: tuple[Measured, ...]
    notes: tuple[str, ...]
    problem: str | None
    repeats_in: str = ""

    @property
    def distinct_layouts(self) -> int:
        """Layouts that differ in where the functions lie that the call executes."""
        return max((one.between.n for one in self.measured if one.between), default=1)

    @property
    def truth_difference(self) -> float | None:
        """The greatest difference, either way, between probes and truth."""
        known = [run.truth_difference for run in self.runs if run.truth_difference is not None]
        return max(known, key=abs, default=None)

    @property
    def set_up(self) -> tuple[float, float] | None:
        """The least and the most that its net times hold beyond the call itself, if known."""
        known = [run.set_up for run in self.runs if run.set_up is not None]
        return (min(known), max(known)) if known else None

    @property
    def significant(self) -> bool:
        """Whether all series show a low deviation."""
        return self.spread is None or self.spread.low

    @property
    def n(self) -> int:
        """Samples behind the figures."""
        return sum(one.n for one in self.measured)

    @property
    def runs(self) -> list[RunFigures]:
        """All runs of the case."""
        return [run for one in self.measured for run in one.runs]


@dataclass(frozen=True)
class FunctionAnalysis:
    """A function under several conditions: the cases by model, those that one describes together.

    Cases stand together if their laws cannot be distinguished where both were measured.
    """

    function: str
    behaviour: Behaviour
    models: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Characterization:
    """Every case of a results folder, with conditions, provenance and what is missing."""

    tool: str
    technique: str
    technique_sentence: str
    by_pair: bool
    conditions: Conditions
    layouts: tuple[Layout, ...]
    layout_seed: int | None
    cases: tuple[CaseAnalysis, ...]
    refused: tuple[Refused, ...]
    failed: tuple[Failed, ...]
    missing: tuple[Key, ...]
    unverified: tuple[Confession, ...]
    unmodelled: tuple[Confession, ...]
    terms: Terms = DEFAULT_TERMS
    functions: tuple[FunctionAnalysis, ...] = ()

    @property
    def basis(self) -> Basis:
        """The basis of the net times' intervals."""
        if len(self.layouts) > 1:
            return Basis.NEW_LINK
        return Basis.IMAGE if self.conditions.exact else Basis.SAMPLES

    @property
    def truth_differences(self) -> list[float]:
        """How far off the truth each run of which it is known would be by the probes alone."""
        known = (run.truth_difference for one in self.cases for run in one.runs)
        return [abs(one) for one in known if one is not None]

    @property
    def problems(self) -> list[str]:
        """One sentence for each case whose figures must not be used, or that failed."""
        unusable = [f"{one.case.name}: {one.problem}" for one in self.cases if one.problem]
        return [*unusable, *dict.fromkeys(one.sentence for one in self.failed)]
