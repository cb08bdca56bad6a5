"""The main study: what does each call cost, under which law, and how sure is that?

It needs nothing but the disk.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from cyclescope import technique
from cyclescope.case import Case
from cyclescope.conditions import Conditions
from cyclescope.model import Fitted, Points, choose, constant_of
from cyclescope.quantity import format_estimate, format_number
from cyclescope.results import Results, Run
from cyclescope.stats.load import SIGNIFICANCE, compare_series
from cyclescope.stats.net import Net, Verdict, net, net_over_layouts
from cyclescope.stats.summary import Summary, summarise
from cyclescope.study import (
    Behaviour,
    CaseAnalysis,
    Characterization,
    Confession,
    Measured,
    RunFigures,
    net_by_length,
)
from cyclescope.target import Unmodelled, Unverified
from cyclescope.technique import Technique


def analyse(results: Results) -> Characterization:
    """Net times, laws and doubts of everything in the folder."""
    manifest = results.manifest
    using = technique.find(manifest.technique)
    cases = tuple(
        _analyse_case(case, results.of_case(case.name), using, manifest.conditions)
        for case in manifest.cases
        if results.of_case(case.name)
    )
    return Characterization(
        tool=manifest.tool,
        technique=using.name,
        technique_sentence=using.sentence,
        conditions=manifest.conditions,
        layouts=manifest.layouts,
        layout_seed=manifest.layout_seed,
        cases=cases,
        refused=manifest.refused,
        missing=tuple(manifest.missing()),
        unverified=_confessions((case, found.unverified) for case, found in results.findings()),
        unmodelled=_confessions((case, found.unmodelled) for case, found in results.findings()),
    )


def _confessions(
    found: Iterable[tuple[str, Sequence[Unverified | Unmodelled]]],
) -> tuple[Confession, ...]:
    cases: dict[tuple[str, str], dict[str, None]] = {}
    for case, things in found:
        for thing in things:
            cases.setdefault((thing.name, thing.sentence), {})[case] = None
    return tuple(Confession(*what, tuple(names)) for what, names in cases.items())


def _analyse_case(
    case: Case, runs: Sequence[Run], using: Technique, conditions: Conditions
) -> CaseAnalysis:
    figures: dict[int | None, list[RunFigures]] = {}
    problems = []
    for run in runs:
        call, empty = run.cycles("call"), using.overhead(run)
        if call.size == 0 or empty is None:
            problems.append(_all_rejected(run))
            continue
        figures.setdefault(run.parameter, []).append(
            _figures(run, summarise(call), empty, conditions)
        )
    measured = [
        _measured(value, figures[value], conditions) for value in case.values() if value in figures
    ]
    for one in measured:
        problems += [
            _negative(one.parameter, run) for run in one.runs if run.net.verdict is Verdict.NEGATIVE
        ]
    load_law = _load_law(case, measured, conditions)
    law, refused = _law(case, measured, conditions)
    if load_law:
        law, refused = None, "the time follows the load: the law is over the length of the series"
    return CaseAnalysis(
        case=case,
        measured=tuple(measured),
        behaviour=_behaviour(law, load_law),
        law=law,
        law_refused=refused,
        load_law=load_law,
        notes=tuple(_notes(measured, load_law)),
        problem="; ".join(problems) or None,
    )


def _measured(
    parameter: int | None, runs: Sequence[RunFigures], conditions: Conditions
) -> Measured:
    if len(runs) == 1:
        return Measured(parameter, tuple(runs), runs[0].net, None, runs[0].energy)
    net, between = net_over_layouts([run.net for run in runs], conditions.resolution_cycles)
    energies = [run.energy for run in runs if run.energy]
    energy = net_over_layouts(energies)[0] if energies else None
    return Measured(parameter, tuple(runs), net, between, energy)


def _figures(run: Run, call: Summary, empty: Summary, conditions: Conditions) -> RunFigures:
    by_length = {length: run.cycles("call", length) for length in run.lengths()}
    return RunFigures(
        layout_offset_bytes=run.layout.offset_bytes,
        call=call,
        empty=empty,
        net=net(call, empty, conditions.resolution_cycles),
        rejected=run.rejected("call"),
        series=compare_series(by_length, conditions.cycles_per_count),
        interrupts_off=run.interrupts_off(),
        energy=_energy(run),
    )


def _energy(run: Run) -> Net | None:
    """Net of the overhead like the time: mean of the real calls less mean of the empty ones."""
    call, empty = run.energies_uj("call"), run.energies_uj("empty")
    if call is None or empty is None:
        return None
    return net(summarise(call), summarise(empty))


def _law(
    case: Case, measured: Sequence[Measured], conditions: Conditions
) -> tuple[Fitted | None, str | None]:
    """The law of a case, or why it has none."""
    if not measured:
        return None, "nothing was measured"
    sigma = max(one.sigma_within for one in measured)
    if case.parameter is None:
        return constant_of(measured[0].net.estimate, measured[0].n, sigma), None
    if len(measured) < 2:
        return None, f"one value of {case.parameter.name} makes no law"
    points = Points(
        x=np.array([one.parameter for one in measured], dtype=np.float64),
        cycles=np.array([one.net.estimate.value for one in measured]),
        resolution=conditions.cycles_per_count,
        sample_sigma=sigma,
    )
    return choose(points, case.parameter.unit), None


def _behaviour(law: Fitted | None, load_law: Fitted | None) -> Behaviour:
    if load_law:
        return Behaviour.STATE_DEPENDENT
    if law and len(law.segments) == 1 and law.segments[0].m == 0:
        return Behaviour.CONSTANT
    return Behaviour.NUMERICAL


def _load_law(case: Case, measured: Sequence[Measured], conditions: Conditions) -> Fitted | None:
    """The law over the series' lengths, if there is one: series may differ for other reasons."""
    series = measured[0].series if len(measured) == 1 else None
    if not case.load or series is None or not series.differ:
        return None
    lengths, cycles = net_by_length(measured[0])
    points = Points(
        x=np.array(lengths, dtype=np.float64),
        cycles=np.array(cycles),
        resolution=conditions.cycles_per_count,
    )
    law = choose(points, "object")
    return None if law.model == "constant" else law


