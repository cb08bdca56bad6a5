"""The law of a case that was swept: fitted to some of its x, held against others of no fit.

It is about the image that was swept, the plain link; what another link may be off: layout_laws.py.
"""

from collections.abc import Sequence

import numpy as np

from cyclescope.laws import exact_law
from cyclescope.laws.exact_law import ExactLaw
from cyclescope.laws.formula import Formula, Term, TermKind
from cyclescope.laws.formula_fit import law_of_formula
from cyclescope.laws.model import Check, Fitted, Points
from cyclescope.quantity import format_number, format_share
from cyclescope.results import Sweep
from cyclescope.stats.summary import Values
from cyclescope.studies.characterize.run_figures import Measured
from cyclescope.target.case import Case, Domain

ENUMERATED = 16
"""Domains of so few x are enumerated where no law describes them: every x was measured."""

TOLERANCE = exact_law.TOLERANCES[-1][0]
"""The share of the time by which a law may be off the means of whole series."""

Verdict = tuple[Fitted | None, str | None]
"""The law, or why there is none."""


def law_of_sweep(
    case: Case, sweep: Sweep, measured: Sequence[Measured], sample_sigma: float
) -> Verdict:
    """The law of the case, judged by the points held out of its fit and by whole series."""
    x, cycles = sweep.points(held_out=False)
    held_x, held_cycles = sweep.points(held_out=True)
    tried = exact_law.fit(x, cycles)
    domain = _domain(case, x, held_x)
    law = tried.law
    if law is None and domain.size == x.size <= ENUMERATED:
        law = _enumerated(x, cycles)
    if law is None:
        return None, _no_form(tried, x, cycles)
    off = law.off(held_x, held_cycles)
    if not law.holds(held_x, held_cycles):
        return None, _wrong_between(law, held_x, held_cycles)
    check = Check(int(x.size), int(held_x.size), float(off.max(initial=0.0)), law.tolerance)
    points = Points(x, cycles, sample_sigma=sample_sigma)
    unit = case.parameter.unit if case.parameter else ""
    fitted = law_of_formula(law, points, domain, check, unit)
    if wrong := _off_series(fitted, measured):
        return None, wrong
    return fitted, None


def _domain(case: Case, x: Values, held_x: Values) -> Domain:
    """The domain, as far as it fitted in memory."""
    assert case.parameter is not None
    last = max(float(x.max()), float(held_x.max(initial=0.0)))
    return case.parameter.domain.model_copy(update={"last": int(last)})


def _enumerated(x: Values, cycles: Values) -> ExactLaw:
    terms = tuple(Term(TermKind.VALUE, int(one)) for one in x)
    return ExactLaw(Formula(terms, tuple(cycles.tolist())), exact_law.EXACT, 0.0)


def _no_form(tried: exact_law.Attempt, x: Values, cycles: Values) -> str:
    measured = float(cycles[int(np.flatnonzero(x == tried.worst_x)[0])])
    return (
        f"no sum of steps, lines and periods with a parameter for every three of its {x.size} "
        f"points describes it. The best is off by {format_share(tried.worst, 1)} of "
        f"{format_number(measured)} cycles at x = {tried.worst_x}. The limit is "
        f"{format_share(TOLERANCE)}"
    )


def _wrong_between(law: ExactLaw, x: Values, cycles: Values) -> str:
    worst = int(np.argmax(law.off(x, cycles)))
    said = float(law.formula.of(x)[worst])
    return (
        f"the best law, {law.formula.form}, is wrong between its points: at x = "
        f"{format_number(float(x[worst]))}, of no fit, it says {format_number(said)} and "
        f"{format_number(float(cycles[worst]))} cycles were measured"
    )


def _off_series(law: Fitted, measured: Sequence[Measured]) -> str | None:
    """A sentence about a mean of whole series that the law is too far off, if there is one."""
    for one in measured:
        if one.parameter is None or one.parameter > law.domain[1]:
            continue
        mean, said = one.net.estimate.value, law.at(one.parameter)
        if abs(said - mean) > TOLERANCE * abs(mean):
            return (
                f"the law of single calls, {law.model}, says {format_number(said)} at x = "
                f"{one.parameter}, and whole series have a mean of {format_number(mean)} cycles"
            )
    return None
