"""Time of the host for an access to a device in Python, beside the same device of the engine."""

import statistics
import struct
import tempfile
import time
from pathlib import Path

from cyclescope.targets.virtual.board import Board, make_board
from pages.host import computer
from pages.runs import PageError, today

ROUNDS = 9
LOOPS, LOADS = 20_000, 8
AT = 0x9000_0000
BOARD = """
name = "ruler"
core = { kind = "arm7tdmi" }
[[memory]]
name = "ram"
base = 0
size = 0x1000
[[bus]]
name = "local"
cycles = 1
[[device]]
name = "ruler"
maps = [{ base = 0x9000_0000, size = 8, bus = "local" }]
"""
KINDS = {
    "Rust (`measurement_timer`)": 'kind = "measurement_timer"',
    "Python": 'kind = "python"\nparameters = { file = "ruler.py", class = "Ruler" }',
}
TWIN = """
from cyclescope.device import Device

class Ruler(Device):
    def reset(self, port):
        self.high = 0

    def read(self, offset, width, port):
        if offset == 0:
            self.high = port.now >> 32
            return port.now & 0xFFFF_FFFF
        return self.high
"""
LOAD, MOVE = 0xE5903000, 0xE1A03003  # ldr r3, [r0]; mov r3, r3


def program(opcode: int) -> bytes:
    """LOOPS iterations of LOADS such instructions, then a branch to itself."""
    head = [0xE3A00209, 0xE59F1000 + 4 * (LOADS + 2)]  # mov r0, #AT; ldr r1, LOOPS
    back = -(LOADS + 1) - 2 & 0xFFFFFF
    # subs r1, r1, #1; bne; b .; the literal
    tail = [0xE2511001, 0x1A000000 | back, 0xEAFFFFFE, LOOPS]
    return struct.pack(f"<{LOADS + 6}I", *head, *[opcode] * LOADS, *tail)


def seconds(board: Board, opcode: int) -> float:
    """Of the host, for the program, which ends by the same number of instructions."""
    board.load_bytes(0, program(opcode))
    board.reset()
    began = time.perf_counter()
    stop = board.run(instructions=2 + LOOPS * (LOADS + 2), cycles=1 << 40)
    if stop["reason"] != "instructions" or board.registers()["r1"]:
        raise PageError(f"the program ended elsewhere: {stop['sentence']}")
    return time.perf_counter() - began


def own_device_cost() -> str:
    """Nanoseconds of an access on either device, measured in alternation, and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "ruler.py").write_text(TWIN)
        boards = {}
        for name, made in KINDS.items():
            file = Path(folder) / "board.toml"
            file.write_text(f"{BOARD}{made}\n")
            boards[name] = make_board(str(file))
        taken: dict[str, list[float]] = {name: [] for name in boards}
        for _ in range(ROUNDS):
            for name, board in boards.items():
                extra_s = seconds(board, LOAD) - seconds(board, MOVE)
                taken[name].append(extra_s / (LOOPS * LOADS) * 1e9)
    rust, python = taken.values()
    ratio = statistics.median(own / engine for own, engine in zip(python, rust, strict=True))
    rows = [
        f"| {name} | {statistics.median(one):,.0f} ({min(one):,.0f} to {max(one):,.0f}) |"
        for name, one in taken.items()
    ]
    return "\n".join(
        [
            "| device | ns of the host for one read of a register |",
            "|---|--:|",
            *rows,
            "",
            f"A read from Python takes {ratio:,.0f} times as long as from Rust. Median (least to "
            f"most) of {ROUNDS} alternating rounds of {LOOPS * LOADS:,} reads; a loop without "
            f"reads is subtracted. {computer()} Made by `make pages` on {today()}.",
        ]
    )
