"""Rank tests, ties at the mean of their ranks: Kruskal and Wallis (1952), Spearman (1904).

As `scipy.stats.kruskal` and `spearmanr` have them, which take a second of every process to load.
"""

from collections.abc import Sequence

import numpy as np

from cyclescope.stats.summary import Values


def kruskal_wallis(groups: Sequence[Values]) -> tuple[float, float]:
    """H, corrected for ties, of groups whose values are not all equal, and its p-value.

    >>> h, p_value = kruskal_wallis([np.array([1.0, 2.0]), np.array([3.0, 4.0])])
    >>> round(h, 2), round(p_value, 2)
    (2.4, 0.12)
    """
    from scipy import special

    everything = np.concatenate(groups)
    n, counts = everything.size, np.unique(everything, return_counts=True)[1].astype(np.float64)
    ends = np.cumsum([group.size for group in groups])
    squares = sum(
        float(own.sum()) ** 2 / own.size for own in np.split(_ranks(everything), ends[:-1])
    )
    untied = 12.0 / (n * (n + 1)) * squares - 3 * (n + 1)
    h = untied / (1 - float(np.sum(counts**3 - counts)) / (n**3 - n))
    return h, float(special.chdtrc(len(groups) - 1, h))


def spearman(x: Values, y: Values) -> tuple[float, float]:
    """ρ of two series of which neither is constant, and its p-value by Student's t.

    >>> spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 5.0, 5.5, 9.0]))
    (1.0, 0.0)
    """
    from scipy import special

    both = np.column_stack((_ranks(x), _ranks(y)))
    rho = float(np.asarray(np.corrcoef(both, rowvar=False))[1, 0])
    freedom = x.size - 2
    with np.errstate(divide="ignore"):
        t = np.abs(rho * np.sqrt(np.divide(freedom, (rho + 1.0) * (1.0 - rho)).clip(0)))
    return rho, float(2 * special.stdtr(freedom, -t))


def _ranks(values: Values) -> Values:
    """From 1; equal values have the mean of theirs."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[where])
