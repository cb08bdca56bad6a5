"""Occupancy of the processor by tasks and ISRs while a batch ran on a virtual board."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.program import Program
from cyclescope.studies.realtime.virtual.kernels import TICK, places_of
from cyclescope.targets.virtual.board import Board

MASKED = "interrupts masked"
UNDERWAY = "underway"
"""An array of words, in which each background thread says what it is using."""
THREADS = 5

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
    chooses: list[int] = field(default_factory=list)
    """When the kernel began to choose a task, where that takes a while."""
    gave_up: list[int] = field(default_factory=list)
    """When the task that ran stopped being ready, so that another one had to be chosen."""

    def intervals(self, begin: int, end: int) -> list[Interval]:
        """Tasks and ISRs on the processor between two cycles."""
        tasks = _joined(self._tasks(begin, end))
        return [*tasks, *self._interrupts(begin, end), *self._masked(begin, end)]

    def rename_within(
        self, starts: NDArray[np.int64], stops: NDArray[np.int64], name: str, new: str
    ) -> None:
        """Renames ISRs of one name that were entered between a start and its stop."""
        for index, (at, old) in enumerate(self.entered):
            sample = int(np.searchsorted(starts, at, side="right")) - 1
            if old == name and sample >= 0 and at < stops[sample]:
                self.entered[index] = (at, new)

    def choosing_since(self, cycle: int) -> int:
        """When the kernel began to choose the task that it had chosen at `cycle`, if that is this
        task's. Where the one before had given up the processor, the choice is that one's."""
        index = bisect_right(self.chooses, cycle) - 1
        if index < 0:
            return cycle
        since = self.chooses[index]
        gave_up = bisect_left(self.gave_up, since) < bisect_left(self.gave_up, cycle)
        return cycle if gave_up else since

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

    def last_before(self, cycles: Iterable[int]) -> NDArray[np.int64]:
        """The cycle of the last reading before each of some, in order."""
        seen = [cycle for cycle, _ in self._seen]
        found = [bisect_left(seen, cycle) - 1 for cycle in cycles]
        if any(index < 0 for index in found):
            raise _never_read()
        return np.array([seen[index] for index in found], dtype=np.int64)

    def nearest(self, cycles: NDArray[np.int64]) -> NDArray[np.int64]:
        """The cycle of the reading nearest to each of some."""
        seen = np.array([cycle for cycle, _ in self._seen], dtype=np.int64)
        after = np.clip(np.searchsorted(seen, cycles), 1, max(1, len(seen) - 1))
        pairs = seen[after - 1], seen[np.minimum(after, len(seen) - 1)]
        return np.where(cycles - pairs[0] <= pairs[1] - cycles, *pairs)

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
    """Takes down what an `Occupancy` and a truth need; the board's run is not changed by it.

    It watches the places of the kernel, readings of `timers` and executions of `moments`.
    """

    def __init__(
        self, board: Board, program: Program, timers: Sequence[int], moments: Sequence[int] = ()
    ) -> None:
        self._board = board
        self._places = places_of(board, program)
        # An image without a load has none.
        underway = program.symbols.get(UNDERWAY)
        self._threads = {
            underway + 4 * thread: thread for thread in range(1, THREADS + 1) if underway
        }
        self._timers, self._moments = list(timers), list(moments)
        self.schedule = Occupancy()
        self.read = {timer: Readings() for timer in timers}
        self.executed: dict[int, list[int]] = {}
        self._depth = 0

    def start(self) -> None:
        """From now on; what was taken down before is forgotten."""
        self.schedule = Occupancy()
        self.read = {timer: Readings() for timer in self._timers}
        self.executed = {moment: [] for moment in self._moments}
        self._depth = 0
        seen = self._places
        moments = {
            *seen.entries, *seen.returns, *seen.marks, *seen.chooses, *seen.gives_up, *self._moments
        }  # fmt: skip
        self._board.watch(
            executed=sorted(moments),
            accessed=[seen.current, *self._threads, *self._timers],
        )
        self._board.watch_off_intervals()
        self._board.take_executed()
        self._board.take_accessed()

    def take(self) -> None:
        """Collects what was seen since; tasks are named as their memory names them now."""
        for cycle, address in self._board.take_executed():
            if address in self._places.chooses:
                self.schedule.chooses.append(cycle)
            elif address in self._places.gives_up:
                self.schedule.gave_up.append(cycle)
            elif address in self.executed:
                self.executed[address].append(cycle)
            else:
                self._interrupt(cycle, address)
        for cycle, address, value, is_write in self._board.take_accessed():
            if address in self.read:
                self.read[address].add(cycle, value)
            elif address == self._places.current and is_write:
                self.schedule.chosen.append((cycle, value))
            elif is_write:
                calls = self.schedule.calls.setdefault(self._threads[address], [])
                calls.append((cycle, value))
        self.schedule.masked += [Masked(*one) for one in self._board.take_off_intervals()]
        for task in {task for _, task in self.schedule.chosen} - self.schedule.names.keys():
            self.schedule.names[task] = self._places.name_of(task)

    def _interrupt(self, cycle: int, address: int) -> None:
        """An entry, an end or a tick. Of interrupts within one another the outermost counts."""
        entered = self.schedule.entered
        if mark := self._places.marks.get(address):
            if self._depth and entered[-1][1] != TICK:
                entered[-1] = (entered[-1][0], mark)
        elif name := self._places.entries.get(address):
            if not self._depth:
                entered.append((cycle, name))
            self._depth += self._places.nests
        else:
            self._depth = max(0, self._depth - 1)
            if not self._depth:
                self.schedule.left.append(cycle)

    def stop(self) -> None:
        """Watches no more."""
        self._board.watch()
