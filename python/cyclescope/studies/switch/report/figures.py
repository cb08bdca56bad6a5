"""Figures 9 to 12 of Pillai and Isha from our numbers, the sweep, and the differences of totals."""

from collections.abc import Iterator, Sequence

from cyclescope.quantity import microseconds
from cyclescope.report.plotted import Figure, figure
from cyclescope.studies.switch import paper
from cyclescope.studies.switch.report.tables import MHZ, PJ_PER_NJ, rated
from cyclescope.studies.switch.results import SwitchResults, SwitchRow, TargetFigures

Trace = Figure


def all_figures(found: SwitchResults) -> dict[str, tuple[str, Figure]]:
    """Caption and figure by name."""
    figures = {
        "figure9": ("Figure 9: time of a switch over the clock", _over_clock(found)),
        "figure10": (
            "Figure 10: energy of a switch over the operations, at each operating point",
            _over_operations(found),
        ),
        "paper10": (
            "Figure 10 as the paper computes it (equations 23 to 25): C·V²·ΔN, first kernel",
            _as_differences(found),
        ),
        "figure11": (
            "Figure 11: time of a switch by simulation, direct measurement and as ΔN; the paper's",
            _times(found),
        ),
        "figure12": ("Figure 12: energy by simulation and direct measurement", _energies(found)),
    }
    for target in found.targets:
        for sweep in target.sweeps:
            name = f"sweep-{target.kernel}-{sweep.uart}"
            caption = f"{target.kernel}, {sweep.uart}: the instant swept over a character's time"
            at = [one.delay_counts - sweep.character_counts for one in sweep.paths]
            parts: dict[str, list[int]] = {
                "δ_t1": [one.out.cycles for one in sweep.paths],
                "δ_t2": [one.back.cycles for one in sweep.paths],
                "latency": [one.latency_cycles for one in sweep.paths],
                "UART's own interrupts": [one.foreign_cycles for one in sweep.paths],
            }
            traces = [_trace(text, at, values) for text, values in parts.items()]
            axes = ("counts into the character", "cycles")
            figures[name] = (caption, _figure(traces, *axes, log=True))
    return figures


def _over_clock(found: SwitchResults) -> Figure:
    traces = []
    for kernel in dict.fromkeys(one.kernel for one in found.targets):
        targets = [one for one in found.targets if one.kernel == kernel]
        traces.append(
            _trace(
                kernel,
                [one.point.core_hz / MHZ for one in targets],
                [
                    microseconds(_polled(one)[0].simulated.switch.cycles, one.point.core_hz)
                    for one in targets
                ],
            )
        )
    if papers := paper.tables(own_tasks=found.work is not None):
        traces.append(_marks("paper (ΔN, 4 operations)", [60], [papers[4].us]))
    return _figure(traces, "MHz", "µs", log=True)


def _over_operations(found: SwitchResults) -> Figure:
    traces = [
        _trace(
            f"{one.kernel} {one.point.name}",
            [row.operations for row in _polled(one)],
            [row.simulated.switch.pj / PJ_PER_NJ for row in _polled(one)],
        )
        for one in found.targets
    ]
    return _figure(traces, "MAC operations", "nJ", log=True)


def _as_differences(found: SwitchResults) -> Figure:
    traces = []
    for target in (one for one in found.targets if one.kernel == found.targets[0].kernel):
        rows = _polled(target)
        pj = [
            row.capacitive_pj
            / row.simulated.switch.cycles
            * (row.at_end.sent_counts - row.sequential.sent_counts)
            for row in rows
        ]
        at = [row.operations for row in rows]
        traces.append(_trace(target.point.name, at, [one / PJ_PER_NJ for one in pj]))
    return _figure(traces, "MAC operations", "nJ", log=False)


def _times(found: SwitchResults) -> Figure:
    traces: list[Trace] = []
    for target in rated(found):
        rows, hz = _polled(target), target.point.core_hz
        at = [row.operations for row in rows]
        series: dict[str, list[float]] = {
            "simulated": [row.simulated.switch.cycles for row in rows],
            "direct": [row.measured_cycles.value for row in rows],
            "ΔN": [row.at_end.sent_counts - row.sequential.sent_counts for row in rows],
        }
        traces += [
            _trace(f"{target.kernel}: {name}", at, [microseconds(one, hz) for one in values])
            for name, values in series.items()
        ]
    if papers := paper.tables(own_tasks=found.work is not None):
        at, direct = list(papers), [one.us for one in papers.values()]
        traces.append(_marks("paper, direct", at, direct))
        simulated = [one.simulated_us for one in papers.values()]
        traces.append(_marks("paper, simulated", at, simulated))
    return _figure(traces, "MAC operations", "µs", log=True)


def _energies(found: SwitchResults) -> Figure:
    return _figure(list(_energy_traces(found)), "MAC operations", "nJ", log=True)


def _energy_traces(found: SwitchResults) -> Iterator[Trace]:
    for target in rated(found):
        rows = _polled(target)
        at = [row.operations for row in rows]
        values = [row.simulated.switch.pj / PJ_PER_NJ for row in rows]
        yield _trace(f"{target.kernel}: simulated", at, values)
        direct = [row for row in rows if row.measured_pj]
        trace = _marks(
            f"{target.kernel}: direct",
            [row.operations for row in direct],
            [row.measured_pj.value / PJ_PER_NJ for row in direct if row.measured_pj],
        )
        halves = [row.measured_pj.half_width / PJ_PER_NJ for row in direct if row.measured_pj]
        yield {**trace, "error_y": {"type": "data", "array": halves}}


def _polled(target: TargetFigures) -> list[SwitchRow]:
    return [row for row in target.rows if row.uart == "polled"]


def _trace(name: str, x: Sequence[float], y: Sequence[float]) -> Trace:
    return {"type": "scatter", "mode": "lines+markers", "name": name, "x": list(x), "y": list(y)}


def _marks(name: str, x: Sequence[float], y: Sequence[float]) -> Trace:
    marker = {"symbol": "diamond", "size": 10}
    return {**_trace(name, x, y), "mode": "markers", "marker": marker}


def _figure(traces: list[Trace], x: str, y: str, *, log: bool) -> Figure:
    scale = {"type": "log"} if log else {"rangemode": "tozero"}
    return figure(traces, x, y, {"yaxis": scale, "showlegend": True})
