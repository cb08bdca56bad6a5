"""Study: what an analysis finds in results; reports show it, and nothing else."""

from dataclasses import dataclass

from cyclescope.case import Case
from cyclescope.conditions import Conditions
from cyclescope.model import Fitted
from cyclescope.results import Refused
from cyclescope.stats.load import SeriesMeans
from cyclescope.stats.net import Net
from cyclescope.stats.summary import Summary


@dataclass(frozen=True)
class Measured:
    """One run: its raw and empty calls in core cycles, and the net time between them."""

    parameter: int | None
    call: Summary
    empty: Summary
    net: Net
    rejected: dict[str, int]
    series: SeriesMeans | None

    @property
    def observed_maximum(self) -> float:
        """The longest call seen, net of the mean overhead. It bounds nothing."""
        return self.call.maximum - self.empty.mean


@dataclass(frozen=True)
class CaseAnalysis:
    """What is known of one case. `problem` says why its figures must not be used."""

    case: Case
    measured: tuple[Measured, ...]
    law: Fitted | None
    load_law: Fitted | None
    notes: tuple[str, ...]
    problem: str | None

    @property
    def n(self) -> int:
        """Samples behind the figures."""
        return sum(one.call.n for one in self.measured)


@dataclass(frozen=True)
class Confession:
    """Something a target admits, and the cases it concerns."""

    name: str
    sentence: str
    cases: tuple[str, ...]


@dataclass(frozen=True)
class Characterization:
    """Every case of a results folder, with conditions, provenance and what is missing."""

    tool: str
    technique: str
    technique_sentence: str
    conditions: Conditions
    cases: tuple[CaseAnalysis, ...]
    refused: tuple[Refused, ...]
    missing: tuple[tuple[str, int | None], ...]
    unverified: tuple[Confession, ...]
    unmodelled: tuple[Confession, ...]

    @property
    def problems(self) -> list[str]:
        """One sentence for each case whose figures must not be used."""
        return [f"{one.case.name}: {one.problem}" for one in self.cases if one.problem]
