"""A session with gdb: the port, the line to type, and what gdb asks the lab for."""

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from cyclescope.errors import CyclescopeError, shortened
from cyclescope.firmware.architecture import Architecture, of_board
from cyclescope.studies.run.gdb import freertos
from cyclescope.studies.run.gdb.monitor import Monitor
from cyclescope.studies.run.instruments.instrument import Attached
from cyclescope.studies.run.until import Until
from cyclescope.targets.virtual.board import (
    Board,
    GdbServer,
    GdbThread,
    Stop,
    read_file,
    read_image,
)

LOOPBACK = "127.0.0.1"
HIGHEST_PORT = 0xFFFF


class GdbSession:
    """gdb at `[ADDRESS:]PORT`. It controls the board until it, or the run, ends.

    `entry` is where a reset starts, as `Board.reset` takes it. The tasks of the kernel at `path`,
    if it is there, are gdb's threads.
    """

    def __init__(
        self,
        board: Board,
        where: str,
        entry: int | None,
        path: Path | None,
        instruments: Sequence[Attached] = (),
    ) -> None:
        host, self._port = address_and_port(where)
        self._board = board
        self._server = GdbServer(host, self._port)
        self._entry = entry
        self._monitor = Monitor(board, self.reset, instruments)
        self._exchange: Callable[[], object] = lambda: None
        self._path = path
        self._tasks = freertos.find(board, read_image(path), read_file(path)) if path else None

    def _announce(self) -> None:
        """Prints the line that starts gdb, on standard error."""
        known = of_board(self._board)
        debugger = known.debugger if known else Architecture.debugger
        program = f" {shlex.quote(str(self._path))}" if self._path else ""
        self.say(f"{debugger}{program} -ex 'target remote :{self._server.port}'")

    def control(
        self, until: Until, stop_on_exception: bool, exchange: Callable[[], object]
    ) -> Stop | None:
        """Lets gdb control the board; returns the end of the run, or None if gdb left the board.

        Calls `exchange` between slices of the run, and while gdb is waited for. Without a bound of
        its own the run has none while gdb controls it.
        """
        self._exchange = exchange
        self._announce()
        return self._server.serve(
            self._board,
            self,
            cycles=until.cycles if until.cycles_given else None,
            instructions=until.instructions,
            pcs=list(until.pcs),
            stop_on_exception=stop_on_exception,
        )

    def reset(self) -> None:
        """Returns the board to power-on, at the entry of its program."""
        self._board.reset(self._entry)

    def exchange(self) -> None:
        """Hands over bytes between board and outside."""
        self._exchange()

    def monitor(self, command: str) -> str:
        """Answers `monitor COMMAND`."""
        return self._monitor.answer(command)

    def threads(self) -> list[GdbThread]:
        """Returns the tasks of the program's kernel; none without one."""
        return self._tasks.threads() if self._tasks else []

    def say(self, sentence: str) -> None:
        """Prints a sentence for the person who started the run, on standard error."""
        print(sentence, file=sys.stderr, flush=True)


def address_and_port(where: str) -> tuple[str, int]:
    """Parses `[ADDRESS:]PORT`; the address is this machine's own unless it is given."""
    host, _, port = where.rpartition(":")
    if not port.isdecimal() or len(port) > len(str(HIGHEST_PORT)) or int(port) > HIGHEST_PORT:
        raise CyclescopeError(
            f"--gdb {shortened(where)} is not a port: write one from 1 to {HIGHEST_PORT}, 0 for a "
            "free one, or ADDRESS:PORT",
            code="not-a-port",
        )
    return host or LOOPBACK, int(port)
