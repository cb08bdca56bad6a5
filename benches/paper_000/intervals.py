"""Errors of programs by configuration, and the intervals that are made of them.

usage: .venv/bin/python benches/paper_000/intervals.py

Reads the estimates by `blocks` of training and opened programs in examples/programs/estimates.json
and their truths. Writes python/cyclescope/studies/estimate/training_errors.json, and the intervals
of all rows anew. The bounds of nine in ten errors of own code and of calls make a first interval. A
factor changes both, so that the truth of nine in ten programs is inside. All are counted as for one
program more (split conformal).
Printed is how many are inside when their own family has no part in any of these figures.
"""

import json
from collections.abc import Sequence
from math import ceil, hypot
from typing import Any

from benchmark import programs
from configurations import CONFIGURATIONS, BoardConfiguration
from estimates import TRUTHS, read, write
from split import GROUPS, group

from cyclescope.studies.estimate.estimated import interval
from cyclescope.studies.estimate.training_errors import FILE

INSIDE = 0.9
LEAST_SHARE = 0.1
"""Of the truth that is spent in own code, or in calls, for its error to count."""
LEAST_OFF = 0.005
LEAST_PROGRAMS = 10
"""Of training, for a configuration to have errors of its own."""
DIGITS = 4
Row = dict[str, Any]
BLOCKS = "blocks"


class Judged:
    """An estimate of a training program, and its errors as parts of the estimate."""

    def __init__(self, name: str, row: Row, truth: Row, calls: int | None) -> None:
        self.family, self.row, self.true = programs()[name].family, row, truth["cycles"]
        self.own = row["without_calls"]
        self.calls = row["cycles"] - self.own
        self.off = abs(self.true - row["cycles"])
        self.own_off = self.calls_off = None
        if calls is not None:
            if calls <= (1 - LEAST_SHARE) * self.true:
                self.own_off = abs(self.true - calls - self.own) / max(self.own, 1)
            if calls >= LEAST_SHARE * self.true:
                self.calls_off = abs(calls - self.calls) / max(self.calls, 1)

    def half(self, own: float, calls: float) -> float:
        """Half of an interval without what laws add."""
        return hypot(own * self.own, calls * self.calls)


def conformal(values: Sequence[float]) -> float:
    """The value that nine in ten stay within, for one more than was seen."""
    order = sorted(values)
    return order[min(ceil(INSIDE * (len(order) + 1)), len(order)) - 1] if order else 0.0


def spreads(some: Sequence[Judged]) -> tuple[float, float]:
    """The parts of own code and of calls, so that intervals hold nine in ten totals."""
    own = max(conformal([one.own_off for one in some if one.own_off is not None]), LEAST_OFF)
    calls = max(conformal([one.calls_off for one in some if one.calls_off is not None]), LEAST_OFF)
    factor = conformal([one.off / max(one.half(own, calls), 1.0) for one in some])
    return own * factor, calls * factor


def inside(one: Judged, own: float, calls: float) -> bool:
    """Whether the interval of a program holds its truth."""
    found = interval(
        one.own, one.calls, (1 - own, 1 + own), calls, (one.row["off_of_laws"][0],) * 2
    )
    return found.low_cycles <= one.true <= found.high_cycles


def calls_of(truths: Row, where: BoardConfiguration, name: str) -> int | None:
    """True cycles in calls; those of -O2 where a level was not metered: the library is the same."""
    for level in (where.level, "O2"):
        there = f"{where.memory} {where.isa} {level}"
        row = truths.get(there, {}).get(name, {})
        if "calls" in row:
            return int(row["calls"]["cycles"])
    return None


def judged(rows: Row, truths: Row, where: BoardConfiguration) -> list[Judged]:
    """The training and opened programs that were estimated in a configuration."""
    found = []
    for name, ways in rows.get(where.name, {}).items():
        row, truth = ways.get(BLOCKS, {}), truths[where.name].get(name, {})
        seen = group(programs()[name].family) != GROUPS[2]
        if "cycles" in row and "cycles" in truth and seen:
            found.append(Judged(name, row, truth, calls_of(truths, where, name)))
    return found


def main() -> None:
    document, truths = read(), json.loads(TRUTHS.read_text())
    rows, errors = document["rows"], {}
    for where in CONFIGURATIONS:
        some = judged(rows, truths, where)
        if len(some) < LEAST_PROGRAMS:
            continue
        own, calls = spreads(some)
        errors[where.name] = {
            "own": round(own, DIGITS),
            "calls": round(calls, DIGITS),
            "contradicted": round(max(one.row["contradicted"] for one in some), DIGITS),
            "unpriced": round(max(one.row["unpriced"] for one in some), DIGITS),
            "programs": len(some),
        }
        left_out = [
            inside(one, *spreads([other for other in some if other.family != one.family]))
            for one in some
        ]
        share = sum(left_out) / len(left_out)
        print(f"{where.name}: own {own:.1%}, calls {calls:.1%}, left out inside {share:.0%}")
        for ways in rows[where.name].values():
            for way, row in ways.items():
                if "cycles" in row:
                    _renew(row, way, own, calls)
    lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in errors.items())
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    write(document)


def _renew(row: Row, way: str, own: float, calls: float) -> None:
    """The interval of a row with these errors."""
    if way == BLOCKS:
        row["own_bounds"] = [round(max(1 - own, 0.0), 5), round(1 + own, 5)]
    whole = row["cycles"] - row["without_calls"]
    found = interval(row["without_calls"], whole, row["own_bounds"], calls, row["off_of_laws"])
    row["low"], row["high"] = round(found.low_cycles), round(found.high_cycles)


if __name__ == "__main__":
    main()
