"""Cycles of calls by function, true and estimated: where are laws wrong?

usage: .venv/bin/python benches/paper_000/calls_by_function.py PROGRAM [--configuration NAME]

The exact board charges all that a call executes to its place. Programs that are held back
are refused: estimates.py alone opens them.
"""

import argparse
import re
import subprocess
from collections import Counter

from benchmark import BenchmarkProgram, programs
from configurations import CONFIGURATIONS, REFERENCE, BoardConfiguration
from split import GROUPS, group

from cyclescope.firmware.application.build import BuiltApplication
from cyclescope.studies.estimate.counting import Inputs
from cyclescope.studies.estimate.estimating import counted
from cyclescope.studies.estimate.pricing_way import PricingWay
from cyclescope.studies.estimate.ways import PricedPlace
from cyclescope.targets.virtual.application import ApplicationBoard

LEAST_SHARE = 0.001
"""Of all cycles, for a function to be shown."""
CALL = re.compile(r"^\s*([0-9a-f]+):\s+[0-9a-f ]+\tb[lx]?\w*\t[0-9a-f]+ <([^>+]+)>")
SAME = {
    **{"__builtin_putc": "fputc", "putc": "fputc", "getc": "fgetc", "siprintf": "sprintf"},
    **{"sniprintf": "snprintf", "fiprintf": "fprintf", "iprintf": "printf", "siscanf": "sscanf"},
    **{"fiscanf": "fscanf"},
}
"""One name for functions that are one: gcc and newlib put others in their place."""


def sites(built: BuiltApplication) -> dict[int, str]:
    """The functions that branches name, by the address of the branch."""
    command = ["arm-none-eabi-objdump", "-d", str(built.image.elf)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = (CALL.match(line) for line in text.splitlines())
    return {int(one[1], 16): one[2] for one in found if one}


def true_cycles(program: BenchmarkProgram, built: BuiltApplication) -> Counter[str]:
    """Cycles of functions that the program calls, from entry to return."""
    calls, pieces, named = sites(built), [], {}
    for start, end, owner in built.owners:
        if owner != "program":
            pieces.append((start, end, True))
            continue
        for at in (*sorted(at for at in calls if start <= at < end - 4), end - 4):
            named[start] = calls.get(at, "by pointer")
            pieces.append((start, at + 4, False))
            start = at + 4
    on = ApplicationBoard(built, program.command, program.files())
    histogram = on.board.attach_histogram(pieces)
    on.finish()
    own = {start for start, _, owner in built.owners if owner == "compiler"}
    found: Counter[str] = Counter()
    for charged, _, _, costs in on.board.counted(histogram)["lines"]:
        if charged is not None:
            name = named.get(charged, "?").removeprefix("__wrap_").lstrip("_").removesuffix("_r")
            found[SAME.get(name, name)] += sum(costs)
    assert own is not None
    return found


def show(program: BenchmarkProgram, where: BoardConfiguration) -> None:
    """Prints a line for each function."""
    configuration = where.of_kernel(program.kernel)
    place = PricedPlace(program.application(where.level), configuration)
    inputs = Inputs(program.arguments, program.files())
    estimate = place.by(PricingWay.BLOCKS, counted(place, inputs), program.arguments).estimate
    assert estimate is not None
    guessed: Counter[str] = Counter()
    for one in estimate.calls:
        name = one.callee.removeprefix("__builtin_")
        guessed[SAME.get(name, name)] += round(one.cycles)
    true = true_cycles(program, place.built)
    whole = estimate.cycles
    print(f"{'function':24} {'true':>12} {'estimated':>12} {'of all':>8}")
    for name in sorted(true | guessed, key=lambda one: -abs(true[one] - guessed[one])):
        share = (guessed[name] - true[name]) / whole
        if max(true[name], guessed[name]) / whole > LEAST_SHARE:
            print(f"{name:24} {true[name]:12,} {guessed[name]:12,} {share:8.2%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--configuration", default=REFERENCE.name)
    asked = parser.parse_args()
    program = programs()[asked.program]
    if group(program.family) == GROUPS[2]:
        raise SystemExit(f"{program.name} is held back: it stays closed")
    show(program, next(one for one in CONFIGURATIONS if one.name == asked.configuration))


if __name__ == "__main__":
    main()
