"""The path of a window: the boundaries between instructions, and the switches among them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from cyclescope.errors import CyclescopeError
from cyclescope.studies.switch.link import Stamps, WindowRequest


class Operands(NamedTuple):
    """Registers before an instruction: r0 to r15, and that of the flags."""

    registers: tuple[int, ...]
    cpsr: int


class Moment(NamedTuple):
    """A boundary: what executes next, unless an interrupt is taken; what was spent so far; and the
    core's mode."""

    cycle: int
    address: int
    operands: Operands
    spent_fj: int
    mode: int


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


class InterruptRules(Protocol):
    """How a core enters an interrupt, and leaves it (core.py)."""

    def taken(self, path: Sequence[Moment], handler: int) -> int:
        """The boundary at which the interrupt was taken whose own handler begins at `handler`."""

    def interrupted(self, path: Sequence[Moment], taken: int) -> int:
        """The boundary at which the program was interrupted by what was taken there."""

    def is_over(self, path: Sequence[Moment], taken: int, index: int) -> bool:
        """Whether the interrupt that was taken there is over at `index`."""


def find_switch(
    path: Sequence[Moment], places: Places, requested_cycle: int, core: InterruptRules
) -> SwitchMoments:
    """The switch in a path that has one."""
    addresses = [moment.address for moment in path]
    try:
        entered = core.taken(path, addresses.index(places.alarm_entered))
        mac_began = addresses.index(places.mac_task, entered)
        back_at = path[mac_began].operands.registers[14] & ~1
        mac_ended = addresses.index(back_at, mac_began)
        resumed = _resumed(path, core.interrupted(path, entered), mac_ended)
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
        tuple(_foreign(path, addresses, places, (entered, resumed), core)),
    )


def _resumed(path: Sequence[Moment], interrupted: int, start: int) -> int:
    """The boundary at which the interrupted program goes on."""
    address, mode = path[interrupted].address, path[interrupted].mode
    for index in range(start, len(path)):
        if path[index].address == address and path[index].mode == mode:
            return index
    raise ValueError


def _foreign(
    path: Sequence[Moment],
    addresses: Sequence[int],
    places: Places,
    switch: tuple[int, int],
    core: InterruptRules,
) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at, end = switch
    while True:
        try:
            handler = addresses.index(places.transmitter_entered, at, end)
        except ValueError:
            return found
        taken = core.taken(path, handler)
        behind = range(handler + 1, len(path))
        at = next((index for index in behind if core.is_over(path, taken, index)), end)
        found.append((taken, at))
