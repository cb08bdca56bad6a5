"""The report's pictures as plain Plotly figures; colours are the page's business."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cyclescope.case import Case
from cyclescope.model import Fitted
from cyclescope.quantity import format_number
from cyclescope.results import Run
from cyclescope.stats.histogram import Histogram, histogram
from cyclescope.stats.summary import Values
from cyclescope.study import CaseAnalysis, Measured, RunFigures, net_by_length

Figure = dict[str, Any]

LEAST_HEIGHT = 6
"""Cycles that the plot of a law shows at least."""


@dataclass(frozen=True)
class Drawn:
    """One run as it is drawn: its figures beside its samples."""

    parameter: int | None
    figures: RunFigures
    run: Run

    def net(self, length: int | None = None) -> Values:
        """Net cycles of the real calls, in the order of measurement."""
        return self.run.cycles("call", length) - self.figures.overhead


def of_case(one: CaseAnalysis, runs: Sequence[Run]) -> dict[str, Figure]:
    """Histogram and series of every case; the fit of those with a law; the layouts if several."""
    samples = {(run.layout.offset_bytes, run.parameter): run for run in runs}
    drawn = [
        Drawn(measured.parameter, run, samples[run.layout_offset_bytes, measured.parameter])
        for measured in one.measured
        for run in measured.runs
    ]
    if not drawn:
        return {}
    figures = {"histogram": _histogram(one, drawn)}
    if one.law and one.case.parameter:
        label = f"{one.case.parameter.name} ({one.case.parameter.unit})"
        figures["fit"] = _fit(one.law, *_points(one.measured), label)
    elif one.load_law:
        lengths, means = net_by_length(one.measured[0])
        figures["fit"] = _fit(one.load_law, lengths, means, None, "series length")
    if any(measured.between for measured in one.measured):
        figures["layouts"] = _layouts(one)
    first = min(one.figures.layout_offset_bytes for one in drawn)
    figures["series"] = _series(
        one, [one for one in drawn if one.figures.layout_offset_bytes == first]
    )
    return figures


def _name(case: Case, parameter: int | None) -> str:
    return "" if case.parameter is None else f"x = {parameter}"


def _histogram(one: CaseAnalysis, drawn: Sequence[Drawn]) -> Figure:
    """One stacked trace for each x, or for each series; all in the same 30 bins.

    A constant is one labelled bar.
    """
    samples: dict[str, list[Values]] = {}
    for run in drawn:
        for name, values in _parts(one.case, run):
            samples.setdefault(name, []).append(values)
    everything = np.concatenate([values for parts in samples.values() for values in parts])
    whole = histogram(everything)
    low, high = whole.edges[0], whole.edges[-1]
    if whole.is_constant:
        layout: Figure = {"xaxis": {"tickvals": [low], "range": [low - 5, low + 5]}}
        return figure([single_bar(low, whole.counts[0], "cycles")], "net cycles", "samples", layout)
    traces = [
        bars(name, histogram(np.concatenate(parts), low, high)) for name, parts in samples.items()
    ]
    layout = {"barmode": "stack", "bargap": 0.02, "showlegend": len(traces) > 1}
    return figure(traces, "net cycles", "samples", layout)


def _parts(case: Case, run: Drawn) -> Iterable[tuple[str, Values]]:
    """What is told apart by colour: the values of x, or the series of a case without one."""
    if case.parameter:
        yield _name(case, run.parameter), run.net()
        return
    for length in run.run.lengths():
        yield f"series of {length}", run.net(length)


def _layouts(one: CaseAnalysis) -> Figure:
    """The net time of each layout, by the offset of its code."""
    traces = []
    for measured in one.measured:
        estimates = [run.net.estimate for run in measured.runs]
        trace: Figure = {
            "type": "scatter",
            "mode": "markers",
            "name": _name(one.case, measured.parameter),
            "x": [run.layout_offset_bytes for run in measured.runs],
            "y": numbers([estimate.value for estimate in estimates]),
        }
        if any(estimate.half_width for estimate in estimates):
            widths = numbers([estimate.half_width for estimate in estimates])
            trace["error_y"] = {"type": "data", "array": widths}
        traces.append(trace)
    layout = {"showlegend": len(traces) > 1}
    return figure(traces, "offset of the code (bytes)", "net cycles", layout)


def single_bar(value: float, count: int, unit: str) -> Figure:
    """Equal values: one bar that says how many there are."""
    label = f"{format_number(count)} × {format_number(value)} {unit}"
    return {"type": "bar", "x": [rounded(value)], "y": [count], "text": [label],
            "textposition": "outside", "textangle": 0, "constraintext": "none",
            "cliponaxis": False}  # fmt: skip


def bars(name: str, found: Histogram) -> Figure:
    """A histogram as one trace."""
    edges = np.array(found.edges)
    return {
        "type": "bar",
        "name": name,
        "x": numbers((edges[:-1] + edges[1:]) / 2),
        "y": list(found.counts),
        "width": rounded(float(edges[1] - edges[0])),
    }


def _points(
    measured: Sequence[Measured],
) -> tuple[list[int], list[float], list[float]]:
    estimates = [one.net.estimate for one in measured]
    x = [one.parameter or 0 for one in measured]
    return x, [one.value for one in estimates], [one.half_width for one in estimates]


def _fit(
    law: Fitted, x: list[int], cycles: list[float], half_widths: list[float] | None, label: str
) -> Figure:
    """The points with their intervals over the law and its 95 % band."""
    grid = np.linspace(0, max(x), 60)
    predicted = [law.predict(float(at)) for at in grid]
    band_x = numbers(np.concatenate([grid, grid[::-1]]))
    band_y = [one.high for one in predicted] + [one.low for one in reversed(predicted)]
    points: Figure = {"type": "scatter", "mode": "markers", "name": "net mean", "x": x,
                      "y": numbers(cycles), "marker": {"size": 8}}  # fmt: skip
    if half_widths:
        points["error_y"] = {"type": "data", "array": numbers(half_widths)}
    return figure(
        [
            {"type": "scatter", "mode": "lines", "name": "95 % of the law", "x": band_x,
             "y": numbers(band_y), "fill": "toself", "line": {"width": 0}, "hoverinfo": "skip"},
            {"type": "scatter", "mode": "lines", "name": law.model, "x": numbers(grid),
             "y": numbers([one.value for one in predicted])},
            points,
        ],
        label,
        "net cycles",
        {"showlegend": True, "xaxis": {"rangemode": "tozero"}, **_no_magnifying(cycles)},
    )  # fmt: skip


def _no_magnifying(cycles: Sequence[float]) -> Figure:
    """A few cycles of height at least: fractions of a cycle must not look like a slope."""
    low, high = min(cycles), max(cycles)
    if high - low >= LEAST_HEIGHT:
        return {}
    middle = (low + high) / 2
    return {"yaxis": {"range": [middle - LEAST_HEIGHT / 2, middle + LEAST_HEIGHT / 2]}}


def _series(one: CaseAnalysis, drawn: Iterable[Drawn]) -> Figure:
    """Samples in the order of measurement: the series apart, or each x apart."""
    traces = []
    for run in drawn:
        first = 0
        for name, values in _parts(one.case, run):
            traces.append(_samples(name, values, first))
            first += values.size
        if run.figures.rejected:
            rules = ", ".join(run.figures.rejected)
            name = f"{_name(one.case, run.parameter)} rejected: {rules}".strip()
            cut = _samples(name, run.run.rejected_cycles() - run.figures.overhead)
            traces.append({**cut, "visible": "legendonly"})
    return figure(traces, "sample", "net cycles", {"showlegend": True})


def _samples(name: str, values: Values, first: int = 0) -> Figure:
    return {"type": "scatter", "mode": "markers", "name": name, "x0": first, "dx": 1,
            "y": numbers(values), "marker": {"size": 5, "opacity": 0.75}}  # fmt: skip


def figure(traces: list[Figure], x: str, y: str, layout: Figure) -> Figure:
    """Traces under a layout, with titles of the axes."""
    xaxis = {**layout.get("xaxis", {}), "title": {"text": x}}
    yaxis = {**layout.get("yaxis", {}), "title": {"text": y}}
    return {"data": traces, "layout": {**layout, "xaxis": xaxis, "yaxis": yaxis}}


def numbers(values: Iterable[float]) -> list[float | None]:
    """Values for JSON, in as many digits as a picture needs; None where there is none."""
    return [rounded(float(value)) if np.isfinite(value) else None for value in values]


def rounded(value: float) -> float:
    """A value in as many digits as a picture needs."""
    return round(value, 4)
