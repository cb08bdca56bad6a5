"""Peers of a line that are programs: behind a TCP port, or started with pipes."""

import os
import select
import shlex
import socket
import subprocess
import sys
from contextlib import suppress

from cyclescope.errors import CyclescopeError
from cyclescope.targets.virtual.lines.peer import MOST_AT_ONCE, PATIENCE_S, is_readable

LOOPBACK = "127.0.0.1"
MOST_UNSENT = 1 << 20
"""So many bytes wait for a peer that is not there, or does not read."""
ENDING_S = 5.0
"""So long a program may take to end once its input is at its end."""


class _Outgoing:
    """Bytes that wait for a peer; beyond `MOST_UNSENT` they are lost and counted."""

    def __init__(self) -> None:
        self._unsent, self.lost_bytes = b"", 0

    def add(self, data: bytes) -> None:
        fitting = data[: MOST_UNSENT - len(self._unsent)]
        self._unsent += fitting
        self.lost_bytes += len(data) - len(fitting)

    def write(self, descriptor: int, patience_s: float) -> None:
        """Writes as much as the peer takes; raises OSError if it is gone."""
        while self._unsent and select.select([], [descriptor], [], patience_s)[1]:
            try:
                self._unsent = self._unsent[os.write(descriptor, self._unsent) :]
            except BlockingIOError:
                return

    def drop(self) -> None:
        """Nobody will take what waits."""
        self.lost_bytes += len(self._unsent)
        self._unsent = b""

    def __len__(self) -> int:
        return len(self._unsent)


class Tcp:
    """A TCP port that one program after the other may connect to.

    Bytes that the board sends while nobody is connected wait. A connection that ends is reported;
    the run goes on, and the next one takes its place.
    """

    def __init__(self, option: str, name: str, host: str, port: int) -> None:
        self._name, self._outgoing, self._left = name, _Outgoing(), 0
        self._connection: socket.socket | None = None
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._listener = socket.socket(family)
        try:
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._listener.bind((host, port))
            self._listener.listen(1)
        except (OSError, OverflowError) as error:
            self._listener.close()
            reason = error.strerror if isinstance(error, OSError) else "no port has this number"
            raise CyclescopeError(
                f"{option}: cannot listen at {host} port {port} ({reason}): choose another port",
                code="tcp-port-cannot-be-used",
            ) from None
        where = self._listener.getsockname()
        print(f"{name} is at {where[0]} port {where[1]}", file=sys.stderr, flush=True)

    def take(self) -> bytes:
        self._accept()
        if self._connection is None or not is_readable(self._connection.fileno()):
            return b""
        try:
            arrived = self._connection.recv(MOST_AT_ONCE)
        except OSError:
            arrived = b""
        if not arrived:
            self._leave()
        return arrived

    def give(self, data: bytes) -> None:
        self._outgoing.add(data)
        self._accept()
        self._write(0)

    def _accept(self) -> None:
        if self._connection is None and is_readable(self._listener.fileno()):
            self._connection, _ = self._listener.accept()
            self._connection.setblocking(False)
            self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._write(0)

    def _write(self, patience_s: float) -> None:
        if self._connection is not None:
            try:
                self._outgoing.write(self._connection.fileno(), patience_s)
            except OSError:
                self._leave()

    def _leave(self) -> None:
        assert self._connection is not None
        self._connection.close()
        self._connection, self._left = None, self._left + 1

    def awaited(self) -> int | None:
        return (self._connection or self._listener).fileno()

    def remarks(self) -> list[str]:
        said = []
        if self._left:
            times = f"{self._left:,} times" if self._left > 1 else "once"
            said.append(f"{self._name}: its peer hung up {times} before the end of the run")
        if lost := self._outgoing.lost_bytes:
            said.append(
                f"{self._name}: {lost:,} bytes are lost that no peer took: connect one, or choose "
                "a file"
            )
        return said

    def close(self) -> None:
        self._accept()
        self._write(PATIENCE_S)
        self._outgoing.drop()
        if self._connection is not None:
            self._connection.close()
        self._listener.close()


class ProgramPeer:
    """A program that reads what the board sends, and whose standard output goes to the board."""

    def __init__(self, option: str, name: str, command: str) -> None:
        self._name, self._outgoing, self._gone = name, _Outgoing(), False
        try:
            self._program = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except (OSError, ValueError, IndexError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CyclescopeError(
                f"{option}: the program cannot be started: {reason}; name a program and its "
                "arguments as in a shell",
                code="peer-cannot-be-started",
            ) from None
        assert self._program.stdin and self._program.stdout
        self._input, self._output = self._program.stdin, self._program.stdout
        os.set_blocking(self._input.fileno(), False)
        self._ended = False

    def take(self) -> bytes:
        if self._ended or not is_readable(self._output.fileno()):
            return b""
        arrived = os.read(self._output.fileno(), MOST_AT_ONCE)
        self._ended = not arrived
        return arrived

    def give(self, data: bytes) -> None:
        self._outgoing.add(data)
        self._write(PATIENCE_S if len(self._outgoing) > MOST_AT_ONCE else 0)

    def _write(self, patience_s: float) -> None:
        try:
            if not self._gone:
                self._outgoing.write(self._input.fileno(), patience_s)
        except OSError:
            self._gone = True
        if self._gone:
            self._outgoing.drop()

    def awaited(self) -> int | None:
        return None if self._ended else self._output.fileno()

    def remarks(self) -> list[str]:
        status, said = self._program.poll(), []
        if status:
            said.append(f"{self._name}: its program ended with status {status}")
        if lost := self._outgoing.lost_bytes:
            said.append(f"{self._name}: {lost:,} bytes are lost that its program did not read")
        return said

    def close(self) -> None:
        """Ends the program's input, and the program if that does not."""
        self._write(PATIENCE_S)
        self._outgoing.drop()
        with suppress(OSError):
            self._input.close()
        try:
            self._program.communicate(timeout=ENDING_S)
        except subprocess.TimeoutExpired:
            self._program.terminate()
            self._program.wait()
        except ValueError:  # its input is closed
            self._program.wait()
