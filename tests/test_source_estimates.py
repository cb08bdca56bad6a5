"""Estimates from source: work of the optimised tree, without a board or the target's compiler."""

import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

from cyclescope.firmware.application import Application
from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.studies.estimate.source import fitting, prices
from cyclescope.studies.estimate.source.estimate import SourceEstimate, estimate, work_of
from cyclescope.studies.estimate.source.fitting import TrainedFunction
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.optimised import optimised
from cyclescope.studies.estimate.source.units import split, units_of
from cyclescope.targets.virtual import board as boards

CONFIGURATION = "lpc2148-lab ram arm"
RAM, FLASH, BUFFERED = "lpc2148-lab ram", "lpc2148-lab flash mam0", "lpc2148-lab flash mam2"
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
static int table[100];
unsigned quotient;
static int summed(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (table[i] > 10)
            sum += table[i] * i;
    return sum;
}
int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1;
    int sum = 0;
    for (int k = 0; k < rounds; k++) {
        for (int i = 0; i < 100; i++)
            table[i] = i ^ k;
        sum += summed(100);
        quotient += 1000000u / (unsigned)(sum + 1);
    }
    printf("%d\\n", sum);
    return 0;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("program") / "program.c"
    path.write_text(PROGRAM)
    return path


def counts(source: Path, rounds: int) -> SourceCounts:
    return count([SourceUnit(source, ("-std=gnu99",))], [str(rounds)]).counts


def estimated(source: Path, level: str, rounds: int) -> SourceEstimate:
    program = optimised(Application((source,), level), ["program", str(rounds)], {})
    return estimate(program, counts(source, rounds), prices.prices(f"{CONFIGURATION} {level}"))


