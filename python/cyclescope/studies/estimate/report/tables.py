"""Tables of an estimate, which the terminal and the page share."""

from collections.abc import Sequence

from cyclescope.studies.estimate.estimating import AS_IT_IS, EstimatedProgram
from cyclescope.studies.estimate.pricing_way import PricingWay
from cyclescope.studies.estimate.tree import TreeNode
from cyclescope.studies.estimate.ways import PricedWay

HEADINGS = ("way", "cycles", "ms", "90 % interval", "without calls", "calls", "no law")
ENERGY = ("way", "energy in µJ", "of calls", "µJ per 1,000 cycles")
FUNCTIONS = ("function", "own cycles", "share")
SETTINGS = ("settings", "way", "cycles", "ms", "by", "off the run")

Row = tuple[str, ...]


def ways(found: EstimatedProgram) -> list[Row]:
    """A row for each way."""
    return [_way(one) for one in found.here]


def _way(one: PricedWay) -> Row:
    low = high = unpriced = "-"
    if one.estimate is not None:
        interval = one.estimate.interval
        low, high = cycles(interval.low_cycles), cycles(interval.high_cycles)
        unpriced = share(sum(call.cycles for call in one.estimate.unpriced), one.cycles)
    between = "exact" if one.way is PricingWay.RUN else f"{low} to {high}"
    return (
        one.way.value,
        cycles(one.cycles),
        f"{one.milliseconds:,.3f}",
        between,
        cycles(one.cycles_without_calls),
        share(one.share_of_calls, 1),
        unpriced,
    )


def energies(found: EstimatedProgram) -> list[Row]:
    """A row for each way that has energy."""
    rows: list[Row] = []
    for one in found.here:
        if one.energy_uj is not None:
            of_calls = one.energy_of_calls_uj
            between = share(of_calls, one.energy_uj) if of_calls is not None else "-"
            each = f"{1000 * one.energy_uj / one.cycles:,.3f}" if one.cycles else "-"
            rows.append((one.way.value, f"{one.energy_uj:,.3f}", between, each))
    return rows


def what_if(found: EstimatedProgram) -> list[Row]:
    """A row for each configuration and way; `by` is the change of cycles beside the asked one."""
    base = {one.way: one for one in found.here}
    true = {one.label: one for one in found.priced if one.way is PricingWay.RUN}
    rows: list[Row] = []
    for one in found.priced:
        off = "-"
        told = f"{cycles(one.cycles)}{' without calls' if one.lacks_laws else ''}"
        if one.label in true and one.way is not PricingWay.RUN:
            off = f"{one.cycles / true[one.label].cycles - 1:+.1%}"
        by = "-" if one.label == AS_IT_IS else f"{one.cycles / base[one.way].cycles - 1:+.1%}"
        figures = (told, f"{one.milliseconds:,.3f}", by, off)
        rows.append((one.label, one.way.value, *figures))
    return rows


def functions(found: Sequence[TreeNode], total: float, most: int) -> list[Row]:
    """The dearest functions, and the rest as one."""
    rows: list[Row] = [
        (one.name, cycles(one.own_cycles), share(one.own_cycles, total)) for one in found[:most]
    ]
    if len(found) > most:
        rest = sum(one.own_cycles for one in found[most:])
        rows.append((f"{len(found) - most} others", cycles(rest), share(rest, total)))
    return rows


def cycles(value: float) -> str:
    return f"{value:,.0f}"


def share(part: float, whole: float) -> str:
    return f"{part / whole:.1%}" if whole else "-"
