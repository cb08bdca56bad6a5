"""Two operating systems by class of functions, as text: cells and sentences of every report."""

import math
from collections.abc import Iterator, Sequence

from cyclescope.errors import shortened
from cyclescope.quantity import format_number
from cyclescope.studies.compare.findings import (
    ALPHA,
    Comparison,
    Dependence,
    IntervalSource,
    SystemClass,
    Systems,
)
from cyclescope.studies.compare.report import wording

HEADINGS = ("class", "pairs", "A", "B", "B / A", "95 %", "p, Holm")
ORDER_HEADINGS = (
    *("class", "geometric", "A wins", "B wins", "same form", "exchanged"),
    *("laws of A", "laws of B"),
)
NARROW = 6
"""Columns of them that fit into a terminal."""

BRIEF_HEADINGS = ("class", "pairs", "A", "B", "B / A", "A wins", "B wins", "form", "order")
LOAD_HEADINGS = ("pair, and what x is", "x", "A for each", "B for each")
MOST_MOVES = 5
MEANING = (
    "A and B: mean time of the class; each pair counts once, a swept one with its mean over x. "
    "B / A: of these means. Geometric: mean of the pairs' own ratios, in which no long call "
    "outweighs others. Wins: pairs that are faster there at every x. Same form: pairs whose law "
    "has one form in both, of those that have laws over one x. Exchanged: pairs of calls whose "
    "order by time is the other in B."
)


def headings(found: Comparison, of: Sequence[str]) -> tuple[str, ...]:
    """Headings with the unit of times."""
    units = {"A": f"A {found.unit.symbol}", "B": f"B {found.unit.symbol}"}
    return tuple(units.get(name, name) for name in of)


def lines(systems: Systems) -> list[SystemClass]:
    """The classes, then all of them."""
    return [*systems.classes, systems.whole]


def times(one: SystemClass, found: Comparison) -> tuple[str, ...]:
    """The cells of a class under HEADINGS."""
    return (
        *_begun(one, found),
        _interval(one),
        "–" if math.isnan(one.adjusted) else f"{one.adjusted:.2g}",
    )


def order(one: SystemClass) -> tuple[str, ...]:
    """The cells of a class under ORDER_HEADINGS."""
    return (
        one.name,
        _ratio(one.geometric_mean),
        *_wins(one),
        _same_form(one),
        _exchanged(one),
        *map(_forms, one.forms),
    )


def brief(one: SystemClass, found: Comparison) -> tuple[str, ...]:
    """The cells of a class under BRIEF_HEADINGS."""
    order = f"{100 * one.exchanged / one.orders:.0f} %" if one.orders else "–"
    return (*_begun(one, found), *_wins(one), str(len(one.form_changes)), order)


def _begun(one: SystemClass, found: Comparison) -> tuple[str, ...]:
    decimals = wording.DECIMALS[found.unit]
    count = str(len(one.timed))
    if len(one.timed) < len(one.pairs):
        count = f"{count} of {len(one.pairs)}"
    sides = (
        "–" if math.isnan(mean.value) else format_number(mean.value, decimals) for mean in one.means
    )
    return (one.name, count, *sides, _ratio(one.ratio.value))


