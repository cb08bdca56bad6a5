"""Two characterizations beside each other: what is slower in the second, by how much, how surely.

Over several layouts the layouts are the replicates; on a noisy target the samples are. On one
layout of an exact board nothing is left to chance: a difference is exact there, and says nothing of
another layout of the same code.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from cyclescope.quantity import ROUNDING, Estimate, format_number
from cyclescope.stats.fieller import Mean, interval, p_different
from cyclescope.stats.holm import adjust
from cyclescope.stats.net import NetVerdict
from cyclescope.stats.ratio import Ratio
from cyclescope.stats.replicates import enough, least_difference
from cyclescope.stats.summary import student, summarise
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.characterize.run_figures import Measured
from cyclescope.studies.compare.case_matching import matches, unmatched
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
from cyclescope.studies.compare.platform_ratio import law_of, platform_ratio

__all__ = ["compare", "platform_ratio"]

FAR = 5.0
"""σ of the layouts. Where smaller differences are no verdicts, there are too few layouts."""


def compare(
    first: Characterization, second: Characterization, unit: TimeUnit = TimeUnit.CYCLES
) -> Comparison:
    """Every case of one name in both, and what keeps the rest from being compared."""
    maker = _Maker(first, second, unit)
    pairs = _adjusted([maker.pair(*both) for both in matches(first, second)])
    tested = sum(not math.isnan(point.p_value) for pair in pairs for point in pair.points)
    few = _too_few_layouts(first, second, pairs, tested)
    return Comparison(
        first=first,
        second=second,
        unit=unit,
        differences=differences(first, second),
        pairs=pairs,
        only_first=unmatched(first, second),
        only_second=unmatched(second, first),
        classes=class_facts(pairs),
        platform=platform_ratio(first, second, unit),
        tests=tested,
        warnings=(*_warnings(first, second, unit), *few, *_of_one_run(pairs)),
    )


def form(one: CaseAnalysis) -> str:
    """The form of a case's law as text that is equal for equal forms."""
    law = law_of(one)
    if law is None:
        return "no law"
    segments = f" of {len(law.segments)} segments" if len(law.segments) > 1 else ""
    load = " in the load" if one.load_law else ""
    return f"{law.model}{segments}{load}"


class _Maker:
    """Makes pairs in one unit of time."""

    def __init__(self, first: Characterization, second: Characterization, unit: TimeUnit) -> None:
        clocks = [found.conditions.core_hz for found in (first, second)]
        in_us = unit is TimeUnit.MICROSECONDS
        self._scales = [1e6 / hz if in_us else 1.0 for hz in clocks]
        conditions = first.conditions, second.conditions
        self._exact = all(one.exact for one in conditions)
        # On one layout of an exact board two counts of slow timers may differ by rounding alone.
        self._resolution = sum(
            scale * one.resolution_cycles
            for scale, one in zip(self._scales, conditions, strict=True)
        )

    def pair(self, one: CaseAnalysis, other: CaseAnalysis) -> CasePair:
        """A case in both; without points where its figures must not be used."""
        problem = "; ".join(
            f"in the {name}: {each.problem}"
            for name, each in (("first", one), ("second", other))
            if each.problem
        )
        theirs = {measured.parameter: measured for measured in other.measured}
        common = [
            (measured, theirs[measured.parameter])
            for measured in one.measured
            if measured.parameter in theirs
        ]
        if not common and not problem:
            problem = "no x in common"
        common = [pair for pair in common if all(each.between for each in pair)] or common
        points = () if problem else tuple(self._point(*both) for both in common)
        return CasePair(
            first=one,
            second=other,
            points=points,
            ratio=self._ratio_over_x(points),
            forms=(form(one), form(other)),
            remarks=tuple(_remarks(one, other)),
            problem=problem or None,
        )

    def _point(self, one: Measured, other: Measured) -> PointPair:
        basis = self._basis(one, other)
        means = _mean(one, self._scales[0], basis), _mean(other, self._scales[1], basis)
        known = all(net.verdict is NetVerdict.MEASURED for net in (one.net, other.net))
        p_value = math.nan if basis is IntervalSource.ONE_LAYOUT else p_different(*means)
        return PointPair(
            parameter=one.parameter,
            first=one,
            second=other,
            means=means,
            basis=basis,
            ratio=interval(*means) if known else Ratio(math.nan, math.nan, math.nan),
            difference=_difference(*means),
            p_value=p_value,
            adjusted=p_value,
            resolution=self._resolution,
            change=Change.UNKNOWN,
        )

    def _basis(self, one: Measured, other: Measured) -> IntervalSource:
        if one.between and other.between:
            return IntervalSource.LAYOUTS
        return IntervalSource.ONE_LAYOUT if self._exact else IntervalSource.SAMPLES

    def _ratio_over_x(self, points: Sequence[PointPair]) -> Ratio:
        """Of the mean times over x; of layouts each has a mean of its own."""
        if not points or any(math.isnan(point.ratio.value) for point in points):
            return Ratio(math.nan, math.nan, math.nan)
        basis = points[0].basis
        if basis is not IntervalSource.LAYOUTS:
            return interval(*(_pooled([point.means[i] for point in points]) for i in (0, 1)))
        sides = [[point.first for point in points], [point.second for point in points]]
        return interval(
            *(_over_layouts(side, scale) for side, scale in zip(sides, self._scales, strict=True))
        )


