"""Null fragment: two readings of the clock with nothing between them are subtracted.

Moreno and Fischmeister, section 1. This removes epsilon only if the readings cost the same with
nothing between them as with the fragment there. With pipelines, caches and the edges of a pin they
often do not, and nothing in the times shows it.
"""

from cyclescope.firmware.fragment.plan import Estimated, Observations, Plan, Point, solve
from cyclescope.studies.time.technique import FragmentTechnique


class NullFragment(FragmentTechnique):
    """One execution less none."""

    name = "null_fragment"
    sentence = "one execution less two readings of the clock with nothing between them"
    equation = "Moreno and Fischmeister, section 1; equation 3 with N = 1 and 0"
    removes_overhead = False

    def plan(self, points: int, period: int = 1) -> Plan:
        return (Point(0), Point(1))

    def estimate(self, observed: Observations) -> Estimated:
        """Overhead: by how much epsilon differs when nothing is timed. Uncertainty: paired, so
        what a round has in common is none; the difference of epsilon is not in it."""
        return solve(observed)


FRAGMENT_TECHNIQUE = NullFragment()
