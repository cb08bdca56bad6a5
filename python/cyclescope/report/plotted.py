"""What every picture is made of: plain Plotly figures, with numbers as JSON takes them."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from cyclescope.quantity import format_number
from cyclescope.stats.histogram import Histogram
from cyclescope.stats.summary import Values

Figure = dict[str, Any]


def figure(traces: list[Figure], x: str, y: str, layout: Figure) -> Figure:
    """Traces under a layout, with titles of the axes."""
    xaxis = {**layout.get("xaxis", {}), "title": {"text": x}}
    yaxis = {**layout.get("yaxis", {}), "title": {"text": y}}
    return {"data": traces, "layout": {**layout, "xaxis": xaxis, "yaxis": yaxis}}


def numbers(values: Values | Sequence[float]) -> list[float | None]:
    """Values for JSON, in as many digits as a picture needs; None where there is none."""
    each = np.asarray(values, dtype=np.float64).tolist()
    return [rounded(value) if math.isfinite(value) else None for value in each]


@lru_cache(maxsize=4096)
def rounded(value: float) -> float:
    """A value in as many digits as a picture needs, whole ones without a point."""
    short = round(float(value), 4)
    return int(short) if short.is_integer() else short


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
