"""A characterization in at most 40 lines: counts, failures, extremes, and what to doubt."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console, Group
from rich.text import Text

from cyclescope.quantity import format_estimate, format_number, microseconds
from cyclescope.report.provenance import brief_lines
from cyclescope.report.terminal import (
    WHOLE,
    WIDTH,
    aligned,
    first_of,
    heading,
    print_within,
    sentences,
    some,
)
from cyclescope.stats.net import Basis
from cyclescope.studies.characterize.findings import CaseAnalysis, Characterization
from cyclescope.studies.characterize.report.provenance import beside_other_code, image_text
from cyclescope.studies.characterize.report.rows import refusal
from cyclescope.studies.characterize.run_figures import Measured

MOST = 5
"""Cases of each extreme."""

MOST_DOUBTS, MOST_REFUSALS = 6, 2
PLUS_MINUS = {
    Basis.SAMPLES: "Net cycles ±: 95 % interval of the mean (of the median on a noisy machine).",
    Basis.IMAGE: "Exact for this image.",
    Basis.NEW_LINK: "Net cycles ±: another link of the same code falls there in 95 % of cases.",
}
ANOTHER_LINK = "Exact for this image; another link of the code may differ (--layouts K)."
"""Where code is read in lines, by an accelerator."""


def summarise(found: Characterization, console: Console) -> None:
    """Prints conditions, counts, failures, the slowest, the longest without interrupts, doubts."""
    sections = [
        Group(heading(_conditions(found)), "", Text(_counts(found), style="bold"), _wrong(found)),
        _slowest(found),
        _longest_off(found),
        _doubted(found),
        sentences([f"{_plus_minus(found)} Observed maxima bound nothing. {WHOLE}"], "dim"),
    ]
    print_within(sections, console)


def _plus_minus(found: Characterization) -> str:
    elsewhere = beside_other_code(found.conditions)
    if found.basis is Basis.IMAGE and found.conditions.code_fetches.line_bytes is not None:
        return ANOTHER_LINK + elsewhere
    return PLUS_MINUS[found.basis] + elsewhere


def _conditions(found: Characterization) -> list[tuple[str, str]]:
    *lines, _ = brief_lines(found.conditions)
    technique = ("technique", f"{found.technique}: {found.technique_sentence}")
    return [*lines, technique, ("image", image_text(found))]


def _counts(found: Characterization) -> str:
    measured = [one for one in found.cases if one.measured]
    calls = format_number(sum(one.n for one in measured), 0)
    counts = [
        f"{_cases(len(measured))} measured ({calls} calls)",
        f"{len({one.case for one in found.refused})} refused",
        f"{len({one.case for one in found.failed})} failed",
    ]
    if found.missing:
        counts.append(f"{len(found.missing)} runs of the plan not measured yet")
    return ", ".join(counts)


def _cases(count: int) -> str:
    return f"{count:,} case{'' if count == 1 else 's'}"


def _wrong(found: Characterization) -> Group:
    """Every failure and every figure that must not be used, then what was refused."""
    errors = [f"error: {one.case.name}: {one.problem}" for one in found.cases if one.problem]
    runs = Counter((one.case, one.reason) for one in found.failed)
    errors += [
        f"error: {name}: failed{f' in {count} runs' if count > 1 else ''}: {reason}"
        for (name, reason), count in runs.items()
    ]
    refused = list({one.case: f"refused: {refusal(one)}" for one in found.refused}.values())
    lines = [Text(one, style="bold red") for one in errors]
    return Group(*lines, *map(Text, first_of(refused, MOST_REFUSALS)))


def _slowest(found: Characterization) -> Group | None:
    usable = [one for one in found.cases if one.measured and not one.problem]
    greatest = [(one, max(one.measured, key=_net)) for one in usable]
    greatest.sort(key=lambda pair: -_net(pair[1]))
    rows = [
        (
            one.case.name,
            _x(measured),
            format_estimate(measured.net.estimate),
            f"{microseconds(_net(measured), found.conditions.core_hz):,.3f}",
        )
        for one, measured in greatest[:MOST]
    ]
    head = ("Slowest calls", "x", "net cycles", "µs")
    return aligned(head, rows) if rows else None


def _net(measured: Measured) -> float:
    return measured.net.estimate.value


def _x(measured: Measured) -> str:
    return "" if measured.parameter is None else f"{measured.parameter:,}"


def _longest_off(found: Characterization) -> Group | None:
    """The calls that keep interrupts off longest, where the target could see it."""
    off = [
        (measured.interrupts_off, one, measured)
        for one in found.cases
        if (measured := max(one.measured, key=_off, default=None)) is not None
        and measured.interrupts_off is not None
    ]
    if not off:
        return None
    off.sort(key=lambda known: -known[0])
    rows = [
        (
            one.case.name,
            _x(measured),
            format_number(cycles),
            f"{microseconds(cycles, found.conditions.core_hz):,.3f}",
        )
        for cycles, one, measured in off[:MOST]
        if cycles
    ]
    if not rows:
        return Group(Text("No call switched interrupts off."))
    return aligned(("Longest with interrupts off", "x", "cycles", "µs"), rows)


def _off(measured: Measured) -> int:
    return -1 if measured.interrupts_off is None else measured.interrupts_off


def _doubted(found: Characterization) -> Group | None:
    told = first_of(list(_doubts(found)), MOST_DOUBTS, 3 * WIDTH - 12)
    return Group(Text("What to doubt", style="bold"), sentences(told)) if told else None


def _doubts(found: Characterization) -> Iterator[str]:
    hidden = [one for one in found.cases if one.hidden or len(one.clusters) > 1]
    if hidden:
        yield f"{_named(hidden)}: times depend on something that was not varied"
    if scattered := [one for one in found.cases if not one.significant and one not in hidden]:
        terms = found.terms
        limit = f"{terms.relative_sigma:.0%} of the mean and {terms.least_cycles:g} cycles"
        yield f"{_named(scattered)}: the calls' deviation σ is over {limit}"
    if lawless := [one for one in found.cases if one.law_refused and one.measured]:
        yield f"{_named(lawless)}: no law describes the times over x"
    if found.unverified:
        rules = some((one.name for one in found.unverified), len(found.unverified))
        yield f"timing rules that no source confirms were touched: {rules}"
    yield from (f"not modelled: {one.sentence}" for one in found.unmodelled)


def _named(cases: Sequence[CaseAnalysis]) -> str:
    return f"{_cases(len(cases))} ({some(one.case.name for one in cases)})"
