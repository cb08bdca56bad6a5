"""Series: calls timed in a row, with the raw samples that a target sent of them.

See docs/reference/wire.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Kind = Literal["call", "empty", "pair"]
"""The call that a series times, by its name in tables of samples."""


def kind_of(empty: bool) -> Kind:
    """The real call, or the empty one in its place."""
    return "empty" if empty else "call"


class RawSample(NamedTuple):
    """One timing as the target sent it: raw timer counts, and whether a tick fell inside.

    `interrupts_off_cycles` is the longest time in the call in which no interrupt could get through,
    where the target can see that. `energy_fj` is the energy spent between the two counts, if
    metered. `exact_cycles` is the time of the call from entry to return, where the target sees it
    from outside.
    """

    start: int
    stop: int
    tick_hit: bool
    interrupts_off_cycles: int | None = None
    energy_fj: int | None = None
    exact_cycles: int | None = None


@dataclass(frozen=True, eq=False)
class RawSamples:
    """The samples of a series, a column for each field; one that no sample has is None."""

    start: NDArray[np.uint32]
    stop: NDArray[np.uint32]
    tick_hit: NDArray[np.bool_]
    interrupts_off_cycles: NDArray[np.uint32] | None = None
    energy_fj: NDArray[np.int64] | None = None
    exact_cycles: NDArray[np.uint32] | None = None

    @classmethod
    def of(cls, samples: Iterable[RawSample]) -> "RawSamples":
        """The same by columns; a field is in all of them or in none."""
        columns = list(zip(*samples, strict=True)) or [()] * len(RawSample._fields)
        start, stop, tick_hit, off, energy, exact = columns
        return cls(
            np.array(start, np.uint32),
            np.array(stop, np.uint32),
            np.array(tick_hit, np.bool_),
            None if off[:1] in ((), (None,)) else np.array(off, np.uint32),
            None if energy[:1] in ((), (None,)) else np.array(energy, np.int64),
            None if exact[:1] in ((), (None,)) else np.array(exact, np.uint32),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RawSamples) and list(self) == list(other)

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, index: int) -> RawSample:
        return RawSample._make(
            None if column is None else column[index].item() for column in self._columns
        )

    def __iter__(self) -> Iterator[RawSample]:
        nothing = [None] * len(self)
        columns = (nothing if one is None else one.tolist() for one in self._columns)
        return map(RawSample._make, zip(*columns, strict=True))

    @property
    def _columns(self) -> tuple[NDArray[np.generic] | None, ...]:
        return tuple(getattr(self, name) for name in RawSample._fields)

    @property
    def first_elapsed(self) -> int:
        """Counts between the two readings of the first sample."""
        return int((self.stop - self.start)[0])

    @property
    def steady(self) -> bool:
        """Whether all samples are one and the same, as far as the target can see."""
        spent = [self.stop - self.start, *self._columns[2:]]
        return all(one is None or bool(np.all(one == one[:1])) for one in spent)


@dataclass(frozen=True)
class Series:
    """One case timed `length` times in a row: its call, the empty call, or a pair of timer readings
    without a call between."""

    length: int
    kind: Kind
    samples: RawSamples

    @property
    def empty(self) -> bool:
        """Whether it is no real call, but one whose time is subtracted from those."""
        return self.kind != "call"
