"""Fragment: a piece of code to be timed by executing it again and again, and what that gave.

Moreno and Fischmeister, "Accurate Measurement of Small Execution Times": a measurement executes the
fragment N times between two readings of a clock, so it takes N T_e + epsilon (equation 2), or
N T_e + M T_i + epsilon where each of M executions of an initialisation counts too (equation 6).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cyclescope.quantity import Estimate
from cyclescope.stats.summary import Values


class Point(NamedTuple):
    """One measurement of a plan: what is executed between the two readings of the clock.

    `looped`: in a `for` loop; otherwise one copy of the code behind the other.
    """

    executions: int
    initialisations: int = 0
    looped: bool = False


Plan = tuple[Point, ...]
"""The measurements of one round, in order. A technique repeats its plan for many rounds."""


@dataclass(frozen=True)
class Observations:
    """The times of many rounds of a plan: `times` is rounds × points, in whatever unit."""

    plan: Plan
    times: Values

    @property
    def executions(self) -> Values:
        """N of each point of the plan."""
        return np.array([point.executions for point in self.plan], dtype=np.float64)

    @property
    def initialisations(self) -> Values:
        """M of each point of the plan."""
        return np.array([point.initialisations for point in self.plan], dtype=np.float64)


@dataclass(frozen=True)
class Estimated:
    """What a technique makes of observations; every figure in the unit of the times.

    `execution` is T_e, `initialisation` T_i, `overhead` epsilon: None where the technique cannot
    tell. `sigma` is the standard error of T_e; `least_sigma` the Gauss-Markov limit, the least that
    any unbiased linear combination of the same measurements has under their noise (None where that
    means nothing). `rejected` marks, in the shape of the times, what `rule` set aside.
    """

    execution: Estimate
    sigma: float
    n: int
    rejected: NDArray[np.bool_]
    rule: str | None = None
    initialisation: Estimate | None = None
    overhead: Estimate | None = None
    least_sigma: float | None = None
