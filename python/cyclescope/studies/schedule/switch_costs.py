"""The cost of a preemption at each operating point: simulated, read from results, or as
the file has it (docs/how-to/schedule.md)."""

from collections.abc import Iterable, Sequence

from cyclescope.errors import CyclescopeError
from cyclescope.studies.schedule.points import PointCosts
from cyclescope.studies.schedule.task_set import PreemptionCost, SwitchCosts, TaskSet
from cyclescope.studies.switch import results
from cyclescope.studies.switch.measure import preemptions
from cyclescope.studies.switch.points import at_clock
from cyclescope.studies.switch.results import Path
from cyclescope.target.target import Selection

INSTANTS, SEED = 11, 1


def origin(costs: SwitchCosts) -> str:
    """Where they are from, in a few words."""
    if costs.is_written:
        return "as written in the file"
    longest = f"the longest of {costs.kernel}'s preemptions"
    if costs.results is not None:
        return f"{longest} in {costs.results}"
    return f"{longest} at {INSTANTS} instants, code in {costs.code}, simulated"


def costs_of(tasks: TaskSet, points: Sequence[PointCosts]) -> dict[str, PreemptionCost]:
    """By the name of the point."""
    wanted = tasks.switch
    if wanted.is_written:
        return {point.name: _written(wanted, point.name) for point in points}
    if wanted.results is not None:
        return {point.name: _read(wanted, point.name) for point in points}
    return {point.name: _simulated(tasks.board, wanted, point) for point in points}


def _written(costs: SwitchCosts, point: str) -> PreemptionCost:
    found = costs.written(point)
    if found is None:
        raise CyclescopeError(
            f"the file says no switch costs at {point}: add an [[switch.at]] for it, or "
            "into_cycles and back_cycles under [switch] for all points that have none",
            code="no-switch-costs-at-point",
        )
    return found


def _read(costs: SwitchCosts, point: str) -> PreemptionCost:
    assert costs.results is not None, "they are asked for"
    found = results.load(costs.results)
    paths = [
        path
        for target in found.targets
        if (target.kernel, target.point.name) == (costs.kernel, point)
        for row in target.rows
        for path in (row.simulated, *row.instants)
    ]
    if not paths:
        raise CyclescopeError(
            f"{costs.results} has no switch of {costs.kernel} at {point}: measure it with "
            f"cyclescope switch --kernel {costs.kernel} --point {point}",
            code="no-switch-measured-at-point",
        )
    return _longest(paths)


def _simulated(board: str, costs: SwitchCosts, point: PointCosts) -> PreemptionCost:
    assert costs.kernel is not None, "it is asked for"
    chosen = {} if costs.code is None else {"code": costs.code}
    selection = Selection(board, costs.kernel, settings=chosen)
    return _longest(preemptions(at_clock(selection, point.core_hz), INSTANTS, SEED))


def _longest(paths: Iterable[Path]) -> PreemptionCost:
    """Each part's longest: an observed maximum, on the safe side of each of these preemptions."""
    seen = list(paths)
    return PreemptionCost(
        into_cycles=max(path.out.cycles for path in seen),
        back_cycles=max(path.back.cycles for path in seen),
    )
