"""The analytic way: rules of cycles applied to the path that a window executed (section 4.1).

From the path it takes addresses and operands, no cycle; opcodes come from the ELF file. Waiting
loops on a device iterate as often as the path has it. The memories' timing is that of the LPC2148
at VPBDIV 1 (docs/timing/bus_lpc2148.md), the energy's coefficients are the board file's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from cyclescope.firmware.program import Program
from cyclescope.studies.switch.coefficients import Counts, PointCoefficients
from cyclescope.studies.switch.flash import Flash
from cyclescope.studies.switch.instructions import Activity, activity
from cyclescope.studies.switch.path import IRQ_VECTOR, Moment

AHEAD_BYTES, WORD_BYTES = 8, 4
VECTORS_END, FLASH_END = 0x40, 0x7_D000
SRAM, SRAM_END = 0x4000_0000, 0x4000_8000
VPB, VPB_END = 0xE000_0000, 0xE020_0000
AHB = 0xFFFF_F000
MAMCR = 0xE01F_C000
VPB_CYCLES, AHB_CYCLES = 6, 2


class MemorySettings(NamedTuple):
    """How the image's memories are set: where the vectors show from, MAMCR and MAMTIM."""

    vectors_in_sram: bool
    mam: int
    mamtim: int


@dataclass(frozen=True)
class Evaluation:
    """Cycles and energy at each moment of a path, both 0 at its beginning.

    `known` is the first moment from which they hold: before it the flash buffers' state is what the
    window found. `readings` are loads from the address asked for: moment, and the cycle at which
    the data came.
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
    memory: MemorySettings,
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
        spent_fj.append(coefficients.energy_fj(walk.counts, walk.flash.lines_read))
    return Evaluation(cycles, spent_fj, known, readings)


@dataclass
class AnalyticWalk:
    """The core and its memories, one instruction or interrupt entry at a time."""

    program: Program
    memory: MemorySettings
    watched: int = 0
    read: int | None = None
    counts: Counts = field(default_factory=Counts)
    sequential: bool = True

    def __post_init__(self) -> None:
        self.flash = Flash(self.memory.mam, self.memory.mamtim)
        self._opcodes: dict[int, int] = {}

    def step(self, moment: Moment, following: int) -> bool:
        """To the next moment; whether flash buffers are empty behind it."""
        is_entry = following == IRQ_VECTOR
        doing = Activity(breaks_flow=True) if is_entry else self._activity(moment)
        self._fetch(moment.address + AHEAD_BYTES, sequential=self.sequential)
        for address in doing.data:
            self._access(address)
            if address == self.watched and not doing.is_store:
                self.read = self.counts.cycles
        self.counts.active += doing.internal
        self.sequential = not doing.is_store
        if doing.breaks_flow:
            self._break_to(following)
        if doing.is_store and doing.data[0] == MAMCR:
            self.flash.set_mode(moment.operands.registers[self._opcode(moment) >> 12 & 15])
            return True
        return False

    def interrupted(self, address: int) -> "AnalyticWalk":
        """A copy that goes on at this address behind an interrupt. Its flash buffers held nothing
        of this code when the core returned, and its pipeline is full again."""
        copy = AnalyticWalk(self.program, self.memory, self.watched)
        copy.counts, copy.flash = replace(self.counts), replace(self.flash)
        copy.flash.forget()
        copy._break_to(address)
        return copy

    def _break_to(self, address: int) -> None:
        self._fetch(address, sequential=False, after_break=True)
        self._fetch(address + WORD_BYTES, sequential=True)
        self.sequential = True

    def _opcode(self, moment: Moment) -> int:
        if moment.address not in self._opcodes:
            shown = self.memory.vectors_in_sram and moment.address < VECTORS_END
            code = self.program.read(moment.address + SRAM * shown, WORD_BYTES)
            self._opcodes[moment.address] = int.from_bytes(code, "little")
        return self._opcodes[moment.address]

    def _activity(self, moment: Moment) -> Activity:
        return activity(self._opcode(moment), moment.operands)

    def _fetch(self, address: int, *, sequential: bool, after_break: bool = False) -> None:
        if not self._is_flash(address):
            self._access(address)
            return
        at = self.counts.cycles
        self._take(self.flash.fetch(at, address, sequential=sequential, after_break=after_break))

    def _access(self, address: int) -> None:
        if self._is_flash(address):
            self._take(self.flash.read(self.counts.cycles, address))
        elif VPB <= address < VPB_END:
            self.counts.vpb += 1
            self._take(VPB_CYCLES)
        elif address >= AHB:
            self.counts.ahb += 1
            self._take(AHB_CYCLES)
        else:
            self.counts.sram += SRAM <= address < SRAM_END or address < VECTORS_END
            self._take(1)

    def _take(self, cycles: int) -> None:
        """An access: its data cycle, and those it waits."""
        self.counts.active += 1
        self.counts.stall += cycles - 1

    def _is_flash(self, address: int) -> bool:
        first = VECTORS_END if self.memory.vectors_in_sram else 0
        return first <= address < FLASH_END
