"""Direct timing: one execution between two readings of the clock, with nothing subtracted.

Moreno and Fischmeister, section 1: T_e + epsilon stands where T_e should.
"""

from cyclescope.firmware.fragment.plan import Estimated, Observations, Plan, Point, solve
from cyclescope.studies.time.technique import FragmentTechnique


class DirectFragment(FragmentTechnique):
    """The mean of single executions."""

    name = "direct"
    sentence = "one execution between two readings of the clock, their cost included"
    equation = "Moreno and Fischmeister, section 1; equation 2 with N = 1 and epsilon taken for 0"
    removes_overhead = False

    def plan(self, points: int, period: int = 1) -> Plan:
        return (Point(1),)

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: epsilon, whole. Uncertainty: of the mean only; it cannot see epsilon."""
        return solve(observed, overhead=False)


FRAGMENT_TECHNIQUE = DirectFragment()
