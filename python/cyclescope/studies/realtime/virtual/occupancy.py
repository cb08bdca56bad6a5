"""Occupancy of the processor by tasks and ISRs while a batch ran on a virtual board."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.program import Program
from cyclescope.targets.virtual.board import Board

CURRENT_TASK = "pxCurrentTCB"
"""Where FreeRTOS says which task it chose."""
TICK = "tick"
LOAD_INTERRUPT = "load's interrupt"
INTERRUPTS = {
    "vTickISR": TICK,
    "vPreemptiveTick": TICK,
    "software_interrupt_entered": "software interrupt",
    "line_interrupt_entered": "line interrupt",
    "alarm_entered": LOAD_INTERRUPT,
}
"""The entries of the image's ISRs, and what they are called on a timeline. The tick's name is that
of the kernel's port."""
MASKED = "interrupts masked"
UNDERWAY = "underway"
"""An array of words, in which each background thread says what it is using."""
THREADS = 5
NAME_BYTES, TASK_BYTES = 8, 96
ENTRY_BYTES = 512
"""More than an entry is long."""

Interval = tuple[str, Literal["task", "isr", "masked"], int, int]
"""Track and kind of what was on the processor, from which cycle to which."""


class Masked(NamedTuple):
    """A time in which no interrupt could get through; the addresses are of its first instruction
    and of the first one after it."""

    since: int
    begin: int
    until: int
    end: int


@dataclass
class Occupancy:
    """Core cycles at which tasks were chosen, ISRs entered and left, addresses accessed."""

    chosen: list[tuple[int, int]] = field(default_factory=list)
    entered: list[tuple[int, str]] = field(default_factory=list)
    left: list[int] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    calls: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    """By background thread, when it began to use which facility of the kernel, by its number."""
    masked: list[Masked] = field(default_factory=list)

    def intervals(self, begin: int, end: int) -> list[Interval]:
        """Tasks and ISRs on the processor between two cycles."""
        tasks = _joined(self._tasks(begin, end))
        return [*tasks, *self._interrupts(begin, end), *self._masked(begin, end)]

    def task_at(self, cycle: int) -> str:
        """The name of the task that was chosen last."""
        index = bisect_right(self.chosen, (cycle, 1 << 32)) - 1
        return self.names.get(self.chosen[index][1], "?") if index >= 0 else "?"

    def interrupt_in(self, begin: int, end: int) -> str | None:
        """The first ISR that was entered between two cycles, if one was."""
        index = bisect_left(self.entered, (begin, ""))
        inside = index < len(self.entered) and self.entered[index][0] < end
        return self.entered[index][1] if inside else None

    def interrupted(self) -> list[tuple[int, int]]:
        """When each ISR was entered and left, in order."""
        return [(at, self._end_of(index)) for index, (at, _) in enumerate(self.entered)]

    def interrupted_between(self, begin: int, end: int) -> int:
        """Cycles that ISRs took between two cycles."""
        # The watch may have begun within an ISR, which was left and not seen to be entered.
        first = max(0, bisect_left(self.entered, (begin, "")) - 1)
        total = 0
        for index in range(first, len(self.entered)):
            at = self.entered[index][0]
            if at >= end:
                break
            total += max(0, min(self._end_of(index), end) - max(at, begin))
        return total

    def facility_at(self, cycle: int, thread: int) -> int:
        """The number of the facility that a background thread was using; 0: none."""
        calls = self.calls.get(thread, [])
        index = bisect_right(calls, (cycle, 1 << 32)) - 1
        return calls[index][1] if index >= 0 else 0

    def longest_masked(self, begin: int, end: int) -> Masked | None:
        """The longest time between two cycles in which no interrupt could get through."""
        inside = (one for one in self.masked if one.since >= begin and one.until <= end)
        return max(inside, key=lambda one: one.until - one.since, default=None)

    def _tasks(self, begin: int, end: int) -> Iterator[Interval]:
        after = [at for at, _ in self.chosen[1:]]
        for (at, task), until in zip(self.chosen, [*after, end], strict=False):
            if until > begin and at < end:
                yield self.names.get(task, "?"), "task", max(at, begin), min(until, end)

    def _interrupts(self, begin: int, end: int) -> Iterator[Interval]:
        for index, (at, name) in enumerate(self.entered):
            until = self._end_of(index)
            if until > begin and at < end:
                yield name, "isr", max(at, begin), min(until, end)

    def _masked(self, begin: int, end: int) -> Iterator[Interval]:
        for one in self.masked:
            if one.until > begin and one.since < end:
                yield MASKED, "masked", max(one.since, begin), min(one.until, end)

    def _end_of(self, index: int) -> int:
        at = self.entered[index][0]
        after = bisect_left(self.left, at)
        return self.left[after] if after < len(self.left) else at


