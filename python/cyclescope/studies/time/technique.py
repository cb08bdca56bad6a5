"""Techniques that time fragments: how each varies executions, and what it estimates."""

from abc import ABC, abstractmethod

from cyclescope import plugins
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.fragment.cost_kind import CostKind
from cyclescope.firmware.fragment.plan import Estimated, Observations, Plan


class FragmentTechnique(ABC):
    """Finds the time of one execution from those of several. A plugin in `techniques/` offers one
    instance named `FRAGMENT_TECHNIQUE`.

    `equation` is where it comes from; `removes_overhead` whether its result is free of epsilon;
    its plan has `least_points` points however few are asked for. `needs_arguments`: it is for
    initialisations that load the arguments of a call. `kind` is what its times mean where a
    processor overlaps executions.
    """

    name: str
    sentence: str
    equation: str
    removes_overhead: bool
    needs_initialisation: bool = False
    needs_arguments: bool = False
    least_points: int = 1
    kind: CostKind = CostKind.THROUGHPUT

    @abstractmethod
    def plan(self, points: int, period: int = 1) -> Plan:
        """The measurements of one round, at most about `points` of them.

        Executions that are unrolled come in multiples of `period`. Where code is fetched in lines,
        one copy behind the other is not always equally long, but so many copies are.
        """

    @abstractmethod
    def estimate(self, observed: Observations) -> Estimated:
        """The estimates with their 95 % intervals; rejects by rule, forgets nothing."""


def fragment_techniques() -> dict[str, FragmentTechnique]:
    """The plugins in `techniques/` that time fragments, by name."""
    modules = (
        plugins.load("cyclescope.studies.time.techniques", name)
        for name in plugins.names("cyclescope.studies.time.techniques")
    )
    found = (getattr(module, "FRAGMENT_TECHNIQUE", None) for module in modules)
    return {one.name: one for one in found if isinstance(one, FragmentTechnique)}


def find_fragment_technique(name: str) -> FragmentTechnique:
    """The technique of that name; an unknown one is answered with those there are."""
    known = fragment_techniques()
    if name not in known:
        raise CyclescopeError(
            f"no technique {name} times fragments; there are: {', '.join(sorted(known))}",
            code="no-such-fragment-technique",
        )
    return known[name]
