"""A hardware line that rises when the firmware cannot foresee it, and the wire meanwhile."""

from collections.abc import Callable
from random import Random

from cyclescope.errors import CyclescopeError
from cyclescope.targets.virtual.board import Board

LINE = "timer1.capture0"
"""P0.10 of the LPC2148 as CAP1.0: what firmware/include/line.h calls the line."""
HIGH_CYCLES = 64
"""Long enough to be seen at every divider of the peripheral clock."""
SLICE_CYCLES = 1_000_000


class Rises:
    """Drives the line ahead of the board's clock; `cycles` are those at which it rises, each after
    a random gap between the two of `gaps`.

    What an earlier one has already driven, and is still to come, belongs to this one too.
    """

    def __init__(
        self, board: Board, seed: int, gaps: tuple[int, int], earlier: "Rises | None" = None
    ) -> None:
        self._board, self._random, self._gaps = board, Random(seed), gaps
        self.cycles: list[int] = []
        if earlier is not None:
            self.cycles += [cycle for cycle in earlier.cycles if cycle > board.cycle]
        if not self.cycles:
            self.cycles.append(board.cycle + gaps[0])
            self._drive(self.cycles[0])

    def until(self, cycle: int) -> None:
        """Sees to it that the line goes on rising up to `cycle`."""
        while self.cycles[-1] < cycle:
            self.cycles.append(self.cycles[-1] + self._random.randint(*self._gaps))
            self._drive(self.cycles[-1])

    def _drive(self, cycle: int) -> None:
        self._board.drive(LINE, 1, cycle)
        self._board.drive(LINE, 0, cycle + HIGH_CYCLES)


class WatchedUart:
    """The wire over UART0, in the board's own time, stopping on the way.

    While `rises` is set the line is kept rising; `stops` says what to call before an address
    executes.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self.rises: Rises | None = None
        self.stops: dict[int, Callable[[], None]] = {}

    def write(self, data: bytes) -> None:
        """Sends all of `data`, at the line's own rate."""
        self._board.send("uart0.rxd", data)

    def read(self, timeout_s: float) -> bytes:
        """Runs the board until it sends a byte or `timeout_s` has passed on it."""
        until = self._board.cycle + round(timeout_s * self._board.core_hz)
        while self._board.cycle < until:
            end = until
            if self.rises is not None:
                end = min(until, self._board.cycle + SLICE_CYCLES)
                self.rises.until(end)
            stop = self._board.run(cycles=end, stop_on_bytes="uart0.txd", pcs=list(self.stops))
            if stop["reason"] == "bytes":
                break
            if stop["reason"] == "pc":
                self.stops[stop["pc"]]()
            elif stop["reason"] != "cycles":
                raise CyclescopeError(stop["sentence"])
        return bytes(value & 0xFF for _, value in self._board.receive("uart0.txd"))
