"""The law of several layouts: that of the plain link, whose intervals cover a new link.

Each other layout moves the law's coefficients, told here by the law made linear at its optimum and
by the x that were measured there. How far they lie from the plain link's is what a new link may be
off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from cyclescope.model import Fitted, half_width
from cyclescope.quantity import Estimate
from cyclescope.studies.case_laws import CaseLaws
from cyclescope.study import Measured, net_by_length


def of_new_links(laws: CaseLaws, measured: Sequence[Measured]) -> CaseLaws:
    """The laws of a case with the intervals of a new link, where there are several layouts."""
    cycles_at = {float(one.parameter or 0): _by_layout(one) for one in measured if one.between}
    if laws.law and cycles_at:
        laws = replace(laws, law=of_new_link(laws.law, cycles_at))
    if laws.load_law and cycles_at:
        laws = replace(laws, load_law=of_new_link(laws.load_law, net_by_length(measured[0])))
    return laws


def _by_layout(one: Measured) -> dict[float, float]:
    return {run.layout_number: run.net.estimate.value for run in one.runs}


def of_new_link(law: Fitted, cycles_at: Mapping[float, Mapping[float, float]]) -> Fitted:
    """The law with the mean square by which layouts lie off the first, on the smaller degrees of
    freedom of the two. `cycles_at` has, for each x, the time in each layout."""
    first, *others = sorted(set.intersection(*map(set, cycles_at.values())))
    if not others:
        return law
    off = np.array([[there[one] - there[first] for there in cycles_at.values()] for one in others])
    gradients = np.stack([law.gradient(x) for x in cycles_at])
    shifts = off @ np.linalg.pinv(gradients).T
    covariance = np.array(law.covariance) + shifts.T @ shifts / len(others)
    freedom = min(law.freedom, len(others))
    return replace(
        law,
        coefficients=tuple(
            replace(one, estimate=Estimate(one.estimate.value, half_width(variance, freedom)))
            for one, variance in zip(law.coefficients, np.diag(covariance).tolist(), strict=True)
        ),
        covariance=tuple(map(tuple, covariance.tolist())),
        freedom=freedom,
    )
