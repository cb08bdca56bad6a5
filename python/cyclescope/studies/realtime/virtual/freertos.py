"""FreeRTOS on a virtual board: its tasks and the ISRs of its image."""

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.program import Program
from cyclescope.studies.realtime.virtual.kernels import (
    LOAD_INTERRUPT,
    SOFTWARE_INTERRUPT,
    TICK,
    KernelPlaces,
    printable,
)
from cyclescope.targets.virtual.board import Board

CURRENT_TASK = "pxCurrentTCB"
"""Where FreeRTOS says which task it chose."""
INTERRUPTS = {
    "vTickISR": TICK,
    "vPreemptiveTick": TICK,
    "xPortSysTickHandler": TICK,
    "software_interrupt_entered": SOFTWARE_INTERRUPT,
    "line_interrupt_entered": "line interrupt",
    "alarm_entered": LOAD_INTERRUPT,
}
"""The entries of the image's ISRs, and what they are called on a timeline. The tick's name is that
of the kernel's port."""
NAME_BYTES, TASK_BYTES = 8, 96
ENTRY_BYTES = 512
"""More than an entry is long."""


def places(board: Board, program: Program) -> KernelPlaces:
    """The places of an image with FreeRTOS."""
    current = program.symbols[CURRENT_TASK]
    entries = {
        program.address(program.symbols[name]): text
        for name, text in INTERRUPTS.items()
        if name in program.symbols
    }

    def name_of(task: int) -> str:
        # Where a task's control block has its name: where the monitor's says so.
        running = int.from_bytes(board.read_memory(current, 4), "little")
        offset = board.read_memory(running, TASK_BYTES).index(b"monitor\0")
        return printable(board.read_memory(task + offset, NAME_BYTES))

    returns = frozenset(_return(program, address) for address in entries)
    return KernelPlaces(current, entries, returns, name_of)


def _return(program: Program, entry: int) -> int:
    """The address at which an ISR returns."""
    for one in program.instructions(entry, entry + ENTRY_BYTES):
        if program.architecture.ends_interrupt(one):
            return one.address
    raise CyclescopeError(
        f"the interrupt entered at {entry:#x} does not return: a port unknown here",
        code="interrupt-does-not-return",
    )
