"""Shared by tests: the real gdb in control of a board, and programs with interrupts for it."""

import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from cyclescope.targets.virtual.board import (
    Board,
    GdbServer,
    GdbThread,
    Stop,
    make_board,
    read_image,
)

Tier = Literal["plain", "blocks"]
TIERS: tuple[Tier, ...] = ("plain", "blocks")

GDB = ["gdb-multiarch", "-nx", "-batch", "-ex", "set pagination off", "-ex", "set confirm off"]

PROGRAM = """
    b start
    .word 0, 0, 0, 0, 0
    ldr pc, =irq
    .word 0
start:
    ldr r0, =writes
next:
    ldmia r0!, {{r1, r2}}
    cmp r1, #0
    strne r2, [r1]
    bne next
    msr cpsr_c, #0xD2
    ldr sp, =RAM + 0x400
    msr cpsr_c, #0x13
    ldr sp, =RAM + 0x800
    ldr r5, =RAM
    mov r4, #0
loop:
    add r4, r4, #1
    str r4, [r5]
    ldrb r6, [r5, #1]
    stmdb sp!, {{r4-r7}}
    bl leaf
    ldmia sp!, {{r4-r7}}
    b loop
leaf:
    mov r7, r4, lsl #3
    strh r7, [r5, #6]
    bx lr
irq:
    sub lr, lr, #4
    stmdb sp!, {{r0-r1, lr}}
{acknowledge}
    ldr r0, =RAM + 16
    ldr r1, [r0]
    add r1, r1, #1
    str r1, [r0]
    ldmia sp!, {{r0-r1, pc}}^
    .ltorg
writes:
{writes}
    .word 0, 0
"""
"""Stores, loads, calls, and an interrupt every few hundred cycles."""

LPC2148 = """.equ RAM, 0x40000000
""" + PROGRAM.format(
    acknowledge="""
    ldr r0, =0xFFFFF030
    ldr r1, [r0]
    ldr r1, =0xE0004000
    mov lr, #1
    str lr, [r1]
    str lr, [r0]
""",
    writes="""
    .word 0xE0004018, 120, 0xE0004014, 3, 0xE0004004, 1
    .word 0xFFFFF200, 0x24, 0xFFFFF010, 0x10
""",
)
"""Timer 0 and the interrupt controller of the LPC2148; code in flash."""

AT91X40 = """.equ RAM, 0x00308000
""" + PROGRAM.format(
    acknowledge="""
    ldr r0, =0xFFFFF100
    ldr r1, [r0]
    ldr r1, =0xFFFE0020
    ldr lr, [r1]
    str lr, [r0, #0x30]
""",
    writes="""
    .word 0xFFE00020, 1, 0xFFFE0004, 0xC000, 0xFFFE001C, 250
    .word 0xFFFE0024, 16, 0xFFFE0000, 5, 0xFFFFF010, 7, 0xFFFFF120, 16
""",
)
"""Timer channel 0 and the interrupt controller of the AT91x40; code in the RAM on the chip."""

SOURCES = {"lpc2148": (LPC2148, 0, 0x4000_0000), "at91x40": (AT91X40, 0x30_0000, 0x30_8000)}
"""By board: the program, where it is linked, and its data."""


class Tasks(Protocol):
    """The tasks of a kernel."""

    def threads(self) -> list[GdbThread]: ...


class Program:
    """The program around a server. `monitor` calls what the test has given."""

    def __init__(self, monitor: Callable[[str], str] | None, tasks: Tasks | None) -> None:
        self.said: list[str] = []
        self._tasks = tasks
        self.gdb: subprocess.Popen[str] | None = None
        self._monitor = monitor or (lambda command: "")

    def reset(self) -> None:
        raise NotImplementedError

    def exchange(self) -> None:
        """Ends the test if gdb is gone without a word."""
        assert self.gdb is None or self.gdb.poll() in (None, 0), "gdb failed"

    def monitor(self, command: str) -> str:
        return self._monitor(command)

    def threads(self) -> list[GdbThread]:
        return self._tasks.threads() if self._tasks else []

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


def control(
    board: Board,
    commands: Sequence[str],
    image: Path | None = None,
    monitor: Callable[[str], str] | None = None,
    tasks: Tasks | None = None,
    gdb: str = GDB[0],
    **bounds: Any,
) -> tuple[str, Stop | None]:
    """Has gdb execute these commands; returns what it printed, and how the run ended."""
    server, program = GdbServer("127.0.0.1", 0), Program(monitor, tasks)
    script = [f"target remote 127.0.0.1:{server.port}", *commands]
    executed = [part for command in script for part in ("-ex", command)]
    with tempfile.TemporaryFile("w+") as printed:
        program.gdb = subprocess.Popen(
            [gdb, *GDB[1:], *executed, *([str(image)] if image else [])],
            stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        try:
            stop = server.serve(board, program, **bounds)
            program.gdb.wait(60)
        finally:
            program.gdb.kill()
            printed.seek(0)
            output = printed.read()
            print(output)
    return output, stop


@dataclass(frozen=True)
class Debugged:
    """A program on a board; its data lie from an address on."""

    name: str
    image: Path
    data: int
    data_bytes: int

    def fresh(self, tier: Tier = "blocks") -> Board:
        """A board that was just reset."""
        board = make_board(self.name)
        board.load(read_image(self.image))
        board.set_tier(tier)
        board.reset()
        return board

    def control(self, board: Board, commands: Sequence[str], **further: Any) -> tuple[str, Any]:
        return control(board, commands, self.image, **further)

    def at(self, symbol: str) -> int:
        return read_image(self.image).symbols[symbol][0]

    def state(self, board: Board) -> tuple[object, ...]:
        """All that a run leaves."""
        memory = board.read_memory(self.data, self.data_bytes)
        times = board.cycle, board.instructions, board.clock_epochs()
        return *times, board.registers(), memory, board.unmodelled(), board.unverified()


def shown_registers(text: str) -> dict[str, int]:
    """The registers that `info registers` has printed, by name."""
    lines = re.findall(r"^(\w+) +0x([0-9a-f]+) ", text, re.M)
    return {name: int(value, 16) for name, value in lines}
