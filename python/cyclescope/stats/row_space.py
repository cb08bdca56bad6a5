"""The combinations that linear equations determine: their row space, in rational numbers.

Moreno and Fischmeister, section 5.1: blocks that always execute equally often have equal columns,
and only the sum of their times can be estimated. In general a combination c of the unknowns can be
estimated if and only if c lies in the row space of A. The reduced row echelon form is a basis of
it. A row with one entry is an unknown that stands alone, any other a combination that cannot be
split.

It is found modulo primes and lifted to fractions, then proved. That A = A[pivots]·R shows that no
row is missed; the rank modulo a prime shows that none is too many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt, lcm

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Weights = tuple[Fraction, ...]

PRIMES = (2147483647, 2147483629, 2147483587, 2147483579, 2147483563, 2147483549, 2147483543)
"""Primes below 2³¹: a product of two residues fits 64 bits."""


@dataclass(frozen=True)
class RowSpace:
    """The combinations that can be estimated. `A[:, pivots]` times their values is A·T."""

    pivots: tuple[int, ...]
    combinations: tuple[Weights, ...]
    unknowns: int

    @cached_property
    def null_space(self) -> tuple[Weights, ...]:
        """A basis of the changes to the unknowns that no equation notices."""
        return tuple(self._unseen(free) for free in self._free)

    @property
    def _free(self) -> list[int]:
        return [column for column in range(self.unknowns) if column not in self.pivots]

    def _unseen(self, free: int) -> Weights:
        change = [Fraction(0)] * self.unknowns
        change[free] = Fraction(1)
        for pivot, row in zip(self.pivots, self.combinations, strict=True):
            change[pivot] = -row[free]
        return tuple(change)

    def coordinates(self, combination: Sequence[Fraction | int]) -> Weights | None:
        """The combination as a sum of `combinations`; None if it cannot be estimated.

        >>> space = row_space(np.array([[1, 2, 1], [1, 5, 1]]))
        >>> space.combinations == ((1, 0, 1), (0, 1, 0))
        True
        >>> space.coordinates([1, 3, 1]) == (1, 3), space.coordinates([1, 0, 0])
        (True, None)
        """
        own = tuple(Fraction(combination[pivot]) for pivot in self.pivots)
        for free in self._free:
            if combination[free] != sum(
                weight * row[free] for weight, row in zip(own, self.combinations, strict=True)
            ):
                return None
        return own


def row_space(matrix: npt.NDArray[np.integer]) -> RowSpace:
    """Of a matrix of whole numbers, one equation a row."""
    a = np.unique(np.asarray(matrix, dtype=np.int64), axis=0)
    modulus, residues = 1, np.zeros((0, a.shape[1]), dtype=object)
    pivots: tuple[int, ...] = ()
    for prime in PRIMES:
        found, reduced = _reduce(a % prime, prime)
        if len(found) < len(pivots) or (len(found) == len(pivots) and found > pivots):
            continue
        if found != pivots:
            modulus, pivots, residues = 1, found, np.zeros(reduced.shape, dtype=object)
        lift = (reduced - residues) * pow(modulus, -1, prime) % prime
        residues, modulus = residues + lift * modulus, modulus * prime
        rows = _fractions(residues, modulus)
        if rows is not None and _spans(a, pivots, rows):
            return RowSpace(pivots, rows, a.shape[1])
    raise ValueError("the counts are too large for an exact solution: count fewer executions")


def _reduce(matrix: Integers, prime: int) -> tuple[tuple[int, ...], npt.NDArray[np.object_]]:
    """The reduced row echelon form modulo a prime, without its rows of zeros."""
    pivots: list[int] = []
    for column in range(matrix.shape[1]):
        row = len(pivots)
        candidates = np.flatnonzero(matrix[row:, column])
        if candidates.size == 0:
            continue
        chosen = row + int(candidates[0])
        matrix[[row, chosen]] = matrix[[chosen, row]]
        matrix[row] = matrix[row] * pow(int(matrix[row, column]), -1, prime) % prime
        others = np.flatnonzero(matrix[:, column])
        others = others[others != row]
        matrix[others] = (matrix[others] - matrix[others, column, None] * matrix[row]) % prime
        pivots.append(column)
    return tuple(pivots), matrix[: len(pivots)].astype(object)


def _fractions(residues: npt.NDArray[np.object_], modulus: int) -> tuple[Weights, ...] | None:
    known = {value: _fraction(value, modulus) for value in set(residues.ravel().tolist())}
    if None in known.values():
        return None
    return tuple(tuple(known[value] or Fraction(0) for value in row) for row in residues.tolist())


def _fraction(residue: int, modulus: int) -> Fraction | None:
    """Returns the one fraction of that residue with small enough parts (Wang 1981), or None."""
    bound = isqrt(modulus // 2)
    before, after, s, t = modulus, residue, 0, 1
    while after > bound:
        quotient = before // after
        before, after, s, t = after, before - quotient * after, t, s - quotient * t
    return Fraction(after, t) if abs(t) <= bound else None


def _spans(matrix: Integers, pivots: tuple[int, ...], rows: tuple[Weights, ...]) -> bool:
    """Whether every equation is the sum of the rows that its pivot columns name."""
    if not rows:
        return not matrix.any()
    common = lcm(*(entry.denominator for row in rows for entry in row))
    whole = np.array([[int(entry * common) for entry in row] for row in rows], dtype=object)
    largest = max(abs(entry) for entry in whole.ravel().tolist())
    reach = max(int(np.abs(matrix).max()), 1) * max(largest, common) * len(pivots)
    number = np.int64 if reach < 2**62 else object
    left = matrix.astype(number) * common
    return bool(np.array_equal(left, matrix[:, list(pivots)].astype(number) @ whole.astype(number)))
