"""The wire over a virtual board's UART; time-outs are in the board's own time."""

from collections.abc import Callable

from cyclescope.firmware.board_firmware import WireSignals
from cyclescope.targets.virtual.board import Board
from cyclescope.wire import WireError

END_OF_FRAME = 0


class UartTransport:
    """The host's end of the wire, at the signals that the board's file names.

    `stops` maps addresses to what is called just before they execute. `prepare`, if there is one,
    is called with the cycle that the board may run to. It drives inputs up to a nearer cycle of its
    choice and returns that. It is called again after each byte, which fixes how far ahead it
    drives.
    """

    def __init__(self, board: Board, wire: WireSignals) -> None:
        self._board, self._wire = board, wire
        self.stops: dict[int, Callable[[], None]] = {}
        self.prepare: Callable[[int], int] | None = None

    def write(self, data: bytes) -> None:
        """Sends all of `data`, at the line's own rate."""
        self._board.send(self._wire.to, data)

    def read(self, timeout_s: float) -> bytes:
        """Runs the board until a frame may have ended or `timeout_s` has passed on it.

        Nothing is answered before the zero behind a frame: the board runs up to it in one go.
        Raises WireError if the board stops for another reason.
        """
        until = self._board.cycle + round(timeout_s * self._board.core_hz)
        reason, ending = "cycles", (self._wire.by, END_OF_FRAME)
        while reason in ("cycles", "pc") and self._board.cycle < until:
            end = self.prepare(until) if self.prepare else until
            wanted = self._wire.by if self.prepare else ending
            stop = self._board.run(cycles=end, stop_on_bytes=wanted, pcs=list(self.stops))
            reason = stop["reason"]
            if reason == "pc":
                self.stops[stop["pc"]]()
            elif reason not in ("bytes", "cycles"):
                raise WireError(stop["sentence"], code="board-stopped")
        return bytes([value & 0xFF for _, value in self._board.receive(self._wire.by)])
