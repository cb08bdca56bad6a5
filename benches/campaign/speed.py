"""Prints what the whole catalogues take on one configuration: wall, CPU, memory.

usage: python benches/campaign/speed.py [repetitions]
"""

import json
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Sequence

from measure import Taken, measured

from cyclescope.campaign import executors

CATALOGUES = {
    "FreeRTOS": ["--kernel", "freertos"],
    "C library and files": ["--kernel", "bare"],
}
OTHERS = ("qemu-system-arm", "renode")
"""Simulators in whose place a campaign could run, were they exact to the cycle."""


def main() -> None:
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    load = os.getloadavg()[0]
    print(f"{executors.cores()} cores, load {load:.1f} at the start, n = {repetitions} each\n")
    print("| catalogue | cases | runs | samples | wall s | CPU s | largest process MB |")
    print("|---|---|---|---|---|---|---|")
    whole = 0.0
    for name, options in CATALOGUES.items():
        with tempfile.TemporaryDirectory() as folder:
            characterize = [*cyclescope("characterize"), *options, "--json", "--out", folder]
            measured([*characterize, "--case", "*"])  # builds the image
            taken = [measured([*characterize, "--replace"]) for _ in range(repetitions)]
            with open(f"{folder}/manifest.json") as file:
                manifest = json.load(file)
        samples = sum(run["samples"] for run in manifest["runs"])
        counts = f"{len(manifest['planned'])} | {len(manifest['runs'])} | {samples:,}"
        print(f"| {name} | {counts} | {row(taken)} |", flush=True)
        whole += statistics.median(one.wall_s for one in taken)
    print(f"\nTogether: {whole:.1f} s (sum of the medians). Cells: median (least to most).\n")
    print(beside())


def cyclescope(*arguments: str) -> list[str]:
    """The program, with the interpreter that runs this."""
    return [sys.executable, "-m", "cyclescope", *arguments]


def row(taken: Sequence[Taken]) -> str:
    """Median and range of each figure."""
    figures = zip(*((one.wall_s, one.cpu_s, one.peak_mb) for one in taken), strict=True)
    return " | ".join(
        f"{statistics.median(values):.1f} ({min(values):.1f} to {max(values):.1f})"
        for values in figures
    )


def beside() -> str:
    """Which other simulators are here."""
    there = [name for name in OTHERS if shutil.which(name)]
    absent = ", ".join(name for name in OTHERS if name not in there)
    if not there:
        return f"Nothing beside it: {absent} not installed, and neither counts cycles."
    return f"Installed, and without cycles to count: {', '.join(there)}."


if __name__ == "__main__":
    main()
