"""The path of a window: the boundaries between instructions, and the switches among them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cyclescope.errors import CyclescopeError
from cyclescope.studies.switch.link import Stamps, WindowRequest

IRQ_VECTOR = 0x18
MODE_BITS = 0x1F


class Operands(NamedTuple):
    """Registers before an instruction: r0 to r15 (two instructions ahead), and CPSR."""

    registers: tuple[int, ...]
    cpsr: int


class Moment(NamedTuple):
    """A boundary: what executes next, unless an interrupt is taken; and what was spent so far."""

    cycle: int
    address: int
    operands: Operands
    spent_fj: int

    @property
    def mode(self) -> int:
        return self.operands.cpsr & MODE_BITS


class Places(NamedTuple):
    """Where in the image a switch can be seen."""

    alarm_entered: int
    transmitter_entered: int
    mac_task: int


@dataclass(frozen=True)
class SwitchMoments:
    """The indices of a switch's moments in the path, and the cycle of its request.

    `entered`: the interrupt is taken there; `mac_began`, `mac_ended`: the other task's first
    instruction, and the first behind its last; `resumed`: the transmission task goes on. `foreign`:
    the UART's own interrupts in between, from taking one to the return.
    """

    requested_cycle: int
    entered: int
    mac_began: int
    mac_ended: int
    resumed: int
    foreign: tuple[tuple[int, int], ...] = ()


class AlarmClock(NamedTuple):
    """The counter that the alarm compares: its bits, how many core cycles a count takes, and the
    counts from a match to the request of the interrupt."""

    bits: int = 32
    cycles_per_count: int = 1
    late_counts: int = 1

    @property
    def revolution_cycles(self) -> int:
        """Until the counter shows the same count again."""
        return self.cycles_per_count << self.bits

    def cycles(self, earlier: int, later: int) -> int:
        """From one count to another, within one revolution."""
        return (later - earlier) % (1 << self.bits) * self.cycles_per_count

    def to_match(self, at: int, counts: int) -> int:
        """Cycles from cycle `at`, in which the counter was read, to the request of an alarm so many
        counts later. Counts change where the cycle is a multiple of those that they take."""
        return (counts + self.late_counts) * self.cycles_per_count - at % self.cycles_per_count


@dataclass(frozen=True)
class Window:
    """One window: what was asked, what the firmware's own timer says, and what the board saw.

    `read` maps each count of that timer to the cycle at which its reading completed.
    """

    order: WindowRequest
    stamps: Stamps
    core_hz: int
    clock: AlarmClock
    path: Sequence[Moment]
    read: Mapping[int, int]
    switch: SwitchMoments | None = None


def find_switch(path: Sequence[Moment], places: Places, requested_cycle: int) -> SwitchMoments:
    """The switch in a path that has one."""
    addresses = [moment.address for moment in path]
    try:
        entered = _taken(addresses, places.alarm_entered, 0)
        mac_began = addresses.index(places.mac_task, entered)
        back_at = path[mac_began].operands.registers[14] & ~1
        mac_ended = addresses.index(back_at, mac_began)
        resumed = _back(path, entered, mac_ended)
    except ValueError:
        raise CyclescopeError(
            "the alarm came when the transmission was over: preempt it earlier (--instants)",
            code="alarm-after-transmission",
        ) from None
    return SwitchMoments(
        requested_cycle,
        entered,
        mac_began,
        mac_ended,
        resumed,
        tuple(_foreign(path, addresses, places, entered, resumed)),
    )


def _taken(addresses: Sequence[int], entry: int, start: int) -> int:
    """The boundary at which the interrupt with this entry was taken."""
    vector = start
    while True:
        vector = addresses.index(IRQ_VECTOR, vector + 1)
        if addresses[vector + 1] == entry:
            return vector - 1


def _back(path: Sequence[Moment], taken: int, start: int) -> int:
    """The boundary at which what was interrupted goes on."""
    address, mode = path[taken].address, path[taken].mode
    for index in range(start, len(path)):
        if path[index].address == address and path[index].mode == mode:
            return index
    raise ValueError


def _foreign(
    path: Sequence[Moment], addresses: Sequence[int], places: Places, begin: int, end: int
) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = begin
    while True:
        try:
            taken = _taken(addresses, places.transmitter_entered, at)
        except (ValueError, IndexError):
            return found
        if taken >= end:
            return found
        at = _back(path, taken, taken + 1)
        found.append((taken, at))
