"""Findings of a fragment's samples; they need nothing but their folder."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.quantity import ROUNDING
from cyclescope.results import Results, Run, TimedFragment, TimedPlan
from cyclescope.studies.time import timed_runs
from cyclescope.studies.time.diagnostics import signs
from cyclescope.studies.time.fetch_line_periodicity import measured_period
from cyclescope.studies.time.findings import (
    ExecutionTruth,
    FragmentStudy,
    Steps,
    TechniqueFigures,
    unit_of,
)
from cyclescope.studies.time.processes import estimate
from cyclescope.studies.time.technique import find_fragment_technique
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Unmodelled, Unverified

Thing = TypeVar("Thing", Unverified, Unmodelled)
HOST = "host"


def analyse(results: Results) -> FragmentStudy:
    """Estimates, diagnostics and truth of everything in a folder of `cyclescope time`."""
    manifest = results.manifest
    fragment = manifest.fragment
    if fragment is None:
        raise CyclescopeError(
            f"{results.folder} holds the calls of a kernel, not a fragment",
            code="results-hold-no-fragment",
        )
    runs = {run.case.name: run for run in results.runs}
    measured = [(plan, runs[plan.case]) for plan in fragment.plans if plan.case in runs]
    for plan, run in measured:
        if not plan.points or timed_runs.measured_rows(run).sum() % len(plan.points):
            raise CyclescopeError(
                f"{results.folder}: its manifest is damaged: the samples of {plan.case} are not "
                f"rounds of its {len(plan.points)} points; measure again",
                code="samples-unlike-plan",
            )
    truth = _truth(measured, fragment)
    steps = [_steps(results, plan, run) for plan, run in measured if plan.technique is None]
    return FragmentStudy(
        tool=manifest.tool,
        conditions=manifest.conditions,
        fragment=fragment,
        techniques=tuple(
            _figures(plan, run, manifest.conditions, truth, fragment.processes)
            for plan, run in measured
            if plan.technique is not None
        ),
        steps=next(iter(steps), None),
        truth=truth,
        missing=tuple(case for _, case, _ in manifest.missing()),
        unverified=_once(run.findings.unverified for run in results.runs),
        unmodelled=_once(run.findings.unmodelled for run in results.runs),
    )


def _once(found: Iterable[Sequence[Thing]]) -> tuple[Thing, ...]:
    return tuple(dict.fromkeys(one for things in found for one in things))


def _figures(
    plan: TimedPlan, run: Run, conditions: Conditions, truth: ExecutionTruth | None, processes: int
) -> TechniqueFigures:
    technique = find_fragment_technique(str(plan.technique))
    observed = timed_runs.observed(run, plan, conditions, processes)
    estimated = estimate(technique, observed)
    exact = timed_runs.exact(run, plan)
    return TechniqueFigures(
        name=technique.name,
        sentence=technique.sentence,
        equation=technique.equation,
        removes_overhead=technique.removes_overhead,
        kind=technique.kind if conditions.target == HOST else None,
        turns=plan.turns,
        observed=observed,
        estimated=estimated,
        overhead=exact.overhead() if exact else None,
        bias=estimated.execution.value - truth.execution if truth else None,
        signs=signs(observed, estimated, unit_of(conditions).name),
    )


def _steps(results: Results, plan: TimedPlan, run: Run) -> Steps:
    conditions = results.conditions
    observed = timed_runs.observed(run, plan, conditions)
    times = observed.times.mean(axis=0)
    tolerance = max(2 * observed.resolution, ROUNDING)
    expected = conditions.code_fetches.calls_of_line
    return Steps(tuple(times.tolist()), measured_period(times, tolerance), expected)


def _truth(
    measured: Sequence[tuple[TimedPlan, Run]], fragment: TimedFragment
) -> ExecutionTruth | None:
    """Of whole periods of copies in the chosen technique's plan, else in any; where there are none,
    of all that executed."""
    seen = [
        (plan, exact)
        for plan, run in measured
        if plan.technique and (exact := timed_runs.exact(run, plan))
    ]
    everything = [cycles for _, exact in seen for one in exact.executions for cycles in one]
    if not everything:
        return None
    chosen = [one for one in seen if one[0].technique == fragment.chosen]
    amid, beside = _amid(chosen, fragment.period)
    if not amid:
        amid, beside = _amid(seen, fragment.period)
    return ExecutionTruth(
        execution=float(np.mean(amid or everything)),
        least=min(everything),
        most=max(everything),
        initialisation=float(np.mean(beside)) if beside else None,
    )


def _amid(
    seen: Sequence[tuple[TimedPlan, timed_runs.ExactExecutions]], period: int
) -> tuple[list[int], list[int]]:
    """Times of unrolled executions and initialisations with others on both sides: those of
    another design lie at other places in their lines, and may take other times."""
    unrolled = [
        (exact, at)
        for plan, exact in seen
        for at, point in enumerate(plan.points)
        if not point.looped and point.executions % period == 0
    ]
    return (
        [c for exact, at in unrolled for c in exact.amid(exact.executions, at, period)],
        [c for exact, at in unrolled for c in exact.amid(exact.initialisations, at, period)],
    )
