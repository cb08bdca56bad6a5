"""Straight line: 1, 2, 3, … executions, and the slope of the line through their times is T_e.

Moreno and Fischmeister, section 4, equations 4 and 5. The overhead is the line's intercept and has
no part in the slope; the executions are unrolled, so that no loop has either.
"""

from cyclescope.firmware.fragment.plan import Estimated, Observations, Plan, solve, unrolled
from cyclescope.studies.time.technique import FragmentTechnique


class StraightLine(FragmentTechnique):
    """Least squares through all points of all rounds."""

    name = "straight_line"
    sentence = "1 to M executions, unrolled; the slope of the least-squares line"
    equation = "Moreno and Fischmeister, equations 4 and 5"
    removes_overhead = True
    least_points = 3

    def plan(self, points: int, period: int = 1) -> Plan:
        return unrolled(max(points, self.least_points), period)

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: none is left. Uncertainty: noise of single times, of rounds, and of points that
        lie off the line in every round, as with fetch-line periodicity."""
        return solve(observed)


FRAGMENT_TECHNIQUE = StraightLine()
