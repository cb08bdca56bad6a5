"""Costs of threads under Linux without MMU (docs/reference/posix-at91x40.md), from a program that
says some itself, and from the cycles at which the kernel's instructions execute."""

import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux import built, compose
from cyclescope.firmware.program import Program
from cyclescope.targets.virtual.board import Board, make_board
from pages.runs import FOLDER, ROOT, PageError
from pages.values import net, table

SOURCE = ROOT / "tests" / "linux" / "threads.c"
MOST_CYCLES, SLICE_CYCLES = 2_000_000_000, 4_000_000
STORE, STORE_MASK = 0xE3A00EFF, 0xFFFF0FFF
"""mov rD, #0xff0: the address at which a switch stores the thread pointer."""
LOOK = 0xE3540A01
"""cmp r4, #0x1000: whether an interrupt found a program in the vectors page."""
BRANCH_AND_LINK, BRANCH_MASK = 0x0B000000, 0x0F000000

LOOKING = "looking for the sequence, at each interrupt of a program"

Span = tuple[int, int]
"""The address at which a span of time begins, and the one at which it ends."""


def thread_costs() -> str:
    """A table of the costs, each with the number of times that it was seen."""
    said, seen = _run()
    seen = dict(seen)
    pair = said["nothing"]
    own = [
        ("thread pointer, by load", said["self"]),
        ("thread pointer, by a call of the helper at 0xFE0", said["self_by_call"]),
        ("compare-and-swap by the kernel's helper, with the call", said["swap_by_kernel"]),
        ("the same instructions inline, unsafe", said["swap_plainly"]),
    ]
    rows = [f"{text} | {len(found)} | {_between([one - pair for one in found])}"
            for text, found, pair in ((*one, pair[-1]) for one in own)]  # fmt: skip
    rows.append(
        "a system call that does nothing (`getpid.itself`), the least that one in its place would "
        f"take | – | {net('linux', 'getpid.itself')}"
    )
    looks = seen.pop(LOOKING)
    missed = [one for one in looks if one == min(looks)]
    seen[LOOKING] = missed
    seen["the same where the program was within it"] = [one for one in looks if one not in missed]
    rows += [f"{text} | {len(found):,} | {_between(found)}" for text, found in seen.items()]
    return table("what | n | cycles", *rows)


def _between(found: list[int]) -> str:
    low, high = min(found), max(found)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


@cache
def _run() -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Returns the cycles that the program said of its costs, and those seen of the kernel's."""
    try:
        linux = built()
    except CyclescopeError as error:
        raise PageError(error.sentence) from error
    FOLDER.mkdir(parents=True, exist_ok=True)
    program = FOLDER / "threads"
    flags = ["-O2", "-Wno-unused-parameter"]
    subprocess.run([str(linux.compiler), *flags, SOURCE, "-o", program], check=True)
    board = make_board("at91x40")
    compose(linux, programs={"/init": program}, alone=True, rom_waits=3, ram_waits=1).load(board)
    spans = _spans(linux.kernel("none").vmlinux)
    board.watch(executed=sorted({at for span in spans.values() for at in span}))
    text, executed = "", []
    while "END" not in text:
        if board.cycle > MOST_CYCLES:
            raise PageError("the program of threads does not come to its end")
        executed += _slice(board)
        text += bytes(value & 0xFF for _, value in board.receive("usart0.txd")).decode()
    said: dict[str, list[int]] = {}
    for line in text.splitlines():
        if line.startswith("cycles "):
            _, name, value = line.split()
            said.setdefault(name, []).append(int(value))
    return said, {text: list(_times(executed, *span)) for text, span in spans.items()}


def _slice(board: Board) -> list[tuple[int, int]]:
    board.run(cycles=board.cycle + SLICE_CYCLES)
    return list(board.take_executed())


def _times(executed: list[tuple[int, int]], begin: int, end: int) -> Iterator[int]:
    """Cycles from each execution of `begin` to the next one of `end`."""
    began = None
    for cycle, address in executed:
        if address == begin:
            began = cycle
        elif address == end and began is not None:
            yield cycle - began
            began = None


def _spans(vmlinux: Path) -> dict[str, Span]:
    program = Program(vmlinux.read_bytes())
    switch = program.symbols["__switch_to"]
    schedule, entry = program.symbols["__schedule"], program.symbols["__irq_usr"]
    store = _first(program, switch, STORE, STORE_MASK)
    look = _first(program, entry, LOOK)
    call = next(at for at in _words(schedule) if _called(program, at) == switch)
    return {
        "storing the pointer, part of the line below": (store, store + 8),
        "`__switch_to`": (switch, call + 4),
        LOOKING: (look, look + 8),
    }


def _words(begin: int) -> range:
    return range(begin, begin + 1024, 4)


def _first(program: Program, begin: int, word: int, mask: int = 0xFFFFFFFF) -> int:
    for at in _words(begin):
        if int.from_bytes(program.read(at, 4), "little") & mask == word & mask:
            return at
    raise PageError(f"the kernel's code at {begin:#x} is not the one that is known here")


def _called(program: Program, at: int) -> int | None:
    word = int.from_bytes(program.read(at, 4), "little")
    if word & BRANCH_MASK != BRANCH_AND_LINK:
        return None
    words = (word & 0xFFFFFF) - ((word & 0x800000) << 1)
    return at + 8 + 4 * words
