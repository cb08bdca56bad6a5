"""A comparison in at most 40 lines: what differs, how many cases changed, the greatest changes."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.text import Text

from cyclescope.quantity import format_number
from cyclescope.report.terminal import (
    CLOSING_LINES,
    MOST_LINES,
    WHOLE,
    WIDTH,
    aligned,
    first_of,
    print_within,
    sentences,
    some,
)
from cyclescope.studies.compare.findings import (
    CasePair,
    Change,
    Comparison,
    IntervalSource,
    PointPair,
    Systems,
)
from cyclescope.studies.compare.gate import Gate, Outcome
from cyclescope.studies.compare.report import systems, wording
from cyclescope.studies.compare.report.reasons import Why, signed, summary, title

MOST = 5
MOST_WITH_WHY = 3
"""Cases of each direction, without and with --why."""

MOST_CONDITIONS, MOST_REMARKS, MOST_BROKEN = 4, 4, 6
MOST_LOADS = 3
ORDER = (Change.SLOWER, Change.FASTER, Change.MIXED, Change.NONE, Change.UNKNOWN)
COUNTED = {
    Change.SLOWER: "slower in B",
    Change.FASTER: "faster in B",
    Change.MIXED: "slower at one x and faster at another",
    Change.NONE: "equal within chance",
    Change.UNKNOWN: "not comparable",
}


def summarise(found: Comparison, why: Why | None, gate: Gate | None, console: Console) -> None:
    """Prints conditions that differ, the gate, counts, the greatest changes, reasons, doubts."""
    if found.systems:
        _summarise_systems(found, found.systems, gate, console)
        return
    most = MOST_WITH_WHY if why else MOST
    sections = [
        Group(_conditions(found), "", Text(_counts(found), style="bold"), *_gate(gate)),
        _greatest(found, Change.SLOWER, most),
        _greatest(found, Change.FASTER, most),
        _why(why) if why else None,
        _doubted(found),
        sentences([_meaning(found)], "dim"),
    ]
    print_within(sections, console, MOST_LINES - CLOSING_LINES)


def _summarise_systems(
    found: Comparison, both: Systems, gate: Gate | None, console: Console
) -> None:
    """Prints the classes of two operating systems, what to doubt, what grows with the load."""
    rows = [systems.brief(one, found) for one in systems.lines(both)]
    loads = [systems.load(one, found) for one in systems.brief_loads(both, MOST_LOADS)]
    unusable = [f"{one.name}: {one.problem}" for one in found.pairs if one.problem]
    doubted = first_of([*unusable, *found.warnings], MOST_REMARKS)
    differ = f"{len(found.differences)} conditions differ (--full)"
    sections = [
        Group(
            sentences([*systems.sides(found), differ]),
            Text(systems.counted(found), style="bold"),
            *_gate(gate),
        ),
        aligned(systems.headings(found, systems.BRIEF_HEADINGS), rows),
        Group(Text("What to doubt", style="bold"), sentences(doubted)) if doubted else None,
        aligned(("Growth with the load", *systems.LOAD_HEADINGS[1:]), loads) if loads else None,
        sentences([*systems.extremes(found), *systems.moves(both, 0)]),
        sentences([systems.brief_meaning(found)], "dim"),
    ]
    print_within(sections, console, MOST_LINES - CLOSING_LINES)


def _conditions(found: Comparison) -> RenderableType:
    if not found.differences:
        return Text(wording.SAME, style="bold")
    told = [f"{one.name}: A {one.first}; B {one.second}" for one in found.differences]
    return Group(
        Text("Conditions that differ", style="bold"), sentences(first_of(told, MOST_CONDITIONS))
    )


def _counts(found: Comparison) -> str:
    counts = Counter(pair.change for pair in found.pairs)
    n = len(found.pairs)
    said = f"{n:,} case{'' if n == 1 else 's'}"
    if len(counts) == 1:
        said += f" {COUNTED[next(iter(counts))]}"
    else:
        parts = [f"{counts[one]:,} {COUNTED[one]}" for one in ORDER if counts[one]]
        said += f" in both: {', '.join(parts) or 'none'}"
    k = found.platform.means
    if k.n and math.isfinite(k.k):
        said += f"; mean ratio K = {k.k:.3f}"
    return said


def _gate(gate: Gate | None) -> Iterator[Text]:
    """Lists the first cases that broke a rule, and the verdict."""
    if gate is None:
        return
    for outcome, style in ((Outcome.FAILED, "bold red"), (Outcome.NOT_JUDGED, "yellow")):
        told = [f"{outcome}: {one.name}: {'; '.join(one.reasons)}" for one in gate.of(outcome)]
        for line in first_of(told, MOST_BROKEN, WIDTH):
            yield Text(line, style=style)
    yield Text(f"gate {gate.sentence}", style="bold red" if gate.failed else "bold green")


def _greatest(found: Comparison, change: Change, most: int) -> Group | None:
    pairs = [(pair, _point(pair)) for pair in found.pairs if pair.change is change]
    pairs.sort(key=lambda pair: pair[1].ratio.value, reverse=change is Change.SLOWER)
    rows = [_row(pair, point, found) for pair, point in pairs[:most]]
    head = (f"The most {change} in B", f"A {found.unit.symbol}", f"B {found.unit.symbol}", "B / A")
    return aligned(head, rows) if rows else None


def _point(pair: CasePair) -> PointPair:
    """The x at which the case differs most."""
    return max(pair.points, key=lambda one: abs(one.difference.value))


def _row(pair: CasePair, point: PointPair, found: Comparison) -> tuple[str, ...]:
    decimals = wording.DECIMALS[found.unit]
    name = pair.name if point.parameter is None else f"{pair.name}, x {point.parameter}"
    times = (format_number(mean.value, decimals) for mean in point.means)
    return (name, *times, "–" if math.isnan(point.ratio.value) else f"{point.ratio.value:.3f}")


def _why(why: Why) -> Group:
    changed = sorted((one for one in why.attributed if one.call), key=lambda one: -abs(one.call))
    rows = []
    for one in changed[:MOST_WITH_WHY]:
        shares = [share for share in one.functions if share.difference.total][:2]
        parts = ", ".join(f"{share.name} {signed(share.difference.total)}" for share in shares)
        rows.append(f"{title(one)}: {signed(one.call)} cycles: {parts}")
    lines = [f"{summary(why)}", *rows]
    if why.unexplained:
        names = some(one.name for one in why.unexplained)
        lines.append(f"{len(why.unexplained)} not explained ({names}): {_reason(why)}")
    return Group(Text("Why", style="bold"), sentences(first_of(lines, len(lines))))


def _reason(why: Why) -> str:
    return some((one.reason for one in why.unexplained), 1)


def _doubted(found: Comparison) -> Group | None:
    told = [*(f"warning: {one}" for one in found.warnings), *_only_in_one(found)]
    unusable = [f"{one.name}: {one.problem}" for one in found.pairs if one.problem]
    told = [*unusable, *told]
    if not told:
        return None
    return Group(Text("What to doubt", style="bold"), sentences(first_of(told, MOST_REMARKS)))


def _only_in_one(found: Comparison) -> Iterator[str]:
    for name, ones in (("A", found.only_first), ("B", found.only_second)):
        if ones:
            yield f"only in {name}: {_listed([one.name for one in ones])}"


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)} case{'' if len(names) == 1 else 's'} ({some(names)})"


def _meaning(found: Comparison) -> str:
    unit = found.unit.symbol
    said = f"Times are net {unit}, without {wording.overheads(found)}, where a case differs most. "
    if found.platform.means.n:
        said += "K is the mean over functions of B / A. "
    if IntervalSource.ONE_LAYOUT in found.bases:
        said += "One layout: exact for these two images, another link may differ. "
    else:
        said += "Slower and faster: at 5 % for all tests together (Holm). "
    return said + WHOLE.replace("the report", "--report FILE.html")
