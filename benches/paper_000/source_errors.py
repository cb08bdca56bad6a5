"""Errors of estimates from source in all configurations, within a minute.

usage: .venv/bin/python benches/paper_000/source_errors.py [--only WORDS] [--program TEXT]
       [--worst N] [--intervals] [--page]

Counts, trees and prices of calls are kept (kept.py), so that a change of the model of the compiler
shows at once. Nothing is fitted and no board runs: truths are those of true_times.json. Programs
that are held back are left out, and those with a kernel: their counts are of one configuration.
A line for each configuration: programs, mean and greatest error, how many intervals hold the truth,
median half-width, and the worst programs. A training program has prices that were fitted without
its family. `--intervals` first writes the factor of each configuration's interval anew. `--page`
writes the figures into docs/explanation/source-estimates.md.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import ceil
from statistics import mean, median
from typing import Any, Self

from benchmark import programs
from configurations import CONFIGURATIONS, BoardConfiguration
from kept import KeptProgram
from split import GROUPS, group

from cyclescope.firmware.build import ROOT
from cyclescope.studies.estimate.estimated import interval
from cyclescope.studies.estimate.source.fitting import SURE
from cyclescope.studies.estimate.source.prices import file_of, prices
from cyclescope.studies.estimate.source.work import Kinds
from cyclescope.studies.estimate.training_errors import training_errors
from cyclescope.studies.estimate.ways import BARE

PAGE = ROOT / "docs" / "explanation" / "source-estimates.md"
MARK, END = "<!-- whole -->", "<!-- end -->"
STEP, MOST_STEPS = 0.005, 400
TRUTHS = ROOT / "examples" / "programs" / "true_times.json"


Row = tuple[Kinds, float, tuple[float, float]]
"""Work, cycles of calls, and how far their laws may be off."""


def rows_of(name: str, places: Sequence[BoardConfiguration]) -> dict[str, Row]:
    """The work and calls of a program in each configuration."""
    one = KeptProgram(programs()[name])
    found: dict[str, Row] = {}
    for where in places:
        sums: Kinds = {}
        for kinds in one.work(where.level, where.isa).values():
            for kind, times in kinds.items():
                sums[kind] = sums.get(kind, 0.0) + times
        found[where.name] = (sums, *one.calls(where))
    return found


@dataclass(frozen=True)
class Judged:
    """An estimate beside its truth."""

    name: str
    error: float
    inside: bool
    half: float
    """Of its interval, as a part of the estimate."""


def parts(
    where: BoardConfiguration, rows: Mapping[str, dict[str, Row]], truths: Any
) -> Iterator[tuple[str, float, float, tuple[float, float], float]]:
    """Name, own cycles, those of calls, how far off laws may be, and true cycles.

    A training program has the prices that were fitted without its family.
    """
    there = prices(where.name)
    for name, of in rows.items():
        truth = truths.get(where.name, {}).get(name, {})
        if "cycles" in truth:
            work, calls, laws = of[where.name]
            yield name, there.left_out.get(name, there.priced(work)), calls, laws, truth["cycles"]


def judged(
    where: BoardConfiguration, rows: Mapping[str, dict[str, Row]], truths: Any
) -> list[Judged]:
    """The programs that have a truth in a configuration."""
    factor = prices(where.name).interval
    off = training_errors(where.of_kernel(BARE), where.level).calls
    found = []
    for name, own, calls, laws, true in parts(where, rows, truths):
        amount = interval(own, calls, (1 / factor, factor), off, laws)
        inside = amount.low_cycles <= true <= amount.high_cycles
        half = (amount.high_cycles - amount.low_cycles) / 2 / amount.cycles
        found.append(Judged(name, (own + calls) / true - 1, inside, half))
    return found


def calibrated(where: BoardConfiguration, rows: Mapping[str, dict[str, Row]], truths: Any) -> float:
    """The least factor on own cycles with which nine of ten intervals hold.

    It is counted as for one program more (split conformal).
    """
    off = training_errors(where.of_kernel(BARE), where.level).calls
    needed = []
    for _, own, calls, laws, true in parts(where, rows, truths):
        for step in range(MOST_STEPS):
            factor = 1 + step * STEP
            amount = interval(own, calls, (1 / factor, factor), off, laws)
            if amount.low_cycles <= true <= amount.high_cycles:
                break
        needed.append(factor)
    rank = min(ceil(SURE * (len(needed) + 1)), len(needed))
    return sorted(needed)[rank - 1]


@dataclass(frozen=True)
class Figures:
    """Those of the programs of a group in a configuration."""

    n: int
    mean: float
    greatest: float
    inside: float
    half: float

    @classmethod
    def of(cls, some: Sequence[Judged]) -> Self:
        """The figures of some programs."""
        sizes = [abs(one.error) for one in some]
        return cls(
            len(some),
            mean(sizes),
            max(sizes),
            mean(one.inside for one in some),
            median(one.half for one in some),
        )


def line(where: str, some: Sequence[Judged], worst: int) -> str:
    """The figures of a configuration."""
    one = Figures.of(some)
    greatest = sorted(some, key=lambda each: -abs(each.error))[:worst]
    named = " ".join(f"{each.name} {each.error:+.0%}" for each in greatest)
    return (
        f"{where:32} {one.n:3} {one.mean:6.1%} {one.greatest:6.1%} {one.inside:5.0%} "
        f"{one.half:6.1%}  {named}"
    )


def write_page(found: Mapping[str, Sequence[Figures]]) -> None:
    """Writes the table of whole times, of training and of opened programs."""
    rows = [
        "| configuration | n | mean | greatest | inside "
        "| n | mean | greatest | inside | half-width |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for where, (training, opened) in found.items():
        columns = (
            f"{one.n} | {one.mean:.1%} | {one.greatest:.1%} | {one.inside:.0%}"
            for one in (training, opened)
        )
        rows.append(f"| {where} | {' | '.join(columns)} | {opened.half:.1%} |")
    before, _, rest = PAGE.read_text().partition(MARK)
    after = rest.partition(END)[2]
    PAGE.write_text("".join((before, MARK, "\n", "\n".join(rows), "\n", END, after)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", default="", help="configurations whose name has all of these words"
    )
    parser.add_argument("--worst", type=int, default=3)
    parser.add_argument("--program", default="")
    parser.add_argument("--page", action="store_true", help="write the page of all configurations")
    parser.add_argument("--intervals", action="store_true", help="write intervals anew")
    asked = parser.parse_args()
    truths = json.loads(TRUTHS.read_text())
    places = [
        one
        for one in CONFIGURATIONS
        if all(word in one.name.split() for word in asked.only.split())
    ]
    names = [
        one.name
        for one in programs().values()
        if one.kernel == BARE and asked.program in one.name and group(one.family) != GROUPS[2]
    ]
    with ProcessPoolExecutor(2) as pool:
        rows = dict(zip(names, pool.map(rows_of, names, [places] * len(names)), strict=True))
    for where in places if asked.intervals else ():
        document = json.loads(file_of(where.name).read_text())
        document["interval"] = round(calibrated(where, rows, truths), 4)
        file_of(where.name).write_text(json.dumps(document, indent=1) + "\n")
    found: dict[str, list[Figures]] = defaultdict(list)
    for training in (True, False):
        names = [one for one in rows if (group(programs()[one].family) == GROUPS[0]) == training]
        print("training" if training else "opened")
        for where in places:
            some = judged(where, {name: rows[name] for name in names}, truths)
            if some:
                print(line(where.name, some, asked.worst))
                found[where.name].append(Figures.of(some))
    if asked.page:
        write_page(found)


if __name__ == "__main__":
    main()
