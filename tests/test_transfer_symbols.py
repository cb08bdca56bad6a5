"""Names of all code that a whole transfer executes, judged by nm and by the guest's own memory."""

import io
import subprocess
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile
from linux_session import Shell, built_or_skip, needs_linux

from cyclescope.firmware.linux import compose
from cyclescope.firmware.linux.built import RAM, RAM_END
from cyclescope.studies.peripheral import transfer
from cyclescope.studies.peripheral.analyses import load, replayed
from cyclescope.studies.peripheral.analyses.classes import NO_SYMBOL
from cyclescope.studies.peripheral.analyses.rules import read_rules
from cyclescope.studies.peripheral.board_system import linux
from cyclescope.studies.peripheral.setting import Direction, LineDriver, TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer
from cyclescope.studies.run.instruments.profile import KINDS, SEPARATE
from cyclescope.targets.virtual.board import Board

pytestmark = needs_linux

VECTORS_LINKED, VECTORS_BYTES = 0xFFFF_0000, 0x2000
WHOLE, SLOW = 115_200, 9600
"""Bauds: by the PDC, and by PIO, which overruns above."""
CODE = "tTwW"
"""The types of nm that are code."""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((driver, baud, direction, size), id=f"{driver}-{direction}-{size}")
        for driver, baud in ((LineDriver.PDC, WHOLE), (LineDriver.PIO, SLOW))
        for direction in Direction
        for size in (1000, 16_000)
    ],
)
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Transfer:
    driver, baud, direction, size = request.param
    setting = TransferSetting(driver=driver, baud=baud, direction=direction, size=size)
    made = transfer.record(setting, tmp_path_factory.mktemp("transfer"))
    assert made.record.outcome.identical
    return made


def counted(recorded: Transfer) -> tuple[list[replayed.CountedPart], bytes]:
    """Counts by the address of each instruction, and the memory, both at the steady state's end."""
    memory = b""

    def attach(board: Board) -> Callable[[], Any]:
        number = board.attach_histogram()

        def take() -> Any:
            nonlocal memory
            memory = memory or board.read_memory(RAM, RAM_END - RAM)
            counts = board.counted(number)
            board.clear(number)
            return counts

        return take

    return list(replayed.counted(recorded, attach)), memory


@cache
def names_by_nm(path: Path) -> dict[int, set[str]]:
    """All names of each address of code. Names of the assembler's own begin with `$`."""
    listed = subprocess.run(["arm-none-eabi-nm", path], capture_output=True, text=True, check=True)
    found: dict[int, set[str]] = {}
    for line in listed.stdout.splitlines():
        *address, kind, name = line.split()
        if address and kind in CODE and not name.startswith("$"):
            found.setdefault(int(address[0], 16) & ~1, set()).add(name)
    return found


class Judge:
    """Names of addresses by nm: of the kernel as linked, of programs where the memory has their
    code and the core executed it."""

    def __init__(self, recorded: Transfer, memory: bytes, executed: set[int]) -> None:
        system = linux(recorded.replay().system)
        names = dict(names_by_nm(system.kernel.vmlinux))
        names |= {at - VECTORS_LINKED: one for at, one in names.items() if at >= VECTORS_LINKED}
        self._names = {at: ("vmlinux", one) for at, one in names.items()}
        self.programs = 0
        for path in system.programs.values():
            section = ELFFile(io.BytesIO(path.read_bytes())).get_section_by_name(".text")
            text, linked = section.data(), section["sh_addr"]
            at = memory.find(text)
            while at >= 0:
                start = RAM + at
                if any(start <= one < start + len(text) for one in executed):
                    self._place(path, start - linked, start, start + len(text))
                at = memory.find(text, at + 1)
        self._starts = sorted(self._names)

    def _place(self, path: Path, moved: int, start: int, end: int) -> None:
        self.programs += 1
        self._names = {at: one for at, one in self._names.items() if not start <= at < end}
        for at, names in names_by_nm(path).items():
            if start <= at + moved < end:
                self._names[at + moved] = (path.name, names)

    def names(self, address: int) -> tuple[str, set[str]]:
        """The image, and the names of the last symbol up to the address."""
        return self._names[self._starts[bisect_right(self._starts, address) - 1]]


def test_nearly_all_cycles_of_a_whole_transfer_have_a_name(recorded: Transfer) -> None:
    """At most 1 % of the cycles and instructions that are not idle."""
    document = load.analyse(recorded, read_rules())
    for part in ("steady", "whole"):
        found = document[part]
        nameless = Counter[str]()
        for one in found["classes"]:
            for sub in one["subclasses"]:
                if sub["subclass"] == NO_SYMBOL:
                    nameless.update(instructions=sub["instructions"], cycles=sub["cycles"])
        for unit in ("instructions", "cycles"):
            assert nameless[unit] <= 0.01 * found["active"][unit], part
        assert sum(one["instructions"] for one in found["classes"]) == found["board_instructions"]


def test_each_executed_address_has_the_name_of_nm(recorded: Transfer) -> None:
    """And each function of the study has the instructions and cycles of the addresses that nm
    gives its name."""
    symbols = replayed.names(recorded)
    parts, memory = counted(recorded)
    lines = [line for part in parts for line in part.counted["lines"] if line[1] is not None]
    judge = Judge(recorded, memory, {at for _, at, _, _ in lines})
    assert judge.programs >= 1
    other = Counter[str]()
    for _, at, instructions, _ in lines:
        named, (image, names) = symbols.at(at), judge.names(at)
        if named is None or named.image != image or named.name not in names:
            ours = f"{named.image}: {named.name}" if named else "none"
            other[f"{at:#x} {ours}, by nm {image}: {', '.join(names)}"] += instructions
    executed = sum(part.instructions for part in parts)
    assert sum(instructions for _, _, instructions, _ in lines) == executed
    assert sum(other.values()) <= 0.01 * executed, other.most_common(9)
    by_nm: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for _, at, instructions, costs in parts[1].counted["lines"]:
        if at is None:
            continue
        image, names = judge.names(at)
        spent = sum(cost for kind, cost in zip(KINDS, costs, strict=True) if kind not in SEPARATE)
        for name in names:
            by_nm[image, name].update(instructions=instructions, cycles=spent)
    document = load.analyse(recorded, read_rules(charge_callers=False))["steady"]
    functions = [
        one for row in document["classes"] for sub in row["subclasses"] for one in sub["functions"]
    ]
    assert len(functions) > 100
    for one in functions:
        found = by_nm[one["image"], one["function"]]
        assert (one["instructions"], one["cycles"]) == (found["instructions"], found["cycles"]), one


def test_gkermit_lies_where_the_kernel_says() -> None:
    """/proc/PID/maps of a waiting G-Kermit has the place that the lab read when it began."""
    shell = Shell(compose(built_or_skip()))
    shell.run("gkermit -r </dev/ttyS1 >/dev/ttyS1 &")
    maps = shell.run("cat /proc/$!/maps").splitlines()
    placed = next(one for one in shell.follower.loaded if one.name == "/bin/gkermit")
    spans = [[int(at, 16) for at in line.split()[0].split("-")] for line in maps]
    (end,) = (end for start, end in spans if start == placed.start)
    assert placed.start < placed.end <= end
