"""Edges of a pin as an instrument recorded them."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.float64]
Marks = NDArray[np.bool_]


@dataclass(frozen=True)
class Edges:
    """The edges of a recording in their order, in seconds of the instrument's own clock.

    `rising` says of each whether the pin went high. `deviation_s` is the standard deviation of one
    time: by the recording's noise, or by the distance of samples. `length_s` is how long the
    recording is.
    """

    times_s: Times
    rising: Marks
    deviation_s: float
    length_s: float

    def __len__(self) -> int:
        return len(self.times_s)

    def inverted(self) -> Self:
        """The same edges of an input that inverts."""
        return replace(self, rising=~self.rising)

    def between(self, begin: int, end: int) -> Self:
        """The edges from one number to before another."""
        chosen = slice(begin, end)
        return replace(self, times_s=self.times_s[chosen], rising=self.rising[chosen])
