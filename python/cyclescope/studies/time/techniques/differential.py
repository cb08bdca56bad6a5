"""Differential timing: two executions less one, again and again.

Moreno and Fischmeister, section 3.1 and equation 3 with N = 1 and 2. Epsilon is common to both
measurements, so it is not in their difference. The result is the mean of the differences without
the lowest and the highest tenth. It bears outliers and is finer than a count of the clock. The
median and the plain mean stand beside it.
"""

import numpy as np

from cyclescope.firmware.fragment.plan import Estimated, Observations, Plan, Point
from cyclescope.quantity import Estimate
from cyclescope.stats.least_squares import Fit, fit
from cyclescope.stats.location import inner, median, trimmed_mean
from cyclescope.studies.time.technique import FragmentTechnique


class Differential(FragmentTechnique):
    """The trimmed mean of the differences."""

    name = "differential"
    sentence = "two executions less one, the trimmed mean of many such differences"
    equation = "Moreno and Fischmeister, equation 3 and section 3.1"
    removes_overhead = True

    def plan(self, points: int, period: int = 1) -> Plan:
        return (Point(period), Point(2 * period))

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: none is left. Uncertainty: of each difference two measurements' noise."""
        design = np.column_stack([observed.executions, np.ones(len(observed.plan))])
        solved = fit(design, observed.times, observed.resolution)
        step = observed.executions[1] - observed.executions[0]
        differences = (observed.times[:, 1] - observed.times[:, 0]) / step
        kept = inner(differences, observed.resolution / step)
        execution, sigma = trimmed_mean(differences, kept)
        return Estimated(
            execution=_rounded(execution, solved),
            sigma=sigma,
            n=2 * int(kept.sum()),
            rejected=np.column_stack([~kept, ~kept]),
            rule="difference among the lowest or the highest tenth",
            overhead=solved.estimate([0, 1]),
            least_sigma=solved.least_sigma([1, 0]),
            beside=(
                ("median", _rounded(median(differences), solved)),
                ("mean", solved.estimate([1, 0])),
            ),
        )


def _rounded(estimate: Estimate, solved: Fit) -> Estimate:
    """No narrower than counts of the clock allow that are the same in every round."""
    return Estimate(estimate.value, max(estimate.half_width, solved.rounding([1, 0])))


FRAGMENT_TECHNIQUE = Differential()
