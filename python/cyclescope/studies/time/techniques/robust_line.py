"""Robust line: the straight line without the times that lie far off it.

Moreno and Fischmeister, section 4.1. A time whose deviation is much larger than the median
deviation (stats/outliers.py says how much) is rejected and kept on file. The line is fitted to the
others.
"""

from cyclescope.firmware.fragment.plan import Estimated, Observations, Plan, solve, unrolled
from cyclescope.studies.time.technique import FragmentTechnique


class RobustLine(FragmentTechnique):
    """Least squares through the points that the line describes."""

    name = "robust_line"
    sentence = "the straight line without the times that lie far off it"
    equation = "Moreno and Fischmeister, equations 4 and 5 and section 4.1"
    removes_overhead = True
    least_points = 3

    def plan(self, points: int, period: int = 1) -> Plan:
        return unrolled(max(points, self.least_points), period)

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: none is left. Uncertainty: as the straight line's, of the times that stay."""
        return solve(observed, robust=True)


FRAGMENT_TECHNIQUE = RobustLine()
