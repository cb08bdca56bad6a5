"""Direct timing: the timer is read just before and just after the call.

Brandolese and Fornaciari, section 2.2. What reading the timer costs is that of an empty call of the
same signature, so that the call's arguments, jump and return are no part of its time; theirs is of
no call at all (direct_pair).

Of a fragment it is one execution between two readings of the clock, with nothing subtracted
(Moreno and Fischmeister, section 1): T_e + epsilon stands where T_e should.
"""

from cyclescope.campaign.technique import FragmentTechnique
from cyclescope.campaign.timing_around import TimingAround
from cyclescope.firmware.fragment.plan import Estimated, Observations, Plan, Point, solve
from cyclescope.target.case import Case
from cyclescope.target.series import Series
from cyclescope.target.target import Target


class Direct(TimingAround):
    """Timer start and stop around the call, less those around an empty one."""

    name = "direct"
    sentence = "timer read before and after each call; overhead by an empty call"

    def empty(self, target: Target, case: Case, parameter: int | None, length: int) -> Series:
        return target.run_series(case, parameter, length, empty=True)


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


TECHNIQUE = Direct()
FRAGMENT_TECHNIQUE = DirectFragment()