def _ratio(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def _interval(one: SystemClass) -> str:
    if math.isnan(one.ratio.low):
        return "–"
    return f"{_ratio(one.ratio.low)} … {_ratio(one.ratio.high)}"


def _wins(one: SystemClass) -> tuple[str, str]:
    return str(len(one.wins[0])), str(len(one.wins[1]))


def _same_form(one: SystemClass) -> str:
    compared = sum(one.forms[0].values())
    return f"{compared - len(one.form_changes)} of {compared}" if compared else "–"


def _forms(forms: dict[str, int]) -> str:
    return ", ".join(f"{count} {form}" for form, count in forms.items()) or "–"


def _exchanged(one: SystemClass) -> str:
    return f"{one.exchanged} of {one.orders}" if one.orders else "–"


def sides(found: Comparison) -> Iterator[str]:
    """Which system A is and which B, on which board at which clock."""
    for name, side in zip("AB", (found.first, found.second), strict=True):
        under = side.conditions
        version = shortened(under.kernel_version, 40)
        clock = f"{under.core_hz / 1e6:,.3f}".rstrip("0").rstrip(".")
        yield f"{name}: {under.kernel} {version} on {under.board}, {clock} MHz"


def brief_meaning(found: Comparison) -> str:
    """Explains the columns of a summary."""
    exact = " Exact for these two images." if IntervalSource.ONE_LAYOUT in found.bases else ""
    return (
        f"Mean net times in {found.unit.symbol}, each pair once. Wins: pairs faster there. Form: "
        "pairs whose laws have other forms. Order: pairs of calls of which the other is the "
        f"slower in B.{exact} Every pair, interval and unmatched case: --full, or --report "
        "FILE.html."
    )


def load_sentence(one: Dependence, found: Comparison) -> str:
    """A dependence with the forms of both laws."""
    name, ends, *growth = load(one, found)
    forms = f"; laws: {one.forms[0]} in A, {one.forms[1]} in B" if one.ends else ""
    return f"{name}, {ends}: A {growth[0]}, B {growth[1]} {found.unit.symbol} for each{forms}"


def load(one: Dependence, found: Comparison) -> tuple[str, ...]:
    """The cells of a dependence under LOAD_HEADINGS."""
    ends = "series" if one.ends is None else " … ".join(map(str, one.ends))
    decimals = wording.DECIMALS[found.unit] + 1
    growth = (
        "not varied" if math.isnan(each) else format_number(each, decimals) for each in one.growth
    )
    return (f"{one.name}, {one.over}", ends, *growth)


def sentences(found: Comparison, systems: Systems) -> list[str]:
    """Surprises: extremes, forms that differ, calls whose place differs most."""
    return [*extremes(found), *_forms_that_differ(systems), *moves(systems, MOST_MOVES)]


def extremes(found: Comparison) -> Iterator[str]:
    """The pairs of the greatest and of the least ratio."""
    known = [pair for pair in found.pairs if not math.isnan(pair.ratio.value)]
    if known:
        least, most = (end(known, key=lambda pair: pair.ratio.value) for end in (min, max))
        yield (
            f"B / A from {_ratio(least.ratio.value)} ({least.name}) to "
            f"{_ratio(most.ratio.value)} ({most.name})"
        )


def _forms_that_differ(systems: Systems) -> Iterator[str]:
    for one in systems.classes:
        if one.form_changes:
            yield f"{one.name}: laws of other forms: {', '.join(one.form_changes)}"


def moves(systems: Systems, most: int) -> Iterator[str]:
    """How alike the two orders of calls are, and the calls whose place differs most."""
    if math.isnan(systems.kendall_tau):
        return
    calls = len(systems.whole.timed)
    greatest = "; ".join(
        f"{move.name}: {move.places[0]} in A, {move.places[1]} in B"
        for move in systems.moves[:most]
        if move.places[0] != move.places[1]
    )
    told = f"order of the {calls} calls, the slowest first: Kendall's τ = {systems.kendall_tau:.2f}"
    yield f"{told}; places: {greatest}" if greatest else told


def counted(found: Comparison) -> str:
    """How many pairs and cases, and which have no counterpart."""
    sides = (found.first, found.only_first), (found.second, found.only_second)
    counts = ", ".join(
        f"{name} has {len(side.cases)} cases, {len(only)} of them in no pair"
        for name, (side, only) in zip("AB", sides, strict=True)
    )
    nearly = sum(bool(pair.pairing and pair.pairing.nearly) for pair in found.pairs)
    return f"{len(found.pairs)} pairs, {nearly} of them only nearly alike; {counts}"


def meaning(found: Comparison) -> str:
    """Explains the columns, and what intervals and tests rest on."""
    said = MEANING
    if IntervalSource.ONE_LAYOUT in found.bases:
        said += " One layout: exact for these two images, so there is no interval and no p."
    if {IntervalSource.LAYOUTS, IntervalSource.SAMPLES} & set(found.bases):
        said += (
            f" The 95 % is by Fieller's theorem, with the mean of the pairs' errors; p at "
            f"{100 * ALPHA:.0f} % for all classes together (Holm)."
        )
    return said


def brief_loads(systems: Systems, most: int) -> list[Dependence]:
    """The dependences on the load that both systems vary, the greatest first."""
    there = [
        one for one in systems.dependences if one.is_load and not any(map(math.isnan, one.growth))
    ]
    return sorted(there, key=lambda one: -max(map(abs, one.growth)))[:most]
