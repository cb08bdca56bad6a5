"""Pictures of laws: points, lines with their knees, bands (Brandolese and Fornaciari, figure 4)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cyclescope.laws.formula_fit import FormulaFit
from cyclescope.laws.model import Fitted
from cyclescope.report.plotted import Figure, figure, numbers
from cyclescope.stats.summary import Values

LEAST_HEIGHT = 6
"""Cycles that the plot of a law shows at least."""

STEPS = 60

MOST_DRAWN = 600
"""Points of a formula, which has no lines between its x."""


def fit(
    law: Fitted,
    x: Sequence[float],
    cycles: Sequence[float],
    half_widths: list[float] | None,
    label: str,
) -> Figure:
    """The points with their intervals over the law, its 95 % band, and that of one call more."""
    grid = _grid(law, max(x))
    band = law.over(np.array(grid))
    points: Figure = {"type": "scatter", "mode": "markers", "name": "net mean", "x": x,
                      "y": numbers(cycles), "marker": {"size": 8}}  # fmt: skip
    if half_widths:
        points["error_y"] = {"type": "data", "array": numbers(half_widths)}
    lines: list[Figure] = [
        _band("95 % of one call more", grid, band.mean, band.of_new),
        _band("95 % of the law", grid, band.mean, band.of_mean),
        {"type": "scatter", "mode": "lines", "name": law.model, "x": numbers(grid),
         "y": numbers(band.mean)},
    ]  # fmt: skip
    layout = {**_knees(law), **_no_magnifying(cycles)}
    return figure([*lines, points], label, "net cycles", {**_over_zero(), **layout})


def clusters(
    laws: Sequence[Fitted], x: Values, net: Values, labels: npt.NDArray[np.uint8], label: str
) -> Figure:
    """Each cluster's samples and its law, in the colour that the page has for its number."""
    traces: list[Figure] = []
    for number, law in enumerate(laws, 1):
        grid = _grid(law, float(x.max()))
        own = np.unique(np.stack([x, net], axis=1)[labels == number], axis=0)
        traces += [
            {"type": "scatter", "mode": "lines", "x": numbers(grid), "showlegend": False,
             "y": numbers(law.values(np.array(grid))), "cluster": number},
            {"type": "scatter", "mode": "markers", "name": f"cluster {number}: {law.model}",
             "x": numbers(own[:, 0]), "y": numbers(own[:, 1]),
             "marker": {"size": 6}, "cluster": number},
        ]  # fmt: skip
    return figure(traces, label, "net cycles", _over_zero())


def _grid(law: Fitted, end: float) -> list[float]:
    """From x = 0 to the greatest x; every knee is in it."""
    if isinstance(law, FormulaFit):
        low, high = map(int, law.domain)
        every = range(low, high + 1, law.step)
        thin = max(len(every) // MOST_DRAWN, 1)
        return sorted({*map(float, every[::thin]), float(high)})
    knees = [one.end for one in law.segments[:-1]]
    return sorted({*np.linspace(0, end, STEPS).tolist(), *knees})


def _band(name: str, grid: list[float], mean: Values, half_width: Values) -> Figure:
    """Between the ends of the intervals, forth and back."""
    ends = np.concatenate([mean + half_width, (mean - half_width)[::-1]])
    return {"type": "scatter", "mode": "lines", "name": name, "x": numbers([*grid, *grid[::-1]]),
            "y": numbers(ends), "fill": "toself"}  # fmt: skip


def _knees(law: Fitted) -> Figure:
    """A dotted line at each knee."""
    return {"shapes": [{"x0": one.end} for one in law.segments[:-1]]}


def _over_zero() -> Figure:
    return {"showlegend": True, "xaxis": {"rangemode": "tozero"}}


def _no_magnifying(cycles: Sequence[float]) -> Figure:
    """A few cycles of height at least: fractions of a cycle must not look like a slope."""
    low, high = min(cycles), max(cycles)
    if high - low >= LEAST_HEIGHT:
        return {}
    middle = (low + high) / 2
    return {"yaxis": {"range": [middle - LEAST_HEIGHT / 2, middle + LEAST_HEIGHT / 2]}}
