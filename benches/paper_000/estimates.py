"""Estimates of the benchmark's programs beside their true times and energies.

usage: .venv/bin/python benches/paper_000/estimates.py [--held-back] [--only TEXT] [--page]

Writes examples/programs/estimates.json, a row for each configuration, program and way. A row is
made again when the image, the inputs or the code that estimates changed. Held-back programs are
left out without `--held-back`; each time that they are estimated is kept under `openings`.
"""

import argparse
import hashlib
import json
import subprocess
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import estimates_page
from benchmark import FOLDER, BenchmarkProgram, programs
from configurations import CONFIGURATIONS, BoardConfiguration
from split import trains

import cyclescope
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.build import ROOT
from cyclescope.studies.estimate.counting import CountedProgram, Inputs
from cyclescope.studies.estimate.estimating import counted
from cyclescope.studies.estimate.pricing_way import PricingWay
from cyclescope.studies.estimate.ways import BARE, PricedPlace

FILE = FOLDER / "estimates.json"
TRUTHS = FOLDER / "true_times.json"
PAGE = ROOT / "docs" / "reference" / "estimates.md"
PICTURE = ROOT / "docs" / "pictures" / "estimates-errors.svg"
ESTIMATOR = ("sources", "studies/estimate")
"""Folders of the package whose files decide an estimate."""
KINDS = (".py", ".c", ".h", ".json", ".npz")
WAYS = (PricingWay.BLOCKS, PricingWay.SOURCE)
DIGITS = 16
Row = dict[str, Any]
Rows = dict[str, dict[str, dict[str, Row]]]
"""By configuration, program and way."""


@cache
def estimator_sha256() -> str:
    """A hash of the code and the tables that estimate."""
    package, digest = Path(str(cyclescope.__file__)).parent, hashlib.sha256()
    for folder in ESTIMATOR:
        for path in sorted((package / folder).rglob("*")):
            if path.suffix in KINDS:
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
        "unpriced": round(sum(one.cycles for one in found.unpriced) / max(found.cycles, 1), 4),
    }
    if found.energy_uj is not None:
        row["energy_uj"] = round(found.energy_uj, 3)
    return row


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

    def __init__(self, program: BenchmarkProgram, kept: Rows) -> None:
        self._program, self._kept = program, kept
        self._inputs = Inputs(program.arguments, program.files())
        self._counted: CountedProgram | None = None

    def made(self, where: BoardConfiguration, truth: Row) -> dict[str, Row]:
        """A row for each way: the kept one, if what it is of did not change."""
        of = [truth["image"], truth["inputs"], estimator_sha256()]
        kept = self._kept.get(where.name, {}).get(self._program.name, {})
        found = {way: row for way, row in kept.items() if row.get("of") == of}
        place = PricedPlace(
            self._program.application(where.level),
            where.of_kernel(self._program.kernel),
            energy=True,
        )
        for way in WAYS:
            if way.value in found:
                continue
            try:
                row = with_errors(
                    estimated(place, way, self._counts(place), self._program.arguments), truth
                )
            except CyclescopeError as error:
                row = {"refused": error.sentence}
            found[way.value] = {**row, "of": of}
        return found

    def _counts(self, place: PricedPlace) -> CountedProgram:
        """A kernel's clock is of its place; without one, counts are the same everywhere."""
        if self._counted is None or self._program.kernel != BARE:
            self._counted = counted(place, self._inputs)
        return self._counted


def rows_of(
    name: str, places: Iterable[BoardConfiguration], truths: Rows, kept: Rows
) -> dict[str, dict[str, Row]]:
    """The rows of a program by configuration and way."""
    made = ProgramRows(programs()[name], kept)
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
    closed = [name for name in names if not trains(programs()[name].family)]
    if only and closed and not held_back:
        raise SystemExit(f"{only} is held back: ask for it by --held-back")
    return names if held_back else [name for name in names if name not in closed]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-back", action="store_true", help="estimate these programs too")
    parser.add_argument("--only", default="", help="configurations whose name has this in it")
    parser.add_argument("--program", help="this program alone")
    parser.add_argument("--page", action="store_true", help="write the page; estimate nothing")
    asked = parser.parse_args()
    document, truths = read(), json.loads(TRUTHS.read_text())
    if not asked.page:
        names = chosen_programs(asked.held_back, asked.program)
        places = [one for one in CONFIGURATIONS if asked.only in one.name]
        if asked.held_back:
            # Before anything is estimated: an opening that fails is one.
            document["openings"].append(opening())
            write(document)
        with ProcessPoolExecutor() as pool:
            todo = {
                pool.submit(rows_of, name, places, truths, document["rows"]): name for name in names
            }
            for number, one in enumerate(as_completed(todo), 1):
                for where, rows in one.result().items():
                    document["rows"].setdefault(where, {})[todo[one]] = rows
                print(f"{number} of {len(todo)}: {todo[one]}", flush=True)
                write(document)
    PAGE.write_text(estimates_page.page(PAGE.read_text(), document, truths))
    PICTURE.write_text(estimates_page.picture(document, truths))


if __name__ == "__main__":
    main()