def test_work_executes_as_often_as_its_source(source: Path) -> None:
    program = optimised(Application((source,), "O0"), ["program", "7"], {})
    work: Counter[str] = Counter()
    for kinds in work_of(program, Magnitudes(counts(source, 7)), "arm").values():
        work.update(kinds)
    assert work["library division"] == 7
    assert work["multiply"] == 7 * 100 - sum((i ^ k) <= 10 for k in range(7) for i in range(100))
    assert work["enter"] == 1 + 7
    assert work["call"] == 7
    # A condition in each round of a loop, once more at its end, and `argc > 1`.
    assert work["branch"] == 1 + 8 + 7 * 101 + 7 * 101 + 7 * 100


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_an_estimate_has_no_board_and_no_compiler_of_the_target(
    source: Path, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = subprocess.Popen

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a board was made")

    class Host(plain[Any]):
        def __init__(self, arguments: Any, *rest: Any, **named: Any) -> None:
            assert "arm-none-eabi" not in str(arguments)
            super().__init__(arguments, *rest, **named)

    monkeypatch.setattr(boards, "Board", refuse)
    monkeypatch.setattr(boards, "make_board", refuse)
    monkeypatch.setattr(subprocess, "Popen", Host)
    found = estimated(source, level, 3)
    assert found.cycles > 1000
    assert sum(part.cycles for part in found.own) == pytest.approx(found.cycles)
    assert not found.unseen


def test_parts_lie_in_the_regions_that_executed(source: Path) -> None:
    found, counted = estimated(source, "O2", 5), counts(source, 5)
    lines = PROGRAM.splitlines()
    for part in found.own:
        assert counted.totals[part.region]
    hot = max(found.own, key=lambda part: part.cycles)
    assert "table[i]" in lines[hot.line - 1]


def test_more_rounds_cost_as_much_more(source: Path) -> None:
    one, ten = (estimated(source, "O0", rounds).cycles for rounds in (1, 10))
    assert ten / one == pytest.approx(10, rel=0.05)


def test_prices_that_are_not_shipped_are_refused_by_name() -> None:
    with refused("no-source-prices", naming=["atmega2560 flash O2"]):
        prices.prices("atmega2560 flash O2")


def made(family: str, load: int, alu: int, divisions: int = 0) -> TrainedFunction:
    """A function of loads that are each two, and operations that are each three instructions.

    A division takes 77 cycles in each memory.
    """
    work = {"load": float(load), "alu": float(alu), "library division": float(divisions)}
    library = {memory: 77.0 * divisions for memory in (RAM, FLASH, BUFFERED)}
    cycles = {
        RAM: 3.0 * 2 * load + 3 * alu,
        FLASH: 5.0 * 2 * load + 3 * 3 * alu,
        BUFFERED: 3.5 * 2 * load + 1.25 * 3 * alu,
    }
    return TrainedFunction(family, f"own {family}", work, cycles, library)


def test_a_fit_finds_what_work_is_from_all_memories_at_once() -> None:
    functions = [made(f"{one}", 7 * one + 10, 700 - 4 * one, one % 3) for one in range(150)]
    found = fitting.fitted(functions, "arm", "O2")
    ram, flash, buffered = (found[one].cycles for one in (RAM, FLASH, BUFFERED))
    # Each kind has one fitted factor: the memories' rules give the rest.
    assert flash["load"] / ram["load"] == pytest.approx(5 / 3)
    assert flash["alu"] / ram["alu"] == pytest.approx(3)
    # It is drawn to what is expected, which is 3.
    assert 1.95 < ram["load"] / ram["alu"] < 2.4
    assert ram["library division"] == pytest.approx(77, rel=0.03)
    assert buffered["alu"] / ram["alu"] == pytest.approx(1.25, rel=0.15)
    some = functions[::15]
    for memory, programs in fitting.left_out(some, "arm", "O2").items():
        true = {one.program: one.cycles[memory] + one.library[memory] for one in some}
        assert {name: both[1] for name, both in programs.items()} == true


def test_a_fit_of_the_compilers_functions_takes_other_levels() -> None:
    functions = [made("a", 100, 900, 3), made("b", 700, 300)]
    dear = made("dear", 10, 10, 5)
    others = [replace(dear, library={memory: 5 * 200.0 for memory in (RAM, FLASH, BUFFERED)})]
    alone = fitting.fitted(functions, "arm", "O2")[RAM].cycles["library division"]
    both = fitting.fitted(functions, "arm", "O2", others)[RAM].cycles["library division"]
    assert alone == pytest.approx(77, rel=0.03)
    assert 90 < both < 200


def test_estimates_of_training_programs_are_not_too_low() -> None:
    """Half of what they take is estimated too high, half of it too low."""
    noise = [0.6, 0.8, 0.9, 1.0, 1.1, 1.25, 1.7]
    functions = [
        replace(one, cycles={memory: cycles * noise[number % 7] for memory, cycles in each})
        for number in range(70)
        for one in (made(f"{number}", 100 + number, 300),)
        for each in (one.cycles.items(),)
    ]
    prices = fitting.fitted(functions, "arm", "O2")[RAM]
    low = sum(prices.own(one.work) < one.cycles[RAM] for one in functions)
    assert 0.35 < low / len(functions) < 0.65


def test_a_fit_needs_no_truth_in_every_memory() -> None:
    functions = [made("a", 100, 900), made("b", 700, 300)]
    only = TrainedFunction("c", "c", {"load": 5.0}, {RAM: 30.0}, {RAM: 0.0})
    found = fitting.left_out([*functions, only], "arm", "O2")
    assert "c" in found[RAM]
    assert "c" not in found[FLASH]


@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_memories_that_are_alike_have_the_same_prices(isa: str) -> None:
    assert units_of("lpc2148-lab ram", isa) == units_of("at91x40 internal", isa)
    assert units_of("lpc2148-lab flash mam2", isa) is None
    # A word of ARM code is two accesses of an external bus of 16 bits, an instruction of Thumb one.
    wide, narrow = units_of("at91x40 rom", "arm"), units_of("at91x40 rom", "thumb")
    assert wide is not None and narrow is not None
    assert wide[0] == 2 * narrow[0]
    # In RAM: an instruction 1, a load 2 more, a store 1 more, a taken branch 2 more, a literal 2.
    assert units_of("lpc2148-lab ram", isa) == (1, 2, 1, 2, 1, 2, 2, 1)


def test_narrow_accesses_have_columns_of_their_own() -> None:
    assert split("load", (1, 1, 0, 0, 0, 0)) == (1, 1, 0, 0, 0, 0, 0, 0)
    assert split("load byte", (1, 1, 0, 0, 0, 0)) == (1, 0, 0, 0, 0, 0, 1, 0)


def test_an_interval_holds_nine_of_ten() -> None:
    assert fitting.interval([1.0] * 17 + [1.5, 2.0]) == pytest.approx(1.5)
    assert fitting.interval([0.5, 1.0]) == pytest.approx(2.0)


@pytest.mark.parametrize("file", sorted(prices.FOLDER.glob("*.json")), ids=lambda one: one.stem)
def test_shipped_prices_are_sane(file: Path) -> None:
    found = prices.SourcePrices.model_validate_json(file.read_text())
    assert prices.file_of(found.configuration) == file
    assert all(price >= 0 for price in found.cycles.values())
    assert found.mean_error <= found.greatest_error
    assert found.interval > 1
    assert found.cycles["load"] > 1
