"""Balanced initialisation: T_e apart from T_i, with every equation bearing on both.

Moreno and Fischmeister, equations 6 to 8, with M alternating between N and 3 N in place of their
M_k = N_k + 1. T_i is then half of how much steeper the one half of the points rises than the other.
It costs more initialisations, and needs far fewer rounds for the same uncertainty.
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


class BalancedInitialisation(FragmentTechnique):
    """Least squares on N, M and 1, with M alternating between N and 3 N."""

    name = "balanced_initialisation"
    sentence = "k executions with k or 3 k initialisations in turn; every equation has T_i"
    equation = "Moreno and Fischmeister, equations 6 to 8, N_k = k, M_k = N_k or 3 N_k"
    removes_overhead = True
    least_points = 4
    needs_initialisation = True

    def plan(self, points: int, period: int = 1) -> Plan:
        counts = range(1, max(points, self.least_points) + 1)
        return without_trend([Point(period * k, period * (k if k % 2 else 3 * k)) for k in counts])

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: none is left. Uncertainty: of all points; times far off the fit
        are rejected."""
        return solve(observed, initialisation=True, robust=True)


FRAGMENT_TECHNIQUE = BalancedInitialisation()
