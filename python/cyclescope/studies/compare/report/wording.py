"""A comparison as text: the same cells and sentences in every report of it."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cyclescope.laws.formula_fit import FormulaFit
from cyclescope.laws.model import Fitted
from cyclescope.quantity import format_estimate, format_number, microseconds
from cyclescope.report.law_text import K_MEANING
from cyclescope.stats.ratio import Ratio
from cyclescope.studies.characterize.findings import CaseAnalysis
from cyclescope.studies.characterize.report.provenance import measured_under
from cyclescope.studies.characterize.run_figures import Measured
from cyclescope.studies.compare.findings import (
    ALPHA,
    CasePair,
    Change,
    ClassFacts,
    Comparison,
    IntervalSource,
    PlatformRatio,
    PointPair,
    TimeUnit,
)
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions

DECIMALS = {TimeUnit.CYCLES: 1, TimeUnit.MICROSECONDS: 3}
PLATFORM_HEADINGS = (
    *("K = B / A of", "n", "K", "± 95 %", "another ±", "without one"),
    *("K max", "K min", "σ", "σ %"),
)
CLASS_HEADINGS = ("class", "cases", "B / A", "slower", "faster", "same", "form", "load", "state")
SAME = "The conditions agree in everything that was recorded, the image too."
CLASS_MEANING = (
    "B / A: geometric mean of the cases' ratios. Slower, faster, same: cases; those that are "
    "slower at one x and faster at another count in neither. Form: cases whose law has another "
    "form. Load: cases whose time follows the load; state: that depend on another state of the "
    "system; in A / in B where they differ."
)
PLATFORM_MEANING = f"K is the mean over functions of B / A ({K_MEANING}"


@dataclass(frozen=True)
class PairRow:
    """One case: its cells, and what is said below them."""

    name: str
    call: str
    n: str
    first: str
    second: str
    ratio: str
    change: str
    remarks: tuple[str, ...]


def rows(found: Comparison) -> list[PairRow]:
    """Every case that both have."""
    return [_row(pair, found) for pair in found.pairs]


def _row(pair: CasePair, found: Comparison) -> PairRow:
    sides = (
        (found.first.conditions, [one.first for one in pair.points]),
        (
            found.second.conditions,
            [one.second for one in pair.points],
        ),
    )
    first, second = (_times(measured, conditions, found) for conditions, measured in sides)
    basis = pair.points[0].basis if pair.points else IntervalSource.ONE_LAYOUT
    return PairRow(
        name=pair.name,
        call="; ".join(f"{case.function}: {case.condition}" for case in _cases(pair)),
        n=_both(*(format_number(one.n, 0) for one in (pair.first, pair.second))),
        first=first,
        second=second,
        ratio=ratio(pair.ratio, basis),
        change=str(pair.change),
        remarks=tuple(_remarks(pair)),
    )


def _cases(pair: CasePair) -> list[Case]:
    """The case, or both of a pair of two systems."""
    return [pair.case, pair.second.case] if pair.pairing else [pair.case]


def _times(measured: Sequence[Measured], conditions: Conditions, found: Comparison) -> str:
    """Net cycles or their range over x; both units where two clocks differ."""
    if not measured:
        return "–"
    values = [one.net.estimate.value for one in measured]
    cycles = _range(values, 1)
    if not found.clocks_differ:
        return cycles if found.unit is TimeUnit.CYCLES else _in_us(values, conditions)
    return f"{cycles} ({_in_us(values, conditions)} µs)"


def _in_us(values: Sequence[float], conditions: Conditions) -> str:
    return _range([microseconds(value, conditions.core_hz) for value in values], 3)


def _range(values: Sequence[float], decimals: int) -> str:
    ends = [format_number(end, decimals) for end in (min(values), max(values))]
    return ends[0] if ends[0] == ends[1] else " … ".join(ends)


def ratio(one: Ratio, basis: IntervalSource) -> str:
    """B / A with its interval, or with what it is of where there is none.

    >>> ratio(Ratio(1.2034, 1.1911, 1.2157), IntervalSource.LAYOUTS)
    '1.203 (1.191 … 1.216)'
    >>> ratio(Ratio(1.5, float("nan"), float("nan")), IntervalSource.ONE_LAYOUT)
    '1.500, one layout'
    """
    if math.isnan(one.value):
        return "–"
    if basis is IntervalSource.ONE_LAYOUT:
        return f"{one.value:.3f}, {basis}"
    if math.isnan(one.low):
        return f"{one.value:.3f} (?)"
    return f"{one.value:.3f} ({one.low:.3f} … {one.high:.3f})"


def point(one: PointPair, found: Comparison) -> tuple[str, ...]:
    """The cells of a case at one x."""
    decimals = DECIMALS[found.unit]
    difference = format_number(one.difference.value, decimals)
    if math.isfinite(one.difference.half_width):
        difference = format_estimate(one.difference, decimals)
    adjusted = "–" if math.isnan(one.adjusted) else f"{one.adjusted:.2g}"
    sides = (one.first, found.first.conditions), (one.second, found.second.conditions)
    return (
        "–" if one.parameter is None else str(one.parameter),
        _both(*(format_number(side.n, 0) for side in (one.first, one.second))),
        *(_times([measured], conditions, found) for measured, conditions in sides),
        _both(*(format_number(_spread(side), 2) for side in (one.first, one.second))),
        difference,
        ratio(one.ratio, one.basis),
        adjusted,
        str(one.change),
    )


def point_headings(found: Comparison) -> tuple[str, ...]:
    """Headings of the cells of `point`."""
    unit = found.unit.symbol
    return (
        "x", "n", f"A {unit}", f"B {unit}", "spread", "B - A", "B / A (95 %)", "p, Holm", "B is",
    )  # fmt: skip


def _spread(one: Measured) -> float:
    """Between layouts where there are several, else of the samples."""
    return one.sigma_between if one.between else one.spread


def _both(first: str, second: str) -> str:
    return first if first == second else f"{first} / {second}"


def _remarks(pair: CasePair) -> list[str]:
    said = [f"{'form' if pair.changes_form else 'law'}: {laws(pair)}"]
    said = said if pair.changes_form or pair.case.parameter else []
    if pair.change is Change.MIXED:
        said.append(_where(pair))
    said += pair.remarks
    return [*said, pair.problem] if pair.problem else said


def laws(pair: CasePair) -> str:
    """The laws of both, named separately only where they differ.

    Laws are of net core cycles, whatever the comparison is in.
    """
    first, second = (law(one) for one in (pair.first, pair.second))
    return f"{first} in both" if first == second else f"A {first}; B {second}"


def law(one: CaseAnalysis) -> str:
    """Form and coefficients of a case's law, in core cycles."""
    fitted = one.load_law or one.law
    if fitted is None:
        return f"no law ({one.law_refused})" if one.law_refused else "no law"
    over = "load" if one.load_law else "x"
    return f"{fitted.model} {_formula(fitted, over)}"


