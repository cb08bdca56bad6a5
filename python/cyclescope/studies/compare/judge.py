"""Judges a comparison by rules: a time breaks one only if its interval lies beyond the limit.

Over layouts, or the samples of a noisy target, that is a one-sided test at 5 %. Its p-value counts
among those of all rules, cases and x (Holm). So a comparison of equals fails with that probability
at most. On one layout of an exact board the times themselves are compared.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from cyclescope.errors import CyclescopeError
from cyclescope.quantity import ROUNDING, format_number
from cyclescope.stats.fieller import p_above, p_below
from cyclescope.stats.holm import adjust
from cyclescope.studies.compare.findings import (
    ALPHA,
    CasePair,
    Comparison,
    IntervalSource,
    PointPair,
)
from cyclescope.studies.compare.gate import PERCENT, TIMED, Gate, Judgement, Outcome, Rule, Trigger

REMARKS = {
    IntervalSource.LAYOUTS: "the layouts are the replicates, 5 % for all tests together (Holm)",
    IntervalSource.SAMPLES: (
        "the samples of one run each are the replicates, 5 % for all tests together (Holm); what "
        "differs from run to run is not covered"
    ),
    IntervalSource.ONE_LAYOUT: (
        "one layout: differences are exact for it and say nothing of another layout of the same "
        "code"
    ),
}


@dataclass(frozen=True)
class _Test:
    """One rule on one point."""

    rule: Rule
    point: PointPair
    p_value: float

    def breaks(self, adjusted: float) -> bool:
        return (
            self.p_value == 0 if self.point.basis is IntervalSource.ONE_LAYOUT else adjusted < ALPHA
        )


def judge(found: Comparison, rules: Sequence[Rule]) -> Gate:
    """Every case of the first by every rule."""
    if not found.pairs and not any(rule.trigger is Trigger.MISSING for rule in rules):
        raise CyclescopeError(
            "no case is in both results, so that the rules judge nothing", code="no-case-in-both"
        )
    timed = [rule for rule in rules if rule.trigger in TIMED]
    tests = [
        _Test(rule, point, _p_value(rule, point))
        for pair in found.pairs
        for point in pair.points
        for rule in timed
    ]
    by_chance = [
        math.nan if t.point.basis is IntervalSource.ONE_LAYOUT else t.p_value for t in tests
    ]
    verdicts = iter(zip(tests, adjust(by_chance), strict=True))
    judged = [
        _judged(pair, rules, islice(verdicts, len(timed) * len(pair.points)), found)
        for pair in found.pairs
    ]
    return Gate(
        rules=tuple(rules),
        judgements=(*judged, *_missing(found, rules)),
        tests=sum(not math.isnan(p) for p in by_chance),
        remark="; ".join(REMARKS[basis] for basis in found.bases),
    )


def _p_value(rule: Rule, point: PointPair) -> float:
    """Not a number where the rule does not apply: there is no percent of nothing."""
    if rule.counted_in == PERCENT and math.isnan(point.ratio.value):
        return math.nan
    if point.basis is IntervalSource.ONE_LAYOUT:
        limit = rule.factor * point.means[0].value + rule.offset
        beyond = rule.sign * (point.means[1].value - limit)
        return 0.0 if beyond > max(point.resolution, ROUNDING) else 1.0
    test = p_above if rule.trigger is Trigger.SLOWER else p_below
    return test(*point.means, rule.factor, rule.offset)


def _judged(
    pair: CasePair,
    rules: Sequence[Rule],
    verdicts: Iterable[tuple[_Test, float]],
    found: Comparison,
) -> Judgement:
    judged = list(verdicts)
    broken = [_broken(rule, pair, judged, found) for rule in rules if _any(rule, judged)]
    unknown = [_not_applied(test) for test, _ in judged if math.isnan(test.p_value)]
    broken += _lost(pair, rules)
    if pair.problem:
        unknown.append(pair.problem)
    elif pair.changes_form:
        broken += [
            f"{rule.text}: the law was {pair.forms[0]} and is {pair.forms[1]}"
            for rule in rules
            if rule.trigger is Trigger.FORM
        ]
    outcome = Outcome.NOT_JUDGED if unknown else Outcome.PASSED
    outcome = Outcome.FAILED if broken else outcome
    return Judgement(pair.name, pair.function_class, outcome, (*broken, *unknown))


def _lost(pair: CasePair, rules: Sequence[Rule]) -> list[str]:
    """The x at which the second has no time, though the first has."""
    there = {one.parameter for one in pair.second.measured} | {None}
    lost = ", ".join(str(x.parameter) for x in pair.first.measured if x.parameter not in there)
    breaks = [rule for rule in rules if rule.trigger is Trigger.MISSING and lost]
    return [f"{rule.text}: no time at x = {lost}" for rule in breaks]


def _any(rule: Rule, judged: Sequence[tuple[_Test, float]]) -> bool:
    return any(test.rule is rule and test.breaks(adjusted) for test, adjusted in judged)


def _broken(
    rule: Rule, pair: CasePair, judged: Sequence[tuple[_Test, float]], found: Comparison
) -> str:
    """The worst point at which a case breaks a rule, and at how many it does."""
    breaking = [one for one in judged if one[0].rule is rule and one[0].breaks(one[1])]
    worst, adjusted = max(breaking, key=lambda one: _beyond(one[0].point, rule))
    point = worst.point
    first, second = (format_number(mean.value, 3) for mean in point.means)
    by = "" if math.isnan(point.ratio.value) else f", {point.ratio.value:.4g} times"
    sure = "exact, one layout"
    if point.basis is not IntervalSource.ONE_LAYOUT:
        ends = point.ratio.low, point.ratio.high
        interval = "" if math.isnan(ends[0]) else f"95 % {ends[0]:.4g} … {ends[1]:.4g}, "
        sure = f"{interval}p {adjusted:.2g} adjusted"
    others = f"; at {len(breaking)} of {len(pair.points)} x" if len(pair.points) > 1 else ""
    return f"{rule.text}: {first} → {second} {found.unit.symbol}{_at(point)}{by} ({sure}){others}"


def _beyond(point: PointPair, rule: Rule) -> float:
    """How far a time lies beyond the limit, as a share of the first's where it is in percent."""
    first, second = (mean.value for mean in point.means)
    beyond = rule.sign * (second - rule.factor * first - rule.offset)
    return beyond / first if rule.counted_in == PERCENT else beyond


def _not_applied(test: _Test) -> str:
    why = "its interval is not known"
    if test.rule.counted_in == PERCENT and math.isnan(test.point.ratio.value):
        why = "a time is not distinguishable from zero, so that there is no percent of it"
    return f"{test.rule.text}{_at(test.point)}: {why}"


def _at(point: PointPair) -> str:
    return "" if point.parameter is None else f" at x = {point.parameter}"


def _missing(found: Comparison, rules: Sequence[Rule]) -> Iterable[Judgement]:
    classes = {one.case.name: one.case.function_class for one in found.first.cases}
    breaks = [rule.text for rule in rules if rule.trigger is Trigger.MISSING]
    for one in found.only_first:
        outcome = Outcome.FAILED if breaks else Outcome.NOT_JUDGED
        prefix = f"{breaks[0]}: " if breaks else ""
        yield Judgement(one.name, classes[one.name], outcome, (f"{prefix}{one.reason}",))
