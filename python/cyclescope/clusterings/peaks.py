"""Peaks at each x, joined over x into clusters: what the lab does unless told otherwise.

A hidden parameter shows where x stands still: at each x the samples are parted into peaks exactly,
as many as have the least cost (stats/partition.py). As many clusters there are as most x have
peaks, and peaks of the same rank make a cluster. Its law is chosen by the F-test of model.choose,
which a coefficient more must pass.
"""

from collections.abc import Callable

import numpy as np

from cyclescope.clustering import (
    MOST,
    Clustered,
    Clustering,
    Labels,
    Samples,
    clustered,
    law_of,
    nearest,
)
from cyclescope.model import Fitted
from cyclescope.stats.partition import partition
from cyclescope.stats.summary import Values

LEAST_CYCLES, LEAST_OF_TIME = 1.0, 0.0025
"""Narrowest peak: peaks nearer to each other than four times that, 4 cycles or 1 %, are one."""

LEAST_SHARE = 0.05
"""Of the samples at one x: smaller groups are single measures away from the peaks, no cluster."""


Parts = Callable[[Values, float], Labels]
Law = Callable[[Samples, str], Fitted]


def exact_peaks(values: Values, resolution: float) -> Labels:
    """The peak of each value, from the lowest."""
    if values.min() == values.max():
        return np.zeros(values.size, dtype=np.intp)
    least = max(LEAST_CYCLES, resolution, LEAST_OF_TIME * float(np.median(values)))
    found = partition(values, least, MOST)
    return found.labels(values, found.best)


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

    def cluster(self, samples: Samples, unit: str) -> Clustered:
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

    def _ranks(self, samples: Samples, x: float) -> Labels:
        """The rank of the peak of each sample at x; -1 for those apart from every peak."""
        values = samples.cycles[samples.x == x]
        own = self.parts(values, samples.resolution)
        large = [peak for peak in range(own.max() + 1) if np.mean(own == peak) >= LEAST_SHARE]
        ranks = np.full(int(own.max()) + 1, -1, dtype=np.intp)
        ranks[large] = np.arange(len(large))
        return ranks[own]


CLUSTERING = Peaks()