def _formula(fitted: Fitted, over: str) -> str:
    if isinstance(fitted, FormulaFit):
        return fitted.formula.text()
    named = {one.name: one.estimate for one in fitted.coefficients}
    if len(fitted.segments) == 1 and named.keys() <= {"m", "q"}:
        q = format_estimate(named["q"], 2)
        return f"({format_estimate(named['m'], 3)})·{over} + ({q})" if "m" in named else q
    parts = (
        f"{format_number(one.m, 3)}·{over} + {format_number(one.q, 2)} to {over} = "
        f"{format_number(one.end, 2)}"
        for one in fitted.segments
    )
    return ", ".join(parts)


def _where(pair: CasePair) -> str:
    def at(change: Change) -> str:
        values = (str(one.parameter) for one in pair.points if one.change is change)
        return ", ".join(values)

    return f"slower at x = {at(Change.SLOWER)}; faster at x = {at(Change.FASTER)}"


def answer(found: Comparison) -> str:
    """How many cases are slower or faster in B, and the greatest and least ratio."""
    counts = Counter(pair.change for pair in found.pairs)
    told = [f"{counts[change]} {change}" for change in Change if counts[change]]
    said = f"Of {len(found.pairs)} cases, by their time in B: {', '.join(told) or 'none'}."
    known = [pair for pair in found.pairs if not math.isnan(pair.ratio.value)]
    if not known:
        return said
    ends = (max, "greatest"), (min, "least")
    extremes = [(name, pick(known, key=lambda pair: pair.ratio.value)) for pick, name in ends]
    ratios = ", ".join(f"{name} {one.ratio.value:.3f} ({one.name})" for name, one in extremes)
    return f"{said} Ratio B / A of their times: {ratios}."


def agreed(found: Comparison) -> list[tuple[str, str]]:
    """The lines of the conditions in which both say the same."""
    theirs = measured_under(found.second)
    return [line for line in measured_under(found.first) if line in theirs]


def classes(one: ClassFacts) -> tuple[str, ...]:
    """The cells of a class under CLASS_HEADINGS."""
    mean = "–" if math.isnan(one.geometric_mean) else f"{one.geometric_mean:.3f}"
    lists = one.slower, one.faster, one.unchanged, one.form_changes
    depend = one.load_dependent, one.state_dependent
    return (
        one.name,
        str(len(one.cases)),
        mean,
        *(str(len(names)) for names in lists),
        *(_both(*(str(len(names)) for names in sides)) for sides in depend),
    )


