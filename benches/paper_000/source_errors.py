"""Errors of estimates from source in every configuration, from counts and trees kept in build/.

usage: .venv/bin/python benches/paper_000/source_errors.py [--only TEXT] [--worst N] [--group NAME]
       [--program NAME]

A program is counted once, and built here once for each level; its calls are priced once for each
memory and instruction set. All 36 configurations are then a matter of prices, so a change of the
code generator's model shows within a minute. Nothing is fitted and no board runs: truths are those
of examples/programs/true_times.json. Programs with a kernel are left out: their counts are of one
configuration each. `--held-out` prices a training program by coefficients fitted without its family.
"""

import argparse
import hashlib
import json
import pickle
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean, median
from typing import Any

from benchmark import BenchmarkProgram, programs
from configurations import CONFIGURATIONS, BoardConfiguration
from kept import KeptProgram
from split import GROUPS, group

import cyclescope
from cyclescope.firmware.build import ROOT
from cyclescope.sources.counts import SourceCounts
from cyclescope.studies.estimate.counting import Inputs, count_program
from cyclescope.studies.estimate.estimated import ProgramEstimate, interval
from cyclescope.studies.estimate.source.estimate import work_of
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.optimised import OptimisedProgram, optimised
from cyclescope.studies.estimate.source.prices import prices
from cyclescope.studies.estimate.source.work import Kinds
from cyclescope.studies.estimate.training_errors import training_errors
from cyclescope.studies.estimate.ways import BARE, PricedPlace

TRUTHS = ROOT / "examples" / "programs" / "true_times.json"


def rows_of(name: str, places: Sequence[BoardConfiguration]) -> dict[str, Any]:
    one = KeptProgram(programs()[name])
    found = {}
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
    own_share: float


def judged(where: BoardConfiguration, rows: dict[str, Any], truths: dict[str, Any]) -> list[Judged]:
    """The programs that have a truth in a configuration."""
    there = prices(where.name)
    off = training_errors(where.of_kernel(BARE), where.level).calls
    found = []
    for name, of in rows.items():
        truth = truths.get(where.name, {}).get(name, {})
        if "cycles" not in truth:
            continue
        work, calls, laws = of[where.name]
        own = there.priced(work)
        amount = interval(own, calls, (1 / there.interval, there.interval), off, laws)
        true = truth["cycles"]
        found.append(
            Judged(name, (own + calls) / true - 1, amount.low_cycles <= true <= amount.high_cycles,
                   (amount.high_cycles - amount.low_cycles) / 2 / amount.cycles, own / (own + calls))
        )
    return found


def line(where: str, some: Sequence[Judged], worst: int) -> str:
    sizes = [abs(one.error) for one in some]
    told = " ".join(f"{one.name} {one.error:+.0%}" for one in sorted(some, key=lambda one: -abs(one.error))[:worst])
    return (f"{where:32} {len(some):3} {mean(sizes):6.1%} {max(sizes):6.1%} "
            f"{sum(one.inside for one in some) / len(some):5.0%} {median(one.half for one in some):6.1%}  {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="configurations whose name has all of these words")
    parser.add_argument("--worst", type=int, default=3)
    parser.add_argument("--program", default="")
    asked = parser.parse_args()
    truths = json.loads(TRUTHS.read_text())
    places = [one for one in CONFIGURATIONS if all(word in one.name.split() for word in asked.only.split())]
    names = [one.name for one in programs().values() if one.kernel == BARE and asked.program in one.name]
    with ProcessPoolExecutor(2) as pool:
        rows = dict(zip(names, pool.map(rows_of, names, [places] * len(names)), strict=True))
    for seen in ("training", "opened"):
        chosen = {name: row for name, row in rows.items() if (group(programs()[name].family) == GROUPS[0]) == (seen == "training")}
        if chosen:
            print(seen)
        for where in places if chosen else ():
            print(line(where.name, judged(where, chosen, truths), asked.worst))


if __name__ == "__main__":
    main()
