"""The table of a characterization as text: one row for each case, the same in every report."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from cyclescope.quantity import Estimate, format_estimate, format_number, microseconds
from cyclescope.report.law_text import cluster_text, load_text
from cyclescope.results import Refused
from cyclescope.stats.net import Basis, NetVerdict
from cyclescope.studies.characterize.findings import (
    CaseAnalysis,
    Characterization,
    FunctionAnalysis,
)
from cyclescope.studies.characterize.report.law_text import form, law_text

SIGMA, QUARTILES = "σ", "IQR"
"""Spread of samples: their deviation; on a noisy target the distance of their quartiles."""
INTERVALS = {
    Basis.SAMPLES: "± 95 %",
    Basis.IMAGE: f"({Basis.IMAGE})",
    Basis.NEW_LINK: "± 95 % of a new link",
}
"""Text behind a figure's name: the basis of its interval."""


def headings(found: Characterization) -> tuple[str, ...]:
    """Headings of the columns of these results."""
    spread = QUARTILES if found.conditions.noisy else SIGMA
    interval = INTERVALS[found.basis]
    there = ("case", "n", f"net cycles {interval}", spread, "layouts", "max (observed)", "irq off",
             "µs")  # fmt: skip
    return (*there, f"{ENERGY} {interval}") if found.conditions.energy else there


ENERGY = "µJ"
"""The last column, where energy was metered."""


ENERGY_DECIMALS = 3
"""Of a microjoule: a nanojoule is less than a cycle of the parts there are."""


@dataclass(frozen=True)
class CaseRow:
    """One case. Swept cases show net time over x, the greatest of all else, and their law.

    Ranges have spaces, so that a narrow column breaks between two numbers and never inside one.
    """

    name: str
    call: str
    form: str
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
    """Sort keys of the figures, in their order; not a number where there is none."""
    remarks: tuple[str, ...]
    clusters: tuple[str, ...]
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


def rows(found: Characterization) -> list[CaseRow]:
    """Every case that has runs."""
    metered = found.conditions.energy is not None
    return [_row(one, found.conditions.core_hz, metered) for one in found.cases]


def _row(one: CaseAnalysis, core_hz: int, metered: bool) -> CaseRow:
    times = [
        microseconds(measured.net.estimate.value, core_hz)
        for measured in one.measured
        if measured.net.verdict is NetVerdict.MEASURED and not one.problem
    ]
    return CaseRow(
        name=one.case.name,
        call=f"{one.case.function}: {one.case.condition}",
        form=form(one),
        n=format_number(one.n, 0),
        net=_net(one),
        sigma=_greatest(m.spread for m in one.measured),
        layouts=_over_layouts(one),
        maximum=_greatest(m.observed_maximum for m in one.measured),
        interrupts_off=_greatest(
            m.interrupts_off for m in one.measured if m.interrupts_off is not None
        ),
        time=_time(times),
        overhead=_overhead(one),
        between=format_number(_between_series(one)),
        keys=_keys(one, metered),
        remarks=(*_laws(one), *one.notes),
        clusters=_clusters(one),
        problem=one.problem,
        energy=_energy(one) if metered else None,
    )


