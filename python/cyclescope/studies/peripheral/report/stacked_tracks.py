"""Pictures of bars that lie behind each other: one track for each transfer, one colour a part."""

from collections.abc import Mapping, Sequence

from cyclescope.report.plotted import Figure, figure, rounded

TRACK_PIXELS, FRAME_PIXELS = 26, 56
CLASSES = ("application", "char", "kernel", "fs", "other", "idle", "irda")
"""Classes in the order of their colours, the same in every picture."""


def stacked_tracks(
    tracks: Mapping[str, Mapping[str, float]], x: str, marks: Mapping[str, float] | None = None
) -> Figure:
    """A track for each name, of parts that add up to the right. `marks` are upright lines."""
    parts = [*dict.fromkeys(part for one in tracks.values() for part in one)]
    ends = dict.fromkeys(tracks, 0.0)
    traces = []
    are_classes = set(parts) <= set(CLASSES)
    for place, part in enumerate(parts):
        there = [name for name, one in tracks.items() if one.get(part)]
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": part,
                "cluster": CLASSES.index(part) + 1 if are_classes else place + 1,
                "y": there,
                "base": [rounded(ends[name]) for name in there],
                "x": [rounded(tracks[name][part]) for name in there],
                "text": [f"{name}: {part} {tracks[name][part]:,.4g}" for name in there],
            }
        )
        for name in there:
            ends[name] += tracks[name][part]
    layout: Figure = {
        "height": FRAME_PIXELS + TRACK_PIXELS * len(tracks) + (30 if marks else 0),
        "showlegend": True,
        "xaxis": {"rangemode": "tozero"},
        "yaxis": {"categoryarray": list(tracks)},
    }
    if marks:
        layout["shapes"] = [{"x0": value} for value in marks.values()]
        layout["annotations"] = [{"x": value, "text": text} for text, value in marks.items()]
    return figure([one for one in traces if one["y"]], x, "", layout)


def classes_first(parts: Mapping[str, float]) -> dict[str, float]:
    """Parts in the order of the classes' colours, those of other names behind."""
    known = [name for name in CLASSES if name in parts]
    return {name: parts[name] for name in [*known, *(one for one in parts if one not in known)]}


def line_figure(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    x: str,
    y: str,
    *,
    log: bool = True,
    marks: Mapping[str, float] | None = None,
) -> Figure:
    """Lines through points, one for each name; x is logarithmic, and y if `log`."""
    traces = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": name,
            "x": [rounded(one) for one, _ in points],
            "y": [rounded(one) for _, one in points],
        }
        for name, points in lines.items()
    ]
    layout: Figure = {"showlegend": True, "xaxis": {"type": "log"}, "yaxis": {}}
    layout["yaxis"] = {"type": "log"} if log else {"rangemode": "tozero"}
    if marks:
        layout["shapes"] = [{"x0": value} for value in marks.values()]
        layout["annotations"] = [{"x": value, "text": text} for text, value in marks.items()]
    return figure(traces, x, y, layout)