def _mean(one: Measured, scale: float, basis: IntervalSource) -> Mean:
    """A net time with its standard error; one layout of an exact board has none."""
    estimate = one.net.estimate
    if basis is IntervalSource.ONE_LAYOUT:
        return Mean(scale * estimate.value, math.inf, 1)
    if one.between:
        mean = Mean.of(one.between)
        return Mean(scale * mean.value, scale * mean.standard_error, mean.freedom)
    freedom = min(one.runs[0].call.n, one.runs[0].empty.n) - 1
    error = estimate.half_width / student(freedom) if freedom else math.inf
    return Mean(scale * estimate.value, scale * error, max(freedom, 1))


def _pooled(means: Sequence[Mean]) -> Mean:
    """The mean of independent means."""
    error = math.hypot(*(one.standard_error for one in means)) / len(means)
    value = sum(one.value for one in means) / len(means)
    return Mean(value, error, min(one.freedom for one in means))


def _over_layouts(side: Sequence[Measured], scale: float) -> Mean:
    """The mean over x, whose replicates are the layouts that have every x."""
    nets: dict[int, list[float]] = {}
    for measured in side:
        for run in measured.runs:
            nets.setdefault(run.layout_number, []).append(run.net.estimate.value)
    means = [scale * float(np.mean(one)) for one in nets.values() if len(one) == len(side)]
    if not means:
        return Mean(math.nan, math.inf, 1)
    return Mean.of(summarise(np.array(means)))


def _difference(first: Mean, second: Mean) -> Estimate:
    """second - first; the half-width by the smaller degrees of freedom, rather too wide."""
    error = math.hypot(first.standard_error, second.standard_error)
    half_width = student(min(first.freedom, second.freedom)) * error if error else 0.0
    return Estimate(second.value - first.value, half_width)


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


def _remarks(one: CaseAnalysis, other: CaseAnalysis) -> Iterable[str]:
    for what in ("call", "condition", "library", "load", "switches"):
        mine, theirs = getattr(one.case, what), getattr(other.case, what)
        if mine != theirs:
            yield f"its {what} differs: {mine} in the first, {theirs} in the second"
    if one.case.parameter != other.case.parameter:
        values = [
            f"{case.parameter.name} in {case.parameter.unit}" if case.parameter else "none"
            for case in (one.case, other.case)
        ]
        if values[0] != values[1]:
            yield f"its parameter differs: {values[0]} in the first, {values[1]} in the second"
    for name, each in (("first", one), ("second", other)):
        if each.hidden:
            yield f"in the {name}: {each.hidden}"
    own, others = ({each.parameter for each in case.measured} for case in (one, other))
    for only, name in ((own - others, "first"), (others - own, "second")):
        if only and own & others:
            values = sorted(str(value) for value in only)
            yield f"only the {name} was measured at x = {', '.join(values)}"


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
