"""Pictures of real-time figures; colours are the page's business."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cyclescope.report.plotted import Figure, all_equal, bars, beyond, figure, numbers
from cyclescope.stats.distribution import tail
from cyclescope.stats.histogram import histogram
from cyclescope.stats.summary import Values
from cyclescope.studies.realtime.findings import Curve, RealtimeFigures, TrialFigures
from cyclescope.studies.realtime.report.rows import PLACEMENTS
from cyclescope.studies.realtime.results import Marks, RealtimeResults, Trial, TrialRun
from cyclescope.studies.realtime.target import Cyclictest, Timeline

MOST_SAMPLES = 2_000
"""Samples of a run that are drawn; of more, the longest of each of so many intervals."""
TRACK_PIXELS = 34
LEAST_COUNT = 0.5
"""Where the logarithmic scale of counts begins, so that a single sample has a height."""
KINDS = (("task", "task", 0.7), ("isr", "ISR", 0.7), ("masked", "masked", 0.3))
"""Spans of a timeline: kind, name, and how broad they are drawn."""


def of_run(one: TrialFigures, run: TrialRun) -> dict[str, Figure]:
    """Histogram, tail, samples in their order, and the timeline of the longest, if there is one.

    Of equal samples there is only the timeline.
    """
    found = {}
    if equal(run) is None:
        found = {
            "histogram": _histogram(run),
            "tail": _tail(run.cycles, run.rejected),
            "samples": _samples(run),
        }
    if one.worst:
        found["timeline"] = timeline(one.worst.timeline)
    return found


def equal(run: TrialRun) -> str | None:
    """Text for a run whose samples are all equal."""
    cycles = run.cycles
    if cycles.size == 0 or cycles.min() < cycles.max():
        return None
    return all_equal(cycles.size, float(cycles[0]), "cycles")


def _histogram(run: TrialRun) -> Figure:
    """Bins between the extremes of what is kept; the rejected beyond them are in the last bins."""
    low, high = _kept_ends(run)
    clipped = np.clip(run.cycles, low, high)
    traces = [
        bars(name, histogram(clipped[chosen], low, high))
        for name, chosen in _parts(run)
        if chosen.any()
    ]
    layout: Figure = {"barmode": "stack", "showlegend": len(traces) > 1}
    # Rare long times are what the picture is for: on a linear scale they cannot be seen.
    most = max(histogram(clipped, low, high).counts)
    layout["yaxis"] = {"type": "log", "range": [LEAST_COUNT, 2 * most]}
    return figure(traces, "cycles", "samples", layout)


def _kept_ends(run: TrialRun) -> tuple[float, float]:
    """The extremes of the samples that no rule rejected; of all where these are equal."""
    kept = run.cycles[~run.rejected]
    if kept.size == 0 or kept.min() == kept.max():
        kept = run.cycles
    return float(kept.min()), float(kept.max())


def _parts(run: TrialRun) -> Iterable[tuple[str, Marks]]:
    """Groups that differ by colour."""
    by_line, rejected = run.by_line, run.rejected
    yield ("begun by the paper's thread" if by_line.any() else "samples"), ~by_line & ~rejected
    yield "begun by an interrupt", by_line & ~rejected
    yield _rejected_name(run), rejected


def _rejected_name(run: TrialRun) -> str:
    cycles = run.cycles[run.rejected]
    if not cycles.size:
        return ""
    rules = " and ".join(map(str, run.samples["rejected_by"].drop_null().unique().to_pylist()))
    return beyond(cycles.size, rules, float(cycles.max()), "cycles")


def _tail(cycles: Values, rejected: Marks) -> Figure:
    parts = [("all samples", cycles)]
    if rejected.any():
        parts.append(("without the rejected", cycles[~rejected]))
    traces = []
    for name, values in parts:
        times, shares = tail(values)
        traces.append({"type": "scatter", "mode": "lines+markers", "name": name,
                       "x": numbers(times), "y": [float(f"{one:.4g}") for one in shares],
                       "line": {"shape": "vh"}, "marker": {"size": 4}})  # fmt: skip
    layout: Figure = {"yaxis": {"type": "log"}, "showlegend": len(traces) > 1}
    return figure(traces, "cycles", "share at least as long", layout)


def _samples(run: TrialRun) -> Figure:
    """The axis follows what is kept; what is rejected beyond it lies at its edge."""
    cycles = run.cycles
    drawn = np.zeros(cycles.size, dtype=np.bool_)
    drawn[_longest_of_each(cycles)] = True
    traces = [
        _markers(name, np.flatnonzero(chosen & (drawn | run.rejected))[:MOST_SAMPLES], cycles)
        for name, chosen in _parts(run)
        if chosen.any()
    ]
    for trace in traces:
        if trace["name"] == _rejected_name(run) and len(traces) > 1:
            trace["edge"] = True
    seams = np.flatnonzero(np.asarray(run.samples["seam"]))
    if seams.size > 1:
        seam = _markers("seam", seams[:MOST_SAMPLES], cycles)
        seam["y"] = [round(float(cycles.min()), 4)] * len(seam["x"])
        seam["marker"] = {"symbol": "tick", "size": 10}
        traces.append(seam)
    return figure(traces, "sample", "cycles", {"showlegend": len(traces) > 1})


def _longest_of_each(cycles: Values) -> np.ndarray[Any, np.dtype[np.int64]]:
    """All samples, or the longest of each interval of them: no long one is left out."""
    if cycles.size <= MOST_SAMPLES:
        return np.arange(cycles.size)
    stretches = np.array_split(np.arange(cycles.size), MOST_SAMPLES)
    return np.array([one[cycles[one].argmax()] for one in stretches])


def _markers(name: str, index: Iterable[int], cycles: Values) -> Figure:
    there = np.asarray(index, dtype=np.int64)
    return {"type": "scatter", "mode": "markers", "name": name, "x": there.tolist(),
            "y": numbers(cycles[there]), "marker": {"size": 4, "opacity": 0.75}}  # fmt: skip


def timeline(one: Timeline) -> Figure:
    """Timeline: a track for each task and ISR, masked intervals as narrow bars over them."""
    spans = sorted(one.spans, key=lambda span: span.begin_cycles)
    traces = []
    for kind, name, width in KINDS:
        those = [span for span in spans if span.kind == kind]
        if those:
            traces.append({
                "type": "bar", "orientation": "h", "name": name, "width": width,
                "y": [span.track for span in those],
                "base": [span.begin_cycles for span in those],
                "x": [span.end_cycles - span.begin_cycles for span in those],
            })  # fmt: skip
    tracks = list(dict.fromkeys(span.track for kind, *_ in KINDS for span in spans
                                if span.kind == kind))  # fmt: skip
    layout: Figure = {
        "shapes": [{"x0": mark.at_cycles} for mark in one.marks],
        "annotations": [{"x": mark.at_cycles, "text": mark.text} for mark in one.marks],
        "showlegend": True,
        "yaxis": {"categoryarray": tracks},
        "height": 90 + TRACK_PIXELS * len(tracks),
    }  # fmt: skip
    return figure(traces, "core cycles after the sample's start", "", layout)


def determinism(curves: Sequence[Curve]) -> Figure:
    """Figure 9: an indicator's scores over the number of tasks, a curve for each background-task
    state."""
    traces = []
    for one in curves:
        traces.append({
            "type": "scatter", "mode": "lines+markers", "name": PLACEMENTS[one.placement],
            "x": one.tasks, "y": numbers([point.papers.value for point in one.points]),
        })  # fmt: skip
    layout: Figure = {"showlegend": True, "yaxis": {"rangemode": "tozero"}}
    return figure(traces, "extra tasks", "score", layout)


def latencies(seen: Cyclictest, run: TrialRun | None, core_hz: int) -> Figure:
    """The histogram of cyclictest, and our wake-up latency beside it in the same microseconds."""
    traces = [_shares("cyclictest", [one for one, _ in seen.histogram],
                      [count for _, count in seen.histogram])]  # fmt: skip
    if run is not None:
        times, counts = np.unique(np.floor(run.cycles * 1e6 / core_hz), return_counts=True)
        traces.append(_shares("Cyclescope", times.tolist(), counts.tolist()))
    layout: Figure = {"showlegend": True, "yaxis": {"type": "log"}}
    return figure(traces, "latency (µs)", "share of the wake-ups", layout)


def _shares(name: str, x: Sequence[float], counts: Sequence[int]) -> Figure:
    total = max(1, sum(counts))
    return {"type": "scatter", "mode": "markers", "name": name, "x": list(x),
            "y": [float(f"{count / total:.4g}") for count in counts]}  # fmt: skip


def all_pictures(found: RealtimeFigures, results: RealtimeResults) -> dict[str, Figure]:
    """Every picture of the page by its name."""
    samples: dict[Trial, TrialRun] = {run.trial: run for run in results.runs}
    pictures = {}
    for one in found.alone or found.runs:
        for kind, made in of_run(one, samples[one.trial]).items():
            pictures[f"{one.trial.name}:{kind}"] = made
    for beside in found.cyclictest:
        if beside.seen.histogram:
            ours, core_hz = samples.get(beside.trial), found.conditions.core_hz
            pictures[f"cyclictest:{beside.trial.name}"] = latencies(beside.seen, ours, core_hz)
    for key in dict.fromkeys((one.indicator, one.load_percent) for one in found.curves):
        together = [one for one in found.curves if (one.indicator, one.load_percent) == key]
        pictures[f"determinism:{key[0]}-load{key[1]}"] = determinism(together)
    return pictures
