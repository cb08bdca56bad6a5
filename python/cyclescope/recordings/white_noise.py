"""White noise by number: the same number of the same stream always has the same value.

So a window of a recording has the noise that the whole recording has there. The numbers are hashed
by SplitMix64 (Steele, Lea and Flood, 2014) and made normal by the inverse of the distribution.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Numbers = NDArray[np.uint64]
_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIXERS = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)


def uniform(seed: int, stream: Numbers, numbers: Numbers) -> NDArray[np.float64]:
    """Values between 0 and 1, neither included; `stream` and `numbers` broadcast."""
    with np.errstate(over="ignore"):
        key = _hashed(stream * _STEP + np.uint64(seed % 2**64))
        bits = _hashed(key + numbers * _STEP) >> np.uint64(12)
    return (bits.astype(np.float64) + 0.5) * 2.0**-52


def normal(seed: int, stream: Numbers, numbers: Numbers) -> NDArray[np.float64]:
    """Values of the standard normal distribution."""
    return np.asarray(ndtri(uniform(seed, stream, numbers)))


def _hashed(state: Numbers) -> Numbers:
    for shift, factor in _MIXERS:
        state = (state ^ (state >> shift)) * factor
    return state ^ (state >> np.uint64(31))
