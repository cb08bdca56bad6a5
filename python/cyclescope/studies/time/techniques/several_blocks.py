"""Several blocks: the times of parts of a program, from how often each executed in whole runs.

Moreno and Fischmeister, section 5.1, equations 9 and 10, with epsilon as one more unknown that
counts once in each equation. Left out, it would be spread over the blocks. Blocks that the counts
cannot separate stay together: the combinations that can be estimated are found exactly
(stats/row_space.py), and each has its own interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from cyclescope.quantity import Estimate
from cyclescope.stats.least_squares import Fit, fit
from cyclescope.stats.row_space import Integers, RowSpace, Weights, row_space
from cyclescope.stats.summary import Values


@dataclass(frozen=True)
class BlockTimes:
    """Estimates from counts and times. The unknowns are the blocks in order, then epsilon.

    `space.combinations` are the finest sums that are known, the same order as `estimates`;
    `space.null_space` what could be added to the blocks' times without any equation noticing.
    """

    space: RowSpace
    fit: Fit
    estimates: tuple[Estimate, ...]

    def estimate(self, weights: Sequence[Fraction | int]) -> Estimate | None:
        """Any sum of the unknowns; None if these equations do not determine it."""
        coordinates = self.space.coordinates(weights)
        return None if coordinates is None else self.fit.estimate(_numbers(coordinates))

    def block(self, index: int) -> Estimate | None:
        """One unknown by itself; None if it cannot be separated from others."""
        return self.estimate([int(column == index) for column in range(self.space.unknowns)])


def estimate(counts: Integers, times: Values, resolution: float = 0.0) -> BlockTimes:
    """`counts` is equations × blocks, `times` rounds × equations (each round the same inputs)."""
    with_overhead = np.column_stack([counts, np.ones(len(counts), dtype=np.int64)])
    space = row_space(with_overhead)
    solved = fit(with_overhead[:, list(space.pivots)], times, resolution)
    alone = np.eye(len(space.pivots))
    return BlockTimes(space, solved, tuple(solved.estimate(one) for one in alone))


def _numbers(weights: Weights) -> Values:
    return np.array([float(weight) for weight in weights])
