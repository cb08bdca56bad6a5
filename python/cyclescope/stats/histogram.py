"""Histogram in 30 bins from minimum to maximum (Brandolese and Fornaciari, section 4.1)."""

from dataclasses import dataclass

import numpy as np

from cyclescope.stats.summary import Values

BINS = 30


@dataclass(frozen=True)
class Histogram:
    """Counts per bin; `edges` has one more entry than `counts`. A constant has one bin."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]

    @property
    def is_constant(self) -> bool:
        return len(self.counts) == 1


def histogram(values: Values, low: float | None = None, high: float | None = None) -> Histogram:
    """Bins the values between their extremes, or between the given ones.

    >>> histogram(np.array([7.0, 7.0]))
    Histogram(edges=(7.0, 7.0), counts=(2,))
    >>> sum(histogram(np.array([1.0, 2.0, 4.0])).counts)
    3
    """
    low = float(values.min()) if low is None else low
    high = float(values.max()) if high is None else high
    if low == high:
        return Histogram((low, high), (int(values.size),))
    counts, edges = np.histogram(values, bins=BINS, range=(low, high))
    return Histogram(tuple(map(float, edges)), tuple(map(int, counts)))
