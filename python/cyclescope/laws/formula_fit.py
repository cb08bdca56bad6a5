"""A formula as a law: answers every query of a law from its summands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cyclescope.laws.exact_law import ExactLaw
from cyclescope.laws.formula import CONSTANT, LINE, PERIODIC, Formula, Term, TermKind, matrix
from cyclescope.laws.model import (
    Check,
    Coefficient,
    ConstantFit,
    Fitted,
    Goodness,
    LinearFit,
    Points,
    Segment,
)
from cyclescope.quantity import Estimate
from cyclescope.stats.summary import Values
from cyclescope.target.case import Domain

ONE = Formula((CONSTANT,), (1.0,))


@dataclass(frozen=True)
class FormulaFit(Fitted):
    """t = the sum of its summands, at every x of its domain."""

    formula: Formula = ONE
    ends: tuple[float, float] = (0.0, 0.0)

    @property
    def model(self) -> str:
        return self.formula.form

    @property
    def domain(self) -> tuple[float, float]:
        return self.ends

    def at(self, x: float) -> float:
        return self.formula.at(x)

    def gradient(self, x: float) -> Values:
        return self.gradients(np.array([x])).ravel()

    def values(self, x: Values) -> Values:
        return self.formula.of(x)

    def gradients(self, x: Values) -> Values:
        return matrix(self.formula.terms, x)


def law_of_formula(
    law: ExactLaw,
    points: Points,
    domain: Domain,
    check: Check,
    unit: str,
) -> Fitted:
    """The law with what the points say about it; a constant and a line are those of the paper."""
    terms, values = law.formula.terms, law.formula.coefficients
    if terms == (CONSTANT, LINE):
        terms, values = (LINE, CONSTANT), values[::-1]
    freedom = int(points.x.size) - law.parameters
    goodness = Goodness.of(points, points.cycles - law.formula.of(points.x), freedom)
    columns = matrix(terms, points.x)
    covariance = np.linalg.pinv(columns.T @ columns) * goodness.sigma**2
    ends = float(domain.first), float(domain.last)
    facts: dict[str, Any] = {
        "coefficients": coefficients(terms, values, unit),
        "covariance": tuple(map(tuple, covariance.tolist())),
        "freedom": freedom,
        "residual_sigma": goodness.sigma,
        "residual_squares": goodness.squares,
        "max_residual": goodness.greatest,
        "r_squared": goodness.r_squared,
        "n": int(points.x.size),
        "sample_sigma": points.sample_sigma,
        "step": domain.step,
        "check": check,
    }
    if terms == (CONSTANT,):
        facts["r_squared"] = None
        return ConstantFit(segments=(Segment(*ends, 0.0, values[0]),), **facts)
    if terms == (LINE, CONSTANT):
        return LinearFit(segments=(Segment(*ends, *values),), **facts)
    return FormulaFit(
        segments=segments(law.formula, domain), formula=law.formula, ends=ends, **facts
    )


def coefficients(
    terms: Sequence[Term], values: Sequence[float], unit: str
) -> tuple[Coefficient, ...]:
    """Each by the name of its term, with what it is counted in."""
    return tuple(
        Coefficient(term.name, Estimate(value, 0.0), f"cycles/{unit}" if term.per_x else "cycles")
        for term, value in zip(terms, values, strict=True)
    )


def segments(formula: Formula, domain: Domain) -> tuple[Segment, ...]:
    """The straight pieces of a formula of steps and knees; a periodic one has none."""
    kinds = {term.kind for term in formula.terms}
    if kinds & {*PERIODIC, TermKind.VALUE}:
        return ()
    places = sorted(
        {term.at for term in formula.terms if term.kind in (TermKind.STEP, TermKind.KNEE)}
    )
    begins = [domain.first, *places]
    ends = [*(at - domain.step for at in places), domain.last]
    return tuple(_piece(formula, begin, end) for begin, end in zip(begins, ends, strict=True))


def _piece(formula: Formula, begin: int, end: int) -> Segment:
    slope = sum(
        c
        for term, c in zip(formula.terms, formula.coefficients, strict=True)
        if term.kind is TermKind.LINE or (term.kind is TermKind.KNEE and term.at <= begin)
    )
    return Segment(float(begin), float(end), slope, formula.at(begin) - slope * begin)


def terms_of(law: Fitted) -> list[dict[str, object]] | None:
    """The terms of a formula with their coefficients, for other programs; None of other laws."""
    if not isinstance(law, FormulaFit):
        return None
    pairs = zip(law.formula.terms, law.formula.coefficients, strict=True)
    return [
        {"kind": term.kind, "at": term.at, "period": term.period, "coefficient": value}
        for term, value in pairs
    ]
