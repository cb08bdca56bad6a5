"""Levels of a channel over time, as a logic analyser's files have them, to edges."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cyclescope.errors import CyclescopeError
from cyclescope.recordings.edges import Edges, Times


def edges_of(times_s: Times, levels: NDArray[np.int8], sample_s: float, length_s: float) -> Edges:
    """The edges of a channel that has these levels from these times on.

    An edge lies somewhere in the `sample_s` before the sample that shows it.
    """
    changed = np.flatnonzero(np.diff(levels)) + 1
    deviation_s = sample_s / 12**0.5
    return Edges(times_s[changed], levels[changed] > levels[changed - 1], deviation_s, length_s)


def damaged(file: Path, what: str) -> CyclescopeError:
    """The refusal of a file that is not as its format says."""
    return CyclescopeError(
        f"{file} is damaged ({what}): export it again, whole", code="recording-damaged"
    )
