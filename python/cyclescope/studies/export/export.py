"""Export: the laws of a characterization as functions for other programs.

A function is a case, a call under a condition (Brandolese and Fornaciari, section 3: a dependency
on an enumerated parameter becomes a model for each value). A plugin in `languages/` writes them in
one language and offers itself as `EXPORTER`.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass

from cyclescope import plugins
from cyclescope.errors import CyclescopeError
from cyclescope.laws.model import Fitted
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization

PREFIX = "cycles_"
"""Of every identifier, so that none is a word of a language."""


@dataclass(frozen=True)
class Argument:
    """The meaning of x."""

    name: str
    unit: str


LOAD = Argument("length of the series (load)", "object")


@dataclass(frozen=True)
class ExportedLaw:
    """The law of a case, by an identifier that no other function of the export has.

    `argument` is None where the time depends on nothing.
    """

    identifier: str
    analysis: CaseAnalysis
    law: Fitted
    argument: Argument | None
    by_pair: bool = False

    @property
    def observed_maximum(self) -> float:
        """The longest call seen, in cycles. It bounds nothing."""
        return max(one.observed_maximum for one in self.analysis.measured)

    @property
    def empty_call(self) -> float:
        """Overhead of each real call, in cycles: a program's cost of making the call,
        and the reading of the timer. The mean, where runs differ. Nothing where a start/stop pair
        was taken: then the law has it."""
        if self.by_pair:
            return 0.0
        runs = [run.between_probes for one in self.analysis.measured for run in one.runs]
        return sum(runs) / len(runs)


@dataclass(frozen=True)
class Omitted:
    """A case that is no function, and why."""

    case: str
    reason: str


@dataclass(frozen=True)
class Export:
    """An export: its functions, and the cases left out."""

    found: Characterization
    functions: tuple[ExportedLaw, ...]
    omitted: tuple[Omitted, ...]


class Exporter(ABC):
    """One language."""

    @abstractmethod
    def render(self, export: Export) -> str:
        """The whole file."""


def find(name: str) -> Exporter:
    """The exporter of that name; an unknown one is answered with those there are."""
    exporter = plugins.load("cyclescope.studies.export.languages", name).EXPORTER
    assert isinstance(exporter, Exporter)
    return exporter


def select(found: Characterization) -> Export:
    """Laws that may be used, and a reason for each case without one."""
    functions: list[ExportedLaw] = []
    omitted = _not_run(found)
    taken: set[str] = set()
    for one in found.cases:
        law = one.law or one.load_law
        if one.problem or law is None:
            omitted.append(Omitted(one.case.name, one.problem or one.law_refused or "no law"))
            continue
        functions.append(
            ExportedLaw(_identifier(one.case.name, taken), one, law, _argument(one), found.by_pair)
        )
    if not functions:
        raise CyclescopeError(
            "there is no law to export: show has the problem of each case", code="no-law-to-export"
        )
    return Export(found, tuple(functions), tuple(omitted))


def _not_run(found: Characterization) -> list[Omitted]:
    measured = {one.case.name for one in found.cases}
    refused = {one.case: one for one in found.refused if one.case not in measured}
    failed = {one.case: one for one in found.failed if one.case not in measured}
    planned = dict.fromkeys(case for _, case, _ in found.missing)
    return (
        [
            Omitted(
                case, one.reason or f"it needs {one.needs_bytes} bytes, {one.has_bytes} are there"
            )
            for case, one in refused.items()
        ]
        + [Omitted(case, f"it failed: {one.reason}") for case, one in failed.items()]
        + [
            Omitted(case, "not measured yet: the campaign was stopped")
            for case in planned
            if case not in measured | refused.keys() | failed.keys()
        ]
    )


def _argument(one: CaseAnalysis) -> Argument | None:
    if one.law is None:
        return LOAD
    parameter = one.case.parameter
    return Argument(parameter.name, parameter.unit) if parameter else None


def _identifier(case: str, taken: set[str]) -> str:
    """Letters, digits and underscores; counted on where two cases would have the same."""
    plain = PREFIX + re.sub(r"[^0-9A-Za-z_]", "_", case)
    name, count = plain, 1
    while name in taken:
        count += 1
        name = f"{plain}_{count}"
    taken.add(name)
    return name
