"""A recording of the program that toggles a pin (docs/how-to/record.md): its second, its pulses.

The program measures the points of its plans in order, all of them again and again, with a longer
rest in front. Beside the pin a hardware timer toggles a second one each second. The board's second
is the unit of all times, so neither its crystal nor the instrument's has a part in them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.recordings.edges import Edges, Times

TOLERANCE = 2e-3
"""How far the two crystals may be off together; 2,000 ppm is ten times the worst of crystals."""
LEAST_SECONDS = 3
REST_S = 4.5e-3
"""A pin that was low for so long begins with all plans anew: the program rests for 5 ms."""


@dataclass(frozen=True)
class Reference:
    """The board's second by the instrument's clock, from `seconds` of them.

    `deviation_s` is its standard error.
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
    """The pulses of whole repetitions: repetitions × pulses, how long each is high.

    In seconds of the board. Each begins with the rising edge, so that the difference of the edges'
    delays is the same in all. `left_out` are pulses of repetitions that were cut off.
    """

    lengths_s: Times
    inverted: bool
    left_out: int


def read_program(channels: Mapping[str, Edges], pulses: int, name: str) -> tuple[Reference, Pulses]:
    """Reads a recording whose program makes so many pulses in each repetition.

    The channel with an edge each second is the reference, the other one the pin. Raises
    CyclescopeError if there is not one of each, or no whole repetition.
    """
    references = [one for one, edges in channels.items() if _is_reference(edges)]
    if not references:
        raise CyclescopeError(
            f"{name} has no reference with an edge each second: record the timer's pin for "
            f"{LEAST_SECONDS + 1} seconds or more, beside the other or with --recording by itself",
            code="recording-without-reference",
        )
    pins = [one for one in channels if one not in references]
    if len(pins) != 1 or len(references) != 1:
        raise CyclescopeError(
            f"{name} has edges on {', '.join(channels)}: record the two pins of the program alone",
            code="recording-channel-unclear",
        )
    reference = reference_of(channels[references[0]])
    return reference, _pulses(channels[pins[0]], reference, pulses, name)


def _seconds(edges: Edges) -> Times:
    """Half the distances of edges in one direction: the timer toggles each second."""
    return (edges.times_s[2:] - edges.times_s[:-2]) / 2


def _is_reference(edges: Edges) -> bool:
    seconds = _seconds(edges)
    return len(seconds) >= LEAST_SECONDS - 1 and bool((np.abs(seconds - 1) < TOLERANCE).all())


def reference_of(edges: Edges) -> Reference:
    """The mean second, which rests on the first two and the last two edges alone."""
    seconds = _seconds(edges)
    scatter_s = float(seconds.std(ddof=1)) * 2**0.5
    deviation_s = max(edges.deviation_s, scatter_s) / len(seconds)
    return Reference(float(seconds.mean()), deviation_s, len(edges) - 1)


def _pulses(edges: Edges, reference: Reference, count: int, name: str) -> Pulses:
    """The pulses of repetitions that are whole. An input may invert: the one way of reading it
    that gives whole repetitions is right."""
    ways = [(_repetitions(one, count), one) for one in (edges, edges.inverted())]
    (lengths_s, seen), inverted = max(
        ((found, number == 1) for number, (found, _) in enumerate(ways)),
        key=lambda way: len(way[0][0]),
    )
    if not len(lengths_s):
        raise CyclescopeError(
            f"{name} has no whole repetition of {count} pulses: give the program.json of the "
            "program that the board ran, and record from before its reset on",
            code="recording-without-repetition",
        )
    return Pulses(lengths_s / reference.second_s, inverted, seen - lengths_s.size)


def _repetitions(edges: Edges, count: int) -> tuple[Times, int]:
    """Lengths of pulses in the repetitions that have so many, and how many pulses there are."""
    first = int(len(edges) > 0 and not edges.rising[0])
    times_s = edges.times_s[first:]
    times_s = times_s[: len(times_s) // 2 * 2].reshape(-1, 2)
    rests = np.flatnonzero(times_s[1:, 0] - times_s[:-1, 1] > REST_S) + 1
    parts = np.split(times_s[:, 1] - times_s[:, 0], rests)
    whole = [one for one in parts if len(one) == count]
    return np.array(whole).reshape(len(whole), count), len(times_s)
