"""Writes the measurements of overlap.py as a part of docs/reference/host.md."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ORDER = ("empty", "independent", "mixed", "memory", "dependent")
HEAD = """## Latency, throughput, and long plain loops

Twelve functions (`benches/host/functions.c`), each timed {repetitions} times as `cyclescope time
--board host` does it, with {processes} new processes each time. Between these run, in processes
of their own, long plain loops of the same calls (`benches/host/loops.c`), which share no code
with the techniques. A loop has 64 calls in an iteration. For throughput they are all alike; for
latency each has the result of the one before. So both see the same clock of the core.

* **estimate**: the figure and its ±, medians of the {repetitions}; **long loop**: its time;
  **off**: the median of the differences.
* **held**: how many of the {repetitions} intervals held the mean of the loops that ran meanwhile.
  The ± is for one more process: where processes differ by much, as with stores and branches that
  fall together in one and not in the next, it is wide.
* The kind that answers by default is marked *.

The intervals of the default kinds held {held} of {all} long loops ({share:.0f} %), those of both
kinds {held_both} of {all_both}. The median error is {median:.1f} %, the greatest of a function's
{worst:.1f} %.

| function | calls are | kind | estimate (ns) | long loop (ns) | off | held |
|---|---|---|--:|--:|--:|--:|
"""


def part(folder: Path, processes: int) -> str:
    """The part, from the files of a folder."""
    rows = sorted(_rows(folder), key=lambda one: (ORDER.index(one["sort"]), one["function"]))
    default = [one for one in rows if one["default"]]
    head = HEAD.format(
        repetitions=rows[0]["of"],
        processes=processes,
        held=sum(one["held"] for one in default),
        all=sum(one["of"] for one in default),
        share=100 * sum(one["held"] for one in default) / sum(one["of"] for one in default),
        held_both=sum(one["held"] for one in rows),
        all_both=sum(one["of"] for one in rows),
        median=float(np.median([abs(one["off"]) for one in rows])),
        worst=max(abs(one["off"]) for one in rows),
    )
    return head + "".join(_line(one) for one in rows)


def _line(one: dict[str, Any]) -> str:
    mark = " *" if one["default"] else ""
    return (
        f"| `{one['function']}` | {one['sort']} | {one['kind']}{mark} "
        f"| {one['told']:.2f} ± {one['half_width']:.2f} | {one['loop']:.2f} "
        f"| {one['off']:+.1f} % | {one['held']} of {one['of']} |\n"
    )


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    for file in sorted(folder.glob("overlap-*.jsonl")):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        default = "latency" if "latency" in lines[0] else "throughput"
        for kind in ("throughput", "latency"):
            if kind in lines[0]:
                first = {"function": lines[0]["function"], "sort": lines[0]["sort"], "kind": kind}
                found = _found([one[kind] for one in lines])
                yield {**first, "default": kind == default, **found}


def _found(measured: Sequence[dict[str, Any]]) -> dict[str, Any]:
    told = np.array([one["value"] for one in measured])
    half_widths = np.array([one["half_width"] for one in measured])
    loops = np.array([np.mean(one["loops"]) for one in measured])
    return {
        "told": float(np.median(told)),
        "half_width": float(np.median(half_widths)),
        "loop": float(np.median(loops)),
        "off": float(100 * np.median(told / loops - 1)),
        "held": int(np.sum(np.abs(told - loops) <= half_widths)),
        "of": len(measured),
    }
