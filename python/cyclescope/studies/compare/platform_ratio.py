"""The platform ratio K between two configurations (Brandolese and Fornaciari, section 4.4).

Table 5 gives K, its extremes and σ over all functions, of all parameters of the models together.
Here the mean times and the coefficients m and q each have a K, for they need not agree. Cases share
code: a copying loop is the slope of every call that copies. So ratios of one function are one
observation. Of slopes it is the function of the instruction that is executed most often at the
greatest x, which is in the loop. Of times and constants it is the function that is called. The
interval is of the mean over functions; what a function not measured will have lies in a wider one.
"""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean

import numpy as np

from cyclescope.laws.formula_fit import FormulaFit
from cyclescope.laws.model import Fitted
from cyclescope.quantity import Estimate
from cyclescope.stats.net import NetVerdict
from cyclescope.stats.summary import Summary, Values, student, summarise
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.compare.case_matching import matches
from cyclescope.studies.compare.findings import PlatformRatio, PlatformRatios, TimeUnit

Found = tuple[str, str, float | str]
"""A case's name, perhaps with a segment of its law, the function it stands for, and its ratio or
why it has none."""

SEGMENT = ", segment "


def platform_ratio(
    first: Characterization, second: Characterization, unit: TimeUnit = TimeUnit.CYCLES
) -> PlatformRatios:
    """K = second / first over the functions of the cases that are compared by name.

    A case's mean is over the x that both have. Coefficients are compared where both laws have one
    form; constant laws have no m.
    """
    scale = time_scale(first, second, unit)
    matched = matches(first, second, None)
    pairs = [
        (one.first, one.second)
        for one in matched
        if not one.first.problem and not one.second.problem
    ]
    return PlatformRatios(
        unit=unit,
        means=_summary("means", (_of_means(*pair) for pair in pairs), scale),
        m=_summary("m", (found for pair in pairs for found in _of("m", *pair)), scale),
        q=_summary("q", (found for pair in pairs for found in _of("q", *pair)), scale),
    )


def time_scale(first: Characterization, second: Characterization, unit: TimeUnit) -> float:
    """Factor that converts a ratio of cycles to one in `unit`."""
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
        return one.case.name, one.case.function, "no x in common"
    if any(net.verdict is not NetVerdict.MEASURED for pair in nets for net in pair):
        return one.case.name, one.case.function, "a time is not distinguishable from zero"
    sums = [sum(pair[i].estimate.value for pair in nets) for i in (0, 1)]
    return one.case.name, one.case.function, sums[1] / sums[0]


def _of(name: str, one: CaseAnalysis, other: CaseAnalysis) -> Iterable[Found]:
    mine, theirs = law_of(one), law_of(other)
    if mine is None or theirs is None:
        return
    stands_for = (one.repeats_in or one.case.function) if name == "m" else one.case.function
    if not same_form(mine, theirs):
        other_form = f"{mine.model} in the first and {theirs.model} in the second"
        if mine.model == theirs.model:
            other_form = f"{mine.model} in both, but of other summands"
        yield one.case.name, stands_for, other_form
        return
    coefficients = zip(_coefficients(mine, name), _coefficients(theirs, name), strict=True)
    several = name == "m" and len(mine.segments) > 1
    for number, pair in enumerate(coefficients, 1):
        label = f"{one.case.name}{SEGMENT}{number}" if several else one.case.name
        yield label, stands_for, _quotient(name, *pair)


def _coefficients(law: Fitted, name: str) -> list[Estimate]:
    """The m of each segment, or the one q from which the others follow."""
    return [one.estimate for one in law.coefficients if one.name.rstrip("0123456789") == name]


def _quotient(name: str, one: Estimate, other: Estimate) -> float | str:
    if one.low <= 0 or other.low <= 0:
        return f"{name} is not distinguishable from zero, or below it"
    return other.value / one.value


def _summary(of: str, found: Iterable[Found], scale: float) -> PlatformRatio:
    every = list(found)
    ratios: dict[str, list[tuple[str, float]]] = {}
    for name, function, value in every:
        if not isinstance(value, str):
            ratios.setdefault(function, []).append((name, scale * value))
    left_out = tuple(f"{name}: {value}" for name, _, value in every if isinstance(value, str))
    nan = math.nan
    if not ratios:
        return PlatformRatio(
            of, 0, 0, nan, nan, nan, nan, (nan, nan), nan, nan, nan, "", "", left_out
        )
    means = {_named(one, its): fmean(value for _, value in its) for one, its in ratios.items()}
    values = np.array(list(means.values()))
    summary = summarise(values)
    (most, k_max), (least, k_min) = (
        way(means.items(), key=lambda one: one[1]) for way in (max, min)
    )
    several = summary.n > 1
    return PlatformRatio(
        of=of,
        n=summary.n,
        cases=sum(len(_cases(its)) for its in ratios.values()),
        k=summary.mean,
        half_width=summary.estimate.half_width,
        another=_another(summary),
        held_percent=_held_percent(values),
        without_one=_without_one(summary, k_max, k_min) if several else (nan, nan),
        k_max=k_max,
        k_min=k_min,
        sigma=summary.sigma if several else nan,
        max_case=most,
        min_case=least,
        left_out=left_out,
    )


def _another(summary: Summary) -> float:
    """Half of the interval in which the ratio of one function more falls in 95 % of cases."""
    if summary.n < 2:
        return math.inf
    return student(summary.n - 1) * summary.sigma * math.sqrt(1 + 1 / summary.n)


def _held_percent(values: Values) -> float:
    """How many of the functions fall into the interval that all others give for one more."""
    if values.size < 3:
        return math.nan
    others = [summarise(np.delete(values, place)) for place in range(values.size)]
    held = [
        abs(value - rest.mean) <= _another(rest) for value, rest in zip(values, others, strict=True)
    ]
    return 100 * fmean(held)


def _without_one(summary: Summary, *left_out: float) -> tuple[float, float]:
    """The means of the others, without the greatest and without the least."""
    low, high = ((summary.mean * summary.n - value) / (summary.n - 1) for value in left_out)
    return low, high


def _named(function: str, ratios: Sequence[tuple[str, float]]) -> str:
    """A function that stands for one case is called as that."""
    first, *others = _cases(ratios)
    return f"{function} ({1 + len(others)} cases)" if others else first


def _cases(ratios: Sequence[tuple[str, float]]) -> list[str]:
    """The cases behind the ratios, each once. A law of several segments has a ratio for each
    segment."""
    return list(dict.fromkeys(label.partition(SEGMENT)[0] for label, _ in ratios))
