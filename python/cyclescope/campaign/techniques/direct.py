"""Direct timing: the timer is read just before and just after the call.

Brandolese and Fornaciari, section 2.2. The overhead is the time of an empty call of the same
signature. So the call's arguments, jump and return are no part of its time. In the paper the
overhead is that of no call at all (direct_pair).
"""

from cyclescope.campaign.timing_around import TimingAround
from cyclescope.target.case import Case
from cyclescope.target.series import Series
from cyclescope.target.target import Target


class DirectCall(TimingAround):
    """Timer start and stop around the call, less those around an empty one."""

    name = "direct"
    sentence = "timer read before and after each call; overhead by an empty call"

    def empty(self, target: Target, case: Case, parameter: int | None, length: int) -> Series:
        return target.run_series(case, parameter, length, empty=True)


TECHNIQUE = DirectCall()
