"""Fragment: a piece of code to be timed by executing it again and again, and what that gave.

Moreno and Fischmeister, "Accurate Measurement of Small Execution Times". A measurement executes the
fragment N times between two readings of a clock, so it takes N T_e + epsilon (equation 2). Where
each of M executions of an initialisation counts too, it takes N T_e + M T_i + epsilon (equation 6).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cyclescope.quantity import Estimate
from cyclescope.stats.least_squares import fit
from cyclescope.stats.outliers import RULE, near_the_fit
from cyclescope.stats.summary import Values


class Point(NamedTuple):
    """One measurement of a plan: what is executed between the two readings of the clock.

    `looped`: in a `for` loop; otherwise one copy of the code behind the other. `left`: the one
    execution can be left early, at an instruction that the lab chooses (docs/how-to/blocks.md).
    `turned`: all copies together are one iteration of a loop, which the plan executes many times.
    `links`: the executions depend on each other, through so many links in all (iterations.py).
    """

    executions: int
    initialisations: int = 0
    looped: bool = False
    left: bool = False
    turned: bool = False
    links: int = 0


Plan = tuple[Point, ...]
"""The measurements of one round, in order. A technique repeats its plan for many rounds."""


def without_trend(points: Sequence[Point]) -> Plan:
    """The points, given by rising time, in an order that cancels a steady drift of the clock.

    In rising order a drift of d from measurement to measurement would add d to each step. Here
    neighbours go to mirrored places, up and down again, each pair the way that keeps the sum of
    place × rank nearest to zero.

    >>> [point.executions for point in without_trend([Point(n) for n in range(1, 9)])]
    [1, 4, 6, 7, 8, 5, 3, 2]
    """
    left: list[Point] = []
    right: list[Point] = []
    tilt = 0
    for first in range(0, len(points) - 1, 2):
        lower, upper = points[first], points[first + 1]
        if tilt > 0:
            lower, upper = upper, lower
        distance = len(points) - 1 - first
        tilt += distance if tilt <= 0 else -distance
        left.append(lower)
        right.append(upper)
    middle = points[len(points) - len(points) % 2 :]
    return (*left, *middle, *reversed(right))


def unrolled(most: int, period: int) -> Plan:
    """1 to so many periods of executions, one copy behind the other."""
    return without_trend([Point(period * count) for count in range(1, most + 1)])


def turned(plan: Plan) -> Plan:
    """The plan with each point in a loop of its own.

    >>> turned((Point(1), Point(2)))[1].turned
    True
    """
    return tuple(point._replace(turned=True) for point in plan)


@dataclass(frozen=True)
class Observations:
    """The times of many rounds of a plan: `times` is rounds × points, in whatever unit.

    `resolution` is one count of the clock in that unit, where it counts more coarsely than the
    timed code proceeds. It is 0 where the clock counts the very cycles of the core, and so rounds
    nothing. The rounds come from `processes` processes, one after the other, with equally many in
    each.
    """

    plan: Plan
    times: Values
    resolution: float = 0.0
    processes: int = 1

    @property
    def executions(self) -> Values:
        """N of each point of the plan."""
        return np.array([point.executions for point in self.plan], dtype=np.float64)

    @property
    def initialisations(self) -> Values:
        """M of each point of the plan."""
        return np.array([point.initialisations for point in self.plan], dtype=np.float64)

    @property
    def links(self) -> Values:
        """The links of each point of the plan."""
        return np.array([point.links for point in self.plan], dtype=np.float64)

    def only(self, chosen: Sequence[bool]) -> "Observations":
        """The observations of the chosen points."""
        plan = tuple(point for point, wanted in zip(self.plan, chosen, strict=True) if wanted)
        return replace(self, plan=plan, times=self.times[:, np.array(chosen)])

    def by_process(self) -> list["Observations"]:
        """The observations of each process by itself."""
        parts = np.split(self.times, self.processes)
        return [replace(self, times=times, processes=1) for times in parts]


@dataclass(frozen=True)
class Estimated:
    """A technique's estimates from observations; every figure in the unit of the times.

    `execution` is T_e, `initialisation` T_i, `overhead` epsilon: None where the technique cannot
    estimate it. `sigma` is the standard error of T_e. `least_sigma` is the Gauss-Markov limit: the
    least that any unbiased linear combination of the same measurements has under their noise (None
    where that means nothing). `rejected` marks, in their shape, the times that `rule` rejected.
    `beside` are other statements of T_e from the same observations, by name. `fitted` are the times
    of the points by the fit and `unknowns` how many it had, where equation 6 alone does not say so.
    `by_process` is T_e as each process has it by itself, where there are several.
    """

    execution: Estimate
    sigma: float
    n: int
    rejected: NDArray[np.bool_]
    rule: str | None = None
    initialisation: Estimate | None = None
    overhead: Estimate | None = None
    least_sigma: float | None = None
    beside: tuple[tuple[str, Estimate], ...] = ()
    fitted: Values | None = None
    unknowns: int | None = None
    by_process: tuple[float, ...] = ()


def solve(
    observed: Observations,
    *,
    overhead: bool = True,
    initialisation: bool = False,
    robust: bool = False,
) -> Estimated:
    """Equation 8: the unknowns of equation 7 by least squares.

    Without `overhead` epsilon is taken for nothing; without `initialisation` T_i is. If `robust`,
    times far off the fit are rejected (section 4.1).
    """
    columns = [observed.executions]
    if initialisation:
        columns.append(observed.initialisations)
    if overhead:
        columns.append(np.ones(len(observed.plan)))
    design, times, resolution = np.column_stack(columns), observed.times, observed.resolution
    kept = near_the_fit(design, times, resolution) if robust else None
    solved = fit(design, times, resolution, kept)
    first, *others = np.eye(len(columns))
    return Estimated(
        execution=solved.estimate(first),
        sigma=solved.sigma(first),
        n=solved.kept,
        rejected=np.zeros(times.shape, np.bool_) if kept is None else ~kept,
        rule=RULE if robust else None,
        initialisation=solved.estimate(others[0]) if initialisation else None,
        overhead=solved.estimate(others[-1]) if overhead else None,
        least_sigma=solved.least_sigma(first) if overhead else None,
    )
