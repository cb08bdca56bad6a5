"""Pictures of a timed fragment; colours are the page's business."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from cyclescope.firmware.fragment.plan import Point
from cyclescope.report.plotted import Figure, bars, beyond, figure, numbers, rounded
from cyclescope.stats.histogram import histogram
from cyclescope.stats.summary import Values
from cyclescope.studies.time.findings import FragmentStudy, Steps, TechniqueFigures, unit_of

CAPTIONS = {
    "times": "T against N, and what the technique makes of it",
    "residuals": "Residuals by N: what the fit leaves of each time",
    "order": "Residuals in the order of measurement",
    "histogram": "Residuals of all points in 30 bins",
}
STEP_CAPTIONS = {
    "rises": "Cost of the N-th execution: T(N) − T(N − 1)",
    "steps": "T(N) less the straight line from first to last",
}

Marks = npt.NDArray[np.bool_]


def of_study(found: FragmentStudy) -> dict[str, Figure]:
    """Every picture of the page, by technique and kind."""
    unit = unit_of(found.conditions).name
    pictures = {
        f"{one.name}:{kind}": made
        for one in found.techniques
        for kind, made in of_technique(one, unit).items()
    }
    if found.steps and found.steps.is_staircase:
        pictures["steps:rises"] = _rises(found.steps, unit)
        pictures["steps:steps"] = _steps(found.steps, unit)
    return pictures


def of_technique(one: TechniqueFigures, unit: str) -> dict[str, Figure]:
    """T against N; the residuals by N, in order and as a histogram, where they differ."""
    found = {"times": _times(one, unit)}
    if equal(one, unit) is None:
        found["residuals"] = _by_point(one, unit)
        found["order"] = _in_order(one, unit)
        found["histogram"] = _histogram(one, unit)
    return found


def equal(one: TechniqueFigures, unit: str) -> str | None:
    """Text for residuals that are all equal."""
    residuals, rejected = np.round(_residuals(one), 9), one.estimated.rejected
    kept = residuals[~rejected]
    if kept.size == 0 or kept.min() < kept.max():
        return None
    said = f"the residuals of all {kept.size:,} times: {rounded(float(kept[0])):g} {unit}"
    if rejected.any():
        said += f"; {_rejected_name(one, residuals[rejected], unit)}"
    return said


def _rejected_name(one: TechniqueFigures, values: Values, unit: str) -> str:
    furthest = float(values[np.abs(values).argmax()])
    return beyond(values.size, one.estimated.rule or "a rule", furthest, unit)


def _name(point: Point) -> str:
    name = f"N = {point.executions}"
    if point.initialisations:
        name += f", M = {point.initialisations}"
    return name + (" in a loop" if point.looped else "")


def _all_executions(one: TechniqueFigures) -> Values:
    return np.broadcast_to(one.observed.executions, one.observed.times.shape)


def _scatter(name: str, x: Values, y: Values, symbol: str) -> Figure:
    """Equal points are drawn once; the hover says how many they are."""
    pairs, counts = np.unique(np.column_stack([x, y]), axis=0, return_counts=True)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": numbers(pairs[:, 0]),
        "y": numbers(pairs[:, 1]),
        "text": [f"{count} ×" for count in counts],
        "marker": {"size": 9 if symbol == "x" else 7, "symbol": symbol, "opacity": 0.8},
    }


def _marked(one: TechniqueFigures, x: Values, y: Values, what: str, unit: str) -> list[Figure]:
    """Draws kept and rejected times; the axis follows the kept ones, if any."""
    rejected = one.estimated.rejected
    traces = [_scatter(what, x[~rejected], y[~rejected], "circle")]
    if rejected.any():
        cut = _scatter(_rejected_name(one, y[rejected], unit), x[rejected], y[rejected], "x")
        traces.append({**cut, "edge": not rejected.all()})
    return traces


def _times(one: TechniqueFigures, unit: str) -> Figure:
    """The fitted lines lie below the times."""
    traces: list[Figure] = [
        {"type": "scatter", "mode": "lines", "name": name, "x": numbers(x), "y": numbers(y)}
        for name, x, y in _lines(one)
    ]
    traces += _marked(one, _all_executions(one), one.observed.times, "times", unit)
    axes = {"xaxis": {"rangemode": "tozero"}, "yaxis": {"rangemode": "tozero"}}
    return figure(traces, "N executions", f"T ({unit})", {"showlegend": True, **axes})


def _lines(one: TechniqueFigures) -> Iterable[tuple[str, Values, Values]]:
    """The fit against N: one line, or one for each ratio of initialisations to executions."""
    plan = one.observed.plan
    estimated = one.estimated
    overhead = estimated.overhead.value if estimated.overhead else 0.0
    initialisation = estimated.initialisation.value if estimated.initialisation else 0.0
    ratios = {p.initialisations / p.executions for p in plan if p.executions}
    extra = {p.initialisations - p.executions for p in plan if p.initialisations}
    x = np.array([0.0, max(point.executions for point in plan)])
    if initialisation and len(ratios) > 2:
        for more in sorted(extra):
            y = x * (estimated.execution.value + initialisation) + more * initialisation + overhead
            yield f"fit, M = N + {more}", x, y
        return
    for ratio in sorted(ratios):
        y = x * (estimated.execution.value + ratio * initialisation) + overhead
        yield "fit" if len(ratios) == 1 else f"fit, M = {ratio:g} N", x, y


def _residuals(one: TechniqueFigures) -> Values:
    return np.asarray(one.observed.times - one.fitted)


def _by_point(one: TechniqueFigures, unit: str) -> Figure:
    traces = _marked(one, _all_executions(one), _residuals(one), "residuals", unit)
    layout = {"showlegend": len(traces) > 1, **_least(one)}
    return figure(traces, "N executions", unit, layout)


def _in_order(one: TechniqueFigures, unit: str) -> Figure:
    residuals, rejected = _residuals(one).ravel(), one.estimated.rejected.ravel()
    order = np.arange(residuals.size, dtype=np.float64)
    traces = []
    for marks, edge in ((~rejected, False), (rejected, not rejected.all())):
        if marks.any():
            name = _rejected_name(one, residuals[marks], unit) if edge else "residuals"
            traces.append({"type": "scatter", "mode": "markers", "name": name, "edge": edge,
                           "x": numbers(order[marks]), "y": numbers(residuals[marks]),
                           "marker": {"size": 4, "opacity": 0.7}})  # fmt: skip
    layout = {"showlegend": len(traces) > 1, **_least(one)}
    return figure(traces, "measurement", unit, layout)


def _least(one: TechniqueFigures) -> Figure:
    """Two units of height at least: fractions of a cycle must not look like noise."""
    kept = _residuals(one)[~one.estimated.rejected]
    if kept.size == 0 or np.abs(kept).max() >= 1:
        return {}
    return {"yaxis": {"range": [-1, 1]}}


def _histogram(one: TechniqueFigures, unit: str) -> Figure:
    """One colour for each point, all in the same bins."""
    residuals, kept = np.round(_residuals(one), 9), ~one.estimated.rejected
    whole = histogram(residuals[kept])
    label = f"residual ({unit})"
    traces = [
        bars(_name(point), histogram(residuals[kept[:, at], at], whole.edges[0], whole.edges[-1]))
        for at, point in enumerate(one.observed.plan)
        if kept[:, at].any()
    ]
    layout = {"barmode": "stack", "showlegend": 1 < len(traces) <= 10}
    return figure(traces, label, "times", layout)


def _rises(steps: Steps, unit: str) -> Figure:
    rises = np.diff(np.array(steps.times))
    trace = {"type": "bar", "x": list(range(2, rises.size + 2)), "y": numbers(rises)}
    around = max(2.0, float(np.ptp(rises)))
    heights = {"range": [rounded(rises.min() - around), rounded(rises.max() + around / 2)]}
    return figure([trace], "N", unit, {"yaxis": heights})


def _steps(steps: Steps, unit: str) -> Figure:
    times = np.array(steps.times)
    line = np.linspace(times[0], times[-1], times.size)
    trace = {"type": "scatter", "mode": "lines+markers", "line": {"shape": "hv"},
             "x": list(range(1, times.size + 1)), "y": numbers(times - line)}  # fmt: skip
    return figure([trace], "N executions", unit, {})
