"""Fits what the work of C programs costs on each board: coefficients for estimates from source.

`python benches/source_training` runs the training programs on the exact boards where their true
cycles are missing (own_cycles.json), counts their work here, fits, and writes the coefficients. It
never opens a program that is held back. `--only TEXT` takes configurations whose name has it in it;
`--fit` runs no board; `--errors` lists the errors of programs whose family was left out.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "paper_000"))

from benchmark import BenchmarkProgram, programs
from configurations import CONFIGURATIONS, LEVELS, BoardConfiguration
from kept import KeptProgram, function_at
from own_cycles import FunctionCycles, own_cycles
from split import trains

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.build import ROOT
from cyclescope.studies.estimate.source import fitting
from cyclescope.studies.estimate.source.fitting import TrainedFunction
from cyclescope.studies.estimate.source.prices import SourcePrices, file_of, prices

HERE = Path(__file__).parent
TRUTH = HERE / "own_cycles.json"
TRUE_TIMES = ROOT / "examples" / "programs" / "true_times.json"
PAGE = ROOT / "docs" / "explanation" / "source-estimates.md"
MARK, END = "<!-- table -->", "<!-- end -->"
DIGITS = 4
PLAIN = "O0"
"""The level whose own fit of the compiler's functions is worse than one of all levels."""
Truth = dict[str, dict[str, dict[str, FunctionCycles]]]


@dataclass(frozen=True)
class OwnProgram(BenchmarkProgram):
    """A program that was written to fit with, in this folder."""

    def _path(self, name: str) -> Path:
        return HERE / name


def training() -> Iterator[BenchmarkProgram]:
    """All programs that may be fitted with."""
    for name in ("arithmetic", "idioms"):
        yield OwnProgram(name, f"own {name}", (f"{name}.c",), ())
    yield from (one for one in programs().values() if trains(one.family))


def measured(where: BoardConfiguration, known: dict[str, Any]) -> dict[str, Any]:
    """The true cycles of all training programs in a configuration; `known` are kept."""
    rows = dict(known)
    for program in training():
        if program.name in rows:
            continue
        begun = KeptProgram(program).begun
        try:
            rows[program.name] = own_cycles(program, where, partial(function_at, begun))
        except CyclescopeError as error:
            print(f"{where.name} {program.name}: {error.sentence}", flush=True)
    return rows


def whole(where: BoardConfiguration, table: Truth) -> dict[str, dict[str, FunctionCycles]]:
    """The programs that run to their end in a configuration: memory is enough for them there."""
    true = json.loads(TRUE_TIMES.read_text()).get(where.name, {})
    return {
        name: rows
        for name, rows in table[where.name].items()
        if "refused" not in true.get(name, {})
    }


def trained(table: Truth, isa: str, level: str) -> list[TrainedFunction]:
    """The functions of all training programs with their true cycles in each memory."""
    places = [one for one in CONFIGURATIONS if (one.isa, one.level) == (isa, level)]
    truths = {one.memory: whole(one, table) for one in places if one.name in table}
    found = []
    for program in training():
        there = {
            memory: rows[program.name] for memory, rows in truths.items() if program.name in rows
        }
        done = KeptProgram(program).work(level, isa)
        names = {*done, *(name for rows in there.values() for name in rows)}
        for name in sorted(names):
            of = {memory: rows.get(name, (0, 0, 0.0)) for memory, rows in there.items()}
            cycles = {memory: float(one[0]) for memory, one in of.items()}
            library = {memory: float(one[1]) for memory, one in of.items()}
            work = done.get(name, {})
            found.append(TrainedFunction(program.name, program.family, work, cycles, library))
    return found