def class_sentences(found: Comparison) -> list[str]:
    """Which cases change their form, and which depend on the load, by class."""
    said = []
    for one in found.classes:
        if one.form_changes:
            said.append(f"{one.name}: the form of the law changes in {', '.join(one.form_changes)}")
        if one.mixed:
            said.append(f"{one.name}: slower and faster, by x: {', '.join(one.mixed)}")
        for what, sides in (("load", one.load_dependent), ("state", one.state_dependent)):
            for side, names in zip("AB", sides, strict=True):
                if names:
                    said.append(f"{one.name}: depend on the {what} in {side}: {', '.join(names)}")
    return said


def platform(one: PlatformRatio) -> tuple[str, ...]:
    """The cells of a line of the K table under PLATFORM_HEADINGS, and who the extremes are."""
    if not one.n:
        return (one.of, "0", *["–"] * (len(PLATFORM_HEADINGS) - 2))
    return (
        one.of,
        str(one.n),
        *(_ratio(figure) for figure in (one.k, one.half_width, one.another)),
        " … ".join(map(_ratio, one.without_one)),
        *(_ratio(figure) for figure in (one.k_max, one.k_min, one.sigma, one.sigma_percent)),
    )


def _ratio(figure: float) -> str:
    return f"{figure:.3f}" if math.isfinite(figure) else "–"


def platform_sentences(found: Comparison) -> list[str]:
    """Whose ratios are the extremes, and which cases have none."""
    said = []
    for one in found.platform.lines:
        if one.n:
            held = one.held_percent
            within = f"; {held:.0f} % within another ±" if math.isfinite(held) else ""
            said.append(f"K of {one.of}: most {one.max_case}, least {one.min_case}{within}")
        if one.left_out:
            said.append(f"K of {one.of} without {'; '.join(one.left_out)}")
    return said


OVERHEADS = {False: "an empty call", True: "a start/stop pair of the timer"}
"""Text of the overhead of each call, by whether it is a pair."""


def overheads(found: Comparison) -> str:
    """The overhead that was subtracted in the two results."""
    return " and ".join(
        dict.fromkeys(OVERHEADS[one.by_pair] for one in (found.first, found.second))
    )


def meaning(found: Comparison) -> str:
    """Explains the columns, their intervals and verdicts."""
    said = [
        f"A and B: net {found.unit.symbol}, without {overheads(found)}, over x where a case has "
        "one. B / A is of their means "
        f"over x; above 1, B is slower. Ratios and verdicts are of times in {found.unit.symbol}; "
        "laws are of core cycles. Spread, in cycles: σ between layouts where there are "
        "several, else σ of the samples. On a noisy target it is the distance of their quartiles. "
        "n and "
        "spread of A / of B where they differ."
    ]
    if IntervalSource.LAYOUTS in found.bases:
        said.append(
            "The 95 % intervals are over layouts, by Fieller's theorem. Slower and faster are at "
            f"{100 * ALPHA:.0f} % for all {found.tests} tests together (Holm), at any x."
        )
    if IntervalSource.SAMPLES in found.bases:
        said.append(
            "The 95 % intervals are over the samples of one run each, by Fieller's theorem. "
            f"Slower and faster are at {100 * ALPHA:.0f} % for all {found.tests} tests together "
            "(Holm), at any x. They do not cover what differs from run to run."
        )
    if IntervalSource.ONE_LAYOUT in found.bases:
        said.append(
            "One layout: the times are exact for these two images, and the ratio claims nothing "
            "about another layout of the same code."
        )
        sides = (found.first, found.second)
        if any(one.conditions.code_fetches.line_bytes is not None for one in sides):
            said.append("Measure both with --layouts K for that.")
        said += _beside_other_code(found)
    return " ".join(said)


def _beside_other_code(found: Comparison) -> list[str]:
    """A sentence on differences that neighbours of a call can make, where instructions overlap."""
    sides = [one.conditions for one in (found.first, found.second)]
    most = sum(one.overlap_cycles for one in sides)
    if not most or len({one.image_sha256 for one in sides}) == 1:
        return []
    return [
        f"Instructions overlap: up to {most} cycles of a difference may be of the code beside the "
        "calls, and such a difference is no verdict."
    ]


def unmatched(found: Comparison) -> list[str]:
    """Lists cases that only one of the two has, by reason."""
    said = []
    for name, ones in (("A", found.only_first), ("B", found.only_second)):
        by_reason: dict[str, list[str]] = {}
        for one in ones:
            by_reason.setdefault(one.reason, []).append(one.name)
        said += [f"only in {name}, {why}: {', '.join(names)}" for why, names in by_reason.items()]
    return said
