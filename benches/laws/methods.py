"""The methods that are compared: the lab's, the paper's, and what the libraries offer."""

import ckwrap
import jenkspy
import numpy as np
import ruptures

from cyclescope.laws import clustering
from cyclescope.laws.clustering import MOST, Clustered, Clustering, Labels, NetTimes
from cyclescope.laws.clusterings.paper import Paper
from cyclescope.laws.clusterings.paper_literal import PaperLiteral
from cyclescope.laws.clusterings.peaks import Peaks
from cyclescope.laws.model import CannotFit, Fitted, Points, all_models
from cyclescope.laws.models.piecewise import Piecewise
from cyclescope.stats.summary import Values

FIT = 0.99
"""Share of the variation that natural breaks must explain, where nothing else says how many."""


def by_ckmeans(values: Values, resolution: float) -> Labels:
    """Exact k-means, the number by the library's own BIC."""
    most = min(MOST, np.unique(values).size)
    return np.asarray(ckwrap.ckmeans(values, (1, most)).labels, dtype=np.intp)


def by_natural_breaks(values: Values, resolution: float) -> Labels:
    """Exact k-means, the number by how much of the variation is explained."""
    total = float(np.sum((values - values.mean()) ** 2))
    most = min(MOST, np.unique(values).size)
    labels = np.zeros(values.size, dtype=np.intp)
    for number in range(1, most + 1):
        if number > 1:
            breaks = jenkspy.jenks_breaks(values, number)
            labels = np.searchsorted(np.array(breaks[1:-1]), values, side="left")
        within = sum(
            float(np.sum((own - own.mean()) ** 2))
            for one in np.unique(labels)
            if (own := values[labels == one]).size
        )
        if total == 0 or within <= max((1 - FIT) * total, values.size * resolution**2):
            break
    return np.unique(labels, return_inverse=True)[1]


def by_score(points: Points, unit: str, name: str, most: int = 6) -> Fitted:
    """The law of least BIC or AICc with so many coefficients; σ is no less than rounding leaves."""
    n, laws = points.x.size, []
    for model in all_models():
        if model.parameters == 1 or (model.parameters <= most and n > model.parameters):
            try:
                laws.append(model.fit(points, unit))
            except CannotFit:
                continue

    def score(law: Fitted) -> float:
        squares = max(law.residual_squares, n * points.resolution**2 / 12)
        k = law.parameters + 1
        if name == "BIC":
            return float(n * np.log(squares / n) + k * np.log(n))
        spare = n - k - 1
        return float(n * np.log(squares / n) + 2 * k * n / spare) if spare > 0 else np.inf

    return min(laws, key=score)


class Scored(Peaks):
    """The default with another criterion for the form."""

    def __init__(self, name: str) -> None:
        def law(samples: NetTimes, unit: str) -> Fitted:
            if not samples.swept:
                return clustering.law_of(samples, unit)
            return by_score(clustering.points_of(samples), unit, name)

        super().__init__(law=law)


class ChangePoints(Clustering):
    """Lines between change points of the means over x (ruptures), their number by BIC.

    The library's pieces do not meet; the lab's law with as many pieces stands for them. There is
    one cluster: the library separates no others.
    """

    name, sentence = "ruptures", ""

    def cluster(self, samples: NetTimes, unit: str) -> Clustered:
        labels = np.zeros(samples.cycles.size, dtype=np.intp)
        if not samples.swept:
            return clustering.clustered(samples, labels, [clustering.law_of(samples, unit)])
        points = clustering.points_of(samples)
        return clustering.clustered(samples, labels, [self._law(points, unit)])

    def _law(self, points: Points, unit: str) -> Fitted:
        x, t = points.x, points.cycles
        n = x.size
        signal = np.stack([t, x, np.ones(n)], axis=1)
        algorithm = ruptures.Dynp(model="linear", min_size=2, jump=1).fit(signal)
        best, pieces = np.inf, 1
        for changes in range(3):
            ends = algorithm.predict(n_bkps=changes) if changes else [n]
            squares = max(algorithm.cost.sum_of_costs(ends), n * points.resolution**2 / 12)
            score = n * np.log(squares / n) + (3 * changes + 3) * np.log(n)
            if score < best:
                best, pieces = score, changes + 1
        if pieces == 1:
            return by_score(points, unit, "BIC", most=2)
        return Piecewise(pieces - 1).fit(points, unit)


METHODS: dict[str, Clustering] = {
    "peaks (default)": Peaks(),
    "peaks, BIC": Scored("BIC"),
    "peaks, AICc": Scored("AICc"),
    "paper, 1 %": Paper(0.01),
    "paper, 2 %": Paper(0.02),
    "paper, 5 %": Paper(0.05),
    "paper, 10 %": Paper(0.1),
    "paper_literal, 2 %": PaperLiteral(0.02),
    "paper_literal, 5 %": PaperLiteral(0.05),
    "paper_literal, 10 %": PaperLiteral(0.1),
    "ckmeans (ckwrap)": Peaks(parts=by_ckmeans),
    "natural breaks (jenkspy)": Peaks(parts=by_natural_breaks),
    "change points (ruptures)": ChangePoints(),
}
