"""Latency: from the request for an interrupt to its handler, and from the line to the reader."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from cyclescope.report.page import plot
from cyclescope.report.plotted import Figure, figure, rounded
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, detailed, having
from cyclescope.studies.peripheral.report.section import (
    Section,
    folded,
    number,
    paragraph,
    wide_table,
)

NAME = "latency"
MOST_POINTS = 200
US_PER_S = 1e6
HEADINGS = ("Stage", "n", "min", "quartiles, cycles", "median µs", "max (observed)", "max µs")
SAID = (
    "Distributions over the steady state of one recording, for which they are exact. The greatest "
    "value was observed and bounds nothing. The paper measured no latency."
)


def section(transfers: Sequence[MeasuredTransfer]) -> Section | None:
    """The stages of the transfers that are shown in detail."""
    shown = having(detailed(transfers), NAME)
    if not shown:
        return None
    first, *others = shown
    figures: dict[str, Figure] = {}
    html = []
    for name, caption, stages in _groups(first):
        figures[f"latency:{name}"] = distributions(stages, first.core_hz)
        html.append(plot(f"latency:{name}", caption))
    tables = "".join(folded(f"Stages: {one.title}", _tables(one)) for one in others)
    return Section(
        "Latency",
        f'<h3>{escape(first.title)}</h3><div class="plots">{"".join(html)}</div>{_tables(first)}'
        f"{paragraph(SAID)}{tables}",
        figures,
    )


def _groups(one: MeasuredTransfer) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Name, caption and stages of each source of interrupts, then of received bytes."""
    document = one.documents[NAME]
    for source, found in document["interrupts"].items():
        if found["taken"]:
            taken = f"{found['taken']:,} taken, {found['taken_asleep']:,} of them out of sleep"
            yield source, f"Interrupts of {source}: {taken}", found["stages"]
    received = document["bytes"]
    if received["n"]:
        yield "bytes", f"{received['n']:,} received bytes", received["stages"]


def distributions(stages: Mapping[str, Any], core_hz: int) -> Figure:
    """The share of values that do not exceed each time, for each stage."""
    traces = []
    for name, stage in stages.items():
        if stage["n"]:
            points = list(_cumulated(stage, core_hz))
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "name": name.replace("_", " "),
                    "line": {"shape": "hv"},
                    "x": [x for x, _ in points],
                    "y": [y for _, y in points],
                }
            )
    layout = {"showlegend": True, "xaxis": {"type": "log"}, "yaxis": {"range": [0, 100]}}
    return figure(traces, "µs", "percent that take at most so long", layout)


def _cumulated(stage: Mapping[str, Any], core_hz: int) -> Iterator[tuple[float, float]]:
    counts, seen = stage["counts"], 0
    every = max(len(counts) // MOST_POINTS, 1)
    for place, (cycles, count) in enumerate(counts):
        if place == 0:
            yield rounded(cycles * US_PER_S / core_hz), 0
        seen += count
        if place % every == 0 or place == len(counts) - 1:
            yield rounded(cycles * US_PER_S / core_hz), rounded(100 * seen / stage["n"])


def _tables(one: MeasuredTransfer) -> str:
    return "".join(
        f"<h4>{escape(caption)}</h4>{_table(stages)}" for _, caption, stages in _groups(one)
    )


def _table(stages: Mapping[str, Any]) -> str:
    rows = [
        (
            name.replace("_", " "),
            f"{one['n']:,}",
            f"{one['min']:,}",
            " ".join(f"{one[part]:,}" for part in ("q25", "q50", "q75")),
            number(one["us"]["q50"]),
            f"{one['max']:,}",
            number(one["us"]["max"]),
        )
        for name, one in stages.items()
        if one["n"]
    ]
    return wide_table(HEADINGS, rows)
