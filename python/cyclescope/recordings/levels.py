"""Levels of a channel over time, as a logic analyser's files have them, to edges."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cyclescope.errors import CyclescopeError, shortened
from cyclescope.recordings.edges import Edges, Times


def edges_of(times_s: Times, levels: NDArray[np.int8], sample_s: float, length_s: float) -> Edges:
    """The edges of a channel that has these levels from these times on.

    An edge lies somewhere in the `sample_s` before the sample that shows it.
    """
    changed = np.flatnonzero(np.diff(levels)) + 1
    deviation_s = sample_s / 12**0.5
    return Edges(times_s[changed], levels[changed] > levels[changed - 1], deviation_s, length_s)


def chosen(changing: Mapping[str, int], name: str | None, file: Path) -> str:
    """The channel that is read: the named one, or the only one that changes.

    `changing` has how often each channel changes. Raises CyclescopeError if there is no such one.
    """
    if name is not None:
        if name not in changing:
            raise CyclescopeError(
                f"{file} has no channel {name}: choose one of {_list(list(changing))}",
                code="recording-has-no-channel",
            )
        return name
    moving = [one for one, changes in changing.items() if changes]
    if not moving:
        raise CyclescopeError(
            f"{file} has no edges: connect the pin and record again",
            code="recording-has-no-edges",
        )
    if len(moving) > 1:
        raise CyclescopeError(
            f"{file} has several channels that change, {_list(moving)}: name the pin's with "
            "--channel",
            code="recording-channel-unclear",
        )
    return moving[0]


def _list(names: Sequence[str]) -> str:
    return shortened(", ".join(names))


def damaged(file: Path, what: str) -> CyclescopeError:
    """The refusal of a file that is not as its format says."""
    return CyclescopeError(
        f"{file} is damaged ({what}): export it again, whole", code="recording-damaged"
    )
