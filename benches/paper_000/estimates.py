"""Estimates of the benchmark's programs beside their true times and energies.

usage: .venv/bin/python benches/paper_000/estimates.py [--held-back] [--only TEXT]
       [--program NAME] [--group NAME] [--way WAY] [--page]

Writes examples/programs/estimates.json, a row for each configuration, program and way. A row is
made again when the image, the inputs or the code that estimates changed. Programs that are
held back are left out without `--held-back`; each time that they are estimated is kept under
`openings`.
"""

import argparse
import copy
import hashlib
import json
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import estimates_page
from benchmark import FOLDER, BenchmarkProgram, programs
from configurations import CONFIGURATIONS, BoardConfiguration
from split import GROUPS, group

import cyclescope
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.build import ROOT
from cyclescope.studies.estimate import training_errors
from cyclescope.studies.estimate.counting import CountedProgram, Inputs
from cyclescope.studies.estimate.estimated import ProgramEstimate
from cyclescope.studies.estimate.estimating import counted
from cyclescope.studies.estimate.pricing_way import PricingWay
from cyclescope.studies.estimate.training_errors import share_without_law
from cyclescope.studies.estimate.ways import BARE, PricedPlace

FILE = FOLDER / "estimates.json"
TRUTHS = FOLDER / "true_times.json"
PAGE = ROOT / "docs" / "reference" / "estimates.md"
PICTURE = ROOT / "docs" / "pictures" / "estimates-errors.svg"
ESTIMATOR = ("sources", "studies/estimate")
"""Folders of the package whose files decide an estimate."""
OF_SOURCE = "source"
"""The folder of the way of that name."""
KINDS = (".py", ".c", ".h", ".json", ".npz")
WAYS = (PricingWay.BLOCKS, PricingWay.SOURCE)
DIGITS = 16
LEAST_SHARE = 0.0005
"""Of all cycles, for a function without a law to be named."""
Row = dict[str, Any]
Rows = dict[str, dict[str, dict[str, Row]]]
"""By configuration, program and way."""


@cache
def estimator_sha256(way: str = "") -> str:
    """A hash of the code and the tables that estimate in one way, or in all.

    Intervals have a table of their own. The way `source` has a folder that `blocks` does not use.
    """
    package, digest = Path(str(cyclescope.__file__)).parent, hashlib.sha256()
    for folder in ESTIMATOR:
        for path in sorted((package / folder).rglob("*")):
            if way == PricingWay.BLOCKS.value and OF_SOURCE in path.relative_to(package).parts:
                continue
            if path.suffix in KINDS and path != training_errors.FILE:
                digest.update(str(path.relative_to(package)).encode() + path.read_bytes())
    return digest.hexdigest()[:DIGITS]


def estimated(
    place: PricedPlace, way: PricingWay, counted: CountedProgram, arguments: Sequence[str]
) -> Row:
    """The cost of a program as one way estimates it."""
    found = place.by(way, counted, arguments).estimate
    if found is None:
        raise ValueError(f"the way {way} estimates nothing")
    row: Row = {
        "cycles": round(found.cycles),
        "without_calls": round(found.cycles_without_calls),
        "low": round(found.interval.low_cycles),
        "high": round(found.interval.high_cycles),
        "own_bounds": [round(one, 5) for one in (found.own_low, found.own_high)],
        "off_of_laws": [round(one) for one in found.off_of_laws],
        "unpriced": round(share_without_law(found), 5),
        "without_law": _without_law(found),
    }
    if way is PricingWay.BLOCKS:
        row["contradicted"] = round(place.contradicted, 5)
    if found.energy_uj is not None:
        row["energy_uj"] = round(found.energy_uj, 3)
    return row


def _without_law(found: ProgramEstimate) -> dict[str, float]:
    """The functions without a law of their condition, by their share of all cycles."""
    shares: dict[str, float] = defaultdict(float)
    for one in found.unpriced:
        shares[one.callee] += one.cycles / found.cycles
    return {name: round(one, 5) for name, one in shares.items() if one >= LEAST_SHARE}


def with_errors(row: Row, truth: Row) -> Row:
    """The row with its errors, as parts of the truth."""
    row = {**row, "error": round(row["cycles"] / truth["cycles"] - 1, 5)}
    row["error_without_calls"] = round(row["without_calls"] / truth["cycles"] - 1, 5)
    in_calls = truth["calls"]["cycles"] if "calls" in truth else _calls(truth)
    if in_calls is not None:
        own = truth["cycles"] - in_calls
        row["error_of_own"] = round(row["without_calls"] / own - 1, 5)
    if "energy_uj" in row and "energy_uj" in truth:
        row["energy_error"] = round(row["energy_uj"] / truth["energy_uj"] - 1, 5)
    return row


def _calls(truth: Row) -> int | None:
    """Cycles in calls, where a profile divided the run."""
    found: int | None = truth.get("by_owner", {}).get("calls")
    return found


