"""Robust line: the straight line without the times that lie far off it.

Moreno and Fischmeister, section 4.1: a time whose deviation is much larger than the median
deviation (stats/outliers.py says how much) is set aside, kept on file, and the line is fitted to
the others.
"""

import numpy as np

from cyclescope.fragment import Estimated, Observations, Plan, Point, solve, without_trend
from cyclescope.stats.outliers import RULE, near_the_fit
from cyclescope.technique import FragmentTechnique


class RobustLine(FragmentTechnique):
    """Least squares through the points that the line describes."""

    name = "robust_line"
    sentence = "the straight line without the times that lie far off it"
    equation = "Moreno and Fischmeister, equations 4 and 5 and section 4.1"
    removes_overhead = True
    least_points = 3

    def plan(self, points: int, period: int = 1) -> Plan:
        counts = range(1, max(points, self.least_points) + 1)
        return without_trend([Point(period * count) for count in counts])

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: none is left. Uncertainty: as the straight line's, of the times that stay."""
        design = np.column_stack([observed.executions, np.ones(len(observed.plan))])
        kept = near_the_fit(design, observed.times, observed.resolution)
        return solve(observed, kept=kept, rule=RULE)


FRAGMENT_TECHNIQUE = RobustLine()
