"""Counted runs beside exact ones of the same program, by the length of the run.

usage: .venv/bin/python benches/sources/speed.py [BITS…]   (how many numbers `bitcount` counts)

A counted run includes all: instrumenting, building, running. An exact run is that alone, on the
board `lpc2148-lab` from RAM, the image built before. Takes five repetitions in turn.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cyclescope.firmware.application import Application, build_application
from cyclescope.firmware.configuration import Configuration
from cyclescope.sources.host_compiler import OPTIMISED, host_compiler
from cyclescope.sources.host_run import count
from cyclescope.sources.instrumented import SourceUnit
from cyclescope.targets.virtual.application import run_on_board

SOURCE = Path(__file__).parents[2] / "examples" / "programs" / "bits" / "bitcount.c"
DEFAULT = ("500000", "3000000", "10000000")
TIMES = 5


def native(folder: Path) -> Path:
    """The program without counters, built for this machine with the same options."""
    options = (*host_compiler().types, *OPTIMISED, str(SOURCE), "-o", str(folder / "native"))
    subprocess.run(["gcc", *options], check=True)
    return folder / "native"


def main() -> None:
    """Prints the table."""
    board = Configuration("lpc2148-lab", "bare", {"code": "lab"})
    image = build_application(Application((SOURCE,)), board)
    print("| million instructions | native s | counted s | exact s | exact / counted |")
    print("|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as scratch:
        plain = native(Path(scratch))
        for numbers in sys.argv[1:] or DEFAULT:
            taken: list[list[float]] = []
            for _ in range(TIMES):
                begin = time.perf_counter()
                printed = subprocess.run([plain, numbers], capture_output=True, check=True).stdout
                natively = time.perf_counter()
                ours = count([SourceUnit(SOURCE)], [numbers]).run
                counted = time.perf_counter()
                truth = run_on_board(image, ("bitcount", numbers), {})
                exact = time.perf_counter()
                assert printed == ours.output == truth.console
                row = [natively - begin, counted - natively, exact - counted]
                taken.append([*row, row[2] / row[1]])
            cells = (f"{statistics.median(one):.2f}" for one in zip(*taken, strict=True))
            print(f"| {truth.instructions / 1e6:,.0f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
