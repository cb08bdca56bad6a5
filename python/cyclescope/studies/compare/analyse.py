"""Two characterizations beside each other: what is slower in the second, by how much, how surely.

Over several layouts the layouts are the replicates; on a noisy target the samples are. On one
layout of an exact board nothing is left to chance: a difference is exact there, and says nothing of
another layout of the same code.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cyclescope.quantity import ROUNDING, format_number
from cyclescope.stats.holm import adjust
from cyclescope.stats.replicates import enough, least_difference
from cyclescope.studies.characterize.findings import Characterization
from cyclescope.studies.compare.case_matching import matches, unmatched
from cyclescope.studies.compare.case_pairs import PairMaker
from cyclescope.studies.compare.class_facts import class_facts
from cyclescope.studies.compare.conditions import differences
from cyclescope.studies.compare.findings import (
    ALPHA,
    CasePair,
    Change,
    Comparison,
    IntervalSource,
    PointPair,
    TimeUnit,
)
from cyclescope.studies.compare.pair_table import PairTable
from cyclescope.studies.compare.platform_ratio import platform_ratio
from cyclescope.studies.compare.systems import compare_systems

__all__ = ["compare", "platform_ratio"]

FAR = 5.0
"""σ of the layouts. Where smaller differences are no verdicts, there are too few layouts."""


def compare(
    first: Characterization,
    second: Characterization,
    unit: TimeUnit = TimeUnit.CYCLES,
    table: PairTable | None = None,
) -> Comparison:
    """Every case of one name in both, and what keeps the rest from being compared.

    With a table, its pairs instead, and what they say of two operating systems.
    """
    maker = PairMaker(first, second, unit)
    pairs = _adjusted([maker.pair(matched) for matched in matches(first, second, table)])
    tested = sum(not math.isnan(point.p_value) for pair in pairs for point in pair.points)
    few = _too_few_layouts(first, second, pairs, tested)
    return Comparison(
        first=first,
        second=second,
        unit=unit,
        differences=differences(first, second),
        pairs=pairs,
        only_first=unmatched(first, second, table),
        only_second=unmatched(second, first, table),
        classes=class_facts(pairs),
        platform=platform_ratio(first, second, unit),
        systems=compare_systems(pairs, maker.scales) if table else None,
        tests=tested,
        warnings=(
            *(_of_two_boards(first, second) if table else ()),
            *_warnings(first, second, unit),
            *few,
            *_of_one_run(pairs),
        ),
    )


def _direction(point: PointPair, least: float) -> Change:
    difference = point.difference.value
    if abs(difference) <= least:
        return Change.NONE
    return Change.SLOWER if difference > 0 else Change.FASTER


def _adjusted(pairs: Sequence[CasePair]) -> tuple[CasePair, ...]:
    """The pairs with every p-value counted among all, and the verdicts that follow."""
    points = [point for pair in pairs for point in pair.points]
    adjusted = iter(adjust([point.p_value for point in points]))
    return tuple(
        replace(pair, points=tuple(_judged(point, next(adjusted)) for point in pair.points))
        for pair in pairs
    )


def _judged(point: PointPair, adjusted: float) -> PointPair:
    if point.basis is IntervalSource.ONE_LAYOUT:
        return replace(point, change=_direction(point, max(point.resolution, ROUNDING)))
    if math.isnan(adjusted):
        return point
    change = _direction(point, ROUNDING) if adjusted < ALPHA else Change.NONE
    return replace(point, adjusted=adjusted, change=change)


def _of_two_boards(first: Characterization, second: Characterization) -> Iterable[str]:
    boards = first.conditions.board, second.conditions.board
    if boards[0] != boards[1]:
        yield (
            f"the boards differ too ({boards[0]} and {boards[1]}): a ratio is of board and system "
            "together, and says nothing of the systems alone. Measure both on one board"
        )


def _of_one_run(pairs: Sequence[CasePair]) -> Iterable[str]:
    if any(point.basis is IntervalSource.SAMPLES for pair in pairs for point in pair.points):
        yield (
            "samples vary on this kind of target, and each was measured in one run. Intervals and "
            "verdicts are of these two runs; they do not cover what differs from run to run. "
            "Measure A twice and compare that first"
        )


def _too_few_layouts(
    first: Characterization, second: Characterization, pairs: Sequence[CasePair], tests: int
) -> Iterable[str]:
    """Where only enormous differences would be verdicts, and how many layouts help."""
    vary = any(
        any(mean.standard_error for mean in point.means)
        for pair in pairs
        for point in pair.points
        if point.basis is IntervalSource.LAYOUTS
    )
    counts = len(first.layouts), len(second.layouts)
    if not vary or (apart := least_difference(*counts, tests, ALPHA)) <= FAR:
        return
    yield (
        f"{counts[0]} and {counts[1]} layouts are few for {tests} tests (Holm): a difference "
        f"becomes a verdict only beyond {format_number(apart, 0)} σ of the layouts. Measure both "
        f"with --layouts {enough(FAR, tests, ALPHA)} or more"
    )


def _warnings(first: Characterization, second: Characterization, unit: TimeUnit) -> Iterable[str]:
    clocks = [found.conditions.core_hz for found in (first, second)]
    if clocks[0] != clocks[1]:
        other = {TimeUnit.CYCLES: "--in us", TimeUnit.MICROSECONDS: "--in cycles"}[unit]
        yield (
            f"the clocks differ ({clocks[0] / 1e6:g} and {clocks[1] / 1e6:g} MHz): ratios and "
            f"verdicts are of times in {unit.symbol}; {other} gives the others"
        )
    counts = len(first.layouts), len(second.layouts)
    if 1 in counts and max(counts) > 1:
        yield (
            f"{counts[0]} and {counts[1]} layouts: with one on either side there are no "
            "replicates to compare; measure both with the same --layouts"
        )
    for name, found in (("first", first), ("second", second)):
        if found.missing:
            yield (
                f"the {name} is not finished: {len(found.missing)} runs of its plan are missing; "
                "complete it with characterize --resume"
            )
        if found.failed:
            yield (
                f"in the {name} {len(found.failed)} runs failed (reasons: cyclescope show); "
                "characterize --resume tries them again"
            )
    if first.technique != second.technique:
        yield f"the techniques differ: {first.technique} and {second.technique}"
