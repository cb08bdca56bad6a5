"""The platform ratio K between two configurations (Brandolese and Fornaciari, section 4.4).

Table 5 gives K, its extremes and σ over all functions, of all parameters of the models together.
Here K is told of the mean times and of the coefficients m and q apart, for they need not agree.
"""

import math
from collections.abc import Iterable

import numpy as np

from cyclescope.comparison import PlatformRatio, PlatformRatios, TimeUnit
from cyclescope.formula_fit import FormulaFit
from cyclescope.model import Fitted
from cyclescope.quantity import Estimate
from cyclescope.stats.net import Verdict
from cyclescope.stats.summary import summarise
from cyclescope.study import CaseAnalysis, Characterization

Found = tuple[str, float | str]
"""A case's name, and its ratio or why it has none."""


def platform_ratio(
    first: Characterization, second: Characterization, unit: TimeUnit = TimeUnit.CYCLES
) -> PlatformRatios:
    """K = second / first over the cases of one name.

    A case counts once: with a parameter its mean is over the x that both have. Coefficients are
    compared where both laws have one form; constant laws have no m.
    """
    scale = time_scale(first, second, unit)
    others = {one.case.name: one for one in second.cases}
    pairs = [
        (one, others[one.case.name])
        for one in first.cases
        if one.case.name in others and not one.problem and not others[one.case.name].problem
    ]
    return PlatformRatios(
        unit=unit,
        means=_summary("means", (_of_means(*pair) for pair in pairs), scale),
        m=_summary("m", (found for pair in pairs for found in _of("m", *pair)), scale),
        q=_summary("q", (found for pair in pairs for found in _of("q", *pair)), scale),
    )


def time_scale(first: Characterization, second: Characterization, unit: TimeUnit) -> float:
    """What a ratio of cycles is multiplied by to be one in `unit`."""
    if unit is TimeUnit.CYCLES:
        return 1.0
    return first.conditions.core_hz / second.conditions.core_hz


def law_of(one: CaseAnalysis) -> Fitted | None:
    """The law of a case; where time follows the load, that law."""
    return one.load_law or one.law


def same_form(one: Fitted, other: Fitted) -> bool:
    """Whether the coefficients of two laws mean the same; knees may lie elsewhere."""
    if isinstance(one, FormulaFit) or isinstance(other, FormulaFit):
        names = [[coefficient.name for coefficient in law.coefficients] for law in (one, other)]
        return names[0] == names[1]
    return one.model == other.model and len(one.segments) == len(other.segments)


def _of_means(one: CaseAnalysis, other: CaseAnalysis) -> Found:
    theirs = {measured.parameter: measured.net for measured in other.measured}
    nets = [
        (measured.net, theirs[measured.parameter])
        for measured in one.measured
        if measured.parameter in theirs
    ]
    if not nets:
        return one.case.name, "no x in common"
    if any(net.verdict is not Verdict.MEASURED for pair in nets for net in pair):
        return one.case.name, "a time is not distinguishable from zero"
    sums = [sum(pair[i].estimate.value for pair in nets) for i in (0, 1)]
    return one.case.name, sums[1] / sums[0]


def _of(name: str, one: CaseAnalysis, other: CaseAnalysis) -> Iterable[Found]:
    mine, theirs = law_of(one), law_of(other)
    if mine is None or theirs is None:
        return
    if not same_form(mine, theirs):
        yield one.case.name, f"{mine.model} in the first and {theirs.model} in the second"
        return
    coefficients = zip(_coefficients(mine, name), _coefficients(theirs, name), strict=True)
    several = name == "m" and len(mine.segments) > 1
    for number, pair in enumerate(coefficients, 1):
        label = f"{one.case.name}, segment {number}" if several else one.case.name
        yield label, _quotient(name, *pair)


def _coefficients(law: Fitted, name: str) -> list[Estimate]:
    """The m of each segment, or the one q from which the others follow."""
    return [one.estimate for one in law.coefficients if one.name.rstrip("0123456789") == name]


def _quotient(name: str, one: Estimate, other: Estimate) -> float | str:
    if one.low <= 0 or other.low <= 0:
        return f"{name} is not distinguishable from zero, or below it"
    return other.value / one.value


def _summary(of: str, found: Iterable[Found], scale: float) -> PlatformRatio:
    every = list(found)
    ratios = [(name, scale * value) for name, value in every if not isinstance(value, str)]
    left_out = tuple(f"{name}: {value}" for name, value in every if isinstance(value, str))
    if not ratios:
        nan = math.nan
        return PlatformRatio(of, 0, nan, nan, nan, nan, "", "", left_out)
    summary = summarise(np.array([value for _, value in ratios]))
    (most, k_max), (least, k_min) = (way(ratios, key=lambda one: one[1]) for way in (max, min))
    sigma = summary.sigma if summary.n > 1 else math.nan
    return PlatformRatio(of, summary.n, summary.mean, k_max, k_min, sigma, most, least, left_out)
