"""Which calls of FreeRTOS walk a list: their loops, alone and among bystanders.

Two kinds of evidence. The loops that a call executes are found in its code, as groups of
instructions that control can come back to, and counted by the profiler. And every call is made
among tasks, timers, objects and free blocks beside those that its case makes
(firmware/kernels/freertos/bystanders). Where iterations change with their number, the call walks
over them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.arm_code import flow as arm
from cyclescope.firmware.cfg.flow import FlowKind, Listing
from cyclescope.firmware.program import Function, Program
from cyclescope.target.case import Case
from cyclescope.target.target import CaseFailed, Selection
from cyclescope.targets.virtual.target import VirtualBoard, open_virtual_board

SELECTION = Selection("lpc2148-lab", "freertos", settings={"code": "lab"}, workload="bystanders")
FEW, MANY = 1, 4
"""Bystanders of one kind at a time."""

BYSTANDERS = {
    "ready tasks": 1,
    "suspended tasks": 2,
    "delayed tasks": 3,
    "waiting tasks": 4,
    "active timers": 5,
    "free blocks": 6,
    "queues": 7,
}
"""Their kinds, and what the firmware calls them."""

LISTS = {
    "vListInsert": "entries before the new one",
    "pvPortMalloc": "free blocks",
    "vPortFree": "free blocks",
    "vPortGetHeapStats": "free blocks",
    "prvSearchForNameWithinSingleList": "ready tasks",
    "xEventGroupSetBits": "waiting tasks",
    "vEventGroupDelete": "waiting tasks",
    "xTaskResumeAll": "pending tasks",
}
"""The functions whose loop walks a list, and over what."""

OTHERS = {
    "memcpy": "bytes",
    "memset": "bytes",
    "vTaskSwitchContext": "priorities",
    "xTaskGetHandle": "priorities",
    "xTaskCreate": "characters of the name",
    "prvTimerTask": "commands to the daemon",
    "xQueueGenericSend": "attempts",
    "xQueueReceive": "attempts",
    "xQueuePeek": "attempts",
    "xQueueSemaphoreTake": "attempts",
    "xStreamBufferSend": "attempts",
    "xStreamBufferSendFromISR": "attempts",
    "xStreamBufferSpacesAvailable": "attempts",
    "xStreamBufferIsFull": "attempts",
}
"""The functions whose loop is bounded by something else."""

Loops = Mapping[str, int]
"""By function: how often the instruction of its loops that executed most did so."""


@dataclass(frozen=True)
class Look:
    """One call: its instructions, and its loops."""

    instructions: int
    loops: Loops


@dataclass
class Walk:
    """A case at its first x, alone, and among few and many bystanders of each kind; None: it
    refuses them. `longest` is at its greatest x, where that is the length of a list."""

    case: Case
    alone: Look
    longest: Look | None = None
    among: dict[str, tuple[Look, Look] | None] = field(default_factory=dict)

    def changed(self) -> dict[str, list[str]]:
        """The functions whose iterations change with the number, by kind of bystander."""
        found: dict[str, list[str]] = {}
        for kind, looks in self.among.items():
            if looks is not None and looks[0].loops != looks[1].loops:
                few, many = looks[0].loops, looks[1].loops
                names = sorted({*few, *many})
                found[kind] = [one for one in names if few.get(one) != many.get(one)]
        return found

    def grows(self, function: str) -> bool:
        """Whether the iterations of the function's loop follow the case's own x."""
        here = self.alone.loops.get(function, 0)
        return self.longest is not None and self.longest.loops.get(function, 0) > here

    def walked(self) -> dict[str, set[str]]:
        """Over what the call's lists go, by function; the sorted lists by who changes them."""
        found: dict[str, set[str]] = defaultdict(set)
        for function in self.alone.loops:
            if function in LISTS and function != "vListInsert":
                found[function].add(LISTS[function])
        if "vListInsert" in self.alone.loops:
            kinds = {kind for kind, names in self.changed().items() if "vListInsert" in names}
            found["vListInsert"] = kinds or {"waiting tasks"}
        return dict(found)


def parameter_counts(case: Case) -> str | None:
    """The listed things that the case's x counts."""
    if case.parameter is None:
        return None
    if case.parameter.unit == "block":
        return "free blocks"
    return next(
        (kind for kind in (*BYSTANDERS, "pending tasks") if case.parameter.name.startswith(kind)),
        None,
    )


def walks(
    target: VirtualBoard, cases: Iterable[Case], kinds: Iterable[str] = tuple(BYSTANDERS)
) -> Iterator[Walk]:
    """Looks into each case, alone and among each of these kinds."""
    for case in cases:
        walk = Walk(case, _look(target, case, case.values()[0]))
        if parameter_counts(case):
            walk.longest = _look(target, case, case.values()[-1])
        for kind in kinds:
            try:
                few, many = (
                    _look(target, case, case.values()[0], kind, count) for count in (FEW, MANY)
                )
                walk.among[kind] = few, many
            except CaseFailed:
                walk.among[kind] = None
        yield walk


def opened() -> VirtualBoard:
    """The board with bystanders."""
    return open_virtual_board(SELECTION)


def _look(target: VirtualBoard, case: Case, x: int | None, kind: str = "", count: int = 0) -> Look:
    """The third call of a series, among so many bystanders."""
    target.reset()
    program, board = target.program(), target.board
    for name, value in (("kind", BYSTANDERS.get(kind, 0)), ("count", count)):
        board.write_memory(program.symbols[f"bystander_{name}"], value.to_bytes(4, "little"))
    _, profiles = target.profile_series(case, x, 3)
    executed = {at: times for at, (times, _) in profiles[2].instructions().items()}
    found: dict[str, int] = {}
    for function in {program.function_at(at) for at in executed}:
        for loop in _loops(program, function):
            times = max((executed.get(at, 0) for at in loop), default=0)
            if times:
                found[function.name] = max(times, found.get(function.name, 0))
    return Look(sum(executed.values()), dict(sorted(found.items())))


@lru_cache(None)
def _loops(program: Program, function: Function) -> list[set[int]]:
    """Instructions of the function that control can come back to within it, loop by loop."""
    if not program.holds(function):
        return []
    code = {one.address: one for one in program.decoded(function.address, function.end)}
    listing, place = Listing(function, code), {at: number for number, at in enumerate(code)}
    ways: list[tuple[int, int]] = []
    for address, one in code.items():
        try:
            flow = arm.flow_of(program, listing, one)
        except CyclescopeError:  # a call or a jump by a register, which comes back or leaves
            flow = None
        following = [address + one.size]
        if flow is not None and flow.kind is FlowKind.CALL:
            following = list(flow.resumes) or following
        elif flow is not None:
            following = [*flow.targets, *(following if flow.conditional else [])]
        ways += [(place[address], place[target]) for target in following if target in code]
    if not ways:
        return []
    graph = csr_array((np.ones(len(ways)), tuple(zip(*ways, strict=True))), (len(code),) * 2)
    number, parts = connected_components(graph, connection="strong")
    addresses = np.array(list(code))
    found = [addresses[parts == part].tolist() for part in range(number)]
    return [set(part) for part in found if len(part) > 1]
