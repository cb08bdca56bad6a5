"""Findings of a campaign over configurations; reports show them, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass

from cyclescope.quantity import Estimate
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.compare.findings import CasePair, Change, Comparison, PlatformRatios
from cyclescope.studies.explain.explanation import Spent


@dataclass(frozen=True)
class ConfigurationFound:
    """One configuration: what was found in its folder, or the problem it met.

    `comparison` is with the base, in cycles; `ratios` are K in cycles and, where the clocks differ,
    in microseconds as well. `spent` is where the cycles of the cases that every configuration
    explains go, at their greatest x.
    """

    name: str
    settings: Mapping[str, str]
    problem: str | None
    found: Characterization | None
    comparison: Comparison | None
    ratios: tuple[PlatformRatios, ...]
    spent: Spent | None

    @property
    def problems(self) -> list[str]:
        """A sentence for the configuration, or for each case whose figures must not be used."""
        if self.problem:
            return [f"{self.name}: {self.problem}"]
        return [f"{self.name}: {one}" for one in self.found.problems] if self.found else []


@dataclass(frozen=True)
class AddedCost:
    """Cycles that a configuration adds to a call, and whether that is more than chance."""

    cycles: Estimate
    change: Change


@dataclass(frozen=True)
class CostRow:
    """A call at some x: at one, or at all if no cost depends on it.

    `base` has the base's net time at each; a cost is None where that was not measured.
    """

    case: str
    parameters: tuple[int | None, ...]
    base: tuple[Estimate, ...]
    costs: tuple[AddedCost | None, ...]

    @property
    def changes(self) -> bool:
        """Whether any configuration changes it."""
        return any(one and one.change is not Change.NONE for one in self.costs)


@dataclass(frozen=True)
class ConfigurationsFound:
    """All configurations of a campaign. The first is the base."""

    tool: str
    configurations: tuple[ConfigurationFound, ...]
    explained: int

    @property
    def base(self) -> ConfigurationFound:
        return self.configurations[0]

    @property
    def others(self) -> tuple[ConfigurationFound, ...]:
        """Those that could be compared with the base."""
        return tuple(one for one in self.configurations[1:] if one.comparison)

    @property
    def problems(self) -> list[str]:
        return [sentence for one in self.configurations for sentence in one.problems]

    def pairs(self, case: str) -> list[CasePair | None]:
        """A case in each of the others, beside the base."""
        return [_of(one.comparison, case) for one in self.others]


def _of(comparison: Comparison | None, case: str) -> CasePair | None:
    pairs = comparison.pairs if comparison else ()
    return next((pair for pair in pairs if pair.case.name == case), None)
