"""Straight lines that meet at knees: least squares over every place a knee can have.

Hudson, "Fitting Segmented Curves Whose Join Points Have to Be Estimated" (1966). A best knee lies
at a measured x, or between two neighbours where the lines fitted to either side meet. Both are
tried everywhere, so what is found is the optimum.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

import numpy as np

from cyclescope.stats.summary import Values

TOLERANCE = 1e-9
"""How far outside its gap, of x itself, rounding may put a knee."""


@dataclass(frozen=True)
class Joint:
    """A place for a knee: at `low` if that is `high`, else anywhere between the two."""

    low: float
    high: float

    @property
    def fixed(self) -> bool:
        return self.low == self.high


@dataclass(frozen=True)
class Segmented:
    """The lines t = m·x + q by rising x, the knees between them, and the residual squares."""

    slopes: tuple[float, ...]
    intercepts: tuple[float, ...]
    knees: tuple[float, ...]
    squares: float


def places(x: Values) -> list[Joint]:
    """Everywhere a knee can lie so that two measured x are on either side, it included."""
    distinct = np.unique(x).tolist()
    at = [Joint(one, one) for one in distinct[1:-1]]
    between = [Joint(low, high) for low, high in pairwise(distinct[1:-1])]
    return sorted(at + between, key=lambda one: (one.low, one.high))


def best_segments(x: Values, t: Values, knees: int) -> Segmented | None:
    """The least-squares lines with so many knees; None if there are too few x for them."""
    found = None
    for kind in _kinds(tuple(x.tolist()), knees):
        solutions = kind.solvers @ t
        squares = np.sum((t - np.einsum("anp,ap->an", kind.designs, solutions)) ** 2, axis=1)
        for at in np.argsort(squares):
            if found is not None and squares[at] >= found.squares:
                break
            joined = _joined(kind.joints[at], solutions[at].tolist(), float(squares[at]))
            if joined is not None:
                found = joined
                break
    return found


@dataclass(frozen=True)
class JointChoices:
    """All choices of joints that are fixed alike, with the design of each and its solver."""

    joints: list[tuple[Joint, ...]]
    designs: Values
    solvers: Values


@lru_cache(maxsize=64)
def _kinds(x: tuple[float, ...], knees: int) -> list[JointChoices]:
    """Parts that depend on x alone: cases are mostly swept over the same x."""
    alike: dict[tuple[bool, ...], list[tuple[Joint, ...]]] = {}
    for joints in _arrangements(np.array(x), knees):
        alike.setdefault(tuple(joint.fixed for joint in joints), []).append(joints)
    kinds = []
    for choices in alike.values():
        designs = np.stack([_design(np.array(x), joints) for joints in choices])
        kinds.append(
            JointChoices(choices, designs, np.asarray(np.linalg.pinv(designs), dtype=np.float64))
        )
    return kinds


def _arrangements(x: Values, knees: int) -> Iterator[tuple[Joint, ...]]:
    """Choices of joints, by rising x, that leave two measured x to every segment."""
    distinct = np.unique(x)
    ends = Joint(distinct[0], distinct[0]), Joint(distinct[-1], distinct[-1])
    for joints in combinations(places(x), knees):
        edges = (ends[0], *joints, ends[1])
        if all(
            np.sum((distinct >= left.high) & (distinct <= right.low)) >= 2
            for left, right in pairwise(edges)
        ):
            yield joints


def _design(x: Values, joints: tuple[Joint, ...]) -> Values:
    """Lines that meet at fixed joints and are free of each other at the others."""
    columns = [np.ones_like(x), x]
    for joint in joints:
        if joint.fixed:
            columns.append(np.maximum(x - joint.low, 0.0))
        else:
            beyond = (x >= joint.high).astype(np.float64)
            columns += [beyond, beyond * x]
    return np.stack(columns, axis=1)


def _joined(joints: tuple[Joint, ...], solution: list[float], squares: float) -> Segmented | None:
    """The lines, if free ones meet between the measured x that they lie between."""
    lines = _lines(solution, joints)
    knees = []
    for joint, (before, behind) in zip(joints, pairwise(lines), strict=True):
        knee = joint.low if joint.fixed else _crossing(before, behind)
        slack = TOLERANCE * max(abs(joint.low), abs(joint.high))
        if not joint.low - slack <= knee <= joint.high + slack:
            return None
        knees.append(knee)
    return Segmented(tuple(m for m, _ in lines), tuple(q for _, q in lines), tuple(knees), squares)


def _lines(solution: list[float], joints: tuple[Joint, ...]) -> list[tuple[float, float]]:
    """Slope and intercept of each segment."""
    q, m, *rest = solution
    lines = [(m, q)]
    for joint in joints:
        if joint.fixed:
            change = rest.pop(0)
            m, q = m + change, q - change * joint.low
        else:
            step, change = rest.pop(0), rest.pop(0)
            m, q = m + change, q + step
        lines.append((m, q))
    return lines


def _crossing(one: tuple[float, float], other: tuple[float, float]) -> float:
    turn = one[0] - other[0]
    return (other[1] - one[1]) / turn if turn else float("nan")
