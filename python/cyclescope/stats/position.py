"""Tests whether the place of a call in its series decides its time exactly.

Each call begins in the state that the one before it left. So on a deterministic board the n-th call
takes the same time in every series; only the last calls of a series may differ. A table of these
times is no law, but it predicts every sample, and no sample is an outlier.
"""

from dataclasses import dataclass

import numpy as np

from cyclescope.stats.summary import Values

MOST_LAST = 3
"""Calls at the end of a series that may have times of their own."""

LEAST_CONFIRMED = 0.5
"""Share of the samples whose place must have been seen in another series too."""


@dataclass(frozen=True)
class Position:
    """Times by place: `begins` has the index from which each of `cycles` holds, `last` the times of
    the last calls, whatever the length of the series."""

    begins: tuple[int, ...]
    cycles: tuple[float, ...]
    last: tuple[float, ...] = ()

    def at(self, index: int, length: int) -> float:
        """The time of the call at `index`, counted from 0, of a series of `length` calls."""
        behind = length - 1 - index
        if behind < len(self.last):
            return self.last[-1 - behind]
        return self.cycles[int(np.searchsorted(self.begins, index, side="right")) - 1]


def find_position(index: Values, length: Values, cycles: Values) -> Position | None:
    """The table that predicts every sample; None if there is none, or all times are one.

    >>> length = np.repeat([3.0, 4.0], [3, 4])
    >>> index = np.array([0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 3.0])
    >>> find_position(index, length, np.array([5.0, 7.0, 9.0, 5.0, 7.0, 7.0, 9.0]))
    Position(begins=(0, 1), cycles=(5.0, 7.0), last=(9.0,))
    """
    if cycles.min() == cycles.max():
        return None
    for last in range(MOST_LAST + 1):
        behind = length - 1 - index
        ends = behind < last
        tail = _table(-behind[ends], cycles[ends])
        head = _table(index[~ends], cycles[~ends])
        if tail is None or head is None:
            continue
        places, counts = np.unique(index[~ends], return_counts=True)
        confirmed = counts[counts > 1].sum() if last == 0 or len(tail) == last else 0
        if places.size == 0 or confirmed < LEAST_CONFIRMED * counts.sum():
            return None
        values = np.array([head[float(place)] for place in places])
        changes = np.flatnonzero(np.diff(values, prepend=np.nan) != 0)
        return Position(
            tuple(int(places[at]) for at in changes),
            tuple(float(values[at]) for at in changes),
            tuple(tail[place] for place in sorted(tail)),
        )
    return None


def _table(places: Values, cycles: Values) -> dict[float, float] | None:
    """The one time at each place; None if a place has several."""
    found = dict(zip(places.tolist(), cycles.tolist(), strict=True))
    same = all(
        found[place] == time for place, time in zip(places.tolist(), cycles.tolist(), strict=True)
    )
    return found if same else None
