"""Static prices are what the board spends, in every block that it executes."""

import sys
from itertools import pairwise
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "pricing"))
from bare import PROGRAMS, STACK, WAYS, Built, Way, build, executed
from operands import data_address, decoded, holds, multiplier_cycles
from refusals import refused

from cyclescope.targets.virtual.board import make_pricer

ENGINE = "cyclescope-error"
HALF_CALL = 2
"""Bytes of each half of a call in Thumb code, which executes as two instructions."""
WARM_UP = 40
"""Pieces after which the memories remember nothing from before main."""


def differences(built: Built) -> tuple[int, list[str]]:
    """Prices each piece up to a branch in the state that the last one left. Returns how many there
    are, and those that the board disagrees with."""
    pricer, program = built.pricer(), built.program
    code = decoded(program)
    state, count, wrong = 0, 0, list[str]()
    begun: int | None = None
    spent, skipped = 0, list[int]()
    for one, following in pairwise(executed(built)):
        instruction = code.get(one.address)
        is_thumb = program.kind_of_code(one.address) == "thumb"
        begun = (one.address | is_thumb) if begun is None else begun
        spent += one.cycles
        cycles = data = None
        size = HALF_CALL
        if instruction is not None:
            size = HALF_CALL if is_thumb and instruction.mnemonic == "bl" else instruction.size
            if not holds(instruction, one.registers["cpsr"]):
                skipped.append(one.address)
            cycles = multiplier_cycles(instruction, one.registers, is_thumb)
            data = data_address(instruction, one.registers)
        if cycles is not None:
            pricer.set_multiplication(one.address, cycles)
        if data is not None:
            pricer.place_data(one.address, data)
        if following.address == one.address + size and cycles is None and data is None:
            continue
        end = one.address + size
        goes_thumb = program.kind_of_code(following.address) == "thumb"
        target = following.address | goes_thumb if following.address != end else None
        price, state = pricer.price(state, begun, end, skipped, target)
        count += 1
        if price != spent and count > WARM_UP:
            wrong.append(f"{program.place(one.address)}: {price}, not {spent}")
        begun, spent, skipped = None, 0, []
    return count, wrong


SAMPLE = [
    ("sorting", Way("flash", 2, "arm", "-O2")),
    ("words", Way("flash", 1, "thumb", "-Os")),
    ("matrices", Way("flash", 2, "thumb", "-O0")),
    ("checksums", Way("ram", 0, "arm", "-O2")),
    ("network", Way("flash", 0, "thumb", "-O2")),
]
EVERYTHING = [(source.stem, way) for source in PROGRAMS for way in WAYS]


def assert_alike(name: str, way: Way, folder: Path) -> None:
    source = next(source for source in PROGRAMS if source.stem == name)
    count, wrong = differences(build(source, way, folder))
    assert count > 1000
    assert not wrong, f"{len(wrong)} of {count}: {wrong[:5]}"


@pytest.mark.parametrize(("name", "way"), SAMPLE)
def test_prices_are_what_the_board_spends(name: str, way: Way, tmp_path: Path) -> None:
    assert_alike(name, way, tmp_path)


@pytest.mark.matrix
@pytest.mark.parametrize(("name", "way"), EVERYTHING)
def test_prices_are_what_the_board_spends_everywhere(name: str, way: Way, tmp_path: Path) -> None:
    assert_alike(name, way, tmp_path)


def test_the_first_price_does_not_depend_on_what_was_priced_before(tmp_path: Path) -> None:
    built = build(PROGRAMS[0], Way("flash", 2, "arm", "-O2"), tmp_path)
    pricer, main = built.pricer(), built.program.symbols["main"]
    first = pricer.price(0, main, main + 8)
    assert pricer.price(first[1], main, main + 8)[0] < first[0], "the line is held by then"
    assert pricer.price(0, main, main + 8) == first


def test_what_must_be_told_is_asked_for(tmp_path: Path) -> None:
    built = build(PROGRAMS[0], Way("ram", 0, "arm", "-O2"), tmp_path)
    pricer, main = built.pricer(), built.program.symbols["main"]
    with refused(ENGINE, naming=[7]):
        pricer.price(7, main, main + 4)
    with refused(ENGINE, naming=["0x50000000"]):
        pricer.set_register(0x5000_0000, 1)
    with refused(ENGINE, naming=["0x60000000"]):
        pricer.place_data(main, 0x6000_0000)
    pricer.load(STACK, bytes.fromhex("1eff2fe1"))  # bx lr
    with refused(ENGINE, naming=["register"]):
        pricer.price(0, STACK, STACK + 4)
    pricer.load(STACK, bytes.fromhex("020000ea"))  # b, 16 bytes on
    with refused(ENGINE, naming=["leaves"]):
        pricer.price(0, STACK, STACK + 8)


def test_the_other_core_is_refused() -> None:
    with refused(ENGINE, naming=["avr"]):
        make_pricer("atmega2560", 0)
