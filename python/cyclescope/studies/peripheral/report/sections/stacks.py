"""Figure 3: call stacks from the entry points, as pictures: a callee lies under its caller."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from cyclescope.report.page import plot
from cyclescope.report.plotted import Figure, figure
from cyclescope.studies.peripheral.report.measured import MeasuredTransfer, detailed, having
from cyclescope.studies.peripheral.report.section import Section, paragraph
from cyclescope.studies.peripheral.report.stacked_tracks import CLASSES

NAME = "stacks"
LEAST_SHARE = 0.004
"""Of an entry's cycles: shorter bars are left out."""
MOST_DEEP = 26
ROW_PIXELS, FRAME_PIXELS = 18, 56
READ = (
    "A bar is a function with all that it calls; those it calls lie under it. Lengths are cycles "
    "of the steady state; point at a bar for its numbers. Bars below "
    f"{LEAST_SHARE:.1%} of their entry are left out. A system call is shown apart from the "
    "program that makes it. Exact for this recording."
)


def section(transfers: Sequence[MeasuredTransfer]) -> Section | None:
    """The trees of each entry point of the transfer that is nearest to the paper's."""
    shown = having(detailed(transfers), NAME)
    if not shown:
        return None
    first = shown[0]
    figures: dict[str, Figure] = {}
    html = []
    for entry in first.documents[NAME]["entries"]:
        if entry["inclusive_cycles"]:
            name = f"stacks:{entry['entry']}"
            figures[name] = icicle(entry)
            text = f"Entered by {entry['name']}: {entry['inclusive_cycles']:,} cycles"
            html.append(plot(name, text, "samples"))
    heading = f"<h3>{escape(first.title)}</h3>"
    return Section(
        "Call stacks from their entry points (Figure 3)",
        f'{heading}<div class="plots">{"".join(html)}</div>{paragraph(READ)}',
        figures,
    )


def icicle(entry: Mapping[str, Any]) -> Figure:
    """A tree as lying bars, one track for each depth, coloured by class."""
    least = LEAST_SHARE * entry["inclusive_cycles"]
    traces: dict[str, dict[str, Any]] = {}
    deepest = 0
    waiting: list[tuple[Mapping[str, Any], int, int]] = [(entry, 0, 0)]
    while waiting:
        node, depth, begin = waiting.pop()
        deepest = max(deepest, depth)
        _add(traces, node, depth, begin)
        for child in node["children"]:
            if child["inclusive_cycles"] >= least and depth < MOST_DEEP:
                waiting.append((child, depth + 1, begin))
            begin += child["inclusive_cycles"]
    tracks = [f"{depth}" for depth in range(deepest + 1)]
    layout = {
        "height": FRAME_PIXELS + ROW_PIXELS * len(tracks),
        "showlegend": True,
        "xaxis": {"range": [0, entry["inclusive_cycles"]]},
        "yaxis": {"categoryarray": tracks},
    }
    return figure(list(traces.values()), "cycles", "calls deep", layout)


def _add(
    traces: dict[str, dict[str, Any]], node: Mapping[str, Any], depth: int, begin: int
) -> None:
    of = node["class"] or "entry"
    trace = traces.setdefault(
        of,
        {
            "type": "bar",
            "orientation": "h",
            "name": of,
            "cluster": CLASSES.index(of) + 1 if of in CLASSES else 0,
            "width": 0.94,
            "labels": [],
            **{key: [] for key in ("x", "base", "y", "text")},
        },
    )
    cycles, own = node["inclusive_cycles"], node["cycles"]
    sub = f" ({of}, {node['subclass']})" if node["subclass"] else ""
    trace["x"].append(cycles)
    trace["base"].append(begin)
    trace["y"].append(f"{depth}")
    trace["labels"].append(node["name"])
    trace["text"].append(
        f"{node['name']}{sub}: {cycles:,} cycles, {own:,} of its own; "
        f"{node['inclusive_instructions']:,} instructions"
    )
