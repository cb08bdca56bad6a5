"""A campaign over configurations, and what it says: K of each beside the base, cost of each call.

K follows Brandolese and Fornaciari, section 4.4. The cost of an option is the difference of net
times; on one layout behind a flash accelerator it contains what the moved code meets there.
"""

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path

from cyclescope.errors import CyclescopeError, Interrupted
from cyclescope.progress import Progress
from cyclescope.quantity import Estimate
from cyclescope.results import files, storage
from cyclescope.results.folder_lock import locked
from cyclescope.studies.characterize.analyse import analyse as characterize
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.characterize.measure import MeasureOptions, measure
from cyclescope.studies.characterize.run_figures import Measured
from cyclescope.studies.compare.analyse import compare
from cyclescope.studies.compare.findings import CasePair, TimeUnit
from cyclescope.studies.compare.platform_ratio import platform_ratio
from cyclescope.studies.configurations import configurations
from cyclescope.studies.configurations.configurations import Campaign, Configured
from cyclescope.studies.configurations.findings import (
    AddedCost,
    ConfigurationFound,
    ConfigurationsFound,
    CostRow,
)
from cyclescope.studies.explain import explanation
from cyclescope.studies.explain.explanation import Explanation, Spent
from cyclescope.target.target import Selection

Chosen = tuple[Configured, Selection]


def run(
    campaign: Campaign,
    chosen: Sequence[Chosen],
    options: MeasureOptions,
    folder: Path,
    advance: Progress,
) -> None:
    """Measures each configuration into its folder; what one of them meets keeps no other."""
    with locked(folder):
        _run(campaign, chosen, options, folder, advance)


def _run(
    campaign: Campaign,
    chosen: Sequence[Chosen],
    options: MeasureOptions,
    folder: Path,
    advance: Progress,
) -> None:
    campaign = configurations.begin(folder, campaign, options.replace)
    for index, (one, selection) in enumerate(chosen):
        problem = None
        try:
            told = _of_all(one.name, index, len(chosen), advance)
            measure(selection, options, lambda _, name=one.name: folder / name, told)  # type: ignore[misc]
        except (Interrupted, KeyboardInterrupt) as error:
            whole = sum(not each.problem for each in campaign.configurations[:index])
            done = f"{whole} of {len(chosen)} configurations are whole"
            told_so = error.sentence if isinstance(error, Interrupted) else "interrupted"
            raise Interrupted(f"{one.name}: {told_so}; {done}") from None
        except CyclescopeError as error:
            problem = error.sentence
        campaign = configurations.settled(campaign, one.name, problem)
        configurations.save(folder, campaign)


def _of_all(name: str, index: int, count: int, advance: Progress) -> Progress:
    """Progress of one configuration as a part of that of all."""

    def told(done: int, total: int, what: str) -> None:
        if total:
            advance(index * total + done, count * total, f"{name}: {what}")
        else:
            advance(index, count, f"{name}: {what}")

    return told


def analyse(folder: Path) -> ConfigurationsFound:
    """Everything from the folders alone."""
    campaign = configurations.load(folder)
    found = {one.name: _characterization(folder / one.name) for one in campaign.configurations}
    explained = {
        name: _explained(folder / name, one) for name, one in found.items() if one is not None
    }
    everywhere = set.intersection(*map(set, explained.values())) if explained else set()
    base = found[campaign.configurations[0].name]
    return ConfigurationsFound(
        tool=campaign.tool,
        configurations=tuple(
            _configuration(
                folder / one.name,
                one,
                base,
                found[one.name],
                [explained[one.name][case].spent for case in sorted(everywhere)]
                if one.name in explained
                else [],
            )
            for one in campaign.configurations
        ),
        explained=len(everywhere),
    )


def _characterization(folder: Path) -> Characterization | None:
    """Returns a configuration's results, also if it then met a problem; None without runs."""
    if not (folder / files.MANIFEST).exists():
        return None
    results = storage.load(folder)
    return characterize(results) if results.runs else None


def _why_nothing(folder: Path) -> str:
    """Why a configuration has no runs, where no campaign came to say so."""
    there = (folder / files.MANIFEST).exists()
    failed = storage.read_manifest(folder).failed if there else ()
    if failed:
        return failed[0].sentence
    return "not measured yet: --resume makes what is missing"


def _explained(folder: Path, found: Characterization) -> dict[str, Explanation]:
    """The explanations of these conditions, by case."""
    fingerprint = found.conditions.fingerprint()
    loaded = [explanation.load(folder, one.case.name, one.case.values()[-1]) for one in found.cases]
    return {one.case: one for one in loaded if one and one.conditions == fingerprint}


def _configuration(
    folder: Path,
    one: Configured,
    base: Characterization | None,
    found: Characterization | None,
    spent: Sequence[Spent],
) -> ConfigurationFound:
    comparable = base is not None and found is not None and found is not base
    comparison = compare(base, found) if comparable and base and found else None
    ratios = [comparison.platform] if comparison else []
    if comparison and comparison.clocks_differ and base and found:
        ratios.append(platform_ratio(base, found, TimeUnit.MICROSECONDS))
    problem = one.problem
    if found is None and problem is None:
        problem = _why_nothing(folder)
    return ConfigurationFound(
        name=one.name,
        settings=one.settings,
        problem=problem,
        found=found,
        comparison=comparison,
        ratios=tuple(ratios),
        spent=sum(spent, Spent()) if spent else None,
    )


def costs(found: ConfigurationsFound) -> list[CostRow]:
    """Returns the cost that each configuration adds to each call of the base.

    Where a cost depends on x, a call has a row for its least and one for its greatest x.
    """
    if found.base.found is None:
        return []
    return [
        row
        for case in found.base.found.cases
        if not case.problem
        for row in _rows(case.case.name, case.measured, found.pairs(case.case.name))
    ]


def _rows(
    name: str, measured: Sequence[Measured], pairs: Sequence[CasePair | None]
) -> Iterable[CostRow]:
    rows = [
        CostRow(
            case=name,
            parameters=(one.parameter,),
            base=(one.net.estimate,),
            costs=tuple(_cost(pair, one.parameter) for pair in pairs),
        )
        for one in measured
    ]
    if not rows:
        return []
    if all(_values(row) == _values(rows[0]) for row in rows):
        every_x = tuple(one.parameter for one in measured)
        bases = tuple(one.net.estimate for one in measured)
        return [dataclasses.replace(rows[0], parameters=every_x, base=bases)]
    return [rows[0], rows[-1]]


def _values(row: CostRow) -> list[float | None]:
    return [one.cycles.value if one else None for one in row.costs]


def _cost(pair: CasePair | None, parameter: int | None) -> AddedCost | None:
    points = pair.points if pair else ()
    point = next((one for one in points if one.parameter == parameter), None)
    if point is None:
        return None
    return AddedCost(Estimate(point.difference.value, point.difference.half_width), point.change)
