"""The outside end of a serial line: standard input and output, a terminal, a file."""

import os
import pty
import select
import sys
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from cyclescope.errors import CyclescopeError, unwritable

PATIENCE_S = 1.0
"""A peer that does not take what it is given is waited for so long."""
MOST_AT_ONCE = 4096


class Peer(Protocol):
    """A program or a file of the host that a board's line is wired to."""

    def take(self) -> bytes:
        """Returns what has arrived for the board; waits for nothing."""

    def give(self, data: bytes) -> None:
        """Takes what the board has sent."""

    def awaited(self) -> int | None:
        """Returns what becomes readable when a person or a program answers; None if none will."""

    def remarks(self) -> list[str]:
        """A sentence for what was sent and got lost, or for a peer that went away."""

    def close(self) -> None:
        """Lets go of the outside end."""


def is_readable(descriptor: int) -> bool:
    """Whether a read would return at once."""
    return bool(select.select([descriptor], [], [], 0)[0])


class Nobody:
    """A line that nobody asked for: counts what comes, and says so if there is a `remedy`."""

    def __init__(self, name: str, remedy: str | None) -> None:
        self._name, self._remedy, self._sent = name, remedy, 0

    def take(self) -> bytes:
        return b""

    def give(self, data: bytes) -> None:
        self._sent += len(data)

    def awaited(self) -> int | None:
        return None

    def remarks(self) -> list[str]:
        if not (sent := self._sent) or self._remedy is None:
            return []
        return [
            f"{self._name} sent {sent:,} byte{'s' if sent > 1 else ''} that nobody asked for: "
            f"{self._remedy}"
        ]

    def close(self) -> None:
        pass


class Stdio:
    """Standard input and, unless what the board sends is kept elsewhere, standard output."""

    def __init__(self, prints: bool) -> None:
        self._prints = prints
        self._source = sys.stdin.fileno() if sys.stdin else None

    def take(self) -> bytes:
        if self._source is None or not is_readable(self._source):
            return b""
        arrived = os.read(self._source, MOST_AT_ONCE)
        if not arrived:
            self._source = None
        return arrived

    def give(self, data: bytes) -> None:
        if self._prints:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def awaited(self) -> int | None:
        source = self._source
        return source if source is not None and os.isatty(source) else None

    def remarks(self) -> list[str]:
        return []

    def close(self) -> None:
        pass


class Pty:
    """A pseudo-terminal: any terminal program can open the other end, whose name is printed.

    Waits for a reader there; without one, bytes that do not fit are lost and counted.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self._lost_bytes, self._is_read = 0, True
        print(f"{name} is at {os.ttyname(self._theirs)}", file=sys.stderr, flush=True)

    def take(self) -> bytes:
        if not is_readable(self._ours):
            return b""
        try:
            return os.read(self._ours, MOST_AT_ONCE)
        except OSError:  # the other end is not open yet
            return b""

    def give(self, data: bytes) -> None:
        while data:
            patience_s = PATIENCE_S if self._is_read else 0
            self._is_read = bool(select.select([], [self._ours], [], patience_s)[1])
            if not self._is_read:
                self._lost_bytes += len(data)
                return
            try:
                data = data[os.write(self._ours, data) :]
            except BlockingIOError:  # less space than select() promised
                self._is_read = False

    def awaited(self) -> int | None:
        return self._ours

    def remarks(self) -> list[str]:
        if not self._lost_bytes:
            return []
        return [
            f"{self._name}: {self._lost_bytes:,} bytes are lost that nobody read: open the "
            "terminal that was named, or choose a file"
        ]

    def close(self) -> None:
        os.close(self._ours)
        os.close(self._theirs)


class File:
    """A file that receives what the board sends, up to a limit."""

    def __init__(self, option: str, path: str, limit_bytes: int) -> None:
        self._option = option
        self._path, self._left_bytes, self._lost_bytes = path, limit_bytes, 0
        with self._as_lab_errors():
            if Path(path).is_fifo():
                raise CyclescopeError(
                    f"{option}: {path} is a FIFO, which would wait for who reads it: choose pty, "
                    "or a file",
                    code="uart-file-is-fifo",
                )
            self._file: BinaryIO = open(path, "wb", buffering=0)  # noqa: SIM115 (closed by close)

    def take(self) -> bytes:
        return b""

    def give(self, data: bytes) -> None:
        fitting = data[: self._left_bytes]
        self._left_bytes -= len(fitting)
        self._lost_bytes += len(data) - len(fitting)
        with self._as_lab_errors():
            while fitting:
                fitting = fitting[self._file.write(fitting) :]

    def awaited(self) -> int | None:
        return None

    def remarks(self) -> list[str]:
        if not self._lost_bytes:
            return []
        return [
            f"{self._option}: {self._lost_bytes:,} bytes are not in {self._path}, which has as "
            "many as it may (--file-limit)"
        ]

    def close(self) -> None:
        self._file.close()

    @contextmanager
    def _as_lab_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            sentence = unwritable(Path(self._path), error, "name another file")
            raise CyclescopeError(
                f"{self._option}: {sentence}", code="uart-file-cannot-be-written"
            ) from None
