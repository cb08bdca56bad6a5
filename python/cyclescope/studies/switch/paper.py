"""Results of Pillai and Isha on a real LPC2148 at 60 MHz and 3.3 V: Tables 2 and 3, section 6.

Their Figures 9, 10 and 12 print no numbers in the text; Figure 11 shows both tables' times.
"""

from itertools import pairwise
from typing import NamedTuple

CORE_HZ = 60_000_000


class Difference(NamedTuple):
    """Table 2, by MAC operations: counts with and without a context switch; Table 3's µs."""

    with_counts: int
    without_counts: int
    simulated_us: float

    @property
    def counts(self) -> int:
        return self.with_counts - self.without_counts

    @property
    def us(self) -> float:
        return self.counts * 1e6 / CORE_HZ


TABLES = {
    4: Difference(186_565, 186_302, 4.16),
    16: Difference(193_757, 193_244, 8.43),
    32: Difference(214_515, 213_642, 14.28),
}
ENERGY_CLAIM = "in the order of few milli Joules"
"""Section 6."""


def tables(*, own_tasks: bool) -> dict[int, Difference]:
    """Returns the paper's figures beside a run's: none, where its tasks are not the paper's."""
    return {} if own_tasks else TABLES


def slope(values: dict[int, int]) -> list[tuple[int, int, float]]:
    """By how much a figure grows per operation, from each row to the next."""
    steps = sorted(values)
    return [
        (low, high, (values[high] - values[low]) / (high - low)) for low, high in pairwise(steps)
    ]
