"""Inflection points: where an edge of limited bandwidth is steepest, between two samples.

Moreno and Fischmeister, section 6 and figure 6. The second derivative of an edge changes its sign
there. It is that of a cubic through neighbouring samples (Savitzky and Golay, 1964).
Plain differences of three samples depend seven times as much on where the edge lies between them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]

REACH = 2
"""Samples on each side of the one whose derivatives are taken."""
FIRST = np.array([1, -8, 0, 8, -1]) / 12
SECOND = np.array([2, -1, -2, -1, 2]) / 7
"""Derivatives of the cubic through five samples."""
NOISE_GAIN = float(np.linalg.norm(SECOND)) * (2 / 3) ** 0.5
"""Deviation of an interpolated second derivative, mean over all places, by that of a sample: two
neighbours have independent noise."""
SEARCH = 3
"""The steepest sample is searched so far from the middle of a window."""
HALF_WIDTH = SEARCH + 2 + REACH
"""Samples that a window needs on each side of its middle."""


@dataclass(frozen=True)
class Inflections:
    """Inflection points of windows: places from the middle sample, in samples.

    `fall` is by how much the second derivative falls from sample to sample there, which decides how
    far noise moves the point. Both are nan of a window without one.
    """

    places: Samples
    fall: Samples


def locate(windows: Samples) -> Inflections:
    """Finds the inflection point of each window: windows × samples, each with a rising edge.

    Windows have an odd number of samples, at least 2 HALF_WIDTH + 1. The point is the change of
    sign nearest to the steepest sample, by a parabola through the second derivatives around it.
    """
    middle = windows.shape[1] // 2
    kept = windows[:, middle - HALF_WIDTH : middle + HALF_WIDTH + 1]
    slope, bend = _derivative(kept, FIRST), _derivative(kept, SECOND)
    search = slope[:, 2 : 2 * SEARCH + 3]
    rows = np.arange(len(kept))
    steepest = np.argmax(search, axis=1) + 2
    # A change of sign on the side to which the slope still rises, else on the other one.
    first = np.where(bend[rows, steepest] > 0, steepest, steepest - 1)
    places, fall = np.full(len(kept), np.nan), np.full(len(kept), np.nan)
    for shift in (1, -1, 0):
        before = first + shift
        high, low = bend[rows, before], bend[rows, before + 1]
        there = (high > 0) & (low <= 0)
        outer = (
            bend[rows, np.maximum(before - 1, 0)],
            bend[rows, np.minimum(before + 2, bend.shape[1] - 1)],
        )
        place = _root(outer[0], high, low, outer[1]) + before - SEARCH - 2
        places, fall = np.where(there, place, places), np.where(there, high - low, fall)
    return Inflections(places, fall)


def _derivative(windows: Samples, weights: Samples) -> Samples:
    """Of each sample with REACH others on both sides."""
    count = windows.shape[1] - 2 * REACH
    made = np.zeros((len(windows), count))
    for at, weight in enumerate(weights.tolist()):
        if weight:
            made += weight * windows[:, at : at + count]
    return made


def _root(before: Samples, high: Samples, low: Samples, behind: Samples) -> Samples:
    """Where the mean of the parabolas through the first and the last three values is 0, from `high`
    (0) to `low` (1)."""
    curve = (before - high - low + behind) / 4
    drop = high - low + curve
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(2 * high / (drop + np.sqrt(np.maximum(drop**2 - 4 * curve * high, 0))))
