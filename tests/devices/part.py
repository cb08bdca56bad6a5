"""An LPC2148 that runs one scenario of a program, and what its board saw."""

import struct
from collections.abc import Sequence
from pathlib import Path

from cyclescope.targets.virtual.board import Board, make_board, read_image

NEVER_CYCLES = 10_000_000


class Part:
    """An LPC2148 with a program."""

    def __init__(self, image: Path) -> None:
        self.image = read_image(image)
        self.board: Board = make_board("lpc2148")
        self.board.load(self.image)
        self._executed: list[tuple[int, int]] = []
        self._accessed: list[tuple[int, int, int, bool]] = []
        self._changes: list[tuple[int, str, int]] = []

    def start(
        self,
        scenario: str,
        *arguments: int,
        executed: Sequence[int] = (),
        accessed: Sequence[int] = (),
        signals: Sequence[str] = (),
    ) -> None:
        """Resets the part and makes it begin `scenario`; nothing has executed yet."""
        self.board.reset()
        self.put("scenario", self.address(scenario))
        self.put("arguments", *arguments)
        self.board.watch(executed, accessed, signals)
        self._executed, self._accessed, self._changes = [], [], []

    def finish(self) -> None:
        """Runs to the scenario's end; whatever the part asked for was modelled."""
        self.finish_with_reports()
        assert self.board.unmodelled() == []

    def finish_with_reports(self) -> list[str]:
        """Runs to the scenario's end and gives what was reported as not modelled."""
        self.reach("done")
        return [report["text"] for report in self.board.unmodelled()]

    def reach(self, symbol: str) -> int:
        """Runs until the instruction at `symbol` is about to execute; the cycle."""
        stop = self.board.run(pcs=[self.address(symbol)], cycles=self.board.cycle + NEVER_CYCLES)
        assert stop["reason"] == "pc", stop["sentence"]
        return self.board.cycle

    def run_to(self, cycle: int) -> None:
        """Runs to the first boundary at or after a cycle."""
        self.board.run(cycles=cycle)

    def address(self, symbol: str) -> int:
        """Where a symbol is, with the Thumb bit cleared."""
        return self.image.address_of(symbol)

    def put(self, symbol: str, *words: int) -> None:
        """Writes words of memory."""
        self.board.write_memory(self.address(symbol), struct.pack(f"<{len(words)}I", *words))

    def words(self, symbol: str, count: int) -> list[int]:
        """Reads words of memory."""
        memory = self.board.read_memory(self.address(symbol), 4 * count)
        return list(struct.unpack(f"<{count}I", memory))

    def values(self, count: int) -> list[int]:
        """Returns the values that the scenario noted."""
        return self.words("values", count)

    def executed(self, address: int | None = None) -> list[int]:
        """Cycles at which the watched instruction, or any of them, began."""
        self._executed += self.board.take_executed()
        return [cycle for cycle, where in self._executed if address in (None, where)]

    def order(self) -> list[int]:
        """Addresses of the watched instructions in the order in which they began."""
        self._executed += self.board.take_executed()
        return [where for _, where in self._executed]

    def reads(self, address: int) -> list[tuple[int, int]]:
        """(cycle, value) of each read of a watched register."""
        return self._accesses(address, False)

    def writes(self, address: int) -> list[int]:
        """Cycles at which a watched register was written."""
        return [cycle for cycle, _ in self._accesses(address, True)]

    def edges(self, signal: str, level: int | None = None) -> list[int]:
        """Cycles at which the watched output came to `level`, or to any."""
        self._changes += self.board.take_changes()
        return [
            cycle for cycle, name, now in self._changes if name == signal and level in (None, now)
        ]

    def _accesses(self, address: int, write: bool) -> list[tuple[int, int]]:
        self._accessed += self.board.take_accessed()
        return [
            (cycle, value)
            for cycle, where, value, is_write in self._accessed
            if where == address and is_write == write
        ]