def _keys(one: CaseAnalysis, metered: bool) -> tuple[float, ...]:
    net = max((m.net.estimate.value for m in one.measured), default=math.nan)
    return (
        one.n,
        net,
        max((m.spread for m in one.measured), default=math.nan),
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


def _over_layouts(one: CaseAnalysis) -> str:
    """The least and greatest net time over the layouts."""
    ends = [measured.between for measured in one.measured if measured.between]
    if not ends:
        return "–"
    low, high = min(end.minimum for end in ends), max(end.maximum for end in ends)
    return f"{format_number(low)} … {format_number(high)}"


def _net(one: CaseAnalysis) -> str:
    if not one.measured:
        return "–"
    if all(m.net.verdict is NetVerdict.INDISTINGUISHABLE for m in one.measured):
        return str(NetVerdict.INDISTINGUISHABLE)
    return _over_x([measured.net.estimate for measured in one.measured], 1)


def _energy(one: CaseAnalysis) -> str:
    """Net energy over x, under the same rules as the net time."""
    nets = [measured.energy for measured in one.measured if measured.energy]
    if not nets or one.problem:
        return "–"
    if all(net.verdict is NetVerdict.INDISTINGUISHABLE for net in nets):
        return str(NetVerdict.INDISTINGUISHABLE)
    return _over_x([net.estimate for net in nets], ENERGY_DECIMALS)


def _over_x(estimates: list[Estimate], decimals: int) -> str:
    """The estimate, or the range of several with the widest interval."""
    widest = max(estimate.half_width for estimate in estimates)
    values = [estimate.value for estimate in estimates]
    low, high = format_number(min(values), decimals), format_number(max(values), decimals)
    ends = format_estimate(Estimate(max(values), widest), decimals)
    return ends if low == high else f"{low} … {ends}"


def _overhead(one: CaseAnalysis) -> str:
    """Mean or median of what was taken, between the probes, and what is wrong with it."""
    if not one.measured:
        return "–"
    means = [run.between_probes for run in one.runs]
    low, high = format_number(min(means)), format_number(max(means))
    n = format_number(sum(run.empty.n for run in one.runs), 0)
    sigma = format_number(max(run.probed.empty.sigma for run in one.runs))
    told = f"{low if low == high else f'{low} … {high}'} cycles (n {n}, σ {sigma})"
    if one.set_up:
        ends = dict.fromkeys(map(format_number, one.set_up))
        return f"{told}; the net time holds {' … '.join(ends)} cycles beyond entry to return"
    if (off := one.truth_difference) is None:
        return told
    return f"{told}; by the probes alone the net time would be off by {format_number(off)} cycles"


def _between_series(one: CaseAnalysis) -> float:
    spreads = [measured.series.sigma_between for measured in one.measured if measured.series]
    return max(spreads, default=math.nan)


def _time(times: list[float]) -> str:
    if not times:
        return "–"
    if max(times) == min(times):
        return f"{times[0]:,.3f}"
    return " … ".join(f"{time:,.2f}" for time in (min(times), max(times)))


def _laws(one: CaseAnalysis) -> list[str]:
    """The law, or why there is none; a constant without x is the net time itself."""
    if one.load_law:
        return [load_text(one.load_law)]
    said = [law_text(one, one.law)] if one.law and one.case.parameter else []
    if one.law_refused and one.measured and not one.hidden:
        said.append(f"no law: {one.law_refused}")
    return said


def _clusters(one: CaseAnalysis) -> tuple[str, ...]:
    """Each of several clusters with its law."""
    if len(one.clusters) < 2 or one.load_law:
        return ()
    return tuple(
        f"cluster {number} of {len(one.clusters)}: {cluster_text(cluster)}"
        for number, cluster in enumerate(one.clusters, 1)
    )


def functions(found: Characterization) -> list[tuple[str, str, str]]:
    """Function, behaviour and models of each that was measured under several conditions."""
    return [
        (one.function, str(one.behaviour), _models(one))
        for one in found.functions
        if sum(map(len, one.models)) > 1
    ]


def _models(one: FunctionAnalysis) -> str:
    """Which conditions have a model of their own, and which share one."""
    merged = [" = ".join(names) for names in one.models]
    total = sum(map(len, one.models))
    if len(one.models) == total:
        return f"{total} conditions, each with a model of its own: {', '.join(merged)}"
    if len(one.models) == 1:
        return f"one model describes all {total} conditions: {merged[0]}"
    alike = "; ".join(name for name in merged if " = " in name)
    return f"{total} conditions, {len(one.models)} models; one describes {alike}"


def refusal(one: Refused) -> str:
    """Which series were not made, why, and where they could be, if anywhere."""
    at = "" if one.parameter is None else f" at x = {one.parameter}"
    if one.layout_number:
        at += f" in layout {one.layout_number}"
    if one.reason:
        return f"{one.case}{at}: not measured: {one.reason}"
    lengths = ", ".join(map(str, one.lengths))
    needs, has = format_number(one.needs_bytes), format_number(one.has_bytes)
    return (
        f"{one.case}{at}: series of {lengths} do not fit; they need up to {needs} bytes and have "
        f"{has}; they would fit {one.where}"
    )
