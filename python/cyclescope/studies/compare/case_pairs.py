"""Makes the pairs of a comparison: two cases, and x by x the times of both."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from cyclescope.quantity import Estimate
from cyclescope.stats.fieller import Mean, interval, p_different
from cyclescope.stats.net import NetVerdict
from cyclescope.stats.ratio import Ratio
from cyclescope.stats.summary import student, summarise
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.characterize.run_figures import Measured
from cyclescope.studies.compare.case_matching import Matched
from cyclescope.studies.compare.findings import (
    NO_LAW,
    CasePair,
    Change,
    IntervalSource,
    Pairing,
    PointPair,
    TimeUnit,
)
from cyclescope.studies.compare.platform_ratio import law_of
from cyclescope.target.case import Case


def form(one: CaseAnalysis) -> str:
    """The form of a case's law as text that is equal for equal forms."""
    law = law_of(one)
    if law is None:
        return NO_LAW
    segments = f" of {len(law.segments)} segments" if len(law.segments) > 1 else ""
    load = " in the load" if one.load_law else ""
    return f"{law.model}{segments}{load}"


class PairMaker:
    """Makes pairs in one unit of time."""

    def __init__(self, first: Characterization, second: Characterization, unit: TimeUnit) -> None:
        clocks = [found.conditions.core_hz for found in (first, second)]
        in_us = unit is TimeUnit.MICROSECONDS
        self.scales = [1e6 / hz if in_us else 1.0 for hz in clocks]
        conditions = first.conditions, second.conditions
        self._exact = all(one.exact for one in conditions)
        # On one layout of an exact board two counts of slow timers may differ by rounding alone,
        # and two images by the code beside the call.
        other_image = len({one.image_sha256 for one in conditions}) > 1
        self._resolution = sum(
            scale * (one.resolution_cycles + other_image * one.overlap_cycles)
            for scale, one in zip(self.scales, conditions, strict=True)
        )

    def pair(self, matched: Matched) -> CasePair:
        """Two cases beside each other; without points where their figures must not be used."""
        one, other, pairing = matched.first, matched.second, matched.pairing
        problem = "; ".join(
            f"in the {name}: {each.problem}"
            for name, each in (("first", one), ("second", other))
            if each.problem
        )
        common = _common(one, other, pairing)
        if not common and not problem:
            problem = _no_common_x(one.case, other.case)
        common = [pair for pair in common if all(each.between for each in pair)] or common
        points = () if problem else tuple(self._point(*both) for both in common)
        remarks = _pairing_remarks(one, other, pairing) if pairing else _remarks(one, other)
        return CasePair(
            first=one,
            second=other,
            points=points,
            ratio=self._ratio_over_x(points),
            forms=(form(one), form(other)),
            remarks=(*remarks, *_remarks_of_either(one, other)),
            problem=problem or None,
            pairing=pairing,
        )

    def _point(self, one: Measured, other: Measured) -> PointPair:
        basis = self._basis(one, other)
        means = _mean(one, self.scales[0], basis), _mean(other, self.scales[1], basis)
        known = all(net.verdict is NetVerdict.MEASURED for net in (one.net, other.net))
        p_value = math.nan if basis is IntervalSource.ONE_LAYOUT else p_different(*means)
        return PointPair(
            parameter=one.parameter if one.parameter == other.parameter else None,
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
            *(_over_layouts(side, scale) for side, scale in zip(sides, self.scales, strict=True))
        )


def _no_common_x(one: Case, other: Case) -> str:
    """Why two cases meet at no x, with the x that both could be measured at."""
    for case, taker in ((one, other), (other, one)):
        values = case.parameter.values if case.parameter else ()
        if taken := [str(x) for x in values if taker.takes(x)]:
            return f"no x in common: measure both with --at {','.join(taken)}"
    return "no x in common"


def _common(
    one: CaseAnalysis, other: CaseAnalysis, pairing: Pairing | None
) -> list[tuple[Measured, Measured]]:
    """Pairs what both measured at the x that they have in common, or that the table names."""
    if pairing and pairing.at != (None, None):
        sides = zip((one, other), pairing.at, strict=True)
        found = [[it for it in side.measured if it.parameter == at] for side, at in sides]
        return list(zip(*found, strict=False))
    theirs = {measured.parameter: measured for measured in other.measured}
    return [
        (measured, theirs[measured.parameter])
        for measured in one.measured
        if measured.parameter in theirs
    ]


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


def _pairing_remarks(one: CaseAnalysis, other: CaseAnalysis, pairing: Pairing) -> Iterable[str]:
    """Sentences of the table: what both do, what differs, and at which x they are compared."""
    yield pairing.does
    if pairing.nearly:
        yield f"nearly: {pairing.nearly}"
    for name, case, at in zip("AB", (one.case, other.case), pairing.at, strict=True):
        if at is not None and case.parameter:
            yield f"{name} at {case.parameter.name} = {at}"
    if one.case.switches != other.case.switches:
        ends = [
            "in another task" if case.switches else "in the caller"
            for case in (one.case, other.case)
        ]
        yield f"the call ends {ends[0]} in A, {ends[1]} in B"


def _remarks_of_either(one: CaseAnalysis, other: CaseAnalysis) -> Iterable[str]:
    for name, each in (("first", one), ("second", other)):
        if each.hidden:
            yield f"in the {name}: {each.hidden}"
    own, others = ({each.parameter for each in case.measured} for case in (one, other))
    for only, name in ((own - others, "first"), (others - own, "second")):
        if only and own & others:
            values = sorted(str(value) for value in only)
            yield f"only the {name} was measured at x = {', '.join(values)}"
