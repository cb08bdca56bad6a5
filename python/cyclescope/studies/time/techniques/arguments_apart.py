"""Separate arguments: the time of a call without that of loading its arguments.

Moreno and Fischmeister, equations 6 to 8: the loading is what each execution needs before it. M is
2 N and 4 N in turn, so that executions lie 3 and 5 copies apart. Neither number shares a factor
with the copies that fill a line of code. So over a period executions and loadings alike lie at
every place of a line equally often, in both. An effect of the place shifts neither figure.
"""

from cyclescope.firmware.fragment.plan import (
    Estimated,
    Observations,
    Plan,
    Point,
    solve,
    without_trend,
)
from cyclescope.studies.time.technique import FragmentTechnique


class ArgumentsApart(FragmentTechnique):
    """Least squares on N, M and 1, with M alternating between 2 N and 4 N."""

    name = "arguments_apart"
    sentence = "k calls with their arguments loaded 2 k or 4 k times in turn; only the call is T_e"
    equation = "Moreno and Fischmeister, equations 6 to 8, N_k = k, M_k = 2 N_k or 4 N_k"
    removes_overhead = True
    least_points = 4
    needs_initialisation = True
    needs_arguments = True

    def plan(self, points: int, period: int = 1) -> Plan:
        counts = range(1, max(points, self.least_points) + 1)
        return without_trend([Point(period * k, period * (4 - 2 * (k % 2)) * k) for k in counts])

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: none is left. Uncertainty: of all points; times far off the fit
        are rejected."""
        return solve(observed, initialisation=True, robust=True)


FRAGMENT_TECHNIQUE = ArgumentsApart()
