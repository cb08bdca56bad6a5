"""Points of plans on a virtual board: where their copies are, and the truth about each of them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import point_name
from cyclescope.firmware.program import Program
from cyclescope.target.target import FragmentTruth

INITIALISATIONS = ("fragment_initialise", "fragment_load", "fragment_initialise_and_load")
"""Function that an initialisation calls: the user's, or the loader of arguments."""
Event = tuple[int, int]
"""(cycle of the boundary before the instruction, its address)."""


class CopiedCall(NamedTuple):
    """One copy: the address of its call, the address behind it, and what it calls."""

    address: int
    returned: int
    initialisation: bool


class PointSites(NamedTuple):
    """One point in the image: its two probes, and its copies in order."""

    start: int
    stop: int
    calls: tuple[CopiedCall, ...]


def read_points(program: Program, plan: Plan) -> tuple[PointSites, ...]:
    """Where the points of a plan are."""
    return tuple(_sites(program, point) for point in plan)


def _sites(program: Program, point: Point) -> PointSites:
    prefix = f"fragment.{point_name(point)}"
    start, stop = (program.symbols[f"{prefix}.{end}"] for end in ("start", "stop"))
    architecture = program.architecture
    names = [name for name in INITIALISATIONS if name in program.symbols]
    before = {program.address(program.symbols[name]) for name in names}
    calls = [
        CopiedCall(one.address, one.address + one.size, architecture.target(one) in before)
        for one in program.instructions(start, stop)
        if one.mnemonic in architecture.calls
    ]
    return PointSites(start, stop, tuple(calls))


def to_watch(points: Sequence[PointSites]) -> set[int]:
    """Returns the addresses to watch for `split` and `witness_point`."""
    return {
        address
        for point in points
        for address in (point.start, point.stop, *(a for call in point.calls for a in call[:2]))
    }


def split(events: Sequence[Event], points: Sequence[PointSites], samples: int) -> list[list[Event]]:
    """The events of each sample, from its starting probe to its stopping one, both included."""
    found: list[list[Event]] = []
    remaining = iter(events)
    for index in range(samples):
        point = points[index % len(points)]
        sample = [event for event in _until(remaining, point.start)][-1:]
        sample += _until(remaining, point.stop)
        found.append(sample)
    return found


def _until(events: Iterator[Event], address: int) -> Iterator[Event]:
    for event in events:
        yield event
        if event[1] == address:
            return
    raise CyclescopeError(
        "a sample has no probe: the engine is at fault, please report it",
        code="sample-without-probe",
    )


def witness_point(events: Sequence[Event], point: PointSites, total_cycles: int) -> FragmentTruth:
    """The truth about one sample, from its own events."""
    calls = {call.address: call for call in point.calls}
    executions: list[int] = []
    initialisations: list[int] = []
    under_way: tuple[int, CopiedCall] | None = None
    for cycle, address in events:
        if under_way is not None and address == under_way[1].returned:
            (initialisations if under_way[1].initialisation else executions).append(
                cycle - under_way[0]
            )
            under_way = None
        if under_way is None and address in calls:
            under_way = (cycle, calls[address])
    return FragmentTruth(total_cycles, tuple(executions), tuple(initialisations))
