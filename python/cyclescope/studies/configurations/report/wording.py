"""Figures and sentences about configurations, the same in every report."""

import math
from collections.abc import Sequence

from cyclescope.quantity import format_number
from cyclescope.report.law_text import K_MEANING
from cyclescope.studies.characterize.report.provenance import measured_under
from cyclescope.studies.compare.findings import Change, PlatformRatio
from cyclescope.studies.configurations.configurations import OPTION
from cyclescope.studies.configurations.findings import (
    AddedCost,
    ConfigurationFound,
    ConfigurationsFound,
    CostRow,
)
from cyclescope.studies.explain.explanation import KINDS

RATIO_HEADINGS = ("of", "n", "K", "± 95 %", "another", "without one", "K_max", "K_min", "σ", "σ %")
SPENT_HEADINGS = ("cases", "cycles", "instr.", "fetch", "data", "bus", "asleep")

RATIO_MEANING = (
    "K is the mean over functions of time in the configuration by time in the base; above 1 it is "
    f"slower ({K_MEANING}"
)

COST_MEANING = (
    "Each column has the cycles that its configuration adds to the net time of a call in the "
    "base; – where it was not measured in both. Only calls that some configuration changes are "
    "shown."
)


def conditions(found: ConfigurationsFound) -> list[tuple[str, str]]:
    """Returns the conditions of the base."""
    base = found.base
    lines = measured_under(base.found) if base.found else []
    told = {key: value for key, value in base.settings.items() if not key.startswith(OPTION)}
    settings = ", ".join(f"{key} {value}" for key, value in told.items())
    return [("base", f"{base.name}: {settings}" if settings else base.name), *lines]


def ratio_lines(one: ConfigurationFound) -> list[tuple[str, ...]]:
    """K of a configuration; where the clocks differ in both units."""
    several = len(one.ratios) > 1
    return [
        (f"{line.of} in {ratios.unit.symbol}" if several else line.of, *ratio_figures(line))
        for ratios in one.ratios
        for line in ratios.lines
    ]


def ratio_figures(one: PlatformRatio) -> tuple[str, ...]:
    figures = (one.k_max, one.k_min, one.sigma)
    return (
        str(one.n),
        decimal(one.k, 3),
        decimal(one.half_width, 3),
        decimal(one.another, 3),
        " … ".join(decimal(end, 3) for end in one.without_one),
        *(decimal(value, 3) for value in figures),
        decimal(one.sigma_percent, 2),
    )


def decimal(value: float, decimals: int) -> str:
    """A ratio, with all its decimals."""
    return f"{value:.{decimals}f}" if math.isfinite(value) else "–"


def spent_figures(one: ConfigurationFound) -> tuple[str, ...]:
    """How many cases there are, and where the cycles of those explained everywhere go."""
    cases = str(len(one.found.cases)) if one.found else "0"
    if one.spent is None or not one.spent.total:
        return (cases, *("–",) * (1 + len(KINDS)))
    shares = (getattr(one.spent, kind) / one.spent.total for kind in KINDS)
    return (
        cases,
        format_number(one.spent.total),
        *(f"{100 * share:.1f} %" for share in shares),
    )


def spent_meaning(found: ConfigurationsFound) -> str:
    if not found.explained:
        return "Cases is how many were measured."
    return (
        f"Cycles are of one call of each of the {found.explained} cases that every configuration "
        "explains, at its greatest x. The columns behind show their use: instructions "
        "at one cycle an access, waits for instructions, for data, for devices, and sleep."
    )


def at(row: CostRow) -> str:
    """At which x a row holds."""
    if row.parameters == (None,):
        return ""
    if len(row.parameters) > 1:
        return "any x"
    return f"x = {row.parameters[0]}"


def base_figure(row: CostRow) -> str:
    values = [one.value for one in row.base]
    low, high = format_number(min(values)), format_number(max(values))
    return low if low == high else f"{low} … {high}"


def cost_figure(cost: AddedCost | None) -> str:
    """A signed difference; in brackets where it may be chance, 0 where there is none."""
    if cost is None:
        return "–"
    value = format_number(cost.cycles.value)
    signed = f"+{value}" if cost.cycles.value > 0 else value.replace("-", "−")
    if not math.isfinite(cost.cycles.half_width):
        return signed if cost.change is not Change.NONE else "0"
    width = f" ± {format_number(cost.cycles.half_width)}"
    return f"({signed}{width})" if cost.change is Change.NONE else f"{signed}{width}"


def beyond(found: ConfigurationsFound, one: ConfigurationFound) -> tuple[int, int] | None:
    """Bytes of flash and of RAM that a configuration's image has beyond the base's, if known."""
    base = found.base.found.conditions.footprint if found.base.found else None
    its = one.found.conditions.footprint if one.found else None
    return its.beyond(base) if its and base else None


def footprint(found: ConfigurationsFound, one: ConfigurationFound) -> str:
    """The same as a sentence; empty if it is not known."""
    bytes_ = beyond(found, one)
    return f"flash {bytes_[0]:+,}, RAM {bytes_[1]:+,} bytes" if bytes_ else ""


def idle(found: ConfigurationsFound, rows: Sequence[CostRow]) -> list[str]:
    """Names of the configurations that change no call."""
    return [
        one.name
        for column, one in enumerate(found.others)
        if not any(_changes(row.costs[column]) for row in rows)
    ]


def _changes(cost: AddedCost | None) -> bool:
    return cost is not None and cost.change is not Change.NONE


def alignment(found: ConfigurationsFound) -> str:
    """Whether a difference contains what the moved code meets in its memory."""
    base = found.base.found
    if base is None:
        return ""
    count, under_ = len(base.layouts), base.conditions
    if count > 1:
        return (
            f"Costs are differences of means over {count} layouts, with the 95 % interval "
            "over them. Layouts are images that differ in nothing but where their code lies. Costs "
            "in brackets may be chance at 5 % among all tests."
        )
    if under_.code_fetches.line_bytes is None:
        return (
            f"The code lies in {under_.code}, where every access takes the same time wherever it "
            "lies. So a cost is exact. It is the option's and the compiler's, which may choose "
            "other registers. Behind a flash accelerator the same instructions cost more, and "
            "code that moves a few cycles more or less."
        )
    return (
        f"One layout in {under_.code}: a cost includes an effect of where the option moves the "
        "code in the lines of the accelerator. --layouts 8 separates the two. Code in memory "
        "without wait states has no such effect."
    )
