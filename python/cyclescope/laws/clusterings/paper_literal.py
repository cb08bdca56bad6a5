"""The paper's procedure to the letter: σ is of the raw times (Brandolese and Fornaciari, 4.2).

It is here to be compared with. A line spreads its times by itself, so it is cut into pieces. Each
piece then has a line of its own. Clusters are those of k-means on the times.
"""

import numpy as np

from cyclescope.laws.clustering import (
    MOST,
    Clustered,
    Labels,
    NetTimes,
    Splitting,
    clustered,
    least_error,
)
from cyclescope.stats.partition import best_cut
from cyclescope.stats.summary import Values


class PaperLiteral(Splitting):
    """Splitting until the raw times of every cluster are narrow."""

    name = "paper_literal"
    deviating = "σ of each cluster's times"

    def cluster(self, samples: NetTimes, unit: str) -> Clustered:
        values = samples.cycles
        labels = np.zeros(values.size, dtype=np.intp)
        while (number := int(labels.max()) + 1) < MOST:
            sigmas = np.array([values[labels == one].std() for one in range(number)])
            means = np.array([values[labels == one].mean() for one in range(number)])
            if np.all(sigmas <= np.maximum(samples.resolution, self.threshold * means)):
                break
            own = labels == int(np.argmax(sigmas))
            labels[own & (values > best_cut(values[own]))] = number
            labels = _settled(values, labels)
        laws = [least_error(samples.of(labels == one), unit) for one in range(labels.max() + 1)]
        return clustered(samples, labels, laws)


def _settled(values: Values, labels: Labels) -> Labels:
    """k-means: to the nearest mean, until nothing moves."""
    for _ in range(Splitting.turns):
        means = np.array([values[labels == one].mean() for one in np.unique(labels)])
        now = np.argmin(np.abs(values[:, None] - means), axis=1)
        if np.array_equal(now, labels):
            break
        labels = np.unique(now, return_inverse=True)[1]
    return labels


CLUSTERING = PaperLiteral()
