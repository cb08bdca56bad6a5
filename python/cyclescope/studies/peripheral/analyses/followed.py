"""The bytes of a transfer, followed on a replay, with the objects of its memory that held them."""

from bisect import bisect_left
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from cyclescope.firmware.linux.objects import ALLOCATED
from cyclescope.firmware.linux.ram_copy import GuestObject
from cyclescope.studies.peripheral.analyses.memory_view import BoardMemory, view
from cyclescope.studies.peripheral.choices import Direction
from cyclescope.studies.peripheral.transfer import Transfer, TransferReplay

LINE = "usart1"
RECEIVED, SENT = f"{LINE}.US_RHR", f"{LINE}.US_THR"
PDC = "PDC"
NO_SYMBOL = "(no symbol)"
STACKS_OF_MODES = "kernel: stacks"
"""The kernel's small stacks for the entry of each exception."""
COPIES = 16
"""Copies of the memory that are taken in the steady state."""
MOST_BYTES = 32_768
"""Bytes on the wire that are followed; a longer transfer repeats itself."""


class CopiedByte(NamedTuple):
    """A byte that came to a place. `source` is the number of the copy it was taken from, 0 of an
    arrival. `by` is the address of the instruction, None of a device. `place` is None of memory."""

    byte: int
    source: int
    by: int | None
    place: str | None
    address: int
    at: int
    value: int
    arrived: int


class MovingInstruction(NamedTuple):
    """An instruction that passed on followed bytes."""

    address: int
    executions: int
    cycles: int


@dataclass
class FollowedBytes:
    """Copies in order (the first is number 1), and the memory at some cycles of the run.

    `file` are the pages that hold the file: after a download, and before an upload. `whole` says
    whether the transfer was followed to its end.
    """

    copies: list[CopiedByte]
    lost: int
    moving: list[MovingInstruction]
    moments: list[tuple[int, BoardMemory]]
    file: list[GuestObject]
    whole: bool = True
    _names: dict[tuple[int, int], str] = field(default_factory=dict)
    _functions: dict[int, str] = field(default_factory=dict)

    def on_way(self, number: int) -> list[CopiedByte]:
        """The copies from the arrival of a byte to the one of this number."""
        found = [self.copies[number - 1]]
        while source := found[-1].source:
            found.append(self.copies[source - 1])
        return found[::-1]

    @cached_property
    def last_at(self) -> dict[int, int]:
        """By address the number of the last copy in memory."""
        return {
            one.address: number
            for number, one in enumerate(self.copies, 1)
            if one.place is None or (one.by is None and one.source == 0)
        }

    def maker(self, copy: CopiedByte) -> str:
        """The function that made a copy: `image: function`."""
        return PDC if copy.by is None else self.function(copy.by)

    def function(self, address: int) -> str:
        """`image: function` at an address of code."""
        if address not in self._functions:
            found = (memory.symbol(address) for _, memory in self.moments)
            named = next((one for one in found if one), None)
            self._functions[address] = ": ".join(named) if named else NO_SYMBOL
        return self._functions[address]

    def saves_register(self, copy: CopiedByte) -> bool:
        """Whether a copy is a register that a function or an exception's entry saved."""
        if copy.by is None or copy.place is not None or not copy.source:
            return False
        after = self._moment(copy)
        memory = self.moments[after][1]
        return memory.saves_register(copy.by) or self.holder(copy) == STACKS_OF_MODES

    def holder(self, copy: CopiedByte) -> str:
        """The object that a copy came to, as it was known soon after."""
        if copy.place is not None and copy.by is not None:
            return copy.place
        if copy.place is not None and copy.source:
            return f"{LINE}: line"
        key = (self._moment(copy), copy.address)
        if key not in self._names:
            self._names[key] = self._holder(*key)
        return self._names[key]

    def _moment(self, copy: CopiedByte) -> int:
        found = bisect_left(self.moments, copy.at, key=lambda one: one[0])
        return min(found, len(self.moments) - 1)

    def _holder(self, first: int, address: int) -> str:
        last = ""
        for _, memory in [*self.moments[first:], *self.moments[:first][::-1]]:
            last = memory.at(address).name
            if last != ALLOCATED:
                return last
        return last


def window(transfer: Transfer) -> tuple[int, int]:
    """The steady state in cycles, or the part of it in which `MOST_BYTES` are on the wire."""
    begin, end = transfer.steady
    cycles = transfer.wire_bytes.cycles
    first = int(cycles.searchsorted(begin, side="right"))
    last = first + MOST_BYTES
    return begin, min(end, int(cycles[last])) if last < len(cycles) else end


def followed(transfer: Transfer) -> FollowedBytes:
    """Replays a transfer and follows its bytes: those from the line, or of an upload the file's.

    Raises CyclescopeError if the built system is another.
    """
    replay = transfer.replay()
    system = view(replay.system)

    def memory() -> BoardMemory:
        return system.copied(replay.board)

    replay.run_to(transfer.record.ready_cycle)
    moments = [(replay.board.cycle, memory())]
    content = transfer.setting.file()
    pages: list[GuestObject] = []
    if transfer.setting.direction is Direction.UPLOAD:
        pages = moments[0][1].file_pages(len(content), content)
        number = replay.board.attach_follow(memory=[(one.start, one.end) for one in pages])
    else:
        number = replay.board.attach_follow(registers=[RECEIVED], devices=[LINE])
    found = FollowedBytes([], 0, [], moments, pages)
    begin, end = window(transfer)
    found.whole = end == transfer.steady[1]
    for step in range(COPIES + 1):
        _run(replay, begin + (end - begin) * step // COPIES, number, found)
        moments.append((replay.board.cycle, memory()))
    if not found.whole:
        return found
    _run(replay, transfer.record.end_cycle, number, found)
    moments.append((replay.board.cycle, memory()))
    if not found.file:
        found.file = moments[-1][1].file_pages(len(content), content)
    return found


def _run(replay: TransferReplay, cycle: int, number: int, found: FollowedBytes) -> None:
    """Runs on and takes the copies since."""
    replay.run_to(cycle)
    counted = replay.board.counted(number)
    replay.board.clear(number)
    found.copies += [CopiedByte(*one) for one in counted["copies"]]
    found.lost += counted["lost"]
    found.moving += [MovingInstruction(*one) for one in counted["moving"]]
