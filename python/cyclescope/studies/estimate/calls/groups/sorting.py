"""Sorting and searching: the callee's comparisons are the program's own code."""

from collections.abc import Sequence
from math import log2

from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

MOST = 64
"""The greatest number of elements in the laws, and what quicksort's comparisons come to there."""
COMPARED = MOST * log2(MOST)
BY_COUNT = "an order that is not counted: that of shuffled integers, by n log n"


def _sorted(call: RecordedCall) -> Sequence[Charge]:
    """Elements in no order, by n log n, without what the law's comparisons take."""
    count = call["n1"]
    if count < 2:
        return [Charge("qsort.equal", 2), Charge("compare.integers", weight=-1.0)]
    if count <= MOST:
        law, compared = Charge("qsort.shuffled", count), count * log2(count)
        return [law, Charge("compare.integers", weight=-compared, fallback=BY_COUNT)]
    share = count * log2(count) / COMPARED
    return [
        Charge("qsort.shuffled", MOST, share, fallback=BY_COUNT),
        Charge("compare.integers", weight=-share * COMPARED),
    ]


def _searched(call: RecordedCall) -> Sequence[Charge]:
    """Half of the elements drop out with each comparison."""
    count = call["n2"]
    if count < 2:
        return [Charge("bsearch.none", 2), Charge("compare.integers", weight=-1.0)]
    steps = log2(count)
    at = min(count, MOST)
    found = [Charge("bsearch.none", at, steps / log2(at))]
    return [*found, Charge("compare.integers", weight=-steps)]


RULES: dict[str, Rule] = {"qsort": _sorted, "bsearch": _searched}
