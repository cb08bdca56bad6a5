"""Which circumstance explains that times differ? Rank tests, one for each that was recorded.

Brandolese and Fornaciari, section 3: series that vary are searched for a dependence on hidden
parameters. Kruskal and Wallis (1952) test whether times differ between the values of a circumstance
at all. η² = (H - k + 1) / (n - k) states how much of their ranks it explains, whatever the number
of its values (Tomczak and Tomczak, 2014). Spearman's ρ states whether they rise or fall with it.
"""

from dataclasses import dataclass

import numpy as np

from cyclescope.stats.summary import Values

WEAK = 0.1
"""η² below which a circumstance, however significant, is not what makes the times differ."""


@dataclass(frozen=True)
class CandidateFactor:
    """A circumstance and what it explains: `share` is η², `rho` Spearman's, with p-values.

    `low` and `high` are the values of the circumstance with the least and the greatest median.
    """

    name: str
    share: float
    p_value: float
    rho: float
    rho_p_value: float
    low: float
    low_cycles: float
    high: float
    high_cycles: float

    def convicts(self, significance: float) -> bool:
        """Whether it explains a good part of the times by more than chance."""
        return self.p_value < significance and self.share >= WEAK


def examine(name: str, circumstance: Values, cycles: Values) -> CandidateFactor | None:
    """Tests one circumstance; None if it or the times do not vary.

    >>> found = examine("load", np.repeat([1.0, 2.0, 3.0], 20), np.repeat([5.0, 7.0, 9.0], 20))
    >>> round(found.share, 2), found.rho, found.low, found.high
    (1.0, 1.0, 1.0, 3.0)
    """
    from scipy import stats

    values = np.unique(circumstance)
    groups = [cycles[circumstance == one] for one in values]
    k, n = len(groups), cycles.size
    if k < 2 or n <= k or cycles.min() == cycles.max():
        return None
    found = stats.kruskal(*groups)
    correlation = stats.spearmanr(circumstance, cycles)
    medians = np.array([np.median(group) for group in groups])
    low, high = int(np.argmin(medians)), int(np.argmax(medians))
    return CandidateFactor(
        name=name,
        share=float(np.clip((found.statistic - k + 1) / (n - k), 0.0, 1.0)),
        p_value=float(found.pvalue),
        rho=float(correlation.statistic),
        rho_p_value=float(correlation.pvalue),
        low=float(values[low]),
        low_cycles=float(medians[low]),
        high=float(values[high]),
        high_cycles=float(medians[high]),
    )