def _joined(intervals: Iterable[Interval]) -> list[Interval]:
    """Joins adjacent intervals of one track: the kernel chose the same task again."""
    found: list[Interval] = []
    for track, kind, at, until in intervals:
        if found and found[-1][0] == track:
            found[-1] = (*found[-1][:3], until)
        else:
            found.append((track, kind, at, until))
    return found


class Readings:
    """Readings of a timer: the cycle at which each completed, and the count."""

    def __init__(self) -> None:
        self._seen: list[tuple[int, int]] = []
        self._last: dict[int, int] = {}

    def add(self, cycle: int, count: int) -> None:
        """One more, behind the others."""
        self._seen.append((cycle, count))
        self._last[count] = cycle

    def cycles(self, counts: NDArray[np.uint32]) -> NDArray[np.int64]:
        """The cycles at which these were read, of a timer that had each count once."""
        try:
            return np.array([self._last[int(count)] for count in counts], dtype=np.int64)
        except KeyError as error:
            raise _never_read() from error

    def cycles_in_order(self, counts: NDArray[np.uint32]) -> NDArray[np.int64]:
        """The same of a timer that had them many times; they were read in this order."""
        seen, found = iter(self._seen), []
        for wanted in counts:
            found.append(next((cycle for cycle, count in seen if count == wanted), None))
        if None in found:
            raise _never_read()
        return np.array(found, dtype=np.int64)


def _never_read() -> CyclescopeError:
    return CyclescopeError(
        "a sample holds a timer value that the board never read", code="timer-value-never-read"
    )


class Observer:
    """Takes down what an `Occupancy` and a truth need; the board's run is not changed by it."""

    def __init__(self, board: Board, program: Program, timers: Sequence[int]) -> None:
        self._board = board
        self._entries = {
            program.symbols[name]: text
            for name, text in INTERRUPTS.items()
            if name in program.symbols
        }
        self._returns = {_return(program, address) for address in self._entries}
        self._current = program.symbols[CURRENT_TASK]
        # An image without a load has none.
        underway = program.symbols.get(UNDERWAY)
        self._threads = {
            underway + 4 * thread: thread for thread in range(1, THREADS + 1) if underway
        }
        self._timers = list(timers)
        self.schedule = Occupancy()
        self.read = {timer: Readings() for timer in timers}

    def start(self) -> None:
        """From now on; what was taken down before is forgotten."""
        self.schedule = Occupancy()
        self.read = {timer: Readings() for timer in self._timers}
        self._board.watch(
            executed=sorted([*self._entries, *self._returns]),
            accessed=[self._current, *self._threads, *self._timers],
        )
        self._board.watch_off_intervals()
        self._board.take_executed()
        self._board.take_accessed()

    def take(self) -> None:
        """Collects what was seen since; tasks are named as their memory names them now."""
        for cycle, address in self._board.take_executed():
            if address in self._entries:
                self.schedule.entered.append((cycle, self._entries[address]))
            else:
                self.schedule.left.append(cycle)
        for cycle, address, value, is_write in self._board.take_accessed():
            if address in self.read:
                self.read[address].add(cycle, value)
            elif address == self._current and is_write:
                self.schedule.chosen.append((cycle, value))
            elif is_write:
                calls = self.schedule.calls.setdefault(self._threads[address], [])
                calls.append((cycle, value))
        self.schedule.masked += [Masked(*one) for one in self._board.take_off_intervals()]
        for task in {task for _, task in self.schedule.chosen} - self.schedule.names.keys():
            self.schedule.names[task] = self._name(task)

    def stop(self) -> None:
        """Watches no more."""
        self._board.watch()

    def _name(self, task: int) -> str:
        text = self._board.read_memory(task + self._name_offset(), NAME_BYTES)
        name = text.split(b"\0")[0]
        return name.decode() if name.isascii() and name.decode().isprintable() and name else "?"

    def _name_offset(self) -> int:
        """Where a task's control block has its name: where the monitor's says so."""
        running = int.from_bytes(self._board.read_memory(self._current, 4), "little")
        return self._board.read_memory(running, TASK_BYTES).index(b"monitor\0")


def _return(program: Program, entry: int) -> int:
    """The address at which an ISR returns."""
    for one in program.instructions(entry, entry + ENTRY_BYTES):
        if program.architecture.ends_interrupt(one):
            return one.address
    raise CyclescopeError(
        f"the interrupt entered at {entry:#x} does not return: a port unknown here",
        code="interrupt-does-not-return",
    )
