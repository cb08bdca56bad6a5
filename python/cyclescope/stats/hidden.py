"""Which circumstance explains that times differ? Rank tests, one for each that was recorded.

Brandolese and Fornaciari, section 3: series that vary are searched for a dependence on hidden
parameters. Kruskal and Wallis (1952) test whether times differ between the values of a circumstance
at all. η² = (H - k + 1) / (n - k) states how much of their ranks it explains, whatever the number
of its values (Tomczak and Tomczak, 2014). Spearman's ρ states whether they rise or fall with it.
"""

from collections.abc import Sequence
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
    values = np.unique(circumstance)
    groups = [cycles[circumstance == one] for one in values]
    k, n = len(groups), cycles.size
    if k < 2 or n <= k or cycles.min() == cycles.max():
        return None
    height, p_value = kruskal(groups)
    rho, rho_p_value = spearman(circumstance, cycles)
    medians = np.array([np.median(group) for group in groups])
    low, high = int(np.argmin(medians)), int(np.argmax(medians))
    return CandidateFactor(
        name=name,
        share=float(np.clip((height - k + 1) / (n - k), 0.0, 1.0)),
        p_value=p_value,
        rho=rho,
        rho_p_value=rho_p_value,
        low=float(values[low]),
        low_cycles=float(medians[low]),
        high=float(values[high]),
        high_cycles=float(medians[high]),
    )


def kruskal(groups: Sequence[Values]) -> tuple[float, float]:
    """H of Kruskal and Wallis, corrected for ties, and its p-value by χ².

    As `scipy.stats.kruskal` has it, which takes a second of every process to load.

    >>> height, p_value = kruskal([np.array([1.0, 2.0, 2.0]), np.array([3.0, 4.0])])
    >>> round(height, 4), round(p_value, 4)
    (3.1579, 0.0756)
    """
    from scipy import special

    ranks, ties = _ranked(np.concatenate(groups))
    n = ranks.size
    parts = np.split(ranks, np.cumsum([group.size for group in groups])[:-1])
    between = sum(float(part.sum()) ** 2 / part.size for part in parts)
    height = (12.0 / (n * (n + 1)) * between - 3 * (n + 1)) / ties
    return height, float(special.chdtrc(len(groups) - 1, height))


def spearman(first: Values, second: Values) -> tuple[float, float]:
    """Spearman's ρ, and its p-value by Student's t; as `scipy.stats.spearmanr` has them.

    >>> rho, p_value = spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 3.0, 2.0, 4.0]))
    >>> round(rho, 3), round(p_value, 3)
    (0.8, 0.2)
    """
    from scipy import special

    ranks = np.column_stack([_ranked(first)[0], _ranked(second)[0]])
    rho = float(np.asarray(np.corrcoef(ranks, rowvar=False))[1, 0])
    degrees = first.size - 2
    with np.errstate(divide="ignore"):
        t = rho * np.sqrt(np.clip(np.divide(degrees, (rho + 1.0) * (1.0 - rho)), 0, None))
    return rho, float(2 * special.stdtr(degrees, -np.abs(t)))


def _ranked(values: Values) -> tuple[Values, float]:
    """The rank of each value, of equal ones the mean, and by how much ties lessen H."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    n, tied = float(values.size), counts.astype(np.float64)
    return ranks[place], 1.0 - float((tied**3 - tied).sum()) / (n**3 - n)
