"""Counts of the transfers that devices make by themselves: the PDC of an AT91x40, any DMA."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from cyclescope.studies.run.instruments.instrument import Attached


class Transfers(Attached):
    """Transfers by device and direction, their blocks, and the cycles that they cost the core."""

    key = "transfers"

    def _attach(self) -> int:
        return self._board.attach_transfers()

    def document(self) -> dict[str, Any]:
        lines = self._counted()["lines"]
        for line in lines:
            blocks = line["blocks"]
            count = sum(number for _, number in blocks)
            line["block_count"] = count
            in_blocks = sum(length * number for length, number in blocks)
            line["mean_transfers"] = in_blocks / count if count else None
        return {
            "stolen_cycles": sum(line["stolen_cycles"] for line in lines),
            "lines": sorted(lines, key=lambda line: -line["transfers"]),
        }


def moved_blocks(
    document: Mapping[str, Any], device: str, direction: str
) -> tuple[list[Mapping[str, Any]], Counter[int]]:
    """A device's lines in a direction, and the number of its blocks by length in bytes.

    A block that moved nothing is left out. A document of several intervals has a line for each.
    """
    lines = [
        one
        for one in document["lines"]
        if one["device"] == device and one["direction"] == direction
    ]
    blocks: Counter[int] = Counter()
    for one in lines:
        blocks.update({length: count for length, count in one["blocks"] if length})
    return lines, blocks
