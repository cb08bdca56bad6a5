"""Images of the console's routines: where each lies, and what the image does before it."""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ORIGINS = {"rom": 0x0800_0000, "ewram": 0x0200_0000, "iwram": 0x0300_0000}
CALLEE = 0x09F0_0000
ENTRIES = 0x0300_5000
STACK = 0x0300_7F00
WAITCNT, DMA3 = 0x0400_0204, 0x0400_00D4
READS_AHEAD = 0x4000

SOURCE = {"rom": 0x09E0_0000, "iwram": 0x0300_6800, "ewram": 0x0203_0000}
DESTINATION = {"rom": 0x09E1_0000, "iwram": 0x0300_7000, "ewram": 0x0203_1000}
"""Buffers of DMA by memory, each a multiple of 4."""


class Column(NamedTuple):
    """A column of the recordings: state of the core, memory of the code, WAITCNT."""

    name: str
    isa: str
    memory: str
    waitcnt: int

    @property
    def reads_ahead(self) -> bool:
        return self.waitcnt & READS_AHEAD != 0


def columns(names: Sequence[str]) -> Iterator[Column]:
    for name in names:
        isa, memory, *setting = name.split("_")
        yield Column(name, isa, memory, int(setting[0], 16) if setting else 0)


class Routine(NamedTuple):
    """A routine as recorded; `moves` says what its DMA moves."""

    name: str
    body: dict[str, list[str]]
    setup: dict[str, list[str]]
    initial: dict[str, str]
    callee: list[str]
    moves: dict[str, Any]
    expected: dict[str, int]

    @classmethod
    def of(cls, test: Mapping[str, Any]) -> "Routine":
        body = {isa: test[isa] for isa in ("arm", "thumb") if isa in test}
        # The setup that was recorded brings `initial` about; DMA tests have none.
        initial = {} if "setup" in test else test["initial"]
        return cls(
            test["name"], body, test.get("setup", {}), initial, test.get("callee", []),
            test.get("dma3", {}), test["expected"],
        )  # fmt: skip


def assemble(
    folder: Path,
    routines: Sequence[Routine],
    frame: Mapping[str, list[str]],
    column: Column,
    places: Sequence[int] = (),
) -> Path:
    """An ELF file of all routines, each from `test0`, `test1` … to `end0`, `end1` …

    `places` holds the address of the first instruction of each routine; without it they follow
    each other from the memory's first address.
    """
    lines = [".syntax unified"]
    starts = {".callee": CALLEE, ".entry": ENTRIES, ".text": ORIGINS[column.memory]}
    for index, routine in enumerate(routines):
        section, place = ".text", 0
        if places:
            section, place = f".routine{index}", places[index]
            starts[section] = place & ~3
        lines += entry(index, routine, column)
        lines += [f'.section {section}, "ax"', f".{column.isa}", ".balign 4"]
        lines += ["nop"] * (place % 4 // 2)
        lines += source(index, routine, frame, column.isa)
        if routine.callee:
            lines += ['.section .callee, "ax"', ".thumb", ".balign 4"]
            lines += [f"callee{index}:", *routine.callee]
    return link(folder, lines, starts)


def entry(index: int, routine: Routine, column: Column) -> list[str]:
    """The code before a routine: WAITCNT, stack and DMA are set."""
    stores = [(WAITCNT, column.waitcnt)]
    if moves := routine.moves:
        stores += [
            (DMA3, SOURCE[moves["source"]]),
            (DMA3 + 4, DESTINATION[moves["destination"]]),
        ]
    lines = ['.section .entry, "ax"', ".arm", ".balign 4", f".global test{index}"]
    lines += [f"test{index}:"]
    for address, value in stores:
        lines += [f"ldr r0, ={address:#x}", f"ldr r1, ={value:#x}", "str r1, [r0]"]
    lines += [f"ldr sp, ={STACK:#x}"]
    lines += [f"ldr {name}, ={value}" for name, value in routine.initial.items()]
    return [*lines, f"ldr r0, =routine{index} + {int(column.isa == 'thumb')}", "bx r0", ".ltorg"]


def source(index: int, routine: Routine, frame: Mapping[str, list[str]], isa: str) -> list[str]:
    """The recorded lines, between its two accesses to the timer, and a loop behind it."""
    body = [*routine.setup.get(isa, []), *frame["start"], *routine.body[isa], *frame["end"]]
    return [
        f".global routine{index}, end{index}",
        f"routine{index}:",
        *[line.replace("=callee", f"=callee{index} + 1") for line in body],
        f"end{index}: b .",
        ".ltorg",
    ]


def link(folder: Path, lines: Sequence[str], starts: Mapping[str, int]) -> Path:
    """Assembles these lines, and puts each section at its address."""
    text, made, linked = (folder / name for name in ("tests.s", "tests.o", "tests.elf"))
    text.write_text("\n".join([*lines, ""]))
    run("arm-none-eabi-as", "-mcpu=arm7tdmi", "-o", made, text)
    sections = [f"--section-start={name}={at:#x}" for name, at in starts.items()]
    run("arm-none-eabi-ld", "-n", *sections, "-e", "test0", "-o", linked, made)
    return linked


def run(*command: str | Path) -> None:
    """Runs a tool of the toolchain; what it says goes to the terminal."""
    subprocess.run(command, check=True)
