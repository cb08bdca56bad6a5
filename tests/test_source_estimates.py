"""Estimates from source: work of the optimised tree, without a board or the target's compiler."""

import subprocess
from collections import Counter
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
from cyclescope.targets.virtual import board as boards

CONFIGURATION = "lpc2148-lab ram arm"
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
    """A function on a machine where a load takes 4 cycles, an operation 2, a division 77.

    Without waits a load takes 3 cycles, an operation 1.
    """
    work = {"load": float(load), "alu": float(alu), "library division": float(divisions)}
    waiting = 4 * load + 2 * alu
    return TrainedFunction(family, family, work, waiting, 77 * divisions, 3 * load + alu)


def test_a_fit_finds_the_prices_of_a_machine() -> None:
    functions = [
        *(made("a", 100, 900), made("b", 700, 300), made("c", 500, 20, 30)),
        *(made("d", 10, 800, 5), made("e", 333, 444)),
    ]
    cycles = fitting.fitted(functions, "arm", "O2").cycles
    assert cycles["load"] == pytest.approx(4, rel=0.05)
    assert cycles["alu"] == pytest.approx(2, rel=0.05)
    assert cycles["library division"] == pytest.approx(77, rel=0.02)
    for estimate_, true in fitting.left_out(functions, "arm", "O2").values():
        assert estimate_ == pytest.approx(true, rel=0.1)


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
