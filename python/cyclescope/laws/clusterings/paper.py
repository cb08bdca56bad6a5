"""The paper's procedure, with σ of the residuals (Brandolese and Fornaciari, section 4.2).

One cluster at first; while the deviation of any is above the threshold, one more; each then has a
constant or a line, whichever errs less on average. The deviation is that of the samples about their
cluster's model: raw, every line would be split. The paper does not say how samples come into
clusters. Here each goes to the nearest of the models, alternating with fitting them (Späth, 1979).
It begins by dividing the cluster of greatest deviation where its residuals divide best in two.
"""

from collections.abc import Sequence

import numpy as np

from cyclescope.laws.clustering import (
    MOST,
    Clustered,
    Labels,
    NetTimes,
    Splitting,
    clustered,
    least_error,
    nearest,
    residual_sigma,
    times,
)
from cyclescope.laws.model import Fitted
from cyclescope.stats.partition import best_cut


class Paper(Splitting):
    """Splitting until every cluster is narrow."""

    name = "paper"
    deviating = "σ about each cluster's model"

    def cluster(self, samples: NetTimes, unit: str) -> Clustered:
        labels = np.zeros(samples.cycles.size, dtype=np.intp)
        laws = [least_error(samples, unit)]
        while len(laws) < MOST and not all(self._narrow(samples, labels, laws)):
            split = _split(samples, labels, laws)
            if split is None:
                break
            labels, settled = _settled(samples, split, unit)
            if len(settled) <= len(laws):
                return clustered(samples, labels, settled)
            laws = settled
        return clustered(samples, labels, laws)

    def _narrow(self, samples: NetTimes, labels: Labels, laws: Sequence[Fitted]) -> list[bool]:
        own = [samples.of(labels == one) for one in range(len(laws))]
        return [
            residual_sigma(law, part)
            <= max(samples.resolution, self.threshold * float(part.cycles.mean()))
            for law, part in zip(laws, own, strict=True)
        ]


def _split(samples: NetTimes, labels: Labels, laws: Sequence[Fitted]) -> Labels | None:
    """Parts the cluster of greatest deviation in two; None if its samples do not deviate."""
    sigmas = [residual_sigma(law, samples.of(labels == one)) for one, law in enumerate(laws)]
    widest = int(np.argmax(sigmas))
    own = labels == widest
    residuals = samples.cycles[own] - times(laws[widest], samples.x[own])
    if residuals.min() == residuals.max():
        return None
    found = labels.copy()
    found[np.flatnonzero(own)[residuals > best_cut(residuals)]] = len(laws)
    return found


def _settled(samples: NetTimes, labels: Labels, unit: str) -> tuple[Labels, list[Fitted]]:
    """Fits and assigns until nothing moves; a cluster that loses all its samples goes."""
    for _ in range(Splitting.turns):
        laws = [least_error(samples.of(labels == one), unit) for one in range(labels.max() + 1)]
        now = np.unique(nearest(samples, laws), return_inverse=True)[1]
        if np.array_equal(now, labels):
            break
        labels = now
    return labels, [least_error(samples.of(labels == one), unit) for one in np.unique(labels)]


CLUSTERING = Paper()
