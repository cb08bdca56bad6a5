"""Formula: a time as a sum of a few terms of an integer x, each of which a reader can check.

A constant, x, steps, knees, residues and periodic steps fit code that copies by words and lines,
fills a block and takes the next. The forms of Brandolese and Fornaciari (section 3), constant,
linear and piecewise linear, are such sums too.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from cyclescope.quantity import format_number
from cyclescope.stats.summary import Values


class TermKind(StrEnum):
    """A summand as a function of x."""

    CONSTANT = "constant"
    """1"""
    LINE = "line"
    """x"""
    STEP = "step"
    """1 from x = at on, else 0"""
    KNEE = "knee"
    """x - at from x = at on, else 0"""
    RESIDUE = "residue"
    """1 where x modulo period is at, else 0"""
    STAIRS = "stairs"
    """(x + at) divided by period, rounded down"""
    VALUE = "value"
    """1 at x = at, else 0"""


PERIODIC = (TermKind.RESIDUE, TermKind.STAIRS)


@dataclass(frozen=True)
class Term:
    """One function of x; `at` and `period` mean what its kind says."""

    kind: TermKind
    at: int = 0
    period: int = 0

    def of(self, x: Values) -> Values:
        """Its value at each x, which are integers."""
        if self.kind is TermKind.CONSTANT:
            return np.ones(x.size)
        if self.kind is TermKind.LINE:
            return x
        if self.kind is TermKind.KNEE:
            return np.maximum(x - self.at, 0.0)
        if self.kind is TermKind.STAIRS:
            return np.asarray(np.floor((x + self.at) / self.period), dtype=np.float64)
        if self.kind is TermKind.STEP:
            holds = x >= self.at
        elif self.kind is TermKind.RESIDUE:
            holds = np.mod(x, self.period or 1) == self.at
        else:
            holds = x == self.at
        return holds.astype(np.float64)

    @property
    def name(self) -> str:
        """Returns the name of its coefficient; q and m as in the paper."""
        return {
            TermKind.CONSTANT: "q",
            TermKind.LINE: "m",
            TermKind.STEP: f"step at {self.at}",
            TermKind.KNEE: f"slope from {self.at}",
            TermKind.RESIDUE: f"x mod {self.period} = {self.at}",
            TermKind.STAIRS: f"per {self.period} from {-self.at % (self.period or 1)}",
            TermKind.VALUE: f"x = {self.at}",
        }[self.kind]

    @property
    def factor(self) -> str:
        """Returns the factor of the coefficient, for people."""
        return {
            TermKind.CONSTANT: "",
            TermKind.LINE: "x",
            TermKind.STEP: f"[x ≥ {self.at}]",
            TermKind.KNEE: f"max(x - {self.at}, 0)",
            TermKind.RESIDUE: f"[x mod {self.period} = {self.at}]",
            TermKind.STAIRS: f"⌊{f'(x + {self.at})' if self.at else 'x'} / {self.period}⌋",
            TermKind.VALUE: f"[x = {self.at}]",
        }[self.kind]

    @property
    def per_x(self) -> bool:
        """Whether its coefficient is counted per unit of x."""
        return self.kind in (TermKind.LINE, TermKind.KNEE)


CONSTANT, LINE = Term(TermKind.CONSTANT), Term(TermKind.LINE)


@dataclass(frozen=True)
class Formula:
    """The sum of terms times their coefficients."""

    terms: tuple[Term, ...]
    coefficients: tuple[float, ...]

    def of(self, x: Values) -> Values:
        """The time at each x."""
        parts = zip(self.terms, self.coefficients, strict=True)
        return np.asarray(sum(c * term.of(x) for term, c in parts), dtype=np.float64)

    def at(self, x: float) -> float:
        """The time at one x."""
        return float(self.of(np.array([x]))[0])

    def text(self, decimals: int = 3) -> str:
        """As people write it."""
        if self.terms[0].kind is TermKind.VALUE:
            pairs = zip(self.terms, self.coefficients, strict=True)
            return ", ".join(f"{format_number(c, decimals)} at {term.at}" for term, c in pairs)
        words = ""
        for term, c in zip(self.terms, self.coefficients, strict=True):
            sign = ("-" if c < 0 else "") if not words else (" - " if c < 0 else " + ")
            number = format_number(abs(c), decimals)
            words += f"{sign}{number}{'·' if term.factor else ''}{term.factor}"
        return words

    @property
    def form(self) -> str:
        """Its name in the field."""
        kinds = {term.kind for term in self.terms}
        if TermKind.VALUE in kinds:
            return "enumerated"
        sloped = bool(kinds & {TermKind.LINE, TermKind.KNEE})
        parts = ["piecewise linear" if TermKind.KNEE in kinds else "linear"] if sloped else []
        parts += ["step"] if TermKind.STEP in kinds else []
        parts += ["periodic"] if kinds & set(PERIODIC) else []
        return " + ".join(parts) or "constant"


def matrix(terms: tuple[Term, ...] | list[Term], x: Values) -> Values:
    """A column for each term, a row for each x."""
    return np.stack([term.of(x) for term in terms], axis=1)
