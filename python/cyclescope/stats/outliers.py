"""Times that lie off the line by much more than the median deviation.

Moreno and Fischmeister, section 4.1: the mean deviation is moved by the very points that are to be
found, the median is not. "Much larger" is here Iglewicz and Hoaglin's modified z-score above 3.5
("How to Detect and Handle Outliers", 1993): for Gaussian noise the median deviation is 0.6745 σ, so
that a good time is lost once in 2,100.
"""

import numpy as np

from cyclescope.stats.least_squares import TOLERANCE, Kept, levelled
from cyclescope.stats.summary import Values

MEDIAN_DEVIATION = 0.6745
"""Of a Gaussian, in standard deviations."""

SCORE = 3.5
RULE = f"deviation above {SCORE / MEDIAN_DEVIATION:.2f} median deviations"


def near_the_fit(design: Values, times: Values, resolution: float = 0.0) -> Kept:
    """Which times to keep, rounds × points.

    The first fit is to the median of each point over the rounds. It is repeated, with what was not
    set aside, until nothing more is: a far time hides nearer ones. A round has its own level, the
    median of its points, so that a slow drift of the clock is no deviation. Counts of a clock
    deviate by half a count at least.
    """
    kept = np.ones(times.shape, dtype=np.bool_)
    least = max(resolution / 2, TOLERANCE * float(np.max(np.abs(times))))
    medians = np.broadcast_to(np.median(times, axis=0), times.shape)
    expected = levelled(design, medians, kept)
    while True:
        off = times - expected
        off = np.abs(off - np.median(off, axis=1, keepdims=True))
        allowed = SCORE / MEDIAN_DEVIATION * max(float(np.median(off)), least)
        now = kept & (off <= allowed)
        if np.array_equal(now, kept):
            return kept
        kept = now
        expected = levelled(design, times, kept)
