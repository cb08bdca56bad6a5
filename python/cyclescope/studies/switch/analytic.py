"""The analytic way: rules of cycles applied to the path that a window executed (section 4.1).

From the path it takes addresses and operands, no cycle; opcodes come from the ELF file. Waiting
loops on a device iterate as often as the path has it. The memories' timing and the energy's
coefficients are the board file's (memories.py, coefficients.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from cyclescope.firmware.program import Program
from cyclescope.studies.switch.coefficients import Counts, PointCoefficients
from cyclescope.studies.switch.flash import Flash
from cyclescope.studies.switch.instructions import Activity, activity
from cyclescope.studies.switch.memories import WORD_BYTES, MemoryMap
from cyclescope.studies.switch.path import IRQ_VECTOR, Moment

AHEAD_BYTES = 8
MAMCR = 0xE01F_C000


@dataclass(frozen=True)
class Evaluation:
    """Cycles and energy at each moment of a path, both 0 at its beginning.

    `known` is the first moment from which they hold: before it the state of a flash's buffers is
    what the window found. Without such buffers it is the beginning. `readings` are loads from the
    address asked for: moment, and the cycle at which the data came.
    """

    cycles: Sequence[int]
    spent_fj: Sequence[int]
    known: int
    readings: Mapping[int, int]

    def between(self, begin: int, end: int) -> int:
        """Cycles from one moment to another."""
        return self.cycles[end] - self.cycles[begin]

    def energy_fj(self, begin: int, end: int) -> int:
        """Energy from one moment to another."""
        return self.spent_fj[end] - self.spent_fj[begin]


def evaluate(
    path: Sequence[Moment],
    program: Program,
    memory: MemoryMap,
    coefficients: PointCoefficients,
    watched: int = 0,
) -> Evaluation:
    """Applies the rules along a path; `watched` is the address whose readings to return."""
    walk = AnalyticWalk(program, memory, watched)
    cycles, spent_fj, known = [0], [0], 0
    readings: dict[int, int] = {}
    for index, (moment, following) in enumerate(pairwise(path), 1):
        if walk.step(moment, following.address):
            known = index
        if walk.read is not None:
            readings[index - 1], walk.read = walk.read, None
        cycles.append(walk.counts.cycles)
        spent_fj.append(coefficients.energy_fj(walk.counts, walk.lines_read))
    return Evaluation(cycles, spent_fj, known, readings)


@dataclass
class AnalyticWalk:
    """The core and its memories, one instruction or interrupt entry at a time."""

    program: Program
    memory: MemoryMap
    watched: int = 0
    read: int | None = None
    counts: Counts = field(default_factory=Counts)
    sequential: bool = True

    def __post_init__(self) -> None:
        accelerator = self.memory.accelerator
        self.flash = Flash(*accelerator) if accelerator else None
        self._opcodes: dict[int, int] = {}

    @property
    def lines_read(self) -> int:
        """Lines of a flash, so far."""
        return self.flash.lines_read if self.flash else 0

    def step(self, moment: Moment, following: int) -> bool:
        """To the next moment; whether flash buffers are empty behind it."""
        is_entry = following == IRQ_VECTOR
        doing = Activity(breaks_flow=True) if is_entry else self._activity(moment)
        self._fetch(moment.address + AHEAD_BYTES, sequential=self.sequential)
        for address in doing.data:
            self._access(address, doing.size_bytes)
            if address == self.watched and not doing.is_store:
                self.read = self.counts.cycles
        self.counts.active += doing.internal
        self.sequential = not doing.is_store
        if doing.breaks_flow:
            self._break_to(following)
        if self.flash and doing.is_store and doing.data[0] == MAMCR:
            self.flash.set_mode(moment.operands.registers[self._opcode(moment) >> 12 & 15])
            return True
        return False

    def interrupted(self, address: int) -> "AnalyticWalk":
        """A copy that goes on at this address behind an interrupt. Its flash buffers held nothing
        of this code when the core returned, and its pipeline is full again."""
        copy = AnalyticWalk(self.program, self.memory, self.watched)
        copy.counts = self.counts.copy()
        if self.flash:
            copy.flash = replace(self.flash)
            copy.flash.forget()
        copy._break_to(address)
        return copy

    def _break_to(self, address: int) -> None:
        self._fetch(address, sequential=False, after_break=True)
        self._fetch(address + WORD_BYTES, sequential=True)
        self.sequential = True

    def _opcode(self, moment: Moment) -> int:
        if moment.address not in self._opcodes:
            code = self.program.read(self.memory.linked(moment.address), WORD_BYTES)
            self._opcodes[moment.address] = int.from_bytes(code, "little")
        return self._opcodes[moment.address]

    def _activity(self, moment: Moment) -> Activity:
        return activity(self._opcode(moment), moment.operands)

    def _fetch(self, address: int, *, sequential: bool, after_break: bool = False) -> None:
        if self.flash is None or self.memory.at(address).accelerator is None:
            self._access(address, WORD_BYTES)
            return
        at = self.counts.cycles
        self._take(self.flash.fetch(at, address, sequential=sequential, after_break=after_break))

    def _access(self, address: int, size_bytes: int) -> None:
        region = self.memory.at(address)
        if self.flash is not None and region.accelerator is not None:
            self._take(self.flash.read(self.counts.cycles, address))
            return
        self.counts.accesses[region.part] = self.counts.accesses.get(region.part, 0) + 1
        self._take(region.access_cycles(size_bytes))

    def _take(self, cycles: int) -> None:
        """An access: its data cycle, and those it waits."""
        self.counts.active += 1
        self.counts.stall += cycles - 1
