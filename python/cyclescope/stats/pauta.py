"""The improved Pauta criterion: which samples of task switching are gross errors.

Huang et al., "Research on Real-time Performance Testing Methods for Robot Operating System",
section III.C. "When the residual error of a value v > 3σ, the value is considered a gross error
which should be removed". The paper leaves open what follows; docs/explanation/realtime.md says how
it is read. The residual v is signed, x - mean, so that only long times go. σ is the sample
deviation (n - 1). Mean and σ are taken again from what is left until nothing goes.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cyclescope.stats.summary import Values, summarise

SIGMAS = 3.0
RULE = "pauta"


@dataclass(frozen=True)
class Filtered:
    """Which values the criterion rejects, and in how many passes it found them.

    `limit` is the mean + 3σ of those that stay: none of them is longer.
    """

    rejected: NDArray[np.bool_]
    passes: int
    limit: float


def pauta_of_each(values: Values, groups: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Marks the values that the criterion rejects within each group."""
    rejected = np.zeros(values.shape, dtype=np.bool_)
    for group in np.unique(groups):
        inside = groups == group
        rejected[inside] = pauta(values[inside]).rejected
    return rejected


def pauta(values: Values) -> Filtered:
    """Applies the criterion until a pass rejects nothing.

    No value of ten or fewer can lie 3σ above their mean, so that at least ten always stay.

    >>> filtered = pauta(np.array([20.0] * 19 + [21.0, 22.0, 500.0]))
    >>> int(filtered.rejected.sum()), filtered.passes
    (3, 3)
    """
    rejected = np.zeros(values.shape, dtype=np.bool_)
    passes = 0
    while True:
        kept = summarise(values[~rejected])
        limit = kept.mean + SIGMAS * (kept.sigma if kept.n > 1 else 0.0)
        over = (values > limit) & ~rejected
        if not over.any() or kept.n < 2:
            return Filtered(rejected, passes, limit)
        rejected |= over
        passes += 1
