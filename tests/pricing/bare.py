"""Programs for an LPC2148 without the harness, and what the board did in them."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import NamedTuple

from cyclescope.firmware.program import Program
from cyclescope.targets.virtual.board import Pricer, make_board, make_pricer, read_image

HERE = Path(__file__).parent
PROGRAMS = sorted((HERE / "programs").glob("*.c"))
MAMTIM = 3
STACK = 0x4000_7F00
MAMCR_REGISTER, MAMTIM_REGISTER = 0xE01F_C000, 0xE01F_C004


class Way(NamedTuple):
    """How a program is built: memory of its code, MAMCR, instruction set, optimisation."""

    code: str
    mam: int
    isa: str
    level: str


WAYS = [
    Way(code, mam, isa, level)
    for (code, mam), isa, level in product(
        (("ram", 0), ("flash", 0), ("flash", 1), ("flash", 2)),
        ("arm", "thumb"),
        ("-O0", "-Os", "-O2"),
    )
]


@dataclass(frozen=True)
class Built:
    """A program's image."""

    source: Path
    way: Way
    path: Path

    @property
    def program(self) -> Program:
        return Program(self.path.read_bytes())

    def pricer(self) -> Pricer:
        pricer = make_pricer("lpc2148", STACK)
        for address, data in self.program.loaded:
            pricer.load(address, data)
        pricer.set_register(MAMTIM_REGISTER, MAMTIM)
        pricer.set_register(MAMCR_REGISTER, self.way.mam)
        return pricer


def build(source: Path, way: Way, folder: Path) -> Built:
    """Compiles and links a program; code and constants lie in one memory."""
    path = folder / f"{source.stem}-{'-'.join(map(str, way))}.elf"
    script = folder / f"{way.code}.ld"
    script.write_text((HERE / "link.ld").read_text().replace("CODE", way.code))
    subprocess.run(
        [
            "arm-none-eabi-gcc", "-mcpu=arm7tdmi", f"-m{way.isa}", "-mthumb-interwork",
            way.level, "-std=c99", "-g", "-ffreestanding", "-nostartfiles",
            f"-DMAMCR={way.mam}", f"-DMAMTIM={MAMTIM}", "-T", str(script),
            str(HERE / "start.S"), str(source), "-o", str(path),
        ],
        check=True,
    )  # fmt: skip
    return Built(source, way, path)


class Executed(NamedTuple):
    """An instruction that the board executed: its address, its cycles, registers before."""

    address: int
    cycles: int
    registers: dict[str, int]


def executed(built: Built) -> Iterator[Executed]:
    """Each instruction of main and of what it calls, in order."""
    board = make_board("lpc2148")
    image = read_image(built.path)
    board.load(image)
    stop = board.run(pcs=[image.address_of("main")], cycles=1_000_000)
    end = image.address_of("ended")
    while stop["pc"] != end:
        before, registers = stop, board.registers()
        stop = board.run(instructions=stop["instructions"] + 1)
        yield Executed(before["pc"], stop["cycle"] - before["cycle"], registers)
