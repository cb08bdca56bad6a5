"""The table of a characterization in words: one row for each case, the same in every report."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from cyclescope.model import Fitted
from cyclescope.quantity import Estimate, format_estimate, format_number, microseconds
from cyclescope.results import Refused
from cyclescope.stats.net import Verdict
from cyclescope.study import CaseAnalysis, Characterization

HEADINGS = ("case", "n", "net cycles ± 95 %", "σ", "σ layouts", "obs. max", "irq off", "µs")
ENERGY = "µJ ± 95 %"
"""The last heading, where energy was metered."""


def headings(found: Characterization) -> tuple[str, ...]:
    """What stands above the columns of these results."""
    return (*HEADINGS, ENERGY) if found.conditions.energy else HEADINGS


ENERGY_DECIMALS = 3
"""Of a microjoule: a nanojoule is less than a cycle of the parts there are."""


@dataclass(frozen=True)
class Row:
    """One case. Swept cases show net time over x, the greatest of all else, and their law.

    Ranges have spaces, so that a narrow column breaks between two numbers and never inside one.
    """

    name: str
    call: str
    n: str
    net: str
    sigma: str
    layouts: str
    maximum: str
    interrupts_off: str
    time: str
    overhead: str
    between: str
    keys: tuple[float, ...]
    """What the figures sort by, in their order; not a number where there is none."""
    remarks: tuple[str, ...]
    problem: str | None
    energy: str | None = None

    @property
    def figures(self) -> tuple[str, ...]:
        """The cells under the headings after the case."""
        return (
            self.n,
            self.net,
            self.sigma,
            self.layouts,
            self.maximum,
            self.interrupts_off,
            self.time,
            *([] if self.energy is None else [self.energy]),
        )


def rows(found: Characterization) -> list[Row]:
    """Every case that has runs."""
    metered = found.conditions.energy is not None
    return [_row(one, found.conditions.core_hz, metered) for one in found.cases]


def _row(one: CaseAnalysis, core_hz: int, metered: bool) -> Row:
    laws = [_law(one, law) for law in (one.law,) if law and one.case.parameter]
    laws += [_load_law(law) for law in (one.load_law,) if law]
    times = [
        microseconds(measured.net.estimate.value, core_hz)
        for measured in one.measured
        if measured.net.verdict is Verdict.MEASURED and not one.problem
    ]
    return Row(
        name=one.case.name,
        call=f"{one.case.function}: {one.case.condition}",
        n=format_number(one.n, 0),
        net=_net(one),
        sigma=_greatest(m.sigma_within for m in one.measured),
        layouts=_greatest(m.sigma_between for m in one.measured),
        maximum=_greatest(m.observed_maximum for m in one.measured),
        interrupts_off=_greatest(
            m.interrupts_off for m in one.measured if m.interrupts_off is not None
        ),
        time=_time(times),
        overhead=_overhead(one),
        between=format_number(_between_series(one)),
        keys=_keys(one, metered),
        remarks=(*laws, *one.notes),
        problem=one.problem,
        energy=_energy(one) if metered else None,
    )


def _keys(one: CaseAnalysis, metered: bool) -> tuple[float, ...]:
    net = max((m.net.estimate.value for m in one.measured), default=math.nan)
    return (
        one.n,
        net,
        max((m.sigma_within for m in one.measured), default=math.nan),
        max((m.sigma_between for m in one.measured), default=math.nan),
        max((m.observed_maximum for m in one.measured), default=math.nan),
        max((m.interrupts_off for m in one.measured if m.interrupts_off is not None),
            default=math.nan),
        net,
        *([max((m.energy.estimate.value for m in one.measured if m.energy), default=math.nan)]
          if metered else []),
    )  # fmt: skip


def _greatest(figures: Iterable[float]) -> str:
    return format_number(max(figures, default=math.nan))


def _net(one: CaseAnalysis) -> str:
    if not one.measured:
        return "–"
    if all(m.net.verdict is Verdict.INDISTINGUISHABLE for m in one.measured):
        return str(Verdict.INDISTINGUISHABLE)
    return _over_x([measured.net.estimate for measured in one.measured], 1)


def _energy(one: CaseAnalysis) -> str:
    """Net energy over x, under the same rules as the net time."""
    nets = [measured.energy for measured in one.measured if measured.energy]
    if not nets or one.problem:
        return "–"
    if all(net.verdict is Verdict.INDISTINGUISHABLE for net in nets):
        return str(Verdict.INDISTINGUISHABLE)
    return _over_x([net.estimate for net in nets], ENERGY_DECIMALS)


def _over_x(estimates: list[Estimate], decimals: int) -> str:
    """The estimate, or the range of several with the widest interval."""
    widest = max(estimate.half_width for estimate in estimates)
    values = [estimate.value for estimate in estimates]
    low, high = format_number(min(values), decimals), format_number(max(values), decimals)
    ends = format_estimate(Estimate(max(values), widest), decimals)
    return ends if low == high else f"{low} … {ends}"


def _overhead(one: CaseAnalysis) -> str:
    """Mean of the empty calls, which the net time is net of."""
    if not one.measured:
        return "–"
    means = [run.empty.mean for run in one.runs]
    low, high = format_number(min(means)), format_number(max(means))
    n = format_number(sum(run.empty.n for run in one.runs), 0)
    sigma = format_number(max(run.empty.sigma for run in one.runs))
    return f"{low if low == high else f'{low} … {high}'} cycles (n {n}, σ {sigma})"


def _between_series(one: CaseAnalysis) -> float:
    spreads = [measured.series.sigma_between for measured in one.measured if measured.series]
    return max(spreads, default=math.nan)


def _time(times: list[float]) -> str:
    if not times:
        return "–"
    if max(times) == min(times):
        return f"{times[0]:,.3f}"
    return " … ".join(f"{time:,.2f}" for time in (min(times), max(times)))


def _law(one: CaseAnalysis, law: Fitted) -> str:
    assert one.case.parameter is not None
    values = [measured.parameter or 0 for measured in one.measured]
    low, high = min(values), max(values)
    unit = one.case.parameter.unit
    where = f"x = {one.case.parameter.name}, {low} … {high} {unit}"
    outside = "" if low <= 0 <= high else f"; q is at x = 0 {unit}, extrapolated"
    return f"{_formula(law)}; {where}" + (outside if law.model != "constant" else "")


def _load_law(law: Fitted) -> str:
    return f"{_formula(law)}; x = length of the series (load), over the series' means"


def _formula(law: Fitted) -> str:
    terms = [format_estimate(one.estimate, 3) for one in law.coefficients]
    residual = f"residual σ {format_number(law.residual_sigma, 2)}"
    if law.model == "linear":
        return f"t = ({terms[0]})·x + ({terms[1]}) cycles, {residual}"
    return f"t = {terms[0]} cycles whatever x, {residual}"


def refusal(one: Refused) -> str:
    """Which series were not made, why, and where they could be."""
    at = "" if one.parameter is None else f" at x = {one.parameter}"
    if one.layout_offset_bytes:
        at += f" in the layout at offset {one.layout_offset_bytes}"
    lengths = ", ".join(map(str, one.lengths))
    needs, has = format_number(one.needs_bytes), format_number(one.has_bytes)
    return (
        f"{one.case}{at}: series of {lengths} do not fit; they need up to {needs} bytes and have "
        f"{has}; they would fit {one.where}"
    )
