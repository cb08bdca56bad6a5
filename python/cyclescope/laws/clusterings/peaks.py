"""Peaks at each x, joined over x into clusters: what the lab does by default.

A hidden parameter shows where x stands still: at each x the samples are parted into peaks exactly,
as many as have the least cost (stats/partition.py). As many clusters there are as most x have
peaks, and peaks of the same rank make a cluster. Its law is chosen by the F-test of model.choose,
which a coefficient more must pass.
"""

from collections.abc import Callable

import numpy as np

from cyclescope.laws.clustering import (
    MOST,
    Clustered,
    Clustering,
    Labels,
    NetTimes,
    clustered,
    law_of,
    nearest,
)
from cyclescope.laws.model import Fitted
from cyclescope.stats.partition import partition
from cyclescope.stats.summary import Values

LEAST_CYCLES, LEAST_OF_TIME = 1.0, 0.0025
"""Narrowest peak: peaks nearer to each other than four times that, 4 cycles or 1 %, are one."""

LEAST_SHARE = 0.05
"""Of the samples at one x: smaller groups are single measures away from the peaks, no cluster."""


Parts = Callable[[Values, float], Labels]
Law = Callable[[NetTimes, str], Fitted]


def exact_peaks(values: Values, resolution: float) -> Labels:
    """The peak of each value, from the lowest."""
    if values.min() == values.max():
        return np.zeros(values.size, dtype=np.intp)
    least = max(LEAST_CYCLES, resolution, LEAST_OF_TIME * float(np.median(values)))
    found = partition(values, least, MOST)
    return found.labels(values, found.best)


SIGMAS = 2.0
"""By which a dip must be deeper than chance."""


class Peaks(Clustering):
    """Peaks at each x by `parts`, and a law for each cluster by `law`."""

    name = "peaks"
    sentence = (
        "peaks found exactly at each x, their number by integrated completed likelihood; a law's "
        "further coefficients by an F-test at 1 %"
    )

    def __init__(self, parts: Parts = exact_peaks, law: Law = law_of) -> None:
        self.parts = parts
        self.law = law

    def cluster(self, samples: NetTimes, unit: str) -> Clustered:
        found = {float(x): self._ranks(samples, float(x)) for x in np.unique(samples.x)}
        numbers = [int(ranks.max()) + 1 for ranks in found.values()]
        number = max(set(numbers), key=lambda one: (numbers.count(one), -one))
        labels = np.full(samples.cycles.size, -1, dtype=np.intp)
        for x, ranks in found.items():
            if ranks.max() + 1 == number:
                labels[samples.x == x] = ranks
        laws = [self.law(samples.of(labels == one), unit) for one in range(number)]
        for x, ranks in found.items():
            if ranks.max() + 1 != number:
                here = samples.x == x
                labels[here] = nearest(samples.of(here), laws)
        return clustered(samples, labels, laws)

    def _ranks(self, samples: NetTimes, x: float) -> Labels:
        """The rank of the peak of each sample at x; -1 for those apart from every peak."""
        values = samples.cycles[samples.x == x]
        own = self.parts(values, samples.resolution)
        large = [peak for peak in range(own.max() + 1) if np.mean(own == peak) >= LEAST_SHARE]
        ranks = np.full(values.size, -1, dtype=np.intp)
        rank = -1
        for peak in large:
            here = values[own == peak]
            if rank < 0 or _dips(values[ranks == rank], here, values):
                rank += 1
                ranks[own == peak] = rank
            else:  # one peak after all, with all that lies between the two
                ranks[(values >= values[ranks == rank].min()) & (values <= here.max())] = rank
        return ranks


def _dips(lower: Values, upper: Values, values: Values) -> bool:
    """Whether values are rarer between two peaks than at either, by more than chance.

    A flat or a falling distribution is cut as readily as two peaks, and has no dip. Counted are the
    values within a quarter of the peaks' distance; counts of chance vary by their root (Poisson).
    """
    low, high = float(np.median(lower)), float(np.median(upper))
    near = (high - low) / 4
    middle = (float(lower.max()) + float(upper.min())) / 2
    at_low, between, at_high = (
        int(np.sum(np.abs(values - place) < near)) for place in (low, middle, high)
    )
    least = min(at_low, at_high)
    return bool(between < least - SIGMAS * (least + between) ** 0.5)


CLUSTERING = Peaks()
