"""N-fold timing: a loop of N executions between two readings of the clock, divided by N.

Moreno and Fischmeister, section 1. The overhead is divided by N, never removed, and the loop adds
its own to each iteration. So T_e + T_loop + epsilon / N stands where T_e should.
"""

from cyclescope.firmware.fragment.plan import Estimated, Observations, Plan, Point, solve
from cyclescope.studies.time.technique import FragmentTechnique


class NFold(FragmentTechnique):
    """The mean of loops of N, divided by N."""

    name = "n_fold"
    sentence = "a loop of N executions, divided by N; a share of the overhead and the loop included"
    equation = "Moreno and Fischmeister, section 1; equation 2 with epsilon taken for 0"
    removes_overhead = False

    def plan(self, points: int, period: int = 1) -> Plan:
        """One measurement; its loop has as many iterations as other techniques have points."""
        return (Point(max(points, 1), looped=True),)

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: epsilon / N and an iteration of the loop. Uncertainty: of the mean only."""
        return solve(observed, overhead=False)


FRAGMENT_TECHNIQUE = NFold()
