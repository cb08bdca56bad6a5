"""A picture of the load of several images by layer."""

from collections.abc import Mapping, Sequence
from typing import Any

from cyclescope.report.plotted import Figure, figure, rounded
from cyclescope.studies.proposals.report.rows import label

PARTS = ("application", "driver", "kernel")
ROW_PIXELS = 26
FRAME_PIXELS = 110


def parts_bars(images: Sequence[Mapping[str, Any]]) -> Figure:
    """Lying bars of active instructions per byte, a track for each image."""
    tracks = [label(one) for one in images]
    traces: list[Figure] = []
    bases = [0.0] * len(images)
    for part in PARTS:
        values = [one["load"]["parts"][part]["instructions"]["per_byte"] for one in images]
        traces.append(
            {
                "type": "bar",
                "name": part,
                "orientation": "h",
                "y": tracks,
                "base": [rounded(one) for one in bases],
                "x": [rounded(one) for one in values],
                "text": [f"{part}: {one:,.1f} instructions per byte" for one in values],
            }
        )
        bases = [base + value for base, value in zip(bases, values, strict=True)]
    layout: Figure = {
        "yaxis": {"categoryarray": tracks},
        "barmode": "stack",
        "showlegend": True,
        "height": FRAME_PIXELS + ROW_PIXELS * len(images),
    }
    return figure(traces, "active instructions per byte of the line", "", layout)
