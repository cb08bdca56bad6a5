"""Quantiles of whole numbers that are kept as pairs of value and count."""

from collections.abc import Sequence


def quantile(counts: Sequence[tuple[int, int]], share: float) -> int:
    """The least value that at least this share of all does not exceed.

    `counts` has pairs of value and number, the least value first, and at least one.

    >>> quantile([(3, 1), (5, 2), (9, 1)], 0.5)
    5
    """
    wanted = share * sum(number for _, number in counts)
    seen = 0
    for value, number in counts:
        seen += number
        if seen >= wanted:
            return value
    return counts[-1][0]
