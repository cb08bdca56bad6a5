"""The ARM7TDMI's table of cycles along a path, and the LPC2000's flash accelerator."""

from dataclasses import dataclass, field, replace

from cyclescope.firmware.program import Program
from cyclescope.studies.switch.coefficients import Counts
from cyclescope.studies.switch.cores.arm7tdmi.flash import Flash
from cyclescope.studies.switch.cores.arm7tdmi.instructions import Activity, activity
from cyclescope.studies.switch.memories import WORD_BYTES, MemoryMap
from cyclescope.studies.switch.path import Moment

IRQ_VECTOR = 0x18
AHEAD_BYTES = 8
MAMCR = 0xE01F_C000


@dataclass
class Arm7tdmiWalk:
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

    def step(self, moment: Moment, following: Moment) -> bool:
        """To the next moment; whether flash buffers are empty behind it."""
        is_entry = following.address == IRQ_VECTOR
        doing = Activity(breaks_flow=True) if is_entry else self._activity(moment)
        self._fetch(moment.address + AHEAD_BYTES, sequential=self.sequential)
        for address in doing.data:
            self._access(address, doing.size_bytes)
            if address == self.watched and not doing.is_store:
                self.read = self.counts.cycles
        self.counts.active += doing.internal
        self.sequential = not doing.is_store
        if doing.breaks_flow:
            self._break_to(following.address)
        if self.flash and doing.is_store and doing.data[0] == MAMCR:
            self.flash.set_mode(moment.operands.registers[self._opcode(moment) >> 12 & 15])
            return True
        return False

    def interrupted(self, address: int) -> "Arm7tdmiWalk":
        """A copy that goes on at this address behind an interrupt. Its flash buffers held nothing
        of this code when the core returned, and its pipeline is full again."""
        copy = Arm7tdmiWalk(self.program, self.memory, self.watched)
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
