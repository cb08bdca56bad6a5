"""Edges in a sound: found by their height, placed at their inflection points."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cyclescope.errors import CyclescopeError
from cyclescope.recordings import inflection
from cyclescope.recordings.edges import Edges
from cyclescope.recordings.inflection import HALF_WIDTH
from cyclescope.recordings.wave_files import Sound

Samples = NDArray[np.float64]
Places = NDArray[np.int64]

STEP_REACH = 3
"""Samples on each side whose means make the height of a step."""
LEAST_APART = 12
"""Samples between two edges below which one shifts the other's inflection point."""
QUIET_DISTANCE = 20
"""Samples from every edge at which there is noise alone."""
FULL_SCALE = 1 - 2.0**-14
CLIPPED = 4
"""So many samples at full scale are no accident."""
SILENT = 1e-4
"""Share of full scale: -80 dB."""
LEAST_HEIGHT = 7.0
"""Deviations of the noise that an edge must have in height. Below it, noise makes edges."""


@dataclass(frozen=True)
class SoundEdges:
    """The edges of a sound, with their height and the noise beside them as shares of full scale."""

    edges: Edges
    height: float
    noise: float


def find_edges(sound: Sound, name: str) -> SoundEdges:
    """Finds every edge of a sound; `name` is what refusals call it.

    Raises CyclescopeError if the sound is clipped, too noisy or no pin's, or if edges lie
    too close.
    """
    samples = sound.samples
    _require_level(samples, name)
    steps = _steps(samples)
    middles = _middles(steps)
    if not len(middles):
        raise CyclescopeError(
            f"{name} has no edges: record from before the program begins until after a series",
            code="recording-has-no-edges",
        )
    height = float(np.median(np.abs(steps[middles])))
    noise = _noise(samples, middles)
    if height < LEAST_HEIGHT * noise:
        raise CyclescopeError(
            f"{name} is too noisy: its edges are {height / noise:.1f} times the noise high, and "
            f"{LEAST_HEIGHT:g} are needed; shorten the cable, share the ground, or raise the level",
            code="recording-too-noisy",
        )
    rising = steps[middles] > 0
    _require_alternating(sound, middles, rising, name)
    _require_apart(sound, middles, name)
    found = inflection.locate(windows_of(samples, middles) * np.where(rising, 1, -1)[:, None])
    if np.isnan(found.places).any():
        at = middles[np.isnan(found.places)][0] / sound.rate_hz
        raise CyclescopeError(
            f"{name} has an edge without an inflection point at {at:.6f} s: record it again with "
            "less noise",
            code="recording-edge-unclear",
        )
    moved = noise * inflection.NOISE_GAIN / float(np.median(found.fall))
    edges = Edges(
        (middles + found.places) / sound.rate_hz, rising, moved / sound.rate_hz, sound.length_s
    )
    return SoundEdges(edges, height, noise)


def windows_of(samples: Samples, middles: Places) -> Samples:
    """The samples around each middle, windows × samples."""
    return np.asarray(samples[middles[:, None] + np.arange(-HALF_WIDTH, HALF_WIDTH + 1)])


def is_silent(sound: Sound) -> bool:
    """Whether there is nothing in it that an edge could be."""
    return not len(sound.samples) or float(np.ptp(sound.samples)) < SILENT


def _require_level(samples: Samples, name: str) -> None:
    if int((np.abs(samples) >= FULL_SCALE).sum()) >= CLIPPED:
        raise CyclescopeError(
            f"{name} is clipped, so its edges have lost their shape: lower the input's level "
            "or divide the pin's voltage",
            code="recording-clipped",
        )


def _steps(samples: Samples) -> Samples:
    """By how much the mean of the next samples is above that of the last ones."""
    total = np.concatenate([[0.0], np.cumsum(samples)])
    made = np.zeros(len(samples))
    at = np.arange(STEP_REACH, len(samples) - STEP_REACH)
    behind = total[at + STEP_REACH + 1] - total[at + 1]
    before = total[at] - total[at - STEP_REACH]
    made[at] = (behind - before) / STEP_REACH
    return made


def _middles(steps: Samples) -> Places:
    """The sample nearest to each edge: the greatest steps around, of half an edge or more."""
    heights = np.abs(steps)
    peaks = (heights[1:-1] >= heights[:-2]) & (heights[1:-1] > heights[2:])
    peaks &= heights[1:-1] > heights.max() / 4
    places = np.flatnonzero(peaks) + 1
    places = places[(places >= QUIET_DISTANCE) & (places < len(steps) - QUIET_DISTANCE)]
    found = heights[places]
    places = (
        places[found > np.median(found[found > heights.max() / 2]) / 2] if len(places) else places
    )
    kept = np.ones(len(places), np.bool_)
    for one in range(1, HALF_WIDTH):
        # Of steps closer than a window the greater one is the edge.
        if one >= len(places):
            break
        near = places[one:] - places[:-one] < HALF_WIDTH
        greater = heights[places[one:]] > heights[places[:-one]]
        kept[:-one] &= ~(near & greater)
        kept[one:] &= ~(near & ~greater)
    return places[kept]


def _noise(samples: Samples, middles: Places) -> float:
    """The deviation of samples far from edges; the constant and slow part does not count."""
    quiet = np.ones(len(samples), np.bool_)
    for shift in range(-QUIET_DISTANCE, QUIET_DISTANCE + 1):
        quiet[np.clip(middles + shift, 0, len(samples) - 1)] = False
    seconds = samples[2:] - 2 * samples[1:-1] + samples[:-2]
    chosen = seconds[quiet[1:-1]]
    if not len(chosen):
        return 0.0
    return float(np.sqrt(np.mean(chosen**2) / 6))


def _require_alternating(
    sound: Sound, middles: Places, rising: NDArray[np.bool_], name: str
) -> None:
    alike = np.flatnonzero(rising[1:] == rising[:-1])
    if len(alike):
        at, way = middles[alike[0]] / sound.rate_hz, "rising" if rising[alike[0]] else "falling"
        raise CyclescopeError(
            f"{name} has two {way} edges in a row at {at:.6f} s, which no pin makes: record the "
            "pin alone, with less noise and no effects of the mixer",
            code="recording-not-of-pin",
        )


def _require_apart(sound: Sound, middles: Places, name: str) -> None:
    close = np.flatnonzero(np.diff(middles) < LEAST_APART)
    if len(close):
        at, apart = middles[close[0]] / sound.rate_hz, np.diff(middles)[close[0]] / sound.rate_hz
        raise CyclescopeError(
            f"{name} has two edges within {apart * 1e6:.1f} µs at {at:.6f} s, and below "
            f"{LEAST_APART / sound.rate_hz * 1e6:.1f} µs one shifts the other: time more "
            "executions at once",
            code="recording-edges-too-close",
        )
