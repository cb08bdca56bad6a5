"""Parts of every picture: figures, with numbers as JSON takes them.

A figure has `data`, its traces, and a `layout`. It is a small part of Plotly's form, drawn by
`marks.js` and `pictures.js`:

- `scatter`: `mode` lines, markers or both; `x`, or `x0` and `dx`; `y`, None where there is none;
  `text` by point. Then `error_y` with half-widths in `array`; `fill` for an area; `line` with
  `shape` hv or vh for steps. Last `marker` with `size`, `opacity`, `symbol` circle, x, diamond or
  tick.
- `bar`: upright by `x`, `y`, `width`; with `orientation` h from `base` over `x` on the track `y`,
  with `text` for the pointer and `labels` inside, where they fit.
- `box`: lying, of the values `x`, one `text` each.
- Any trace: `name`; `cluster`, which gives its colour; `edge`: no axis follows it, and points
  outside the axes are drawn at their edge.
- `layout`: `xaxis` and `yaxis` with `title`, `type` log, `range` in values, `rangemode` tozero,
  `tickvals`, `categoryarray` from the top. Then `barmode` stack; `showlegend`; `height` in pixels;
  `shapes` with `x0`, upright lines; `annotations` with `x` and `text`, above the picture.
"""

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


def all_equal(count: int, value: float, unit: str) -> str:
    """Text in place of a picture of equal values.

    >>> all_equal(260, 1285.0, "cycles")
    'all 260 samples: 1,285 cycles'
    """
    return f"all {count:,} samples: {format_number(value)} {unit}"


def beyond(count: int, rule: str, furthest: float, unit: str) -> str:
    """The name of samples that no axis follows: how many, by which rule, how far the furthest is.

    >>> beyond(5, "timer_tick", 2185.0, "cycles")
    'rejected by timer_tick: 5, the furthest at 2,185 cycles'
    """
    return f"rejected by {rule}: {count:,}, the furthest at {format_number(furthest)} {unit}"


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
