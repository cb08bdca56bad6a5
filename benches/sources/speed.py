"""Whole estimates beside exact runs of the same program: how many times faster they are.

usage: .venv/bin/python benches/sources/speed.py [--short] [--page] [--times N] [--only TEXT]

An estimate includes all: instrumenting, building for this machine, running here, building for the
board where the way needs it, and pricing. Each repetition has a source of its own, so that nothing
is found built. An exact run is that alone, on `lpc2148-lab` from RAM, ARM, -O2, its image built
before, in each of the engine's tiers. The repetitions of all are in turn. `--short` runs inputs
that take less.
"""

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from cyclescope.firmware.application import Application, build_application
from cyclescope.firmware.configuration import Configuration
from cyclescope.studies.estimate.counting import Inputs, count_program
from cyclescope.studies.estimate.pricing_way import PricingWay
from cyclescope.studies.estimate.ways import PricedPlace
from cyclescope.targets.virtual.application import run_on_board
from cyclescope.targets.virtual.board import choose_tier

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "examples" / "programs"
PAGE = ROOT / "docs" / "reference" / "estimates.md"
BOARD = Configuration("lpc2148-lab", "bare", {"code": "lab"})
TIMES = 5
WAYS = (PricingWay.BLOCKS, PricingWay.SOURCE)
TIERS = ("plain", "block", "translated")


@dataclass(frozen=True)
class Job:
    """A program of the training half with inputs that take long, and inputs a tenth of that."""

    source: str
    arguments: tuple[str, ...]
    short: tuple[str, ...]


JOBS = (
    Job("bits/bitcount.c", ("3000000",), ("300000",)),
    Job("bits/bitcount.c", ("30000000",), ("300000",)),
    Job("games/queens.c", ("13",), ("12",)),
    Job("arithmetic/digits.c", ("5000",), ("1500",)),
)


def whole(application: Application, arguments: tuple[str, ...], way: PricingWay) -> float:
    """An estimate from the source to the figure; returns the cycles."""
    counted = count_program(application, Inputs(arguments))
    return PricedPlace(application, BOARD).by(way, counted, arguments).cycles


def fresh(job: Job, folder: Path, number: int) -> Application:
    """The program from a file that nobody has seen."""
    source = PROGRAMS / job.source
    copy = folder / f"{source.stem}.c"
    copy.write_text(f"/* {time.time_ns()} {number} */ " + source.read_text())
    return Application((copy,))


def rows(job: Job, arguments: tuple[str, ...], folder: Path, times: int) -> list[str]:
    """The rows of a program: one for each tier of the exact run."""
    source = PROGRAMS / job.source
    image = build_application(Application((source,)), BOARD)
    command = (source.stem, *arguments)
    exact: dict[str, list[float]] = {tier: [] for tier in TIERS}
    taken: dict[PricingWay, list[float]] = {way: [] for way in WAYS}
    instructions = 0
    for number in range(times):
        for way in WAYS:
            application = fresh(job, folder, number)
            begin = time.perf_counter()
            whole(application, arguments, way)
            taken[way].append(time.perf_counter() - begin)
        for tier in TIERS:
            choose_tier(tier)
            begin = time.perf_counter()
            instructions = run_on_board(image, command, {}).instructions
            exact[tier].append(time.perf_counter() - begin)
    found = []
    for tier in TIERS:
        cells = [" ".join(command), f"{instructions / 1e9:.2f}", tier, _spread(exact[tier])]
        for way in WAYS:
            ratios = [e / t for e, t in zip(exact[tier], taken[way], strict=True)]
            cells += [_spread(taken[way]), _spread(ratios)]
        found.append(f"| {' | '.join([*cells, str(times)])} |")
    return found


def _spread(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main() -> None:
    """Prints the table, or writes it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="inputs of a tenth of the length")
    parser.add_argument("--page", action="store_true", help=f"write the table into {PAGE.name}")
    parser.add_argument("--times", type=int, default=TIMES, help="repetitions of each")
    parser.add_argument("--only", default="", help="programs whose source has this in it")
    chosen = parser.parse_args()
    ways = " | ".join(f"`{way.value}` s | exact / `{way.value}`" for way in WAYS)
    lines = [
        f"| program | 10⁹ instructions | tier | exact s | {ways} | n |",
        "|---|--:|---|--:|" + "--:|--:|" * len(WAYS) + "--:|",
    ]
    with tempfile.TemporaryDirectory() as scratch:
        for job in (one for one in JOBS if chosen.only in one.source):
            arguments = job.short if chosen.short else job.arguments
            made = rows(job, arguments, Path(scratch), chosen.times)
            print("\n".join(made), flush=True)
            lines += made
    if chosen.page:
        before, mark, rest = PAGE.read_text().partition("<!-- speed -->\n")
        _, _, after = rest.partition("<!-- end -->")
        PAGE.write_text(before + mark + "\n".join(lines) + "\n<!-- end -->" + after)


if __name__ == "__main__":
    main()