def fit(table: Truth, isa: str, level: str, errors: bool) -> Iterator[SourcePrices]:
    """The prices of all memories with an instruction set and a level."""
    functions = trained(table, isa, level)
    others = [
        replace(one, program=f"{one.program} {other}")
        for other in LEVELS
        if level == PLAIN != other
        for one in trained(table, isa, other)
    ]
    solved = fitting.fitted(functions, isa, level, others)
    left_out = fitting.left_out(functions, isa, level, others)
    own = {one.program for one in functions if one.family.startswith("own ")}
    kinds = tuple(sorted({kind for one in functions for kind in one.work}))
    for where in CONFIGURATIONS:
        if (where.isa, where.level) != (isa, level) or where.memory not in solved:
            continue
        off = {
            name: made / true - 1
            for name, (made, true) in left_out[where.memory].items()
            if name not in own
        }
        ratios = [
            sum(energy for _, _, energy in rows.values())
            / sum(cycles + library for cycles, library, _ in rows.values())
            for rows in whole(where, table).values()
        ]
        if errors:
            print(where.name)
            for name, error in sorted(off.items(), key=lambda one: -abs(one[1])):
                print(f"  {name:18} {error:+.1%}")
        mean = sum(ratios) / len(ratios)
        prices = solved[where.memory].cycles
        yield SourcePrices(
            configuration=where.name,
            compiler=_compiler(),
            programs=tuple(sorted(whole(where, table))),
            equations=sum(where.memory in one.cycles for one in functions),
            mean_error=round(sum(map(abs, off.values())) / len(off), DIGITS),
            greatest_error=round(max(map(abs, off.values())), DIGITS),
            left_out={
                name: round(made)
                for name, (made, _) in left_out[where.memory].items()
                if name not in own
            },
            interval=round(fitting.interval(1 + one for one in off.values()), DIGITS),
            cycles={kind: round(price, DIGITS) for kind, price in sorted(prices.items())},
            trained=kinds,
            nanojoules_a_cycle=round(mean, DIGITS),
            nanojoules_spread=round(max(abs(one / mean - 1) for one in ratios), DIGITS),
        )


def _compiler() -> str:
    asked = ["arm-none-eabi-gcc", "--version"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.splitlines()[0]


def write(truth: Truth) -> None:
    """Writes the table, with a line for each program."""
    tables = (
        f"{json.dumps(name)}: {{\n"
        + ",\n".join(f"{json.dumps(one)}: {json.dumps(row)}" for one, row in rows.items())
        + "\n}"
        for name, rows in truth.items()
    )
    TRUTH.write_text("{\n" + ",\n".join(tables) + "\n}\n")


def write_page() -> None:
    """Writes the errors of all configurations that have coefficients into their page."""
    rows = [
        "| configuration | n | mean error | greatest |",
        "|---|--:|--:|--:|",
    ]
    own = sum(one.family.startswith("own ") for one in training())
    for where in CONFIGURATIONS:
        if file_of(where.name).is_file():
            one = prices(where.name)
            rows.append(
                f"| {where.name} | {len(one.programs) - own} | {one.mean_error:.1%} "
                f"| {one.greatest_error:.1%} |"
            )
    before, _, rest = PAGE.read_text().partition(MARK)
    after = rest.partition(END)[2]
    PAGE.write_text("".join((before, MARK, "\n", "\n".join(rows), "\n", END, after)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="configurations whose name has this in it")
    parser.add_argument("--fit", action="store_true", help="run no board")
    parser.add_argument("--errors", action="store_true", help="list the errors of programs")
    chosen = parser.parse_args()
    chosen_places = [one for one in CONFIGURATIONS if chosen.only in one.name]
    truth: Truth = json.loads(TRUTH.read_text()) if TRUTH.exists() else {}
    for where in () if chosen.fit else chosen_places:
        truth[where.name] = measured(where, truth.get(where.name, {}))
        write(truth)
    for isa, level in dict.fromkeys((one.isa, one.level) for one in chosen_places):
        for made in fit(truth, isa, level, chosen.errors):
            to = file_of(made.configuration)
            to.parent.mkdir(exist_ok=True)
            to.write_text(json.dumps(made.model_dump(), indent=1) + "\n")
            print(
                f"{made.configuration}: {made.mean_error:.1%} mean, {made.greatest_error:.1%} at "
                f"most, 90 % within a factor of {made.interval:.2f}",
                flush=True,
            )
    write_page()


if __name__ == "__main__":
    main()
