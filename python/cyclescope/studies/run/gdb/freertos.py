"""The tasks of FreeRTOS as gdb's threads, read from the kernel's own lists.

Registers of a task that does not run are where the ARM7 ports' portSAVE_CONTEXT has put them.
"""

from collections.abc import Iterator

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.structures import Structure, structures
from cyclescope.targets.virtual.board import Board, GdbThread, Image

TASK, LIST, ITEM = "tskTaskControlBlock", "xLIST", "xLIST_ITEM"
NEEDED = {
    TASK: ("pxTopOfStack", "xStateListItem", "xEventListItem", "uxPriority", "pcTaskName"),
    LIST: ("xListEnd",),
    ITEM: ("pxNext", "pvOwner", "pxContainer"),
}
CURRENT, RUNS, READY, PENDING = (
    "pxCurrentTCB",
    "xSchedulerRunning",
    "pxReadyTasksLists",
    "xPendingReadyList",
)
LISTS = {
    "xDelayedTaskList1": "blocked",
    "xDelayedTaskList2": "blocked",
    "xSuspendedTaskList": "suspended",
    "xTasksWaitingTermination": "deleted",
}
"""Where else tasks are, and their state there; an image may lack some."""
WAITS_FOR_NOTIFICATION = 1
LONGEST_NAME_BYTES = 32
MOST_TASKS = 1000
"""Lists that go on longer are no lists."""
SOURCE = "tasks.c"

GENERAL = (*(f"r{n}" for n in range(13)), "sp", "lr")
FRAME = {
    "cpsr": (4, 0),
    **{name: (8 + 4 * n, 0) for n, name in enumerate(GENERAL)},
    "pc": (8 + 4 * len(GENERAL), -4),
}
"""By register: the offset from the top of the stack, and what is added to the word there. The
word at the top is the nesting of critical sections."""
FRAME_SYMBOL = "ulCriticalNesting"
"""A variable of the ports that save this frame."""


class FreeRtosTasks:
    """The tasks of an image with FreeRTOS on a board."""

    def __init__(self, board: Board, image: Image, known: dict[str, Structure]) -> None:
        self._board, self._symbols = board, image.symbols
        self._task, self._item = known[TASK].fields, known[ITEM].fields
        self._list_bytes, self._end = known[LIST].size_bytes, known[LIST].fields["xListEnd"]

    def threads(self) -> list[GdbThread]:
        """Returns all tasks, the running one first; none before the scheduler has started."""
        try:
            return self._threads() if self._variable(RUNS) else []
        except CyclescopeError:  # a list that is being made, or is damaged
            return []

    def _threads(self) -> list[GdbThread]:
        running = self._variable(CURRENT)
        states = {running: "running"}
        for start, state in self._lists():
            for task in self._tasks(start):
                states.setdefault(task, self._state(task, state))
        return [
            (task, self._label(task, state), None if task == running else self._saved(task))
            for task, state in states.items()
        ]

    def _lists(self) -> Iterator[tuple[int, str]]:
        """The address of each list with the state of its tasks, the highest priority first."""
        first, size_bytes = self._symbols[READY]
        for start in reversed(range(first, first + size_bytes, self._list_bytes)):
            yield start, "ready"
        for name, state in LISTS.items():
            if name in self._symbols:
                yield self._symbols[name][0], state

    def _tasks(self, start: int) -> Iterator[int]:
        end = start + self._end
        item = self._word(end + self._item["pxNext"])
        for _ in range(MOST_TASKS):
            if item in (end, 0):
                return
            yield self._word(item + self._item["pvOwner"])
            item = self._word(item + self._item["pxNext"])

    def _state(self, task: int, listed: str) -> str:
        """The state as eTaskGetState has it."""
        waits_in = self._word(task + self._task["xEventListItem"] + self._item["pxContainer"])
        if waits_in and waits_in == self._symbols.get(PENDING, (0, 0))[0]:
            return "ready"
        if listed == "suspended" and (waits_in or self._waits_for_notification(task)):
            return "blocked"
        return listed

    def _waits_for_notification(self, task: int) -> bool:
        place = self._task.get("ucNotifyState")
        if place is None:
            return False
        return self._board.read_memory(task + place, 1)[0] == WAITS_FOR_NOTIFICATION

    def _label(self, task: int, state: str) -> str:
        name = self._board.read_memory(task + self._task["pcTaskName"], LONGEST_NAME_BYTES)
        text = name.split(b"\0")[0].decode("ascii", errors="replace")
        return f"{text}: {state}, priority {self._word(task + self._task['uxPriority'])}"

    def _saved(self, task: int) -> list[tuple[str, int, int]]:
        top = self._word(task + self._task["pxTopOfStack"])
        return [(name, top + offset, added) for name, (offset, added) in FRAME.items()]

    def _variable(self, name: str) -> int:
        return self._word(self._symbols[name][0])

    def _word(self, address: int) -> int:
        return int.from_bytes(self._board.read_memory(address, 4), "little")


def find(board: Board, image: Image, elf: bytes) -> FreeRtosTasks | None:
    """Returns the tasks of an image; None if it has no FreeRTOS whose frames are known here."""
    if not {CURRENT, RUNS, READY, FRAME_SYMBOL} <= image.symbols.keys():
        return None
    known = structures(elf, SOURCE, NEEDED)
    lacks = [
        field
        for name, fields in NEEDED.items()
        for field in fields
        if name not in known or field not in known[name].fields
    ]
    return None if lacks else FreeRtosTasks(board, image, known)
