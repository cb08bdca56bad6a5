"""The law of several layouts: that of the plain link, whose intervals cover a new link.

Each other layout moves the law's coefficients, found here by the law made linear at its optimum and
by the x that were measured there. A new link may be off by as much as these lie from the plain
link's. Any part of that which no coefficient follows may be there at any x, and is the constant's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from cyclescope.laws.formula_fit import FormulaFit
from cyclescope.laws.model import Fitted, half_width
from cyclescope.quantity import Estimate
from cyclescope.stats.summary import Values
from cyclescope.studies.characterize.findings import CaseLaws
from cyclescope.studies.characterize.run_figures import Measured, net_by_length


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
    gradients, (level, ways) = np.stack([law.gradient(x) for x in cycles_at]), _ways(law)
    along = off @ np.linalg.pinv(gradients @ ways).T
    shifts = along @ ways.T
    left = off - along @ (gradients @ ways).T
    spare = len(cycles_at) - np.linalg.matrix_rank(gradients @ ways)
    squares = float((left**2).sum()) / len(others) / spare if spare else 0.0
    covariance = np.array(law.covariance) + shifts.T @ shifts / len(others)
    covariance += squares * np.outer(level, level)
    freedom = min(law.freedom or len(others), len(others))
    return replace(
        law,
        coefficients=tuple(
            replace(one, estimate=Estimate(one.estimate.value, half_width(variance, freedom)))
            for one, variance in zip(law.coefficients, np.diag(covariance).tolist(), strict=True)
        ),
        covariance=tuple(map(tuple, covariance.tolist())),
        freedom=freedom,
    )


def _ways(law: Fitted) -> tuple[Values, Values]:
    """How the coefficients move with what is the same at every x. And, in columns, all the ways in
    which a layout moves them. A formula is moved by the combination of its summands nearest a
    constant and a line. It has more summands than x that were measured in every layout. Other laws
    are moved by each coefficient."""
    x = np.arange(law.domain[0], law.domain[1] + 1, law.step, dtype=np.float64)
    terms = law.gradients(x)
    lines = np.column_stack([np.ones(x.size), x])
    nearest: Values = np.asarray(np.linalg.pinv(terms) @ lines, dtype=np.float64)
    each: Values = np.eye(law.parameters)
    return nearest[:, 0], nearest if isinstance(law, FormulaFit) else each
