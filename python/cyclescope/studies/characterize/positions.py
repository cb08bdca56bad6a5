"""The place of a call in its series as a parameter of each sample, where it decides the time."""

from collections.abc import Sequence

import numpy as np

from cyclescope.quantity import format_number
from cyclescope.stats.position import Position, find_position
from cyclescope.studies.characterize.case_samples import CaseSamples
from cyclescope.studies.characterize.findings import PositionAt
from cyclescope.target.case import Case

MOST_NAMED = 12
"""Values that a sentence names; the JSON document has all."""


def find_positions(case: Case, samples: CaseSamples) -> tuple[PositionAt, ...]:
    """Where times differ, their tables; none unless all of them have one."""
    found = []
    keys = np.stack([samples.x, samples.layout], axis=1)
    for x, layout in np.unique(keys, axis=0).tolist():
        here = (samples.x == x) & (samples.layout == layout)
        own = samples.own[here]
        if own.min() == own.max():
            continue
        position = find_position(samples.index[here], samples.length[here], own)
        if position is None:
            return ()
        found.append(PositionAt(int(x) if case.parameter else None, int(layout), position))
    return tuple(found)


def position_text(found: Sequence[PositionAt]) -> str:
    """The table that changes most, in a sentence."""
    one = max(found, key=lambda each: float(np.ptp([*each.position.cycles, *each.position.last])))
    table = one.position
    named = [
        f"{format_number(cycles)} {'at' if _single(table, place) else 'from'} call {begin + 1}"
        for place, (begin, cycles) in enumerate(zip(table.begins, table.cycles, strict=True))
    ]
    if len(named) > MOST_NAMED:
        named[MOST_NAMED:] = [f"… ({len(table.cycles)} values, all in the JSON document)"]
    if table.last:
        times = ", ".join(format_number(cycles) for cycles in table.last)
        named.append(f"{times} at the last" + (f" {len(table.last)}" if table.last[1:] else ""))
    at = "" if one.parameter is None else f" at x = {one.parameter}"
    return (
        f"position in the series decides the time of every sample{at}: "
        + ", ".join(named)
        + " (cycles)"
    )


def _single(table: Position, place: int) -> bool:
    """Whether a value holds for one call only."""
    following = table.begins[place + 1 : place + 2]
    return following == (table.begins[place] + 1,)
