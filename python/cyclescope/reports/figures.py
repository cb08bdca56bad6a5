"""The report's pictures as plain Plotly figures; colours are the page's business."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cyclescope.model import Fitted
from cyclescope.quantity import format_number
from cyclescope.results import Run
from cyclescope.stats.histogram import Histogram, histogram
from cyclescope.stats.summary import Values
from cyclescope.study import CaseAnalysis, Measured

Figure = dict[str, Any]

LEAST_HEIGHT = 6
"""Cycles that the plot of a law shows at least."""


def of_case(one: CaseAnalysis, runs: Sequence[Run]) -> dict[str, Figure]:
    """Histogram and series of every case; the fit of those that have a law."""
    pairs = [
        (measured, run)
        for measured in one.measured
        for run in runs
        if run.parameter == measured.parameter
    ]
    if not pairs:
        return {}
    figures = {"histogram": _histogram(one, pairs)}
    if one.law and one.case.parameter:
        label = f"{one.case.parameter.name} ({one.case.parameter.unit})"
        figures["fit"] = _fit(one.law, *_points(one.measured), label)
    elif one.load_law and one.measured[0].series:
        series, empty = one.measured[0].series, one.measured[0].empty
        means = [mean - empty.mean for mean in series.means]
        figures["fit"] = _fit(one.load_law, list(series.lengths), means, None, "series length")
    figures["series"] = _series(one, pairs)
    return figures


def _net(measured: Measured, run: Run, length: int | None = None) -> Values:
    return run.cycles("call", length) - measured.empty.mean


def _name(one: CaseAnalysis, measured: Measured) -> str:
    return "" if one.case.parameter is None else f"x = {measured.parameter}"


def _histogram(one: CaseAnalysis, pairs: Iterable[tuple[Measured, Run]]) -> Figure:
    """One stacked trace for each x, all in the same 30 bins; a constant is one labelled bar."""
    samples = [(_name(one, measured), _net(measured, run)) for measured, run in pairs]
    everything = np.concatenate([values for _, values in samples])
    whole = histogram(everything)
    low, high = whole.edges[0], whole.edges[-1]
    if whole.is_constant:
        layout: Figure = {"xaxis": {"tickvals": [low], "range": [low - 5, low + 5]}}
        return _figure([_single_bar(low, whole.counts[0])], "net cycles", "samples", layout)
    traces = [_bars(name, histogram(values, low, high)) for name, values in samples]
    layout = {"barmode": "stack", "bargap": 0.02, "showlegend": len(traces) > 1}
    return _figure(traces, "net cycles", "samples", layout)


def _single_bar(cycles: float, count: int) -> Figure:
    label = f"{format_number(count)} × {format_number(cycles)} cycles"
    return {"type": "bar", "x": [_round(cycles)], "y": [count], "text": [label],
            "textposition": "outside", "textangle": 0, "constraintext": "none",
            "cliponaxis": False}  # fmt: skip


def _bars(name: str, found: Histogram) -> Figure:
    edges = np.array(found.edges)
    return {
        "type": "bar",
        "name": name,
        "x": _numbers((edges[:-1] + edges[1:]) / 2),
        "y": list(found.counts),
        "width": _round(float(edges[1] - edges[0])),
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
    band_x = _numbers(np.concatenate([grid, grid[::-1]]))
    band_y = [one.high for one in predicted] + [one.low for one in reversed(predicted)]
    points: Figure = {"type": "scatter", "mode": "markers", "name": "net mean", "x": x,
                      "y": _numbers(cycles), "marker": {"size": 8}}  # fmt: skip
    if half_widths:
        points["error_y"] = {"type": "data", "array": _numbers(half_widths)}
    return _figure(
        [
            {"type": "scatter", "mode": "lines", "name": "95 % of the law", "x": band_x,
             "y": _numbers(band_y), "fill": "toself", "line": {"width": 0}, "hoverinfo": "skip"},
            {"type": "scatter", "mode": "lines", "name": law.model, "x": _numbers(grid),
             "y": _numbers([one.value for one in predicted])},
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


def _series(one: CaseAnalysis, pairs: Sequence[tuple[Measured, Run]]) -> Figure:
    """Samples in the order of measurement: the series apart, or each x apart."""
    traces = []
    for measured, run in pairs:
        if one.case.parameter:
            traces.append(_samples(_name(one, measured), _net(measured, run)))
        else:
            traces += _apart(measured, run)
        if measured.rejected:
            rules = ", ".join(measured.rejected)
            name = f"{_name(one, measured)} rejected: {rules}".strip()
            cut = _samples(name, run.rejected_cycles() - measured.empty.mean)
            traces.append({**cut, "visible": "legendonly"})
    return _figure(traces, "sample", "net cycles", {"showlegend": True})


def _apart(measured: Measured, run: Run) -> Iterable[Figure]:
    first = 0
    for length in run.lengths():
        values = _net(measured, run, length)
        yield _samples(f"{length} samples", values, first)
        first += values.size


def _samples(name: str, values: Values, first: int = 0) -> Figure:
    x = list(range(first, first + values.size))
    return {"type": "scatter", "mode": "markers", "name": name, "x": x,
            "y": _numbers(values), "marker": {"size": 5, "opacity": 0.75}}  # fmt: skip


def _figure(traces: list[Figure], x: str, y: str, layout: Figure) -> Figure:
    xaxis = {**layout.get("xaxis", {}), "title": {"text": x}}
    yaxis = {**layout.get("yaxis", {}), "title": {"text": y}}
    return {"data": traces, "layout": {**layout, "xaxis": xaxis, "yaxis": yaxis}}


def _numbers(values: Iterable[float]) -> list[float | None]:
    return [_round(float(value)) if np.isfinite(value) else None for value in values]


def _round(value: float) -> float:
    return round(value, 4)
