"""How many replicates a verdict among many tests needs.

Two means of replicates with one σ are compared by Welch's (1947) test at the level α/m, the first
of Holm's (1979) steps among m tests. They differ only if they differ by more than t(1 - α/2m; ν) ·
√(1/n₁ + 1/n₂) · σ. Few degrees of freedom ν make that very far.
"""

import math
from itertools import count


def least_difference(first: int, second: int, tests: int, alpha: float) -> float:
    """By how many σ the means of so many replicates must differ; infinite for one replicate.

    >>> round(least_difference(2, 2, 226, 0.05)), round(least_difference(8, 8, 226, 0.05), 1)
    (67, 2.5)
    """
    from scipy import special

    if min(first, second) < 2:
        return math.inf
    variance = 1 / first + 1 / second
    below = sum(1 / (n**2 * (n - 1)) for n in (first, second))
    t = -float(special.stdtrit(variance**2 / below, alpha / tests / 2))
    return t * math.sqrt(variance)


def enough(most: float, tests: int, alpha: float) -> int:
    """The fewest replicates on either side whose means must differ by no more than `most` σ.

    >>> enough(5, 226, 0.05), enough(5, 1, 0.05)
    (5, 2)
    """
    return next(n for n in count(2) if least_difference(n, n, tests, alpha) <= most)
