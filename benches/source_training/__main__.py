"""Fits what the work of C programs costs on each board: coefficients for estimates from source.

`python benches/source_training` runs the training programs on the exact boards where their true
cycles are missing (own_cycles.json), counts their work here, fits, and writes the coefficients. It
never opens a program that is held back. `--only TEXT` takes configurations whose name has it in it;
`--fit` runs no board; `--errors` lists the errors of programs whose family was left out.
"""

import argparse
import json
import pickle
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "paper_000"))

from benchmark import BenchmarkProgram, programs
from configurations import CONFIGURATIONS, BoardConfiguration
from own_cycles import FunctionCycles, own_cycles
from split import trains

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.build import ROOT
from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.studies.estimate.source import fitting
from cyclescope.studies.estimate.source.estimate import work_of
from cyclescope.studies.estimate.source.fitting import TrainedFunction
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.optimised import OptimisedProgram, optimised
from cyclescope.studies.estimate.source.prices import SourcePrices, file_of, prices
from cyclescope.studies.estimate.source.work import Kinds

HERE = Path(__file__).parent
TRUTH = HERE / "own_cycles.json"
KEPT = ROOT / "build" / "source-training"
PAGE = ROOT / "docs" / "explanation" / "source-estimates.md"
WITHOUT_WAITS = "lpc2148-lab ram"
MARK, END = "<!-- table -->", "<!-- end -->"
PREFIX = "-D", "-I", "-std", "-f"
DIGITS = 4
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


def counts_of(program: BenchmarkProgram) -> SourceCounts:
    """The counts of a program's run on this machine."""
    kept = KEPT / f"{program.name}.json"
    if not kept.exists():
        application = program.application()
        with tempfile.TemporaryDirectory() as scratch:
            for name, content in program.files().items():
                (Path(scratch) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(scratch) / name).write_bytes(content)
            units = [
                SourceUnit(
                    one,
                    (
                        "-std=gnu99",
                        *(each for each in application.arguments(one) if each.startswith(PREFIX)),
                    ),
                )
                for one in application.sources
            ]
            found = count(units, program.command[1:], Path(scratch), libraries=("-lm",))
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(found.counts.as_json()))
    return SourceCounts.model_validate_json(kept.read_text())


class Functions:
    """The functions of a program by file and line."""

    def __init__(self, counts: SourceCounts) -> None:
        self._begun: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for one in counts.functions:
            self._begun[PurePath(one.file).name].append((one.line, one.name))

    def at(self, file: str, line: int) -> str:
        """The function that a line lies in: the last one that begins before it."""
        begun = self._begun.get(PurePath(file).name, ())
        return max((one for one in begun if one[0] <= line), default=(0, "?"))[1]


def tree(program: BenchmarkProgram, level: str) -> OptimisedProgram:
    """A program as this machine's compiler optimises it."""
    kept = KEPT / f"{program.name}-{level}.pickle"
    if not kept.exists():
        made = optimised(
            program.application(level), program.command, program.files(), program.kernel
        )
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(made))
    return pickle.loads(kept.read_bytes())


def work(program: BenchmarkProgram, level: str, isa: str, counts: SourceCounts) -> dict[str, Kinds]:
    """The work of each function."""
    functions = Functions(counts)
    found: dict[str, Kinds] = defaultdict(lambda: defaultdict(float))
    made = tree(program, level)
    for (file, line, _), kinds in work_of(made, Magnitudes(counts), isa).items():
        for kind, times in kinds.items():
            found[functions.at(file, line)][kind] += times
    return found


def measured(where: BoardConfiguration, known: dict[str, Any]) -> dict[str, Any]:
    """The true cycles of all training programs in a configuration; `known` are kept."""
    rows = dict(known)
    for program in training():
        if program.name in rows:
            continue
        functions = Functions(counts_of(program))
        try:
            rows[program.name] = own_cycles(program, where, functions.at)
        except CyclescopeError as error:
            print(f"{where.name} {program.name}: {error.sentence}", flush=True)
    return rows


def fit(where: BoardConfiguration, table: Truth, errors: bool) -> SourcePrices:
    """The prices of a configuration."""
    truth = table[where.name]
    plain = table.get(f"{WITHOUT_WAITS} {where.isa} {where.level}", {})
    functions, ratios = [], []
    for program in training():
        if program.name not in truth:
            continue
        done = work(program, where.level, where.isa, counts_of(program))
        true = truth[program.name]
        for name in sorted({*done, *true}):
            cycles, library, _ = true.get(name, (0, 0, 0))
            there = plain.get(program.name, {}).get(name, (0, 0, 0))[0]
            functions.append(
                TrainedFunction(
                    *(program.name, program.family, done.get(name, {}), cycles, library, there)
                )
            )
        spent = sum(cycles + library for cycles, library, _ in true.values())
        ratios.append(sum(energy for _, _, energy in true.values()) / spent)
    solved = fitting.fitted(functions, where.isa, where.level)
    left_out = fitting.left_out(functions, where.isa, where.level)
    own = {one.program for one in functions if one.family.startswith("own ")}
    off = {name: made / true - 1 for name, (made, true) in left_out.items() if name not in own}
    if errors:
        for name, error in sorted(off.items(), key=lambda one: -abs(one[1])):
            print(f"  {name:18} {error:+.1%}")
    mean = sum(ratios) / len(ratios)
    return SourcePrices(
        configuration=where.name,
        compiler=_compiler(),
        programs=tuple(sorted({one.program for one in functions})),
        equations=len(functions),
        mean_error=round(sum(map(abs, off.values())) / len(off), DIGITS),
        greatest_error=round(max(map(abs, off.values())), DIGITS),
        interval=round(fitting.interval(1 + one for one in off.values()), DIGITS),
        cycles={kind: round(price, DIGITS) for kind, price in sorted(solved.cycles.items())},
        trained=tuple(sorted({kind for one in functions for kind in one.work})),
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
        "| configuration | n | mean error | greatest | 90 % within a factor of |",
        "|---|--:|--:|--:|--:|",
    ]
    own = sum(one.family.startswith("own ") for one in training())
    for where in CONFIGURATIONS:
        if file_of(where.name).is_file():
            one = prices(where.name)
            rows.append(
                f"| {where.name} | {len(one.programs) - own} | {one.mean_error:.1%} "
                f"| {one.greatest_error:.1%} | {one.interval:.2f} |"
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
    for where in CONFIGURATIONS:
        truth: Truth = json.loads(TRUTH.read_text()) if TRUTH.exists() else {}
        if chosen.only not in where.name or (chosen.fit and where.name not in truth):
            continue
        if not chosen.fit:
            truth[where.name] = measured(where, truth.get(where.name, {}))
            write(truth)
        made = fit(where, truth, chosen.errors)
        to = file_of(where.name)
        to.parent.mkdir(exist_ok=True)
        to.write_text(json.dumps(made.model_dump(), indent=1) + "\n")
        print(
            f"{where.name}: {made.mean_error:.1%} mean, {made.greatest_error:.1%} at most, "
            f"90 % within a factor of {made.interval:.2f}",
            flush=True,
        )
    write_page()


if __name__ == "__main__":
    main()
