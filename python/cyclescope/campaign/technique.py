"""Technique: a way to get times from a target's abilities, with a statement of its own cost."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import pyarrow as pa

from cyclescope import plugins
from cyclescope.errors import CyclescopeError
from cyclescope.results import Columns, Refused, Run, tabulate_runs
from cyclescope.stats.summary import Summary
from cyclescope.target.case import Case
from cyclescope.target.conditions import Layout
from cyclescope.target.findings import Findings
from cyclescope.target.series import Series
from cyclescope.target.target import Capability, Target


@dataclass(frozen=True)
class Taken:
    """The series of one case at one x in one layout, as the target sent them."""

    layout: Layout
    parameter: int | None
    series: tuple[Series, ...]
    cycles_per_count: float
    findings: Findings
    refused: Refused | None = None


class Technique(ABC):
    """A plugin in `techniques/` offers one instance named `TECHNIQUE`.

    `by_pair`: its overhead is a pair of timer readings without a call between, not an empty call.
    """

    name: str
    sentence: str
    by_pair: bool = False
    requires: frozenset[Capability]

    def measure(
        self, target: Target, case: Case, parameter: int | None, lengths: Sequence[int]
    ) -> Run:
        """Times one case at one parameter value, from reset; rejects by rule, discards nothing.

        Series that do not fit are named in the run; it may be left with none.
        """
        return self.runs(case, [self.take(target, case, parameter, lengths)])[0]

    @abstractmethod
    def take(
        self,
        target: Target,
        case: Case,
        parameter: int | None,
        lengths: Sequence[int],
        steady: bool = False,
    ) -> Taken:
        """Has the target make the series, from reset. `steady`: in another layout all calls were
        the same, so that a few may do."""

    def runs(self, case: Case, taken: Sequence[Taken]) -> list[Run]:
        """The runs of one case, whose samples are in one table: many small ones take longer."""
        rows = [(one.layout.number, one.parameter, one.series) for one in taken]
        samples = self.rejected(tabulate_runs(case, rows))
        columns, made, first = Columns.of(samples), [], 0
        for one in taken:
            count = sum(len(series.samples) for series in one.series)
            run = Run(
                layout=one.layout,
                case=case,
                parameter=one.parameter,
                samples=samples.slice(first, count),
                cycles_per_count=one.cycles_per_count,
                findings=one.findings,
                refused=one.refused,
            )
            made.append(run.with_columns(columns.part(first, count)))
            first += count
        return made

    @abstractmethod
    def rejected(self, samples: pa.Table) -> pa.Table:
        """The samples, those marked that a rule rejects."""

    @abstractmethod
    def empty(self, target: Target, case: Case, parameter: int | None, length: int) -> Series:
        """A series of what the technique takes from each real call."""

    @abstractmethod
    def overhead(self, run: Run) -> Summary | None:
        """The cycles the technique adds to each sample, from the run's own samples only.

        None if no sample is left to decide.
        """


@cache
def find(name: str) -> Technique:
    """The technique of that name; an unknown one is answered with those there are."""
    technique = plugins.load("cyclescope.campaign.techniques", name).TECHNIQUE
    assert isinstance(technique, Technique)
    return technique


def require(technique: Technique, target: Target) -> None:
    """Refuses a target that lacks what the technique needs."""
    missing = technique.requires - target.capabilities
    if missing:
        raise CyclescopeError(
            f"the technique {technique.name} needs a target with: {', '.join(sorted(missing))}",
            code="target-lacks-what-technique-needs",
        )
