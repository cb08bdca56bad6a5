"""The wire over a board's UART0; time-outs are in the board's own time."""

from cyclescope.targets.virtual.board import Board
from cyclescope.wire import WireError

END_OF_FRAME = ("uart0.txd", 0)


class UartTransport:
    """The host's end of UART0."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def write(self, data: bytes) -> None:
        """Sends all of `data`, at the line's own rate."""
        self._board.send("uart0.rxd", data)

    def read(self, timeout_s: float) -> bytes:
        """Runs the board until a frame may have ended or `timeout_s` has passed on it.

        Nothing is answered before the zero behind a frame: the board runs up to it in one go.
        """
        until = self._board.cycle + round(timeout_s * self._board.core_hz)
        stop = self._board.run(cycles=until, stop_on_bytes=END_OF_FRAME)
        if stop["reason"] not in ("bytes", "cycles"):
            raise WireError(stop["sentence"])
        return bytes([value & 0xFF for _, value in self._board.receive("uart0.txd")])
