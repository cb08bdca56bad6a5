"""Times that lie off the line by much more than the median deviation.

Moreno and Fischmeister, section 4.1: the mean deviation is moved by the very points that are to be
found, the median is not. "Much larger" is here Iglewicz and Hoaglin's modified z-score above 3.5
("How to Detect and Handle Outliers", 1993). For Gaussian noise the median deviation is 0.6745 σ, so
that a good time is lost once in 2,100.
"""

import numpy as np

from cyclescope.stats.least_squares import TOLERANCE, Kept, levelled
from cyclescope.stats.summary import Values

MEDIAN_DEVIATION = 0.6745
"""Of a Gaussian, in standard deviations."""

SCORE = 3.5
REWEIGHTED = 15
RULE = f"deviation above {SCORE / MEDIAN_DEVIATION:.2f} median deviations"


def near_the_fit(design: Values, times: Values, resolution: float = 0.0) -> Kept:
    """Which times to keep, rounds × points.

    The first fit is that of least absolute deviations, to the median of each point over the rounds.
    A far time at an end would tilt a least-squares line enough to hide. Least squares with what was
    not rejected follow, until nothing more is: a far time hides nearer ones. A round has its own
    level, the median of its points, so that a slow drift of the clock is no deviation. Counts of a
    clock deviate by half a count at least.
    """
    kept = np.ones(times.shape, dtype=np.bool_)
    least = max(resolution / 2, TOLERANCE * float(np.max(np.abs(times))))
    expected = _least_absolute(design, np.median(times, axis=0), least)
    while True:
        off = times - expected
        off = np.abs(off - np.median(off, axis=1, keepdims=True))
        allowed = SCORE / MEDIAN_DEVIATION * max(float(np.median(off)), least)
        now = kept & (off <= allowed)
        if np.array_equal(now, kept):
            return kept
        kept = now
        expected = levelled(design, times, kept)


def _least_absolute(design: Values, times: Values, least: float) -> Values:
    """The times of the fit whose absolute deviations are least, nearly: by reweighting."""
    fitted = design @ np.linalg.lstsq(design, times)[0]
    for _ in range(REWEIGHTED):
        root = np.maximum(np.abs(times - fitted), least) ** -0.5
        fitted = design @ np.linalg.lstsq(design * root[:, None], times * root)[0]
    return np.asarray(fitted)
