"""A target that executes fragments by formula: noise, outliers and drift are drawn from a seed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from fake_target import CONDITIONS

from cyclescope.firmware.fragment.facts import FragmentFacts
from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import FragmentSource, case_name
from cyclescope.studies.time.experiment_design import (
    ExperimentDesign,
    MeasuringPlace,
    TimeOptions,
    design_experiment,
)
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Findings
from cyclescope.target.series import RawSample, RawSamples, Series
from cyclescope.target.target import Capability, DoesNotFit, FragmentTruth, Target

EXECUTION, INITIALISATION, OVERHEAD, TURN = 100, 30, 9, 4
FACTS = FragmentFacts(
    file="sum.c", sha256="cd" * 32, call="sum", function="sum", executed="sum", options=("-O2",)
)
UNDER = CONDITIONS.model_copy(
    update={"kernel": "bare", "kernel_configuration": {}, "isa": "arm", "fragment": FACTS}
)
NOISY = UNDER.model_copy(
    update={"target": "host", "board": "host", "core_hz": 10**9, "timer_hz": 10**9, "code": "host"}
)

Cost = Callable[[int, int], int]
"""Cycles of an execution by its number in its measurement, and by that of the measurement."""


def constant(copy: int, measurement: int) -> int:
    """The same for all."""
    return EXECUTION


def staircase(copy: int, measurement: int) -> int:
    """Each fourth call waits for a line."""
    return EXECUTION + (3 if copy % 4 == 0 else 0)


@dataclass
class FakeFragment(Target):
    """N T_e + M T_i + epsilon, and `disturb` on top of it."""

    plans: tuple[tuple[str, Plan], ...]
    cost: Cost = constant
    disturb: Callable[[np.random.Generator, int], float] = lambda random, measurement: 0.0
    under: Conditions = UNDER
    exact: bool = True
    most_samples: int = 10**6
    before_series: Callable[[str], None] = lambda case: None
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))
    clock: int = 0xFFFF_F000
    taken: int = 0

    @property
    def capabilities(self) -> frozenset[Capability]:  # type: ignore[override]
        both = {Capability.CYCLE_COUNTER, Capability.EXACT_TRUTH}
        return frozenset(both if self.exact else {Capability.CYCLE_COUNTER})

    @property
    def fragment_witness(self) -> "FakeFragment | None":
        return self if self.exact else None

    def conditions(self) -> Conditions:
        return self.under

    def cases(self) -> Sequence[Case]:
        return [
            Case(name=case_name(name), call="sum()", condition=f"{len(plan)} points")
            for name, plan in self.plans
        ]

    def reset(self) -> None:
        self.taken = 0

    def run_series(self, case: Case, parameter: int | None, length: int, empty: bool) -> Series:
        return self.witness_fragment(case, length)[0]

    def witness_fragment(self, case: Case, length: int) -> tuple[Series, tuple[FragmentTruth, ...]]:
        self.before_series(case.name)
        if length > self.most_samples:
            raise DoesNotFit(case.name, 8 * length, 8 * self.most_samples, "nowhere")
        plan = next(plan for name, plan in self.plans if case_name(name) == case.name)
        made = [self._measure(plan[index % len(plan)]) for index in range(length)]
        samples = RawSamples.of(sample for sample, _ in made)
        return Series(length, "call", samples), tuple(truth for _, truth in made)

    def _measure(self, point: Point) -> tuple[RawSample, FragmentTruth]:
        executions = tuple(self.cost(copy, self.taken) for copy in range(point.executions))
        initialisations = (INITIALISATION,) * point.initialisations
        turns = TURN * point.executions if point.looped else 0
        total = sum(executions) + sum(initialisations) + OVERHEAD + turns
        total += round(self.disturb(self.random, self.taken))
        counts = round(total / self.under.cycles_per_count)
        self.taken += 1
        start, self.clock = self.clock, (self.clock + counts) % 2**32
        truth = FragmentTruth(total, executions, initialisations)
        return RawSample(start, self.clock, False), truth

    def findings(self) -> Findings:
        return Findings()


def designed(
    folder: Path,
    place: MeasuringPlace,
    text: str = "int sum(void) { return 3; }",
    **options: object,
) -> ExperimentDesign:
    """Returns the experiment design for a file with this text."""
    file = folder / "sum.c"
    file.write_text(text)
    return design_experiment(FragmentSource(file, ()), place, TimeOptions(**options))  # type: ignore[arg-type]
