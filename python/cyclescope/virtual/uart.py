"""The wire to the firmware on a virtual board: UART0, in the board's own time."""

from cyclescope.errors import CyclescopeError
from cyclescope.virtual import Board


class UartTransport:
    """The host's end of UART0; time-outs are in the board's own time."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def write(self, data: bytes) -> None:
        """Sends all of `data`, at the line's own rate."""
        self._board.send("uart0.rxd", data)

    def read(self, timeout_s: float) -> bytes:
        """Runs the board until it sends a byte or `timeout_s` has passed on it."""
        until = self._board.cycle + round(timeout_s * self._board.core_hz)
        stop = self._board.run(cycles=until, stop_on_bytes="uart0.txd")
        if stop["reason"] not in ("bytes", "cycles"):
            raise CyclescopeError(stop["sentence"])
        return bytes(value & 0xFF for _, value in self._board.receive("uart0.txd"))
