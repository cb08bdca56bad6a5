"""Sorting and searching: the callee's comparisons are the program's own code.

The counted run sorts and searches as newlib does (runtime/sort.c), so parts are priced.
"""

from collections.abc import Sequence

from cyclescope.studies.estimate.calls.parts import PREFIX
from cyclescope.studies.estimate.calls.recorded import Charge, RecordedCall, Rule

PARTS = {
    "pieces": "sort_pieces",
    "compared": "sort_compared",
    "exchanged": "sort_exchanged",
    "moved": "sort_moved",
    "moved_words": "sort_moved_words",
    "moved_bytes": "sort_moved_bytes",
}
"""Values of a sort, and the parts that price them."""
FEW, MANY = 2, 64
"""Elements in the law of a search, which goes on to the last comparison."""
FEW_STEPS, MANY_STEPS = 2, 7
"""Its comparisons there."""


def _sorted(call: RecordedCall) -> Sequence[Charge]:
    return [
        Charge(PREFIX + part, weight=call[value]) for value, part in PARTS.items() if call[value]
    ]


def _searched(call: RecordedCall) -> Sequence[Charge]:
    """By its comparisons, without what these take themselves."""
    steps = call["compared"]
    share = (steps - FEW_STEPS) / (MANY_STEPS - FEW_STEPS)
    return [
        Charge("bsearch.none", FEW, 1 - share),
        Charge("bsearch.none", MANY, share),
        Charge("compare.integers", weight=-steps),
    ]


RULES: dict[str, Rule] = {"qsort": _sorted, "bsearch": _searched}
