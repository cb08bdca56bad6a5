"""The wire over a board's UART0; time-outs are in the board's own time."""

from collections.abc import Callable

from cyclescope.targets.virtual.board import Board
from cyclescope.wire import WireError

SENT = "uart0.txd"
END_OF_FRAME = (SENT, 0)


class UartTransport:
    """The host's end of UART0.

    `stops` maps addresses to what is called just before they execute. `prepare`, if there is one,
    is called with the cycle that the board may run to; it drives inputs up to a nearer cycle of its
    choice and returns that. It is called again after each byte, which fixes how far ahead
    it drives.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self.stops: dict[int, Callable[[], None]] = {}
        self.prepare: Callable[[int], int] | None = None

    def write(self, data: bytes) -> None:
        """Sends all of `data`, at the line's own rate."""
        self._board.send("uart0.rxd", data)

    def read(self, timeout_s: float) -> bytes:
        """Runs the board until a frame may have ended or `timeout_s` has passed on it.

        Nothing is answered before the zero behind a frame: the board runs up to it in one go.
        Raises WireError if the board stops for another reason.
        """
        until = self._board.cycle + round(timeout_s * self._board.core_hz)
        reason = "cycles"
        while reason in ("cycles", "pc") and self._board.cycle < until:
            end = self.prepare(until) if self.prepare else until
            wanted = SENT if self.prepare else END_OF_FRAME
            stop = self._board.run(cycles=end, stop_on_bytes=wanted, pcs=list(self.stops))
            reason = stop["reason"]
            if reason == "pc":
                self.stops[stop["pc"]]()
            elif reason not in ("bytes", "cycles"):
                raise WireError(stop["sentence"])
        return bytes([value & 0xFF for _, value in self._board.receive("uart0.txd")])
