"""An ATmega2560 that runs a program, and what its board saw."""

from collections.abc import Sequence
from pathlib import Path

from cyclescope.targets.virtual.board import Board, make_board, read_image

NEVER_CYCLES = 100_000_000


class Chip:
    """An ATmega2560 with a program."""

    def __init__(self, image: Path) -> None:
        self.image = read_image(image)
        self.board: Board = make_board("atmega2560")
        self.board.load(self.image)
        self.board.reset()
        self._changes: list[tuple[int, str, int]] = []

    def watch(self, *signals: str, executed: Sequence[str] = ()) -> None:
        """Records changes of these signals, and when the instructions at these symbols begin."""
        self.board.watch([self.address(symbol) for symbol in executed], [], signals)

    def finish(self, at: str = "done") -> int:
        """Runs until the instruction at a symbol; the cycle. All that was asked for is modelled."""
        bound = self.board.cycle + NEVER_CYCLES
        stop = self.board.run(pcs=[self.address(at)], cycles=bound)
        assert stop["reason"] == "pc", stop["sentence"]
        assert self.reports() == []
        return self.board.cycle

    def reports(self) -> list[str]:
        """Requests for what is not modelled."""
        return [report["text"] for report in self.board.unmodelled()]

    def address(self, symbol: str) -> int:
        return self.image.address_of(symbol)

    def bytes(self, symbol: str, count: int = 1) -> list[int]:
        """Bytes from a symbol on."""
        return list(self.board.read_memory(self.address(symbol), count))

    def executed(self) -> list[tuple[int, int]]:
        """(cycle, address) of watched instructions."""
        return self.board.take_executed()

    def edges(self, signal: str, level: int | None = None) -> list[int]:
        """Cycles at which the watched signal came to `level`, or to any."""
        self._changes += self.board.take_changes()
        return [
            cycle for cycle, name, now in self._changes if name == signal and level in (None, now)
        ]
