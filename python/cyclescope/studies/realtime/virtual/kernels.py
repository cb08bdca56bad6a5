"""Where a kernel on a virtual board shows which task runs, and where its interrupts begin and end.

One file here knows FreeRTOS, another Linux.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cyclescope.firmware.program import Program
from cyclescope.targets.virtual.board import Board

TICK = "tick"
LOAD_INTERRUPT = "load's interrupt"
SOFTWARE_INTERRUPT = "software interrupt"
OTHER_INTERRUPT = "interrupt"
"""One whose entry does not say what it is."""
TEST_TIMER = "test's timer"
"""The interrupt that wakes the thread whose wake-up is timed."""
NAME_BYTES = 16


@dataclass(frozen=True)
class KernelPlaces:
    """Addresses that an observer watches.

    `current` is the word that says which task runs. `entries` are entries of ISRs, each with its
    name on a timeline; `returns` are where they end. At `chooses` the kernel begins to look for the
    task to go on with, where that takes a while. At `gives_up` the task that runs stops being
    ready. Executing an address of `marks` within an ISR gives it that name. ISRs that are entered
    within others are counted if it `nests`. `name_of` reads the name of a task, by the word that
    says that it runs.
    """

    current: int
    entries: Mapping[int, str]
    returns: frozenset[int]
    name_of: Callable[[int], str]
    marks: Mapping[int, str] = field(default_factory=dict)
    chooses: frozenset[int] = field(default_factory=frozenset)
    gives_up: frozenset[int] = field(default_factory=frozenset)
    nests: bool = False


def printable(text: bytes) -> str:
    """A task's name as its control block has it; "?" where none is."""
    name = text.split(b"\0")[0]
    return name.decode() if name.isascii() and name.decode().isprintable() and name else "?"


def places_of(board: Board, program: Program) -> KernelPlaces:
    """The places of the kernel that the image holds."""
    from cyclescope.studies.realtime.virtual import freertos, linux

    if freertos.CURRENT_TASK in program.symbols:
        return freertos.places(board, program)
    return linux.places(board, program)
