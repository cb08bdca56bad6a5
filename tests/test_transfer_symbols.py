"""Names of all code that a whole transfer executes, judged by nm and by the guest's own memory."""

import io
import subprocess
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from elftools.elf.elffile import ELFFile
from linux_session import Shell, built_or_skip, needs_linux

from cyclescope.firmware.linux import compose
from cyclescope.firmware.linux.built import RAM, RAM_END
from cyclescope.firmware.linux.system import PAGE
from cyclescope.studies.peripheral import transfer
from cyclescope.studies.peripheral.analyses import load, replayed
from cyclescope.studies.peripheral.analyses.classes import NO_SYMBOL
from cyclescope.studies.peripheral.analyses.rules import read_rules
from cyclescope.studies.peripheral.board_system import linux
from cyclescope.studies.peripheral.choices import Direction, LineDriver
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer
from cyclescope.studies.run.instruments.profile import KINDS, SEPARATE
from cyclescope.targets.virtual.board import Board

pytestmark = needs_linux

VECTORS_LINKED = 0xFFFF_0000
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
        names |= _vectors(names)
        self._names = {at: ("vmlinux", one) for at, one in names.items()}
        self._names[0] = ("", {"vectors"})  # nm has no symbol there
        self.programs = 0
        for path in system.programs.values():
            elf = ELFFile(io.BytesIO(path.read_bytes()))
            section = elf.get_section_by_name(".text")
            code = next(one for one in elf.iter_segments("PT_LOAD") if one["p_flags"] & 1)
            text, linked = section.data(), section["sh_addr"]
            at = memory.find(text)
            while at >= 0:
                start = RAM + at
                if any(start <= one < start + len(text) for one in executed):
                    moved = start - linked
                    begin = code["p_vaddr"] + moved
                    self._place(path, moved, begin, begin + code["p_memsz"])
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


def _vectors(names: Mapping[int, set[str]]) -> dict[int, set[str]]:
    """Names of the first two pages: the helpers of programs at the first page's end, and the
    kernel's entries."""
    places = {name: at for at, some in names.items() for name in some}
    start, end = (places[f"__kuser_helper_{one}"] for one in ("start", "end"))
    helpers = {at - end + PAGE: one for at, one in names.items() if start <= at < end}
    entries = {at - VECTORS_LINKED: one for at, one in names.items() if at >= VECTORS_LINKED + PAGE}
    return helpers | entries


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
    executed = sum(part.instructions for part in parts)
    assert sum(instructions for _, _, instructions, _ in lines) == executed
    nameless = 0
    by_nm = defaultdict[tuple[str | None, str], Counter[str]](Counter)
    lines_of_parts = [(one is parts[1], line) for one in parts for line in one.counted["lines"]]
    for is_steady, (_, at, instructions, costs) in lines_of_parts:
        if at is None:
            continue
        named, (image, names) = symbols.at(at), judge.names(at)
        if named is None:
            nameless += instructions
        else:
            assert named.image == image and named.name in names, (hex(at), named, names)
        if is_steady:
            own = sum(cost for kind, cost in zip(KINDS, costs, strict=True) if kind not in SEPARATE)
            for key in ((image, name) for name in names) if named else ((None, "(no symbol)"),):
                by_nm[key].update(instructions=instructions, cycles=own)
    assert nameless <= 0.01 * executed
    document = load.analyse(recorded, read_rules(charge_callers=False))["steady"]
    ours = defaultdict[tuple[str, str], Counter[str]](Counter)
    for row in document["classes"]:
        for one in (one for sub in row["subclasses"] for one in sub["functions"]):
            counts = {unit: one[unit] for unit in ("instructions", "cycles")}
            ours[one["image"], one["function"]].update(counts)
    assert len(ours) > 100
    # Static functions of several files have one name.
    assert {name: by_nm[name] for name in ours} == ours


def test_gkermit_lies_where_the_kernel_says() -> None:
    """/proc/PID/maps of a waiting G-Kermit has the place that the lab read when it began."""
    shell = Shell(compose(built_or_skip()))
    shell.run("gkermit -q -r </dev/ttyS1 >/dev/ttyS1 &")
    maps = shell.run("cat /proc/$!/maps").splitlines()
    placed = next(one for one in shell.follower.loaded if one.name == "/bin/gkermit")
    spans = [[int(at, 16) for at in line.split()[0].split("-")] for line in maps]
    (end,) = (end for start, end in spans if start == placed.start)
    assert placed.start < placed.end <= end
