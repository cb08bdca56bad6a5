"""Routines that a console's ARM7TDMI was timed with, run on a board of its memories.

README.md beside the recordings defines a count and the memories. The columns with ROM
prefetch and the DMA tests need units of the console that no board here has.
"""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from agreement.data import Agreement, Case, load
from cyclescope.targets.virtual.board import Board, read_image

NAME = "console"
FILE = "timing.json.gz"

WAIT_STATES = {"0000": (4, 2), "0004": (3, 2), "0010": (4, 1), "0014": (3, 1)}
"""N and S of the cartridge's ROM by WAITCNT; the settings with prefetch are not among them."""

ORIGINS = {"rom": 0x0800_0000, "ewram": 0x0200_0000, "iwram": 0x0300_0000}
TIMER, STACK = 0x0400_0100, 0x0300_7F00

BOARD = """\
name = "console"
[core]
kind = "arm7tdmi"
{core}
[[memory]]
name = "ewram"
base = 0x0200_0000
size = 0x4_0000
width = 16
n_wait = 2
s_wait = 2
[[memory]]
name = "iwram"
base = 0x0300_0000
size = 0x8000
[[memory]]
name = "registers"
base = 0x0400_0000
size = 0x400
[[memory]]
name = "oam"
base = 0x0700_0000
size = 0x400
[[memory]]
name = "oam_end"
base = 0x07FF_FC00
size = 0x400
[[memory]]
name = "rom"
base = 0x0800_0000
size = 0x4_0000
kind = "rom"
width = 16
n_wait = {n}
s_wait = {s}
burst_bytes = 0x2_0000
"""


class Column(NamedTuple):
    """A column of the recordings: state of the core, memory of the code, wait states of the ROM."""

    name: str
    isa: str
    memory: str
    n_wait: int
    s_wait: int


def compare(folder: Path, core: str = 'variant = "ARM7TDMI"') -> Agreement:
    """Each count without prefetch beside the board's, whose `[core]` has these keys."""
    recorded = load(folder / FILE)
    cases = []
    for column in columns(recorded["columns"]):
        tests = [test for test in recorded["tests"] if column.name in test["expected"]]
        differences = list(measure(tests, recorded["frame"][column.isa], column, core))
        calibration = differences[0]
        for test, difference in zip(tests, differences, strict=True):
            ours = difference - (2 if test is tests[0] else calibration)
            expected = test["expected"][column.name]
            cases.append(Case(f"{test['name']}, {column.name}", expected, ours))
    return Agreement(NAME, cases, tolerance=0)


def columns(names: list[str]) -> Iterator[Column]:
    """Those without prefetch."""
    for name in names:
        isa, memory, *setting = name.split("_")
        if not setting or setting[0] in WAIT_STATES:
            yield Column(name, isa, memory, *WAIT_STATES[setting[0] if setting else "0000"])


def measure(
    tests: list[dict[str, Any]], frame: dict[str, list[str]], column: Column, core: str
) -> Iterator[int]:
    """For each test the cycles from the store to the timer until the load from it."""
    board = Board(BOARD.format(core=core, n=column.n_wait, s=column.s_wait))
    with tempfile.TemporaryDirectory() as folder:
        image = read_image(assemble(Path(folder), tests, frame, column))
    board.load(image)
    board.watch(accessed=[TIMER])
    for index in range(len(tests)):
        board.reset(image.address_of(f"test{index}") | (column.isa == "thumb"))
        board.run(pcs=[image.address_of(f"end{index}")], cycles=100_000)
        (stored, *_), (loaded, *_) = board.take_accessed()
        yield loaded - stored


def assemble(
    folder: Path, tests: list[dict[str, Any]], frame: dict[str, list[str]], column: Column
) -> Path:
    """An ELF file of all tests, each from `test0`, `test1` … to `end0`, `end1` …"""
    lines = [".syntax unified", f".{column.isa}"]
    callees = ['.section .callee, "ax"', ".syntax unified", ".thumb"]
    for index, test in enumerate(tests):
        body = [*test["setup"][column.isa], *frame["start"], *test[column.isa], *frame["end"]]
        callee = f"callee{index}"
        lines += [".balign 4", f".global test{index}, end{index}", f"test{index}:"]
        lines += [f"ldr r0, ={STACK:#x}", "mov sp, r0"]
        lines += [line.replace("=callee", f"={callee} + 1") for line in body]
        lines += [f"end{index}: b .", ".ltorg"]
        if "callee" in test:
            callees += [".balign 4", f"{callee}:", *test["callee"]]
    source, made, linked = (folder / name for name in ("tests.s", "tests.o", "tests.elf"))
    source.write_text("\n".join([*lines, *callees, ""]))
    run("arm-none-eabi-as", "-mcpu=arm7tdmi", "-o", made, source)
    text, callee_at = ORIGINS[column.memory], ORIGINS["rom"] + 0x1_0000
    sections = (f"-Ttext={text:#x}", f"--section-start=.callee={callee_at:#x}")
    run("arm-none-eabi-ld", *sections, "-e", "test0", "-o", linked, made)
    return linked


def run(*command: str | Path) -> None:
    """Runs a tool of the toolchain; what it says goes to the terminal."""
    subprocess.run(command, check=True)
