"""Measures a fragment by the plans of an experiment design, and fills a folder with the samples.

Moreno and Fischmeister, "Accurate Measurement of Small Execution Times".
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from cyclescope import interruption
from cyclescope.errors import CyclescopeError, Interrupted
from cyclescope.progress import Progress, unreported
from cyclescope.results import Results, Run, TimedFragment, TimedPlan, reject, storage, tabulate
from cyclescope.results.folder_lock import locked
from cyclescope.studies.time import timed_runs
from cyclescope.studies.time.experiment_design import ExperimentDesign
from cyclescope.studies.time.processes import estimate
from cyclescope.studies.time.technique import find_fragment_technique
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions
from cyclescope.target.series import Series
from cyclescope.target.target import (
    DoesNotFit,
    FragmentTruth,
    Target,
)

Timed = tuple[Series, tuple[FragmentTruth, ...]]
"""A series, and what a board saw in it."""


def measure(
    target: Target,
    design: ExperimentDesign,
    folder: Path,
    discard: bool = False,
    progress: Progress = unreported,
) -> Results:
    """Measures every plan, each from reset, and puts it on disk as soon as it is done."""
    with locked(folder):
        return _measure(target, design, folder, discard, progress)


def _measure(
    target: Target, design: ExperimentDesign, folder: Path, discard: bool, progress: Progress
) -> Results:
    fragment = design.fragment
    cases = {case.name: case for case in target.cases()}
    writer = storage.Writer.begin(
        folder,
        [target.conditions()],
        fragment.chosen,
        cases.values(),
        [plan.case for plan in fragment.plans],
        replace=discard,
        fragment=fragment,
    )
    try:
        if fragment.processes > 1:
            writer.add([(run, None) for run in _side_by_side(target, design, progress)])
        else:
            for done, plan in enumerate(fragment.plans):
                interruption.check()
                progress(done, len(fragment.plans), plan.technique or "the steps of T(N)")
                writer.add([(_run(target, cases[plan.case], plan, design.rounds), None)])
        writer.finish()
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; {_kept(folder)}") from None
    except CyclescopeError as error:
        raise CyclescopeError(f"{error.sentence}; {_kept(folder)}", code=error.code) from error
    return storage.load(folder)


def _kept(folder: Path) -> str:
    manifest = storage.folded(folder)
    planned = len(manifest.planned)
    return f"{planned - len(manifest.missing())} of {planned} plans are kept in {folder}"


def _side_by_side(target: Target, design: ExperimentDesign, progress: Progress) -> list[Run]:
    """All plans in each process, one after the other, in turn first: what changes with time or from
    process to process changes all alike."""
    fragment, found = design.fragment, dict[str, list[Timed]]()
    target.reset()
    for process in range(fragment.processes):
        interruption.check()
        progress(process, fragment.processes, f"process {process + 1}")
        taken = one_process(target, fragment, design.rounds // fragment.processes, process)
        for name, series in taken.items():
            found.setdefault(name, []).extend(series)
    cases = {case.name: case for case in target.cases()}
    return [
        _made_run(target, cases[plan.case], plan, found[plan.case], fragment.processes)
        for plan in fragment.plans
    ]


def one_process(
    target: Target, fragment: TimedFragment, rounds: int, number: int
) -> dict[str, list[Timed]]:
    """Series of so many rounds of every plan from a new process, by case; process by process
    another plan is the first."""
    target.restart()
    cases = {case.name: case for case in target.cases()}
    first = number % len(fragment.plans)
    found = {}
    for plan in fragment.plans[first:] + fragment.plans[:first]:
        target.go_round(cases[plan.case], plan.turns)
        found[plan.case] = _series(target, cases[plan.case], len(plan.points), rounds)
    return found


def _run(target: Target, case: Case, plan: TimedPlan, rounds: int) -> Run:
    target.reset()
    target.go_round(case, plan.turns)
    return _made_run(target, case, plan, _series(target, case, len(plan.points), rounds))


def _made_run(
    target: Target, case: Case, plan: TimedPlan, series: list[Timed], processes: int = 1
) -> Run:
    samples = tabulate(case, None, [one for one, _ in series])
    truths = [one for _, truths in series for one in truths]
    _require_all_copies(case, plan, truths)
    samples = timed_runs.with_truths(samples, truths)
    conditions = target.conditions()
    run = Run(
        layout=conditions.layout,
        case=case,
        parameter=None,
        samples=timed_runs.without_warm_up(samples, plan),
        cycles_per_count=conditions.cycles_per_count,
        findings=target.findings(),
    )
    return run if plan.technique is None else _judged(run, plan, conditions, processes)


def _require_all_copies(case: Case, plan: TimedPlan, truths: Sequence[FragmentTruth]) -> None:
    """A truth that lacks a copy would be no truth."""
    for index, truth in enumerate(truths):
        point = plan.points[index % len(plan.points)]
        seen = (len(truth.executions), len(truth.initialisations))
        if seen != (point.executions, point.initialisations):
            raise CyclescopeError(
                f"{case.name}: the board saw {seen[0]} of {point.executions} executions and "
                f"{seen[1]} of {point.initialisations} initialisations: please report it",
                code="executions-unlike-plan",
            )


def _series(target: Target, case: Case, points: int, rounds: int) -> list[Timed]:
    """So many rounds in as few series as the target has space for; each begins with one more."""
    found: list[Timed] = []
    most = rounds
    while rounds > 0:
        now = min(rounds, most)
        try:
            found.append(_one_series(target, case, (now + 1) * points))
        except DoesNotFit:
            if now == 1:
                raise
            most = now // 2
            continue
        rounds -= now
    return found


def _one_series(target: Target, case: Case, length: int) -> Timed:
    if target.fragment_witness is not None:
        return target.fragment_witness.witness_fragment(case, length)
    return target.run_series(case, None, length, empty=False), ()


def _judged(run: Run, plan: TimedPlan, conditions: Conditions, processes: int) -> Run:
    """Returns the run with its technique's rejected measurements marked."""
    technique = find_fragment_technique(str(plan.technique))
    observed = timed_runs.observed(run, plan, conditions, processes)
    estimated = estimate(technique, observed)
    if estimated.rule is None:
        return run
    marks = np.zeros(run.samples.num_rows, dtype=np.bool_)
    marks[timed_runs.measured_rows(run)] = estimated.rejected.ravel()
    samples = reject(run.samples, pa.chunked_array([marks]), estimated.rule)
    return replace(run, samples=samples)
