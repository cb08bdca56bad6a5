"""The law of several layouts: its intervals cover what the place of the code moves.

A law goes through the means over the layouts. Each layout taken alone has coefficients of its own,
told here by the law made linear at its optimum; how these differ is what the means do not show.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from cyclescope.clustering import Cluster, Clustered
from cyclescope.model import Fitted, half_width
from cyclescope.quantity import Estimate
from cyclescope.studies.case_samples import CaseSamples


def over_layouts(law: Fitted, cycles_at: Mapping[float, Mapping[float, float]]) -> Fitted:
    """The law with the layouts as replicates, on the smaller degrees of freedom of the two.

    `cycles_at` has, for each x, the time in each layout.
    """
    layouts = sorted(set.intersection(*map(set, cycles_at.values())))
    if len(layouts) < 2:
        return law
    cycles = np.array([[there[layout] for there in cycles_at.values()] for layout in layouts])
    gradients = np.stack([law.gradient(x) for x in cycles_at])
    shifts = (cycles - cycles.mean(axis=0)) @ np.linalg.pinv(gradients).T
    between = shifts.T @ shifts / (len(layouts) - 1)
    covariance = np.array(law.covariance) + between / len(layouts)
    freedom = min(law.freedom, len(layouts) - 1)
    return replace(
        law,
        coefficients=tuple(
            replace(one, estimate=Estimate(one.estimate.value, half_width(variance, freedom)))
            for one, variance in zip(law.coefficients, np.diag(covariance).tolist(), strict=True)
        ),
        covariance=tuple(map(tuple, covariance.tolist())),
        between_layouts=tuple(map(tuple, between.tolist())),
        freedom=freedom,
    )


def clusters_over_layouts(found: Clustered, samples: CaseSamples) -> tuple[Cluster, ...]:
    """The clusters, whose laws have the layouts in which they were seen at every x of their own."""
    return tuple(
        replace(one, law=over_layouts(one.law, cycles_at(samples.of(found.labels == number))))
        for number, one in enumerate(found.clusters)
    )


def cycles_at(samples: CaseSamples) -> dict[float, dict[float, float]]:
    """The mean of the samples at each x in each layout."""
    places = np.stack([samples.x, samples.layout], axis=1)
    groups, where = np.unique(places, axis=0, return_inverse=True)
    means = np.bincount(where.ravel(), samples.own) / np.bincount(where.ravel())
    found: dict[float, dict[float, float]] = {}
    for (x, layout), mean in zip(groups.tolist(), means.tolist(), strict=True):
        found.setdefault(x, {})[layout] = mean
    return found
