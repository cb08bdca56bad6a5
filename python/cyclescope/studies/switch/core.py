"""A core as the cost of a context switch needs it, and its rules along a path."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from cyclescope import plugins
from cyclescope.firmware import boards
from cyclescope.firmware.program import Program
from cyclescope.studies.switch.coefficients import Counts
from cyclescope.studies.switch.memories import MemoryMap
from cyclescope.studies.switch.path import Moment


class RuleWalk(Protocol):
    """The core and its memories along a path, one instruction or interrupt entry at a time.

    `read` is the cycle at which the watched address was read last; its reader sets it to None.
    """

    counts: Counts
    read: int | None

    @property
    def lines_read(self) -> int:
        """Lines of a flash, so far."""

    def step(self, moment: Moment, following: Moment) -> bool:
        """To the next moment; whether all that was unknown of the core's state is known there."""

    def interrupted(self, address: int) -> "RuleWalk":
        """A copy that goes on at this address behind an interrupt."""


class SwitchCore(Protocol):
    """The functions and figures that a file of cores/ has."""

    SYNCHRONISER_CYCLES: int
    """From a request to the first boundary at which it is seen (docs/timing)."""
    OVERLAP_CYCLES: int
    """By so many cycles an interrupted iteration may differ from one like it, since instructions
    overlap: the timer does not show how."""
    INTERRUPT_DOUBT_CYCLES: int
    """Variation of one interrupt of the UART, flash buffers excepted."""

    def moment(self, cycle: int, registers: Mapping[str, int], spent_fj: int) -> Moment:
        """The boundary that these registers show."""

    def taken(self, path: Sequence[Moment], handler: int) -> int:
        """The boundary at which the interrupt was taken whose own handler begins at `handler`."""

    def interrupted(self, path: Sequence[Moment], taken: int) -> int:
        """The boundary at which the program was interrupted by what was taken there."""

    def is_over(self, path: Sequence[Moment], taken: int, index: int) -> bool:
        """Whether the interrupt that was taken there is over at `index`."""

    def walk(self, rules: "Rules", watched: int) -> RuleWalk:
        """The rules, at the beginning of a path."""


@dataclass(frozen=True)
class Rules:
    """All that the analytic way takes beside a path."""

    board: str
    program: Program
    memory: MemoryMap

    @property
    def core(self) -> SwitchCore:
        """That of the board."""
        return core_of(self.board)

    def walk(self, watched: int = 0) -> RuleWalk:
        """A walk from the beginning of a path; `watched` is the address whose readings to keep."""
        return self.core.walk(self, watched)


def core_of(board: str) -> SwitchCore:
    """The core of a board. Refuses one whose switches nobody finds."""
    return cast(SwitchCore, plugins.load("cyclescope.studies.switch.cores", boards.core_of(board)))
