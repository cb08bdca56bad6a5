"""The rules of the console's bus once more, cycle by cycle and with none of the engine's memories.

The core's accesses come from the one-instruction bench, which knows no memory's time. Variants of
the rules show which of them the recordings choose. The rule that the engine has must give the
engine's counts, wherever a routine lies.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from agreement.console_image import DMA3, READS_AHEAD, Column, Routine
from cyclescope.targets.virtual.board import InstructionBench

TIMER = 0x0400_0100
SUPERVISOR, THUMB = 0xD3, 0x20
CODE_READ, DATA_READ, WRITE, INTERNAL = range(4)
SEQUENTIAL = 1
MOST_STEPS = 1000

BLOCK_BYTES = 0x2_0000
CARTRIDGE = range(0x0800_0000, 0x0A00_0000)
N_WAITS, S_WAITS = (4, 3, 2, 8), (2, 1)
EWRAM_CYCLES = 3


class Rules(NamedTuple):
    """The engine's rules, and what they might be."""

    reads_ahead: bool = True
    """The unit reads on while the core leaves the cartridge alone."""
    capacity: int = 8
    """Halfwords of its buffer."""
    stops_full: bool = True
    """A full buffer ends its burst."""
    data_wait: bool = True
    """An access to data waits for the last cycle of what the unit reads."""
    branch_wait: bool = True
    """A fetch from elsewhere does so too."""
    takes_first: bool = True
    """An N fetch takes what the unit reads."""
    begins_late: bool = True
    """Without a cycle to itself the unit has not begun: an N fetch is the core's own."""
    blocks: bool = True
    """The first halfword of 128 KB costs N in a burst, and ends that of the unit."""
    internal_breaks: bool = True
    """The fetch after an I cycle costs N."""
    delay_cycles: int = 2
    """From the store that starts DMA until it asks for the bus."""
    before_cycles: int = 1
    """In which the bus goes over to DMA."""
    after_cycles: int = 1
    """In which it goes back."""


@dataclass
class Unit:
    """The unit that reads ahead, cycle by cycle."""

    rules: Rules
    next: int
    n: int
    s: int
    held: int = 0
    left: int = 0
    stopped: bool = False
    has_run: bool = False

    def __post_init__(self) -> None:
        self.left = self.s
        self.stopped = self._at_border()

    def tick(self) -> None:
        """A cycle goes by."""
        if self.stopped:
            return
        if self.held == self.rules.capacity:
            self.stopped, self.has_run = self.rules.stops_full, False
            return
        self.left -= 1
        if self.left == 0:
            self.held, self.left = self.held + 1, self.s
            self.stopped = self._at_border()

    def take(self, halfwords: int) -> int:
        """Cycles of a fetch of so many."""
        cycles = 0
        for _ in range(halfwords):
            if self.held == 0 and self.stopped:
                self.stopped, self.left = False, self.n
            while self.held == 0:
                self.tick()
                cycles += 1
            self.held -= 1
            self.next += 2
        if cycles == 0:
            self.tick()
        return max(1, cycles)

    def _at_border(self) -> bool:
        return self.rules.blocks and (self.next + 2 * self.held) % BLOCK_BYTES == 0


