"""Direct timing with the paper's own overhead: a start/stop pair without a call between.

Brandolese and Fornaciari, section 2.2. The pair costs less than an empty call, by the call's own
arguments, jump and return. So they are in the net time, as they are in the paper's.
"""

from cyclescope.campaign.timing_around import TimingAround
from cyclescope.target.case import Case
from cyclescope.target.series import Series
from cyclescope.target.target import Target, needed


class DirectPair(TimingAround):
    """Timer start and stop around the call, less the two without it."""

    name = "direct_pair"
    sentence = (
        "timer read before and after each call; overhead by a start/stop pair with no call "
        "between, so arguments and jump count"
    )
    by_pair = True

    def empty(self, target: Target, case: Case, parameter: int | None, length: int) -> Series:
        pairs = needed(
            target.pairs,
            "this target cannot time a pair without a call: measure on a board",
            code="target-times-no-pair-without-call",
        )
        return pairs.run_pairs(case, parameter, length)


TECHNIQUE = DirectPair()
