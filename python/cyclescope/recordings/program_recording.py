"""A recording of the program that toggles a pin (docs/how-to/record.md): its parts and its times.

The program repeats itself. First comes a reference, a rising edge each second by the board's
hardware timer. Then comes a pause, then the pulses of each plan with a pause behind. The board's
second is the unit of all times, so neither its crystal nor the instrument's has a part in them.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.recordings.edges import Edges, Times

PAUSE_S = 1.25
"""Edges with a longer distance belong to different parts. Within a reference the distance is half a
second, and within a plan less."""
LEAST_SECONDS = 2
TOLERANCE = 2e-3
"""How far the two crystals may be off together; 2,000 ppm is ten times the worst of crystals."""


@dataclass(frozen=True)
class Reference:
    """Seconds of the board by the instrument's clock.

    `second_s` is their mean, `deviation_s` the standard error of it, `seconds` their number.
    """

    second_s: float
    deviation_s: float
    seconds: int

    @property
    def clock_ppm(self) -> float:
        """By how much the instrument's clock is fast against the board's."""
        return (self.second_s - 1) * 1e6

    @property
    def deviation_ppm(self) -> float:
        """The standard error of that, which all times share."""
        return self.deviation_s * 1e6


@dataclass(frozen=True)
class Pulses:
    """The pulses of one part: how long each is high, in seconds of the board.

    Each begins with the rising edge, so that what the edges' delays differ by is the same in all.
    """

    lengths_s: Times

    def __len__(self) -> int:
        return len(self.lengths_s)


@dataclass(frozen=True)
class ProgramRecording:
    """A recording, read: its reference and, for each reference in it, the parts behind."""

    name: str
    edges: Edges
    inverted: bool
    reference: Reference
    repetitions: tuple[tuple[Pulses, ...], ...]

    @cached_property
    def deviation_s(self) -> float:
        """The standard deviation of a pulse's length by what the instrument adds."""
        return self.edges.deviation_s * 2**0.5


def read_program(edges: Edges, name: Path) -> ProgramRecording:
    """Reads the parts of a recording; `name` is what refusals call it.

    Raises CyclescopeError if there is no reference, or no pulse behind one.
    """
    parts = _parts(edges)
    kinds = [_is_reference(one) for one in parts]
    if not any(kinds):
        raise CyclescopeError(
            f"{name} has no reference, a rising edge each second: record from before the "
            "program's reference on, which comes after each reset",
            code="recording-without-reference",
        )
    # A reference ends with a falling edge, unless the input inverts.
    inverted = bool(parts[kinds.index(True)].rising[-1])
    if inverted:
        parts = [one.inverted() for one in parts]
    repetitions: list[list[Pulses]] = []
    reference = _reference([one for one, kind in zip(parts, kinds, strict=True) if kind])
    for one, kind in zip(parts, kinds, strict=True):
        if kind:
            repetitions.append([])
        elif repetitions:
            repetitions[-1].append(_pulses(one, reference))
    if not any(repetitions):
        raise CyclescopeError(
            f"{name} ends with the reference: record on until the pulses behind it are over",
            code="recording-without-pulses",
        )
    kept = tuple(tuple(one) for one in repetitions if one)
    return ProgramRecording(str(name), edges, inverted, reference, kept)


def _parts(edges: Edges) -> list[Edges]:
    """The edges between pauses."""
    breaks = np.flatnonzero(np.diff(edges.times_s) > PAUSE_S) + 1
    ends = [0, *breaks.tolist(), len(edges)]
    return [edges.between(begin, end) for begin, end in itertools.pairwise(ends)]


def _is_reference(edges: Edges) -> bool:
    """Whether every second edge, counted from the end, is one second behind the one before."""
    seconds = _seconds(edges)
    return len(seconds) >= LEAST_SECONDS and bool((np.abs(seconds - 1) < TOLERANCE).all())


def _seconds(edges: Edges) -> Times:
    """The distances of rising edges, if the last edge is a falling one."""
    return np.diff(edges.times_s[len(edges) % 2 :: 2])


def _reference(parts: Sequence[Edges]) -> Reference:
    """The mean second. A row of seconds rests on its first and its last edge alone."""
    seconds = np.concatenate([_seconds(one) for one in parts])
    seen = float(seconds.std(ddof=1)) / 2**0.5
    deviation_s = max(parts[0].deviation_s, seen)
    return Reference(
        float(seconds.mean()), deviation_s * (2 * len(parts)) ** 0.5 / len(seconds), len(seconds)
    )


def _pulses(edges: Edges, reference: Reference) -> Pulses:
    """A pulse is from a rising edge to the falling one behind it."""
    first = int(not edges.rising[0])  # the recording began within a pulse
    times = edges.times_s[first:] / reference.second_s
    whole = len(times) // 2 * 2
    return Pulses(times[1:whole:2] - times[0:whole:2])
