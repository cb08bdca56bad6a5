"""The Cortex-M3: the core stacks a frame itself, and a handler may follow another at once.

The pipeline of the engine times the instructions: recordings of the chip judge it, and a second
one would be judged by the first (docs/timing/cortex-m3.md). Interrupts, buses and energy are stated
here, and no board takes part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cyclescope.errors import CyclescopeError
from cyclescope.studies.switch.coefficients import Counts
from cyclescope.studies.switch.core import Rules
from cyclescope.studies.switch.memories import NOTHING, WORD_BYTES
from cyclescope.studies.switch.path import Moment, Operands
from cyclescope.targets.virtual.board import Retrace, make_retrace

REGISTERS = [*(f"r{number}" for number in range(13)), "sp", "lr", "pc"]
MODE_BITS = 0x1FF
SVC = 11
SP = 13
BARRIER = bytes.fromhex("bff36f8f")
"""ISB."""

ENTRY_CYCLES = 12
CHAIN_CYCLES = 6
RETURN_CYCLES = 10
"""Of an exception's entry, of one that follows another, and of a return (docs/timing/armv7m.md)."""

SYNCHRONISER_CYCLES = 0
OVERLAP_CYCLES = 2
INTERRUPT_DOUBT_CYCLES = 2 + ENTRY_CYCLES + RETURN_CYCLES - CHAIN_CYCLES
"""One that follows another handler needs no entry and no return of its own."""


def moment(cycle: int, registers: Mapping[str, int], spent_fj: int) -> Moment:
    """The boundary that these registers show."""
    operands = Operands(tuple(registers[name] for name in REGISTERS), registers["xpsr"])
    return Moment(cycle, registers["pc"], operands, spent_fj, operands.cpsr & MODE_BITS)


def taken(path: Sequence[Moment], handler: int) -> int:
    """The boundary at which an exception was taken: the last one in another mode. Code that all
    interrupts share may stand between it and the handler."""
    mode = path[handler].mode
    while path[handler].mode == mode:
        handler -= 1
    return handler


def interrupted(path: Sequence[Moment], taken: int) -> int:
    """The boundary at which the program was interrupted: before the first of handlers that follow
    each other."""
    while taken and path[taken].mode:
        taken -= 1
    return taken


def is_over(path: Sequence[Moment], taken: int, index: int) -> bool:
    """Whether the handler that was entered there is over."""
    return path[index].mode != path[taken + 1].mode


def walk(rules: Rules, watched: int) -> "CortexM3Walk":
    """The rules, at the beginning of a path."""
    if any(one.cycles for one in rules.memory.regions if one.part.startswith("memory.")):
        raise CyclescopeError(
            f"the analytic model of a switch cannot time wait states on {rules.board}: choose no "
            "wait states",
            code="switch-with-wait-states",
        )
    retrace = make_retrace(rules.board)
    for address, data in rules.program.loaded:
        retrace.load(address, data)
    for one in rules.memory.regions:
        retrace.set_waits(one.base, one.end, one.cycles)
    return CortexM3Walk(rules, watched, retrace)


@dataclass
class CortexM3Walk:
    """The core and its buses, one instruction or exception at a time."""

    rules: Rules
    watched: int
    retrace: Retrace
    read: int | None = None
    counts: Counts = field(default_factory=Counts)
    is_known: bool = False
    active: list[int] = field(default_factory=list)
    """Exceptions that are being handled, the innermost last."""

    @property
    def lines_read(self) -> int:
        """No flash here has lines."""
        return 0

    def step(self, moment: Moment, following: Moment) -> bool:
        """To the next moment; whether the first barrier emptied the pipeline."""
        if following.mode == moment.mode:
            self._execute(moment, following)
            return self._is_first_barrier(moment)
        if self._is_preempted(moment, following) or self._execute(moment, following) == "call":
            self._take(ENTRY_CYCLES)
            self.active.append(following.mode)
        else:
            self.active.pop()
            returns = following.mode == 0 or following.mode in self.active
            self._take(RETURN_CYCLES if returns else CHAIN_CYCLES)
            if not returns:
                self.active.append(following.mode)
        self.retrace.flush()
        return False

    def interrupted(self, address: int) -> "CortexM3Walk":
        """A copy that goes on at this address behind an interrupt, its pipeline empty."""
        copy = CortexM3Walk(self.rules, self.watched, self.retrace.copy())
        copy.counts, copy.active = self.counts.copy(), list(self.active)
        copy.retrace.flush()
        return copy

    def _is_first_barrier(self, moment: Moment) -> bool:
        if self.is_known:
            return False
        self.is_known = self.rules.program.read(moment.address, WORD_BYTES) == BARRIER
        return self.is_known

    def _is_preempted(self, moment: Moment, following: Moment) -> bool:
        """Whether an exception took the place of the instruction."""
        if moment.mode == 0:
            return following.mode != SVC
        pushed = following.operands.registers[SP] < moment.operands.registers[SP]
        return following.mode != 0 and pushed

    def _execute(self, moment: Moment, following: Moment) -> str:
        if following.address == moment.address:
            raise CyclescopeError(
                "an interrupt fell into a load or store of several registers, which begins again: "
                "preempt it at another instant (--instants, --seed)",
                code="interrupted-instruction",
            )
        began = self.counts.cycles
        registers, status = moment.operands
        cycles, accesses, ending = self.retrace.step(registers, status, following.address)
        for at, address, _, is_write in accesses:
            region = self.rules.memory.at(address)
            if region is NOTHING:  # a register of the core's own
                continue
            self.counts.accesses[region.part] = self.counts.accesses.get(region.part, 0) + 1
            if address == self.watched and not is_write:
                self.read = began + at
        self._take(cycles)
        return ending

    def _take(self, cycles: int) -> None:
        self.counts.active += cycles
