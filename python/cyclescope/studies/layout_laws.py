"""The law of several layouts: that of the plain link, whose intervals cover a new link.

Each other layout moves the law's coefficients, told here by the law made linear at its optimum and
by the x that were measured there. How far they lie from the plain link's is what a new link may be
off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from cyclescope.formula import CONSTANT, LINE, Kind
from cyclescope.formula_fit import FormulaFit
from cyclescope.model import Fitted, half_width
from cyclescope.quantity import Estimate
from cyclescope.stats.summary import Values
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
    ways = _ways(law)
    gradients = np.stack([law.gradient(x) for x in cycles_at]) @ ways
    shifts = off @ np.linalg.pinv(gradients).T @ ways.T
    covariance = np.array(law.covariance) + shifts.T @ shifts / len(others)
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


def _ways(law: Fitted) -> Values:
    """The ways in which a layout moves the coefficients, one in each column: a formula by a line,
    whose terms are more than the x that were measured in every layout; other laws by each of them.
    """
    if not isinstance(law, FormulaFit):
        return np.eye(law.parameters)
    terms = law.formula.terms
    if all(term.kind is Kind.VALUE for term in terms):
        return np.array([[1.0, term.at] for term in terms])
    lines = [place for place, term in enumerate(terms) if term in (CONSTANT, LINE)]
    return np.eye(len(terms))[:, lines] if lines else np.eye(len(terms))
