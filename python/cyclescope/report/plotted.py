"""What every picture is made of: plain Plotly figures, with numbers as JSON takes them."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

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
