"""What every picture is made of: plain Plotly figures, with numbers as JSON takes them."""

from collections.abc import Iterable
from typing import Any

import numpy as np

Figure = dict[str, Any]


def figure(traces: list[Figure], x: str, y: str, layout: Figure) -> Figure:
    """Traces under a layout, with titles of the axes."""
    xaxis = {**layout.get("xaxis", {}), "title": {"text": x}}
    yaxis = {**layout.get("yaxis", {}), "title": {"text": y}}
    return {"data": traces, "layout": {**layout, "xaxis": xaxis, "yaxis": yaxis}}


def numbers(values: Iterable[float]) -> list[float | None]:
    """Values for JSON, in as many digits as a picture needs; None where there is none."""
    return [rounded(float(value)) if np.isfinite(value) else None for value in values]


def rounded(value: float) -> float:
    """A value in as many digits as a picture needs, whole ones without a point."""
    short = round(float(value), 4)
    return int(short) if short.is_integer() else short
