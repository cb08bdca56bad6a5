"""Dependent line: what one more call adds to a chain of calls that wait for each other's results.

The calls of a chain are linked, by one link each or by two (iterations.py). The links are to
the executions what an initialisation is in Moreno and Fischmeister's equations 6 to 8. So their own
time is separated by the same means: what the second link adds the first one did. Calls that are not
linked stand beside them. A chain takes no less than calls without one. If the rest of the chain's
time is less, the waiting hides behind whatever else the calls need. Then the time of the calls
without a chain answers.
"""

from dataclasses import replace

import numpy as np

from cyclescope.firmware.fragment.cost_kind import CostKind
from cyclescope.firmware.fragment.plan import (
    Estimated,
    Observations,
    Plan,
    Point,
    solve,
    without_trend,
)
from cyclescope.studies.time.technique import FragmentTechnique

MANNERS = 3
"""A length comes without links, with one each, and with two each."""


class DependentLine(FragmentTechnique):
    """Least squares on calls, links and 1, of chains; and beside it of calls without links."""

    name = "dependent_line"
    sentence = "k calls that wait for each other, by k or 2 k links, whose time is separated"
    equation = "Moreno and Fischmeister, equations 6 to 8, with links for initialisations"
    removes_overhead = True
    least_points = 9
    kind = CostKind.LATENCY

    def plan(self, points: int, period: int = 1) -> Plan:
        """Each manner rises and falls by itself, and they come first alternately, so that a
        drift of the clock tilts neither line."""
        most = max(points, self.least_points) // MANNERS
        plan: list[Point] = []
        for place, one in enumerate(without_trend([Point(k) for k in range(1, most + 1)])):
            calls = period * one.executions
            manners = [Point(calls, links=links * calls) for links in range(MANNERS)]
            plan += manners if place % 2 else manners[::-1]
        return tuple(plan)

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: none is left, nor links. Uncertainty: of the line that answers; times far off
        their line are rejected."""
        linked = observed.links > 0
        chains, others = observed.only(linked.tolist()), observed.only((~linked).tolist())
        plan = tuple(Point(one.executions, one.links) for one in chains.plan)
        chain = solve(replace(chains, plan=plan), initialisation=True, robust=True)
        free = solve(others, robust=True)
        answer = chain if chain.execution.value >= free.execution.value else free
        rejected = np.zeros(observed.times.shape, dtype=np.bool_)
        rejected[:, linked], rejected[:, ~linked] = chain.rejected, free.rejected
        assert chain.initialisation is not None and chain.overhead and free.overhead
        return replace(
            answer,
            n=chain.n + free.n,
            rejected=rejected,
            initialisation=None,
            fitted=np.where(
                linked,
                chain.execution.value * observed.executions
                + chain.initialisation.value * observed.links
                + chain.overhead.value,
                free.execution.value * observed.executions + free.overhead.value,
            ),
            unknowns=5,
            beside=(
                ("chain without its links", chain.execution),
                ("one link", chain.initialisation),
                ("without waiting", free.execution),
            ),
        )


FRAGMENT_TECHNIQUE = DependentLine()
