"""Exploration: where a case is measured next, as long as prediction and measurement part.

It begins with the design (design.py). It divides every gap between neighbours across which the time
moves otherwise than by its slope. Then it fits a law, and compares it with points that no fit has
seen. Where these part from it, more is measured and the law fitted again.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from random import Random

import numpy as np

from cyclescope.laws import exact_law
from cyclescope.laws.exact_law import Attempt, ExactLaw
from cyclescope.laws.formula import Formula, TermKind
from cyclescope.stats.summary import Values
from cyclescope.target import design
from cyclescope.target.case import Domain

MOST = 256
"""Points that a law is fitted to, at most."""

FRESH = 48
"""Points at least that a law is held against, as far as the domain has them."""

FRESH_AGAIN = 16
"""New ones at least for each law."""

FRESH_EACH = 6
"""Least points for each summand: more summands leave more to be wrong."""

EDGES = 32
"""Most points, besides, where steps of the law rise."""

GAPS = 4
"""One of so many of them lies in the middle of a gap."""

REFILLS = 24
"""Widest gaps that are divided where no law is found."""

SLACK = 0.015
"""Of the time: a gap across which it moves by so much more than its slope is divided."""

JITTER = 1.2
"""A gap may show so many times what times vary by within a window of neighbours."""

Measure = Callable[[Iterable[int]], dict[int, float]]
"""The times at these x."""


@dataclass(frozen=True)
class Explored:
    """The points of the fit and those held out of it, in order."""

    fitted: tuple[int, ...]
    held_out: tuple[int, ...]


def explore(domain: Domain, measure: Measure, seed: int) -> Explored:
    """Measures until fresh points find nothing against the law, or there are enough points.

    Nothing but the times and the seed decides what is measured: the same board is explored alike.
    """
    return _Explorer(domain, measure, seed).run()


class _Explorer:
    def __init__(self, domain: Domain, measure: Measure, seed: int) -> None:
        self._domain, self._measure = domain, measure
        self._random = Random(seed)
        self._cycles: dict[int, float] = {}
        self._fitted: set[int] = set()
        self._held_out: set[int] = set()

    def run(self) -> Explored:
        self._take(design.starting(self._domain))
        while True:
            self._divide()
            tried = exact_law.fit(*self._points(self._fitted))
            if more := self._unlocated(tried):
                self._take(more)
            elif tried.law is None:
                if not self._refill():
                    return self._explored()
            else:
                self._hold_out(tried.law.formula)
                wrong = self._wrong(tried.law)
                if not wrong or self._full:
                    return self._explored()
                self._take({x + side for x in wrong for side in self._sides()})

    @property
    def _full(self) -> bool:
        return len(self._fitted) >= min(MOST, self._domain.size)

    def _explored(self) -> Explored:
        return Explored(tuple(sorted(self._fitted)), tuple(sorted(self._held_out)))

    def _sides(self) -> tuple[int, int, int]:
        return (-self._domain.step, 0, self._domain.step)

    def _know(self, wanted: Iterable[int]) -> None:
        new = sorted(x for x in wanted if x not in self._cycles)
        if new:
            self._cycles.update(self._measure(new))

    def _take(self, wanted: Iterable[int]) -> None:
        """Adds points to those of the fit."""
        inside = {x for x in wanted if self._domain.takes(x)}
        self._know(inside)
        self._fitted |= inside
        self._held_out -= inside

    def _points(self, wanted: Iterable[int]) -> tuple[Values, Values]:
        x = sorted(wanted)
        return np.array(x, dtype=np.float64), np.array([self._cycles[one] for one in x])

    def _divide(self) -> None:
        """Divides gaps until the time moves by its slope across each, or two x are neighbours."""
        while not self._full:
            x, cycles = self._points(self._fitted)
            gaps, moved = np.diff(x), np.diff(cycles)
            neighbours = gaps == self._domain.step
            off = np.abs(moved - self._slope() * gaps)
            allowed = np.minimum(np.abs(cycles[1:]), np.abs(cycles[:-1])) * SLACK
            wide = ~neighbours & (off > np.maximum(allowed, JITTER * self._jitter()))
            if not wide.any():
                return
            self._take([self._middle(x[at], x[at + 1]) for at in np.flatnonzero(wide)])

    def _slope(self) -> float:
        """Cycles per unit of x: the median over x that differ by one window."""
        apart = (design.WINDOW - 1) * self._domain.step
        slopes = [
            (self._cycles[x + apart] - self._cycles[x]) / apart
            for x in self._fitted
            if x + apart in self._fitted
        ]
        return float(np.median(slopes)) if slopes else 0.0

    def _jitter(self) -> float:
        """Variation of times within a window beside their slope: the median over the windows."""
        slope, found = self._slope(), []
        for window in design.windows(self._domain):
            cycles = [self._cycles[x] - slope * x for x in window if x in self._cycles]
            found.append(max(cycles, default=0.0) - min(cycles, default=0.0))
        return float(np.median(found))

    def _middle(self, low: float, high: float) -> int:
        steps = (int(high) - int(low)) // self._domain.step
        return int(low) + steps // 2 * self._domain.step

    def _unlocated(self, tried: Attempt) -> set[int]:
        """The middles of gaps in which a step of the best law lies somewhere."""
        if self._full:
            return set()
        x = sorted(self._fitted)
        before = dict(zip(x[1:], x, strict=False))
        places = [term.at for term in tried.best.terms if term.kind is TermKind.STEP]
        return {
            self._middle(before[at], at) for at in places if at - before[at] > self._domain.step
        }

    def _refill(self) -> bool:
        """Divides the widest gaps; false if there is nothing left to measure, or enough is."""
        if self._full:
            return False
        self._take(self._middles(REFILLS))
        return True

    def _middles(self, count: int) -> set[int]:
        x = sorted(self._fitted)
        gaps = sorted(((b - a, a, b) for a, b in pairwise(x)), reverse=True)
        wide = [(a, b) for gap, a, b in gaps[:count] if gap > self._domain.step]
        return {self._middle(a, b) for a, b in wide}

    def _hold_out(self, law: Formula) -> None:
        """Measures points that no fit has seen, besides those that earlier laws were held against:
        in the widest gaps, as many at each magnitude, for a law may err most at small x, and at the
        edges of its steps."""
        left = [x for x in self._domain.all if x not in self._fitted | self._held_out]
        wanted = max(FRESH, FRESH_EACH * len(law.terms)) - len(self._held_out)
        count = min(len(left), max(wanted, FRESH_AGAIN))
        found = self._middles(count // GAPS)
        octaves: dict[int, list[int]] = {}
        for x in left:
            if x not in found:
                octaves.setdefault((x - self._domain.first).bit_length(), []).append(x)
        while len(found) < count and octaves:
            for octave in sorted(octaves):
                found.add(octaves[octave].pop(self._random.randrange(len(octaves[octave]))))
                if not octaves[octave]:
                    del octaves[octave]
        found |= self._edges(law) & set(left)
        self._know(found)
        self._held_out |= found

    def _edges(self, law: Formula) -> set[int]:
        """Both sides of where steps rise by more than a law may be off, the highest first. One x
        between two points may lie on either side, and no other says on which."""
        x = np.array(self._domain.all, dtype=np.float64)
        times, shares = np.abs(law.of(x)), np.zeros(x.size)
        for term, cycles in zip(law.terms, law.coefficients, strict=True):
            if term.kind is TermKind.STAIRS:
                rises = np.flatnonzero(np.diff(term.of(x)))
                for side in (rises, rises + 1):
                    shares[side] = np.maximum(shares[side], abs(cycles) / times[side])
        known = np.isin(x, list(self._cycles))
        shares[known | (shares <= exact_law.TOLERANCES[-1][0])] = 0.0
        highest = np.argsort(-shares, kind="stable")[:EDGES]
        return {int(x[at]) for at in highest if shares[at]}

    def _wrong(self, law: ExactLaw) -> set[int]:
        x, cycles = self._points(self._held_out)
        return {int(one) for one in x[law.off(x, cycles) > law.tolerance]}