def _notes(measured: Sequence[Measured], load_law: Fitted | None) -> list[str]:
    """What must be said beside the figures; what holds at several x is said once."""
    where: dict[str, list[str]] = {}
    for one in measured:
        for remark in _remarks(one, load_law):
            where.setdefault(remark, []).append(str(one.parameter))
    if len(measured) == 1 and measured[0].parameter is None:
        return list(where)
    return [f"at x = {', '.join(values)}: {remark}" for remark, values in where.items()]


def _remarks(one: Measured, load_law: Fitted | None) -> Iterable[str]:
    if one.net.verdict is Verdict.INDISTINGUISHABLE:
        yield f"{format_estimate(one.net.estimate)} cycles: {one.net.verdict}"
    if one.series and one.series.differ:
        kind = "state dependent, the load is the length" if load_law else "hidden parameter"
        by_length = zip(one.series.lengths, one.series.means, strict=True)
        means = ", ".join(f"{length}: {format_number(mean)}" for length, mean in by_length)
        yield f"{kind}: the series' raw means differ (p < {SIGNIFICANCE}): {means} cycles"
    if one.rejected:
        counts = ", ".join(f"{count} by {rule}" for rule, count in one.rejected.items())
        yield f"samples rejected: {counts}"


def _where(parameter: int | None, offset_bytes: int) -> str:
    at = "" if parameter is None else f" at x = {parameter}"
    return at if offset_bytes == 0 else f"{at} in the layout at offset {offset_bytes}"


def _negative(parameter: int | None, one: RunFigures) -> str:
    at = _where(parameter, one.layout_offset_bytes)
    return (
        f"the net time{at} is {format_estimate(one.net.estimate)} cycles, below zero: "
        f"the empty call took {format_number(one.empty.mean)} (n {one.empty.n}) and the real one "
        f"{format_number(one.call.mean)} (n {one.call.n}), so the empty call does not stand for "
        "the overhead of this call (another code path, or another state of the flash buffers)"
    )


def _all_rejected(run: Run) -> str:
    kind = "real" if run.cycles("call").size == 0 else "empty"
    rules = ", ".join(run.rejected("call" if kind == "real" else "empty"))
    at = _where(run.parameter, run.layout.offset_bytes)
    return f"no {kind} call{at} is left: all samples were rejected by {rules}; slow the tick down"
