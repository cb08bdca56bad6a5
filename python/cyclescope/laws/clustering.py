"""Clustering: divides the samples of a case into groups that have a law of their own.

Brandolese and Fornaciari, section 4.2: one cluster while one law describes everything, more where
something that is no parameter makes the times differ.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from cyclescope import plugins
from cyclescope.laws.model import POINTS_EACH, Fitted, Points, all_models, choose, constant_of
from cyclescope.quantity import format_share
from cyclescope.stats.summary import Values, summarise, tail_of_f

MOST = 8
"""Clusters, at most: more is no enumeration."""

Labels = npt.NDArray[np.intp]


@dataclass(frozen=True)
class NetTimes:
    """Single net times at their x, in the order of measurement; x is 0 without a parameter."""

    x: Values
    cycles: Values
    resolution: float = 1.0

    @property
    def swept(self) -> bool:
        """Whether there is more than one x."""
        return bool(self.x.min() < self.x.max())

    def of(self, chosen: npt.NDArray[np.bool_]) -> "NetTimes":
        """The chosen ones of them."""
        return NetTimes(self.x[chosen], self.cycles[chosen], self.resolution)


@dataclass(frozen=True)
class Cluster:
    """Samples with one law; `sigma` is of the samples about it, `share` of all samples."""

    law: Fitted
    n: int
    share: float
    sigma: float


@dataclass(frozen=True)
class Clustered:
    """The clusters by rising time, and the cluster of each sample; -1 belongs to none."""

    clusters: tuple[Cluster, ...]
    labels: Labels

    @property
    def apart(self) -> int:
        """Samples that belong to no cluster."""
        return int(np.sum(self.labels < 0))


class Clustering(ABC):
    """A way to find clusters. A plugin in `clusterings/` offers one instance named `CLUSTERING`."""

    name: str
    sentence: str

    @abstractmethod
    def cluster(self, samples: NetTimes, unit: str) -> Clustered:
        """Clusters with their laws; at least one."""

    def law_of(self, samples: NetTimes, unit: str) -> Fitted:
        """The law of a case whose samples are one cluster, if there are enough points for each of
        its coefficients."""
        return law_of(samples, unit, POINTS_EACH)


class Splitting(Clustering):
    """The paper's procedure (section 4.2): one cluster more while `deviating` is above a threshold.

    The threshold is a share of the mean time, and no less than one count of the timer.
    """

    deviating: str
    turns = 20
    """Of assigning samples to clusters, at most."""

    def law_of(self, samples: NetTimes, unit: str) -> Fitted:
        return least_error(samples, unit)

    def __init__(self, threshold: float = 0.02) -> None:
        self.threshold = threshold
        self.sentence = (
            f"one cluster more until {self.deviating} is at most {format_share(threshold)} of its "
            "mean; then constant or linear by least average error"
        )


@cache
def find(name: str) -> Clustering:
    """The clustering of that name."""
    found: Clustering = plugins.load("cyclescope.laws.clusterings", name).CLUSTERING
    return found


def points_of(samples: NetTimes) -> Points:
    """The mean at each x, and how far single samples lie from it."""
    places, where = np.unique(samples.x, return_inverse=True)
    parts = [summarise(samples.cycles[where == at]) for at in range(places.size)]
    sigma = float(np.sqrt(np.mean([part.sigma**2 for part in parts])))
    return Points(places, np.array([part.mean for part in parts]), samples.resolution, sigma)


def law_of(samples: NetTimes, unit: str, points_each: int = 1) -> Fitted:
    """The law of one cluster: over the means at each x, or the constant of samples at one x."""
    points = points_of(samples)
    if samples.swept:
        return judged(choose(points, unit, points_each=points_each), samples)
    summary = summarise(samples.cycles)
    return constant_of(summary.estimate, summary.n, summary.sigma)


def judged(law: Fitted, samples: NetTimes) -> Fitted:
    """The law with its lack of fit: how likely samples that follow it lie so far off in the mean.

    F-test of the means' deviation against the samples' own (Fisher, 1922), which counts for no less
    than rounding to whole timer counts leaves. On a deterministic board samples repeat, and any
    structure in the residuals shows.
    """
    places, where = np.unique(samples.x, return_inverse=True)
    n = np.bincount(where)
    means = np.bincount(where, samples.cycles) / n
    within = samples.cycles.size - places.size
    freedom = places.size - law.parameters
    if freedom < 1 or within < 1:
        return law
    pure = float(np.sum((samples.cycles - means[where]) ** 2)) / within
    lack = float(np.sum(n * (means - times(law, places)) ** 2)) / freedom
    ratio = lack / max(pure, samples.resolution**2 / 12)
    return replace(law, lack_of_fit=tail_of_f(ratio, freedom, within))


def least_error(samples: NetTimes, unit: str) -> Fitted:
    """The paper's choice (section 4.2, step 3): the constant, or the line if it errs less."""
    points = points_of(samples)
    models = all_models()[: 1 if points.x.size < 3 else 2]
    laws: list[Fitted] = [model.fit(points, unit) for model in models]
    return min(laws, key=lambda law: float(np.mean(np.abs(samples.cycles - times(law, samples.x)))))


def times(law: Fitted, x: Values) -> Values:
    """Returns the law's time at each x."""
    places, where = np.unique(x, return_inverse=True)
    return np.array([law.at(float(one)) for one in places])[where]


def residual_sigma(law: Fitted, samples: NetTimes) -> float:
    """Root mean square of the samples about their law."""
    return float(np.sqrt(np.mean((samples.cycles - times(law, samples.x)) ** 2)))


def clustered(samples: NetTimes, labels: Labels, laws: Sequence[Fitted]) -> Clustered:
    """Clusters by rising time in the middle of their samples."""
    middles = [float(np.mean(samples.cycles[labels == one])) for one in range(len(laws))]
    order = np.argsort(middles)
    rank = np.full(len(laws) + 1, -1)
    rank[order] = np.arange(len(laws))
    found = []
    for one in order:
        own = samples.of(labels == one)
        share = own.cycles.size / samples.cycles.size
        found.append(Cluster(laws[one], own.cycles.size, share, residual_sigma(laws[one], own)))
    return Clustered(tuple(found), rank[labels])


def together(samples: NetTimes, unit: str) -> Clustered:
    """All samples in one cluster, whatever makes them differ."""
    return clustered(samples, np.zeros(samples.cycles.size, dtype=np.intp), [law_of(samples, unit)])


def nearest(samples: NetTimes, laws: Sequence[Fitted]) -> Labels:
    """The law that each sample lies nearest to."""
    off = [np.abs(samples.cycles - times(law, samples.x)) for law in laws]
    return np.asarray(np.argmin(off, axis=0))
