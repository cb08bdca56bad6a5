"""The law of several layouts: its intervals cover what the place of the code moves.

A law goes through the means over the layouts. Each layout taken alone has coefficients of its own,
told here by the law made linear at its optimum; how these differ is what the means do not show.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cyclescope.model import Fitted, half_width
from cyclescope.quantity import Estimate
from cyclescope.study import Measured


def over_layouts(law: Fitted, measured: Sequence[Measured]) -> Fitted:
    """The law with the layouts as replicates, on the smaller degrees of freedom of the two."""
    nets = [
        {run.layout_offset_bytes: run.net.estimate.value for run in one.runs} for one in measured
    ]
    layouts = sorted(set.intersection(*map(set, nets)))
    if len(layouts) < 2:
        return law
    cycles = np.array([[net[layout] for net in nets] for layout in layouts])
    gradients = np.stack([law.gradient(float(one.parameter or 0)) for one in measured])
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
