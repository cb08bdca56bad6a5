"""The histogram of the program counter: cycles and instructions by function and by source file."""

from collections import Counter, defaultdict
from operator import add
from typing import Any

from cyclescope.studies.run.instruments.instrument import NamedBySymbols
from cyclescope.studies.run.instruments.symbols import Named

KINDS = (
    "core",
    "fetch_stalls",
    "data_waits",
    "bus_waits",
    "transfer_waits",
    "entries",
    "asleep",
)
"""Kinds of cycles in the engine's order; together they are all cycles."""
SEPARATE = ("transfer_waits", "entries", "asleep")
"""Kinds that are shown by themselves and not under the function in which they fell."""
UNKNOWN = -1
NO_FILE = "(no source file)"


class Profile(NamedBySymbols):
    """The histogram of a run, named by symbols."""

    key = "profile"

    def _attach(self) -> int:
        return self._board.attach_histogram(self._symbols.ranges)

    def document(self) -> dict[str, Any]:
        parts = self._parts()
        sums: dict[Named | None, list[int]] = {}
        for counts, symbols in parts:
            for charged, where, instructions, costs in counts["lines"]:
                start = where if charged is None else charged
                found = None if start is None or start == UNKNOWN else symbols.at(start)
                before = sums.setdefault(found, [0] * (1 + len(KINDS)))
                sums[found] = [*map(add, before, (instructions, *costs))]
        rows: dict[Named, dict[str, Any]] = {}
        kinds: Counter[str] = Counter()
        unattributed: Counter[str] = Counter()
        for found, (instructions, *costs) in sums.items():
            by_kind = dict(zip(KINDS, costs, strict=True))
            kinds.update(by_kind)
            own = sum(cycles for kind, cycles in by_kind.items() if kind not in SEPARATE)
            if found is None:
                unattributed.update(cycles=own, instructions=instructions)
                continue
            row = rows.setdefault(
                found.as_linked,
                {"address": found.start, "cycles": 0, "instructions": 0, "kinds": Counter()},
            )
            row["cycles"] += own
            row["instructions"] += instructions
            row["kinds"].update(by_kind)
        functions = [
            {
                "function": one.name,
                "file": one.file,
                "image": one.image,
                **row,
                "kinds": {kind: row["kinds"][kind] for kind in KINDS},
            }
            for one, row in rows.items()
        ]
        functions.sort(key=lambda row: (-row["cycles"], row["function"]))
        since, until = parts[0][0]["since"], parts[-1][0]["until"]
        cycles = until - since
        return {
            "since": since,
            "until": until,
            "cycles": cycles,
            "instructions": sum(one[0] for one in sums.values()),
            "kinds": {kind: kinds[kind] for kind in KINDS},
            "functions": functions,
            "files": _by_file(functions),
            "unattributed": {
                "cycles": unattributed["cycles"],
                "instructions": unattributed["instructions"],
                "share": unattributed["cycles"] / cycles if cycles else 0.0,
            },
        }


def _by_file(functions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for row in functions:
        counted = {"cycles": row["cycles"], "instructions": row["instructions"]}
        sums[row["file"] or NO_FILE].update(counted)
    rows = [{"file": file, **counted} for file, counted in sums.items()]
    return sorted(rows, key=lambda row: (-row["cycles"], str(row["file"])))
