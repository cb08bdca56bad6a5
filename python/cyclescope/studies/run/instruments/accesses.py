"""Counts of accesses: by memory, device, register, width, direction and function."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from cyclescope.studies.run.instruments.instrument import NamedBySymbols
from cyclescope.studies.run.instruments.profile import UNKNOWN
from cyclescope.studies.run.instruments.symbols import Symbols

NO_FUNCTION, UNKNOWN_CALLER = "(no function)", "(unknown caller)"


class Accesses(NamedBySymbols):
    """Counters of accesses; the functions are named by symbols."""

    key = "accesses"

    def _attach(self) -> int:
        return self._board.attach_accesses(self._symbols.ranges)

    def document(self) -> dict[str, Any]:
        lines = [
            {
                "function": None if device else _function(symbols, start),
                "device": device,
                "target": target,
                "register": register,
                "direction": direction,
                "bytes": width,
                "accesses": count,
                "cycles": cycles,
            }
            for counts, symbols in self._parts()
            for start, device, target, register, direction, width, count, cycles in counts["lines"]
        ]
        lines.sort(key=lambda line: -line["accesses"])
        of_core = [line for line in lines if line["device"] is None]
        data = [line for line in of_core if line["direction"] != "fetch"]
        return {
            "targets": _sums(lines, "target"),
            "registers": _sums((one for one in data if one["register"]), "target", "register"),
            "functions": _sums(data, "function"),
            "widths": {
                str(width): sum(one["accesses"] for one in data if one["bytes"] == width)
                for width in (1, 2, 4)
            },
            "lines": lines,
        }


def _function(symbols: Symbols, start: int | None) -> str:
    if start == UNKNOWN:
        return UNKNOWN_CALLER
    found = None if start is None else symbols.at(start)
    return found.name if found else NO_FUNCTION


def _sums(lines: Iterable[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    """Sums over lines with the same values of these keys, the most accesses first."""
    sums: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for line in lines:
        counter = sums[tuple(line[key] for key in keys)]
        plural = {"fetch": "fetches", "read": "reads", "write": "writes"}[line["direction"]]
        counter["by_devices" if line["device"] else plural] += line["accesses"]
        counter["accesses"] += line["accesses"]
        counter["cycles"] += line["cycles"]
        if line["register"]:
            counter["to_devices"] += line["accesses"]
    columns = ("accesses", "fetches", "reads", "writes", "by_devices", "to_devices", "cycles")
    rows = [
        {**dict(zip(keys, names, strict=True)), **{column: counter[column] for column in columns}}
        for names, counter in sums.items()
    ]
    return sorted(rows, key=lambda row: (-row["accesses"], *(str(row[key]) for key in keys)))
