"""Statements about an observed maximum, and their limits.

No sample says how far above its maximum a longer time may lie. So an interval around an observed
maximum has no upper end. The bootstrap gives it a false one, since nothing it draws is longer
(Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, section 7.4). Samples that may be
exchanged for one another allow, whatever their distribution:

* how seldom a longer time is: with 95 % confidence, of a share of at most 1 - 0.05^(1/n) of all;
* what a repetition shows at least. The maximum of n more is below the k-th longest of these n with
* a probability of C(n, k) / C(2n, k), less than 2^-k. So the fifth longest is its lower limit at
* more than 95 %; what the maximum of m samples is on average: from the maxima of blocks of m in a
* row, with
  Student's interval over the blocks. It compares two systems like with like, as the maximum of more
  samples is longer.
"""

from dataclasses import dataclass

import numpy as np

from cyclescope.stats.summary import CONFIDENCE, Summary, Values, summarise

BLOCKS = 10
RANK = 5
"""2^-5 is the greatest power of a half below 5 %."""


@dataclass(frozen=True)
class Maximum:
    """The longest of n times seen; it bounds nothing.

    `rerun_at_least` is what n more show at least, at 95 %; not a number for fewer than RANK.
    `longer_share` is the greatest share of longer times that agrees with having seen none, at 95 %.
    """

    value: float
    n: int
    rerun_at_least: float
    longer_share: float


def maximum(values: Values) -> Maximum:
    """The observed maximum of at least one sample.

    >>> found = maximum(np.arange(1.0, 1001.0))
    >>> found.value, found.rerun_at_least, round(found.longer_share, 4)
    (1000.0, 996.0, 0.003)
    """
    n = int(values.size)
    fifth = float(np.sort(values)[-RANK]) if n >= RANK else float("nan")
    return Maximum(float(values.max()), n, fifth, 1 - (1 - CONFIDENCE) ** (1 / n))


def block_maxima(values: Values, length: int) -> Values:
    """The maximum of each block of `length` samples in a row; what is left over is left out.

    >>> block_maxima(np.array([1.0, 5.0, 2.0, 3.0, 9.0]), 2).tolist()
    [5.0, 3.0]
    """
    whole = values.size // length
    return np.asarray(values[: whole * length].reshape(whole, length).max(axis=1))


def expected_maximum(values: Values, length: int) -> Summary:
    """Summarises the maxima of blocks of `length` samples."""
    return summarise(block_maxima(values, length))
