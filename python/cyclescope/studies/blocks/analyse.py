"""The study of a fragment's basic blocks: what is known of each, from saved measurements alone.

Moreno and Fischmeister, section 5.1. Least squares over all equations. Unknowns that they cannot
separate stay together in combinations that they determine, each with its 95 % interval. The
measurements that would split them are named.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from cyclescope.quantity import ROUNDING, Estimate
from cyclescope.stats.least_squares import TOLERANCE, Kept, fit
from cyclescope.stats.outliers import MEDIAN_DEVIATION, SCORE
from cyclescope.stats.row_space import RowSpace, row_space
from cyclescope.stats.summary import Values, tail_of_f
from cyclescope.studies.blocks.doubt import half_widths
from cyclescope.studies.blocks.found import BlocksFound, Combination
from cyclescope.studies.blocks.model import (
    EPSILON,
    LEFT,
    BlockUnknowns,
    Exactly,
    alone,
    model_of,
    splits,
    truths,
)
from cyclescope.studies.blocks.record import BlockMeasurements

ONE_IN_A_THOUSAND = 0.001


def analyse_blocks(measured: BlockMeasurements, kind: str | None = None) -> BlocksFound:
    """Analyses measurements in the model `blocks` or `edges`; by default the requested one."""
    found = model_of(measured, kind or measured.model)
    design = found.design()
    space = row_space(design)
    times = np.hstack([np.array(one.times_cycles) for one in measured.equations])
    resolution = measured.conditions.resolution_cycles
    kept = _near_their_median(times, resolution)
    solved = fit(design[:, list(space.pivots)], times, resolution, kept)
    fetches = measured.conditions.code_fetches
    known = truths(found)
    halves = half_widths(measured, solved, fetches.doubt_cycles) + fetches.overlap_cycles
    combinations = tuple(
        _combination(found, weights, Estimate(float(value), float(half)), known)
        for weights, value, half in zip(space.combinations, solved.values, halves, strict=True)
    )
    left = solved.residuals.mean(axis=0)
    sigma = float(np.sqrt(np.sum(left**2) / max(1, len(design) - len(space.pivots))))
    first = next(one for one in measured.equations if one.left_at is None)
    totals = np.array(first.counts, dtype=np.int64).sum(axis=0) @ found.of_edges
    return BlocksFound(
        measured=measured,
        model=found,
        combinations=combinations,
        groups=_groups(found, space),
        unexecuted=tuple(
            name for name, column in zip(found.names, design.T, strict=True)
            if not column.any() and name not in (EPSILON, LEFT)
        ),
        equations=len(design),
        repetitions=len(times),
        residual_sigma=sigma,
        residual_maximum=float(np.max(np.abs(left))),
        rejected=int(kept.size - kept.sum()),
        additive=_is_additive(
            times, kept, left, len(space.pivots), resolution
        ),
        splits=tuple(splits(found, [one.at for one in measured.refused])),
        executions=dict(zip(found.names[1:-2], map(int, totals), strict=True)),
    )  # fmt: skip


def _near_their_median(times: Values, resolution: float) -> Kept:
    """Which times to keep: the rule of stats/outliers.py, around each measurement's own median.

    Time that the model does not explain shows as a residual.
    """
    off = np.abs(times - np.median(times, axis=0))
    least = max(resolution / 2, TOLERANCE * float(np.max(np.abs(times))))
    return np.asarray(off <= SCORE / MEDIAN_DEVIATION * max(float(np.median(off)), least))


def _is_additive(times: Values, kept: Kept, left: Values, unknowns: int, resolution: float) -> bool:
    """Whether the residuals are no more than the clock's rounding, or than noise explains.

    Noise is what repetitions of the same measurement differ by. The test is that for lack of fit
    (Draper and Smith, "Applied Regression Analysis", section 2.1), at one in a thousand.
    """
    repetitions, equations = times.shape
    if float(np.max(np.abs(left))) <= resolution + ROUNDING:
        return True
    if repetitions < 2 or equations <= unknowns:
        return False
    counts = kept.sum(axis=0)
    own = np.sum(times, axis=0, where=kept) / np.maximum(counts, 1)
    pure = int(np.sum(np.maximum(counts - 1, 0)))
    noise = float(np.sum((times - own) ** 2, where=kept)) / max(pure, 1)
    lack = float(np.sum(counts * left**2)) / (equations - unknowns)
    freedom = equations - unknowns, pure
    return noise > 0 and tail_of_f(lack / noise, *freedom) > ONE_IN_A_THOUSAND


def _combination(
    found: BlockUnknowns,
    weights: Sequence[Fraction],
    estimate: Estimate,
    known: dict[str, Exactly | None],
) -> Combination:
    parts = {name: weight for name, weight in zip(found.names, weights, strict=True) if weight}
    seen = [(weight, known.get(name)) for name, weight in parts.items()]
    if any(one is None for _, one in seen):
        return Combination(parts, estimate, None)
    ends = [
        (float(weight) * one.shortest_cycles, float(weight) * one.longest_cycles)
        for weight, one in seen
        if one is not None
    ]
    truth = Exactly(
        sum(float(weight) * one.mean_cycles for weight, one in seen if one is not None),
        sum(min(pair) for pair in ends),
        sum(max(pair) for pair in ends),
    )
    return Combination(parts, estimate, truth)


def _groups(found: BlockUnknowns, space: RowSpace) -> tuple[tuple[str, ...], ...]:
    """Unknowns that share a combination, except those of one that stands alone."""
    single = alone(space)
    groups: list[set[int]] = []
    for row in space.combinations:
        members = {i for i, weight in enumerate(row) if weight} - single
        if not members:
            continue
        touched = [group for group in groups if group & members]
        groups = [group for group in groups if not group & members]
        groups.append(members.union(*touched))
    return tuple(tuple(found.names[i] for i in sorted(group)) for group in groups)