class Bus:
    """The memories of the console, access by access."""

    def __init__(self, waitcnt: int, rules: Rules) -> None:
        self.rules = rules
        self.n = 1 + N_WAITS[waitcnt >> 2 & 3]
        self.s = 1 + S_WAITS[waitcnt >> 4 & 1]
        self.ahead = bool(waitcnt & READS_AHEAD) and rules.reads_ahead
        self.now = 0
        self.unit: Unit | None = None
        self.after_internal = self.data_last = False
        self.demand: tuple[int, dict[str, Any]] | None = None

    def internal(self) -> None:
        self._pass(1)
        self.after_internal = True

    def access(self, address: int, size: int, *, code: bool, sequential: bool) -> None:
        """The core's access begins now; DMA goes before it if it asks by now."""
        if self.demand and self.now >= self.demand[0]:
            self._move(self.demand[1])
            self.demand = None
        if self.after_internal and code and self.rules.internal_breaks:
            sequential = False
        self.after_internal = False
        self._access(address, size, code=code, sequential=sequential)

    def request(self, moves: dict[str, Any]) -> None:
        """The store that starts DMA completes now."""
        self.demand = self.now + self.rules.delay_cycles, moves

    def _pass(self, cycles: int) -> None:
        """The cartridge is left alone for so long."""
        self.now += cycles
        for _ in range(cycles):
            if self.unit:
                self.unit.has_run |= not self.unit.stopped
                self.unit.tick()

    def _move(self, moves: dict[str, Any]) -> None:
        self._pass(self.rules.before_cycles)
        size = moves["width"] // 8
        in_burst = False
        for unit in range(moves["count"]):
            for base in (moves["from"], moves["to"]):
                self._access(base + size * unit, size, code=False, sequential=in_burst)
                in_burst |= base in CARTRIDGE
        self._pass(self.rules.after_cycles)

    def _access(self, address: int, size: int, *, code: bool, sequential: bool) -> None:
        region = address >> 24
        halfwords = max(1, size // 2)
        if region == 2:
            self._pass(EWRAM_CYCLES * halfwords)
        elif address not in CARTRIDGE:
            self._pass(1)
        elif code and (unit := self._unit(address, sequential)):
            self.now += unit.take(halfwords)
        else:
            self._leave(self.rules.branch_wait if code else self.rules.data_wait)
            breaks = self.rules.blocks and address % BLOCK_BYTES == 0
            goes_on = sequential and not breaks and not (code and self.data_last)
            self.now += (self.s if goes_on else self.n) + self.s * (halfwords - 1)
            self.data_last = not code
            if code and self.ahead:
                self.unit = Unit(self.rules, address + size, self.n, self.s)

    def _unit(self, address: int, sequential: bool) -> Unit | None:
        """The unit, if a fetch takes what it has."""
        unit = self.unit
        if unit is None or unit.next != address:
            return None
        if sequential:
            return unit
        own = self.rules.begins_late and unit.held == 0 and not unit.has_run
        return unit if self.rules.takes_first and not own else None

    def _leave(self, waits: bool) -> None:
        """The bus is wanted for something else: the unit gives up."""
        unit, self.unit = self.unit, None
        if unit and waits and not unit.stopped and unit.held < self.rules.capacity:
            self.now += unit.left == 1


class Placed(NamedTuple):
    """A routine in an image: where it begins, and the bytes that the core may read."""

    routine: Routine
    start: int
    end: int
    memory: dict[int, int]


def count(placed: Placed, column: Column, rules: Rules, buffers: dict[str, int]) -> int:
    """The timer's reading by these rules; `buffers` are those of DMA, by `from` and `to`."""
    bus = Bus(column.waitcnt, rules)
    stored = None
    moves = {**placed.routine.moves, **buffers}
    for transaction in transactions(placed, column):
        kind, address = transaction["kind"], transaction["addr"]
        if kind == INTERNAL:
            bus.internal()
            continue
        bus.access(
            address & ~(transaction["size"] - 1), transaction["size"],
            code=kind == CODE_READ, sequential=bool(transaction["access"] & SEQUENTIAL),
        )  # fmt: skip
        if kind == WRITE and address == TIMER and stored is None:
            stored = bus.now
        elif kind == WRITE and address == DMA3 + 8:
            bus.request(moves)
        elif kind == DATA_READ and address == TIMER and stored is not None:
            return bus.now - stored - 2
    raise ValueError(f"{placed.routine.name} does not read the timer")


def transactions(placed: Placed, column: Column) -> Iterator[dict[str, Any]]:
    """The core's cycles from the routine's first instruction on."""
    bench = InstructionBench()
    memory = placed.memory
    thumb = column.isa == "thumb"
    size = 2 if thumb else 4

    def opcode(address: int) -> int:
        return sum(memory.get(address + byte, 0) << 8 * byte for byte in range(size))

    registers = [0] * 16
    registers[13] = 0x0300_7F00
    registers[15] = placed.start + 2 * size
    for name, value in placed.routine.initial.items():
        registers[int(name[1:])] = int(value, 16)
    state: dict[str, Any] = {
        "R": registers, "R_fiq": [0] * 7, "CPSR": SUPERVISOR | THUMB * thumb, "SPSR": [0x10] * 5,
        **{bank: [registers[13], 0] for bank in ("R_svc", "R_abt", "R_irq", "R_und")},
        "pipeline": [opcode(placed.start), opcode(placed.start + size)], "access": 3,
    }  # fmt: skip
    for _ in range(MOST_STEPS):
        stepped = bench.step(state, memory)
        yield from stepped["transactions"]
        state, memory = stepped["final"], stepped["memory"]
