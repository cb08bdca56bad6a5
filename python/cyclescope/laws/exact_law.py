"""The law of exact times: a sum of few terms that is as far off as it says, at most, at every x.

A board that repeats itself to the cycle has no scatter. So a difference from the law is an
error of the law, and the tolerance decides. From the strictest tolerance down, the first law with
few enough parameters is taken: at most one for three of the points that it was fitted to.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np

from cyclescope.laws.formula import CONSTANT, LINE, Formula, Term, TermKind, matrix
from cyclescope.stats.pursuit import Pursued, pursue
from cyclescope.stats.summary import Values

PERIODS = (2, 4, 8, 16)
"""Of residues: of x by words, and by the bursts in which blocks are copied."""

RISES = (2, 4, 8, 16, 32, 64, 128, 256)
"""Periods of periodic steps: words, bursts, lines, caches and blocks."""

EXACT = 1e-7
TOLERANCES = ((EXACT, 20), (0.0025, 16), (0.01, 48))
"""How far off, as a share of the time, at most, and how many parameters a law of that may have."""

ROUND = 9
"""Decimals of coefficients of exact laws; beyond lies the rounding of the arithmetic."""

COSTS = {TermKind.KNEE: 2, TermKind.STAIRS: 2}
"""Parameters of a term: its coefficient and, where that was fitted too, its place. The place of a
step was measured: the x on both sides of it are among the points."""


@dataclass(frozen=True)
class ExactLaw:
    """A formula and the share of the time that it may be off; `worst` is what it is off."""

    formula: Formula
    tolerance: float
    worst: float

    @property
    def parameters(self) -> int:
        """Numbers that were chosen to fit."""
        return sum(COSTS.get(term.kind, 1) for term in self.formula.terms)

    def off(self, x: Values, cycles: Values) -> Values:
        """By what share of each time it is off there."""
        return np.abs(self.formula.of(x) - cycles) / np.maximum(np.abs(cycles), EXACT)

    def holds(self, x: Values, cycles: Values) -> bool:
        """Whether it is off by no more than it may at any of these."""
        return bool(np.all(self.off(x, cycles) <= self.tolerance))


@dataclass(frozen=True)
class Attempt:
    """The law that was found, or None, and the summands of the best candidate, with its error."""

    law: ExactLaw | None
    best: Formula
    worst: float
    worst_x: int


def fit(x: Values, cycles: Values) -> Attempt:
    """The law through the points, by the strictest tolerance that few enough summands meet."""
    terms = dictionary(x)
    columns = matrix(terms, x)
    weights = 1.0 / np.maximum(np.abs(cycles), EXACT)
    costs = np.array([COSTS.get(term.kind, 1) for term in terms])
    allowed = [(tolerance, min(most, x.size // 3)) for tolerance, most in TOLERANCES]
    found, tolerance = pursue(columns * weights[:, None], cycles * weights, allowed, costs)
    formula = _formula(terms, found)
    law = None if tolerance is None else ExactLaw(formula, tolerance, found.worst)
    return Attempt(law, formula, *_worst(x, found))


def _formula(terms: Sequence[Term], found: Pursued) -> Formula:
    pairs = sorted(
        zip(found.columns, found.coefficients.tolist(), strict=True), key=lambda pair: pair[0]
    )
    return Formula(
        tuple(terms[column] for column, _ in pairs),
        tuple(round(value, ROUND) for _, value in pairs),
    )


def _worst(x: Values, found: Pursued) -> tuple[float, int]:
    return found.worst, int(x[int(np.argmax(np.abs(found.residuals)))])


def dictionary(x: Values) -> list[Term]:
    """Summands that points at these x distinguish, the constant first. Periods are counted in
    steps of the lattice on which the x lie."""
    low, *others = (int(one) for one in x)
    span = others[-1] - low if others else 0
    step = gcd(*(one - low for one in others)) or 1
    return [
        CONSTANT,
        *([LINE] if others else []),
        *(Term(TermKind.KNEE, at) for at in others[:-1]),
        *(Term(TermKind.STEP, at) for at in others),
        *(
            Term(TermKind.RESIDUE, low % step + at, period * step)
            for period in PERIODS
            if span >= 2 * period * step
            for at in range(0, period * step, step)
        ),
        *(
            Term(TermKind.STAIRS, (at - low) % (period * step), period * step)
            for period in RISES
            if span >= 3 * period * step
            for at in range(0, period * step, step)
        ),
    ]
