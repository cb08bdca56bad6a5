"""How far samples of one series lie from each other."""

import numpy as np

from cyclescope.stats.outliers import MEDIAN_DEVIATION
from cyclescope.stats.summary import Values, summarise


def deviation(values: Values, robust: bool = False) -> float:
    """Standard deviation; `robust`, that of a Gaussian with the same median deviation.

    On a machine that does other things too, a few calls are interrupted, and their times would hide
    how narrow the others are.

    >>> round(deviation(np.array([9.0, 10.0, 11.0, 500.0]), robust=True), 3)
    1.483
    """
    if not robust:
        return summarise(values).sigma
    return float(np.median(np.abs(values - np.median(values)))) / MEDIAN_DEVIATION
