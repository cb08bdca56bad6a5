"""The copies of every point, in the disassembly: all there, in order, and nothing beside them."""

import platform
import struct
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import capstone
import pytest
from elftools.elf.elffile import ELFFile

from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import FragmentSource, point_name, sequence
from cyclescope.target.target import Selection
from cyclescope.targets import open_target
from cyclescope.targets.virtual.target import VirtualBoard

EXAMPLES = Path(__file__).parent.parent / "examples" / "fragments"
LINE: Plan = (*map(Point, range(21)), Point(100))
LOOPED: Plan = (Point(100, looped=True),)
INITIALISED: Plan = (Point(0, 4), *(Point(n, n + 1) for n in range(1, 9)), Point(7, 21))
INITIALISED_LOOP: Plan = (Point(50, 150, looped=True),)
PLANS: tuple[tuple[str, Plan], ...] = (("line", LINE), ("looped", LOOPED))
SOURCES = {
    "sum_of_squares": FragmentSource(
        EXAMPLES / "sum_of_squares.c", PLANS, "sum_of_squares(values, 8)"
    ),
    "insertion_sort": FragmentSource(
        EXAMPLES / "insertion_sort.c",
        (*PLANS, ("initialised", INITIALISED), ("initialised_loop", INITIALISED_LOOP)),
    ),
    "delta_coder": FragmentSource(EXAMPLES / "delta_coder.c", PLANS),
}
HOST = platform.machine()
BUILDS = (
    [
        Configuration(kernel="bare", settings={"isa": isa, "timer": timer})
        for isa in ("arm", "thumb")
        for timer in ("measurement", "timer1", "pin")
    ]
    + [
        Configuration(board="at91x40", kernel="bare", settings={"isa": isa, "timer": "tc"})
        for isa in ("arm", "thumb")
    ]
    + [
        Configuration(board="host", kernel="bare", settings={"timer": timer})
        for timer in ("cycle_counter", "clock_gettime")
    ]
)
PROBES = {
    "measurement": ["ldr"],
    "timer1": ["ldr"],
    "tc": ["ldr"],
    "pin": ["str"],
    "cycle_counter": ["lfence"],
    "clock_gettime": [],
}
"""Instructions between the label of the starting probe and the first copy."""
CALLS = {"bl", "call"}
OTHERS = {"-O0", "-O3", "-Os"}


class Instruction(NamedTuple):
    address: int
    mnemonic: str
    operands: str


class Code:
    """The code of an image for whatever machine."""

    def __init__(self, elf: Path, isa: str) -> None:
        with elf.open("rb") as file:
            image = ELFFile(file)
            self.symbols = {
                s.name: s["st_value"] for s in image.get_section_by_name(".symtab").iter_symbols()
            }
            text = image.get_section_by_name(".text")
            self._base, self._data = text["sh_addr"], text.data()
        self._engine = capstone.Cs(
            *{
                "arm": (capstone.CS_ARCH_ARM, capstone.CS_MODE_ARM),
                "thumb": (capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB),
                "x86_64": (capstone.CS_ARCH_X86, capstone.CS_MODE_64),
                "aarch64": (capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM),
            }[isa]
        )

    def between(self, start: int, stop: int) -> Iterator[Instruction]:
        code = self._data[start - self._base : stop - self._base]
        for address, _, mnemonic, operands in self._engine.disasm_lite(code, start):
            yield Instruction(address, mnemonic, operands)

    def point(self, point: Point) -> list[Instruction]:
        """Returns the instructions between the two probes of a point."""
        ends = (self.symbols[f"fragment.{point_name(point)}.{end}"] for end in ("start", "stop"))
        return list(self.between(*ends))


def isa_of(configuration: Configuration) -> str:
    return str(configuration.value("isa") or HOST)


@cache
def code(configuration: Configuration, source: FragmentSource) -> Code:
    whole = firmware.build(replace(configuration, fragment=source))
    return Code(whole.elf, isa_of(configuration))


def name(value: Configuration | str) -> str:
    return value if isinstance(value, str) else f"{isa_of(value)}-{value.value('timer')}"


def target(instruction: Instruction) -> int:
    return int(instruction.operands.lstrip("#"), 0)


@pytest.mark.parametrize("example", SOURCES)
@pytest.mark.parametrize("configuration", BUILDS, ids=name)
def test_exactly_the_copies_stand_between_the_probes(
    configuration: Configuration, example: str
) -> None:
    source = SOURCES[example]
    found = code(configuration, source)
    execute, initialise = (
        found.symbols.get(f"fragment_{one}", 0) & ~1 for one in ("execute", "initialise")
    )
    for point in source.points():
        if point.looped:
            continue
        instructions = found.point(point)
        probe = PROBES[configuration.value("timer")]
        assert [i.mnemonic for i in instructions[: len(probe)]] == probe
        copies = instructions[len(probe) :]
        assert {i.mnemonic for i in copies} <= CALLS
        assert [target(i) for i in copies] == [
            initialise if one else execute for one in sequence(point)
        ]
        if configuration.board == "lpc2148" and copies:
            assert copies[0].address % 16 == 0, "the first copy begins a line of the flash"
            assert [i.address - copies[0].address for i in copies] == [
                4 * number for number in range(len(copies))
            ]


@pytest.mark.parametrize("configuration", BUILDS, ids=name)
def test_a_loop_stays_a_loop_of_one_copy_of_each(configuration: Configuration) -> None:
    found = code(configuration, SOURCES["insertion_sort"])
    symbols = [found.symbols[f"fragment_{one}"] & ~1 for one in ("initialise", "execute")]
    for point, expected in ((LOOPED[0], [1]), (INITIALISED_LOOP[0], [0, 0, 0, 1])):
        instructions = found.point(point)
        calls = [target(i) for i in instructions if i.mnemonic in CALLS]
        assert calls == [symbols[which] for which in expected]
        back = [
            i
            for i in instructions
            if i.mnemonic[0] in "bj" and i.mnemonic not in CALLS and target(i) < i.address
        ]
        assert len(back) == 1


@pytest.mark.parametrize("optimise", sorted(OTHERS))
@pytest.mark.parametrize("isa", ["arm", "thumb", HOST])
def test_the_users_optimisation_changes_no_copy(isa: str, optimise: str) -> None:
    (configuration,) = [
        one
        for one in BUILDS
        if isa_of(one) == isa and one.value("timer") in ("pin", "cycle_counter")
    ]
    source = FragmentSource(EXAMPLES / "insertion_sort.c", (("both", INITIALISED),), None, optimise)
    found = code(configuration, source)
    for point in INITIALISED:
        calls = [i for i in found.point(point) if i.mnemonic in CALLS]
        assert len(calls) == point.executions + point.initialisations


def memory(example: str, symbol: str, words: int, rounds: int) -> list[int]:
    """Words of a virtual board's memory after so many rounds of an example."""
    source = FragmentSource(SOURCES[example].file, (("line", (Point(2),)),), SOURCES[example].call)
    target = open_target(Selection("lpc2148", "bare", fragment=source))
    assert isinstance(target, VirtualBoard)
    target.run_series(target.cases()[0], None, rounds, empty=False)
    at = target.program().symbols[symbol]
    return list(struct.unpack(f"<{words}I", target.board.read_memory(at, 4 * words)))


def test_what_is_executed_does_its_work() -> None:
    numbers = memory("insertion_sort", "numbers", 12, 1)
    assert numbers == sorted(numbers) and numbers[0] == 23
    codes = [memory("delta_coder", "codes", 4, rounds) for rounds in (1, 2, 3)]
    assert len({tuple(one) for one in codes}) == 3, "every round has another signal"