class ProgramRows:
    """Estimates of one program; it is counted once."""

    def __init__(
        self, program: BenchmarkProgram, kept: Rows, ways: Sequence[PricingWay] = WAYS
    ) -> None:
        self._program, self._kept, self._ways = program, kept, ways
        self._inputs = Inputs(program.arguments, program.files())
        self._counted: CountedProgram | None = None

    def made(self, where: BoardConfiguration, truth: Row) -> dict[str, Row]:
        """A row for each way: the kept one, if what it is of did not change."""
        of = {
            way.value: [truth["image"], truth["inputs"], estimator_sha256(way.value)]
            for way in self._ways
        }
        kept = self._kept.get(where.name, {}).get(self._program.name, {})
        found = {way: row for way, row in kept.items() if way not in of or row.get("of") == of[way]}
        place = PricedPlace(
            self._program.application(where.level),
            where.of_kernel(self._program.kernel),
            energy=True,
        )
        for way in self._ways:
            if way.value in found:
                continue
            try:
                row = with_errors(
                    estimated(place, way, self._counts(place), self._program.arguments), truth
                )
            except CyclescopeError as error:
                row = {"refused": error.sentence.replace(f"{ROOT}/", "")}
            found[way.value] = {**row, "of": of[way.value]}
        return found

    def _counts(self, place: PricedPlace) -> CountedProgram:
        """A kernel's clock is of its place; without one, counts are the same everywhere."""
        if self._counted is None or self._program.kernel != BARE:
            self._counted = counted(place, self._inputs)
        return self._counted


def rows_of(
    name: str,
    places: Iterable[BoardConfiguration],
    truths: Rows,
    kept: Rows,
    ways: Sequence[PricingWay] = WAYS,
) -> dict[str, dict[str, Row]]:
    """The rows of a program by configuration and way."""
    made = ProgramRows(programs()[name], kept, ways)
    of = {where: truths.get(where.name, {}).get(name, {}) for where in places}
    return {where.name: made.made(where, truth) for where, truth in of.items() if "cycles" in truth}


def read() -> dict[str, Any]:
    """The file, or one without rows."""
    found: dict[str, Any] = (
        json.loads(FILE.read_text()) if FILE.exists() else {"openings": [], "rows": {}}
    )
    return found


def write(document: dict[str, Any]) -> None:
    """Writes the file, with a line for each program."""
    tables = (
        f"{json.dumps(where)}: {{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items())
        + "\n}"
        for where, rows in document["rows"].items()
    )
    openings = json.dumps(document["openings"])
    FILE.write_text(
        '{\n"openings": ' + openings + ',\n"rows": {\n' + ",\n".join(tables) + "\n}\n}\n"
    )


def opening() -> Row:
    """When held-back programs were estimated, and by which code."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "commit": commit.stdout.strip()[:12],
        "estimator": estimator_sha256(),
    }


def chosen_programs(held_back: bool, only: str | None) -> list[str]:
    """Names of programs. Those held back are left out, or refused, unless they are asked for."""
    names = [one.name for one in programs().values() if only in (None, one.name)]
    closed = [name for name in names if group(programs()[name].family) == GROUPS[2]]
    if only and closed and not held_back:
        raise SystemExit(f"{only} is held back: ask for it by --held-back")
    return names if held_back else [name for name in names if name not in closed]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-back", action="store_true", help="estimate these programs too")
    parser.add_argument(
        "--only", default="", help="configurations whose name has one of these, with commas"
    )
    parser.add_argument("--program", help="this program alone")
    parser.add_argument("--group", choices=GROUPS, help="programs of this group alone")
    parser.add_argument("--way", choices=[one.value for one in WAYS], help="this way alone")
    parser.add_argument("--page", action="store_true", help="write the page; estimate nothing")
    asked = parser.parse_args()
    document, truths = read(), json.loads(TRUTHS.read_text())
    if not asked.page:
        names = chosen_programs(asked.held_back, asked.program)
        if asked.group:
            names = [one for one in names if group(programs()[one].family) == asked.group]
        parts = asked.only.split(",")
        places = [one for one in CONFIGURATIONS if any(part in one.name for part in parts)]
        ways = [one for one in WAYS if asked.way in (None, one.value)]
        if asked.held_back:
            # Before anything is estimated: an opening that fails is one.
            document["openings"].append(opening())
            write(document)
        # Jobs are sent while rows arrive.
        kept = copy.deepcopy(document["rows"])
        with ProcessPoolExecutor() as pool:
            todo = {pool.submit(rows_of, name, places, truths, kept, ways): name for name in names}
            for number, one in enumerate(as_completed(todo), 1):
                for where, rows in one.result().items():
                    document["rows"].setdefault(where, {})[todo[one]] = rows
                print(f"{number} of {len(todo)}: {todo[one]}", flush=True)
                write(document)
    PAGE.write_text(estimates_page.page(PAGE.read_text(), document, truths))
    PICTURE.write_text(estimates_page.picture(document, truths))


if __name__ == "__main__":
    main()
