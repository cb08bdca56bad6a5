"""Exported laws in comments, the same in every language: conditions of all, figures of each."""

from cyclescope.laws.model import Segment
from cyclescope.quantity import format_number
from cyclescope.report.law_text import formula, goodness
from cyclescope.studies.characterize.report.provenance import headline
from cyclescope.studies.export.export import Export, ExportedLaw

MEANS = (
    "A law gives the mean net time of a call. An interval is of 95 %; σ is of single calls",
    "about their mean at one x. An observed maximum bounds nothing.",
)
MEDIANS = (
    "A law gives the median net time of a call, as the machine above interrupts calls; a cycle is",
    "one count of the timer. An interval is of 95 %; σ is that of a normal distribution with the",
    "quartiles of the calls at one x. An observed maximum bounds nothing.",
)


_WITH_CALL = "with arguments, branch and return; without a start/stop pair of the timer"


def title(export: Export) -> list[str]:
    """Describes the file, and the conditions under which it holds."""
    found = export.found
    return [
        f"Costs of calls in core cycles: {len(export.functions)} laws, {len(export.omitted)} cases "
        f"left out (Cyclescope {found.tool}).",
        "They hold under these conditions, and under no others:",
        *(f"  {name}: {text}" for name, text in headline(found)),
        f"  SHA-256: image {found.conditions.image_sha256}",
        f"           conditions {found.conditions.fingerprint()}",
        *(MEDIANS if found.conditions.noisy else MEANS),
    ]


def figures(one: ExportedLaw) -> list[str]:
    """Describes a law: its call, its x, its coefficients and how good it is."""
    case, law = one.analysis.case, one.law
    lines = [f"{case.name}: {case.call}", f"{case.condition}"]
    if one.argument:
        low, high = (format_number(end) for end in law.domain)
        every = f", every {law.step}th" if law.step > 1 else ""
        domain = f"{low} to {high} {one.argument.unit}{every}"
        lines.append(f"x: {one.argument.name}, {domain}")
    lines += [
        formula(law),
        f"n {format_number(one.analysis.n)}, σ {format_number(law.sample_sigma, 2)}, observed "
        f"maximum {format_number(one.observed_maximum)}, {goodness(law)}",
        _WITH_CALL
        if one.by_pair
        else f"without the {format_number(one.empty_call)} cycles of an empty call: arguments, "
        "branch, return, and reading the timer",
    ]
    return [*lines, *one.analysis.notes]


def line(segment: Segment) -> str:
    """m·x + q as C and Python write it; a number that is read back is the same number."""
    if segment.m == 0:
        return repr(segment.q)
    sign = "-" if segment.q < 0 else "+"
    return f"{segment.m!r} * x {sign} {abs(segment.q)!r}"


def omitted(export: Export) -> list[str]:
    """Every case that is no function, with its reason."""
    return [f"{one.case}: {one.reason}" for one in export.omitted]
