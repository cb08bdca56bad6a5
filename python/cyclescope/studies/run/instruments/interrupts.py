"""The monitor of interrupts: requests, entries and ends by source, and how long each took."""

from collections.abc import Sequence
from typing import Any

from cyclescope.stats.counted import quantile
from cyclescope.studies.run.instruments.instrument import Attached

DURATIONS = ("latency_cycles", "entry_cycles", "handler_cycles", "own_cycles")
QUANTILES = (0.5, 0.95, 0.99)


class Interrupts(Attached):
    """Each source of interrupts, from its request to the end of its handler."""

    key = "interrupts"

    def _attach(self) -> int:
        return self._board.attach_interrupts()

    def document(self) -> dict[str, Any]:
        counted = self._counted()
        sources = []
        for source in counted["sources"]:
            durations = {name: summary(source[name]) for name in DURATIONS}
            sources.append({**source, **durations})
        sources.sort(key=lambda source: (-source["taken"], source["source"]))
        return {"sources": sources, "latest": counted["latest"], "under_way": counted["under_way"]}


def summary(counts: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Count, least, most, mean and quantiles of durations, of (cycles, number), the least first."""
    count = sum(number for _, number in counts)
    if not count:
        return {"count": 0}
    return {
        "count": count,
        "min": counts[0][0],
        "mean": sum(cycles * number for cycles, number in counts) / count,
        **{f"q{100 * part:g}": quantile(counts, part) for part in QUANTILES},
        "max": counts[-1][0],
        "total": sum(cycles * number for cycles, number in counts),
    }
