"""Many tests at once: Holm's (1979) step-down adjustment of their p-values.

Take as differences all tests below a level after adjustment. The probability of a single mistake in
the whole table is then at most that level, however the tests depend on each other. Points of one
case do depend on each other.
"""

import math
from collections.abc import Sequence


def adjust(p_values: Sequence[float]) -> list[float]:
    """Each p-value as it counts among all; what is not a number is no test and stays.

    >>> adjust([0.01, 0.04, 0.03]), adjust([0.02, float("nan")])
    ([0.03, 0.06, 0.06], [0.02, nan])
    """
    order = sorted(
        (index for index, p in enumerate(p_values) if not math.isnan(p)), key=p_values.__getitem__
    )
    adjusted = list(p_values)
    least = 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * p_values[index]))
        adjusted[index] = least
    return adjusted
