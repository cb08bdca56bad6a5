"""Linux on a virtual board: its threads, and the entries of its interrupts.

An interrupt ends where its handlers have run. The kernel's work behind them, such as choosing
another thread, belongs to that thread.
"""

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.program import Program
from cyclescope.studies.realtime.virtual.kernels import (
    NAME_BYTES,
    OTHER_INTERRUPT,
    SOFTWARE_INTERRUPT,
    TICK,
    KernelPlaces,
    printable,
)
from cyclescope.targets.virtual.board import Board

CURRENT_TASK = "__current"
"""Where Linux, on a core without a register for it, keeps the thread that runs."""
FIRST_THREAD, FIRST_NAME, THREAD_BYTES = "init_task", b"swapper\0", 4096
CHOOSES = "__schedule"
GIVES_UP = "deactivate_task"
ENTRIES = ("__irq_usr", "__irq_svc")
HANDLERS = "call_with_stack"
"""The call in an entry behind which all handlers have run."""
MARKS = {
    "tick_sched_timer": TICK,
    "tick_periodic": TICK,
    "at91x40_note": SOFTWARE_INTERRUPT,
}
"""Functions by which an interrupt is known."""
ENTRY_BYTES = 256
LINK, LINK_MASK, OFFSET_MASK = 0xEB000000, 0xFF000000, 0x00FFFFFF


def places(board: Board, program: Program) -> KernelPlaces:
    """The places of an image with Linux."""
    symbols = program.symbols
    missing = [name for name in (CURRENT_TASK, FIRST_THREAD, *ENTRIES) if name not in symbols]
    if missing:
        raise CyclescopeError(
            f"the image has no {missing[0]}: it is neither FreeRTOS nor Linux as make linux "
            "builds it",
            code="kernel-not-known-here",
        )

    def name_of(thread: int) -> str:
        return printable(board.read_memory(thread + offset(), NAME_BYTES))

    def offset() -> int:
        # Where a thread's structure has its name: where that of the first one says so.
        return board.read_memory(symbols[FIRST_THREAD], THREAD_BYTES).index(FIRST_NAME)

    entries = {symbols[name]: OTHER_INTERRUPT for name in ENTRIES}
    returns = frozenset(_behind_handlers(program, entry) for entry in entries)
    marks = {symbols[name]: text for name, text in MARKS.items() if name in symbols}
    chooses, gives_up = (
        frozenset([symbols[name]] if name in symbols else []) for name in (CHOOSES, GIVES_UP)
    )
    return KernelPlaces(
        symbols[CURRENT_TASK], entries, returns, name_of, marks, chooses, gives_up, nests=True
    )


def _behind_handlers(program: Program, entry: int) -> int:
    handlers = program.symbols[HANDLERS]
    for at in range(entry, entry + ENTRY_BYTES, 4):
        if _called(int.from_bytes(program.read(at, 4), "little"), at) == handlers:
            return at + 4
    raise CyclescopeError(
        f"the interrupt entered at {entry:#x} calls no handlers: a kernel unknown here",
        code="interrupt-without-handlers",
    )


def _called(word: int, at: int) -> int | None:
    """The function that an instruction of ARM at an address calls, if it does."""
    if word & LINK_MASK != LINK:
        return None
    words = word & OFFSET_MASK
    if words & 0x800000:
        words -= 0x1000000
    return at + 8 + 4 * words
