"""Counts of the transfers that devices make by themselves: the PDC of an AT91x40, any DMA."""

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
