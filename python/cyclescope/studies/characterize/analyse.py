"""The main study: what does each call cost, under which law, and how sure is that?

It needs nothing but the disk.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TypeAlias, TypeVar

from cyclescope.campaign import technique
from cyclescope.quantity import format_estimate, format_number
from cyclescope.results import Manifest, Results, Run, Sweep
from cyclescope.results.confession import Confession
from cyclescope.stats.load import SIGNIFICANCE, compare_series
from cyclescope.stats.net import Net, NetVerdict, net, net_of_image, net_of_new_link
from cyclescope.stats.summary import Summary, summarise
from cyclescope.studies.characterize.case_laws import NOTHING, find_laws
from cyclescope.studies.characterize.case_samples import gather
from cyclescope.studies.characterize.findings import CaseAnalysis, CaseLaws, Characterization
from cyclescope.studies.characterize.functions import by_function
from cyclescope.studies.characterize.layout_laws import of_new_links
from cyclescope.studies.characterize.median_laws import through_medians
from cyclescope.studies.characterize.medians import drift_cycles, medians, net_between
from cyclescope.studies.characterize.run_figures import Measured, Probed, RunFigures
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Unmodelled, Unverified

T = TypeVar("T")
Look: TypeAlias = Callable[[CaseAnalysis, Sequence[Run]], T]

MANY = 100
"""Fewer cases take less time than another process takes to load what they need."""


def analyse(results: Results) -> Characterization:
    """Net times, laws and doubts of everything in the folder."""
    return examine(results, _nothing)[0]


def examine(
    results: Results, look: Look[T], executor: Executor | None = None, jobs: int = 1
) -> tuple[Characterization, list[T]]:
    """The same, and what `look` makes of each case while its runs are at hand.

    No case knows of another. Of many, this process takes one share and an executor the others.
    """
    manifest = results.manifest
    cases = [case for case in manifest.cases if results.of_case(case.name)]
    count = jobs if executor and len(cases) >= MANY else 1
    shares = [cases[first::count] for first in range(count)]
    others = [executor.submit(_share, results, look, own) for own in shares[1:]] if executor else []
    parts = [_share(results, look, shares[0]), *(other.result() for other in others)]
    made = [parts[place % count][place // count] for place in range(len(cases))]
    analyses = tuple(one for one, _ in made)
    using = technique.find(manifest.technique)
    found = Characterization(
        tool=manifest.tool,
        technique=using.name,
        technique_sentence=using.sentence,
        by_pair=using.by_pair,
        conditions=manifest.conditions,
        layouts=manifest.layouts,
        layout_seed=manifest.layout_seed,
        cases=analyses,
        refused=manifest.refused,
        failed=manifest.failed,
        missing=tuple(manifest.missing()),
        terms=manifest.terms,
        functions=by_function(analyses, manifest.conditions.cycles_per_count),
        unverified=_confessions((case, found.unverified) for case, found in results.findings()),
        unmodelled=_confessions((case, found.unmodelled) for case, found in results.findings()),
    )
    return found, [seen for _, seen in made]


def _nothing(one: CaseAnalysis, runs: Sequence[Run]) -> None:
    """Sees nothing."""


def _share(results: Results, look: Look[T], cases: Sequence[Case]) -> list[tuple[CaseAnalysis, T]]:
    return [_examine_case(results, look, case) for case in cases]


def _examine_case(results: Results, look: Look[T], case: Case) -> tuple[CaseAnalysis, T]:
    manifest, runs = results.manifest, tuple(results.of_case(case.name))
    one = _analyse_case(case, runs, manifest, results.sweep(case.name))
    return one, look(one, runs)


def _confessions(
    found: Iterable[tuple[str, Sequence[Unverified | Unmodelled]]],
) -> tuple[Confession, ...]:
    cases: dict[tuple[str, str], dict[str, None]] = {}
    for case, things in found:
        for thing in things:
            cases.setdefault((thing.name, thing.sentence), {})[case] = None
    return tuple(Confession(*what, tuple(names)) for what, names in cases.items())


def _analyse_case(
    case: Case, runs: Sequence[Run], manifest: Manifest, sweep: Sweep | None
) -> CaseAnalysis:
    conditions, terms = manifest.conditions, manifest.terms
    by_pair = technique.find(manifest.technique).by_pair
    figures: dict[int | None, list[RunFigures]] = {}
    problems = []
    for run in runs:
        call, empty = run.cycles("call"), run.cycles("empty")
        if call.size == 0 or empty.size == 0:
            problems.append(_all_rejected(run))
            continue
        figures.setdefault(run.parameter, []).append(
            _figures(run, summarise(call), summarise(empty), conditions)
        )
    measured = [
        _measured(value, figures[value], conditions, manifest.alike(case.name))
        for value in case.values()
        if value in figures
    ]
    for one in measured:
        problems += [
            _negative(one.parameter, run, by_pair)
            for run in one.runs
            if run.net.verdict is NetVerdict.NEGATIVE
        ]
    laws = NOTHING
    if measured:
        plain = [one.plain for one in measured]
        laws = find_laws(case, plain, gather(plain, runs), conditions, terms, sweep)
        if conditions.noisy:
            laws = through_medians(case, plain, laws, conditions.cycles_per_count, terms)
        laws = of_new_links(laws, measured)
    return CaseAnalysis(
        case=case,
        measured=tuple(measured),
        notes=tuple(_notes(measured, laws)),
        problem="; ".join(problems) or None,
        repeats_in=manifest.repeats_in.get(case.name, ""),
        **vars(laws),
    )


def _measured(
    parameter: int | None,
    runs: Sequence[RunFigures],
    conditions: Conditions,
    alike: Mapping[int, int],
) -> Measured:
    """`alike` has for each layout the first that is like it to this case."""
    if len(runs) == 1:
        return Measured(parameter, tuple(runs), runs[0].net, None, runs[0].energy)
    distinct = {alike.get(run.layout_number, run.layout_number): run for run in reversed(runs)}
    net, between = net_of_new_link(
        [run.net for run in distinct.values()], conditions.resolution_cycles
    )
    energies = [run.energy for run in distinct.values() if run.energy]
    energy = net_of_new_link(energies)[0] if energies else None
    return Measured(parameter, tuple(runs), net, between, energy)


def _figures(run: Run, call: Summary, empty: Summary, conditions: Conditions) -> RunFigures:
    by_length = {length: run.cycles("call", length) for length in run.lengths()}
    middle = medians(run) if conditions.noisy else None
    count = conditions.cycles_per_count
    resolution = count if middle else conditions.resolution_cycles
    if middle:
        found = net_between(middle, resolution)
    elif run.is_exact or (
        not resolution and (run.is_seen or (conditions.exact and not (call.sigma or empty.sigma)))
    ):
        found = net_of_image(call, empty)
    else:
        found = net(call, empty, resolution)
    return RunFigures(
        layout_number=run.layout.number,
        call=call,
        empty=empty,
        probed=Probed(summarise(run.probed_cycles("call")), summarise(run.probed_cycles("empty"))),
        exact=run.is_exact,
        net=found,
        rejected=run.rejected("call"),
        series=compare_series(by_length, max(count, drift_cycles(middle) if middle else 0)),
        interrupts_off=run.interrupts_off(),
        energy=_energy(run, conditions),
        medians=middle,
        seen=summarise(seen) if (seen := run.seen_cycles()).size else None,
    )


def _energy(run: Run, conditions: Conditions) -> Net | None:
    """Net of the overhead like the time: mean of the real calls less mean of the empty ones."""
    call, empty = run.energies_uj("call"), run.energies_uj("empty")
    if call is None or empty is None:
        return None
    of = net_of_image if conditions.exact else net
    return of(summarise(call), summarise(empty))


def _notes(measured: Sequence[Measured], laws: CaseLaws) -> list[str]:
    """Returns notes on the figures; one that holds at several x stands once."""
    where: dict[str, list[str]] = {}
    for one in measured:
        for remark in _remarks(one, laws):
            where.setdefault(remark, []).append(str(one.parameter))
    plain = len(measured) == 1 and measured[0].parameter is None
    notes = [laws.hidden] if laws.hidden else []
    notes += [
        remark if plain else f"at x = {', '.join(values)}: {remark}"
        for remark, values in where.items()
    ]
    if laws.position:
        notes.append(laws.position)
    if laws.apart and not laws.load_law:
        n = format_number(sum(one.n for one in measured))
        notes.append(f"{laws.apart} of {n} samples lie apart from the peaks, too few for a cluster")
    return notes


def _remarks(one: Measured, laws: CaseLaws) -> Iterable[str]:
    if one.net.verdict is NetVerdict.INDISTINGUISHABLE:
        yield f"{format_estimate(one.net.estimate)} cycles: {one.net.verdict}"
    if one.series and one.series.differ and not laws.hidden:
        kind = "state dependent, the load is the length" if laws.load_law else "hidden parameter"
        by_length = zip(one.series.lengths, one.series.means, strict=True)
        means = ", ".join(f"{length}: {format_number(mean)}" for length, mean in by_length)
        yield f"{kind}: the series' raw means differ (p < {SIGNIFICANCE}): {means} cycles"
    if one.rejected:
        counts = ", ".join(f"{count} by {rule}" for rule, count in one.rejected.items())
        yield f"samples rejected: {counts}"


def _where(parameter: int | None, number: int) -> str:
    at = "" if parameter is None else f" at x = {parameter}"
    return at if number == 0 else f"{at} in layout {number}"


def _negative(parameter: int | None, one: RunFigures, by_pair: bool) -> str:
    what = "start/stop pair" if by_pair else "empty call"
    at = _where(parameter, one.layout_number)
    return (
        f"the net time{at} is {format_estimate(one.net.estimate)} cycles, below zero: "
        f"the {what} took {format_number(one.overhead)} (n {one.empty.n}) and the real one "
        f"{format_number(one.typical)} (n {one.call.n}). So the {what} does not stand for "
        "the overhead of this call (another code path, or another state of the flash buffers)"
    )


def _all_rejected(run: Run) -> str:
    kind = "real" if run.cycles("call").size == 0 else "empty"
    rules = ", ".join(run.rejected("call" if kind == "real" else "empty"))
    at = _where(run.parameter, run.layout.number)
    return f"no {kind} call{at} is left: all samples were rejected by {rules}; slow the tick down"
