"""A virtual board's serial line from outside: standard input and output, a terminal, a file."""

import os
import pty
import select
import sys
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, Protocol

from cyclescope.errors import CyclescopeError
from cyclescope.virtual import Board


class SerialLine(Protocol):
    """One end of UART `number`; `captured` holds all that the board has sent, when asked for."""

    number: int
    captured: bytes

    def exchange(self, board: Board) -> None:
        """Hands over what arrived on either side since the last call."""

    def close(self) -> None:
        """Lets go of the outside end."""


def open_line(board: Board, text: str, capture: bool) -> SerialLine:
    """Opens what `N=stdio|pty|FILE` names; with `capture`, stdio's output is kept, not printed."""
    number, equals, where = text.partition("=")
    if not equals or not number.isdecimal() or not where:
        raise CyclescopeError(
            f"--uart {text} is not N=stdio, N=pty or N=FILE, with N the UART's number"
        )
    _check(board, int(number))
    if where == "stdio":
        return _Descriptors(int(number), sys.stdin.fileno(), None if capture else 1)
    if where == "pty":
        return _Pty(int(number))
    return _File(int(number), where)


def _check(board: Board, number: int) -> None:
    names = [device["name"] for device in board.describe().get("device", [])]
    if f"uart{number}" not in names:
        there = ", ".join(name for name in names if name.startswith("uart")) or "none"
        raise CyclescopeError(
            f"--uart {number}: {board.name} has no uart{number}: choose one of its serial lines "
            f"({there})"
        )


def _sent_by(board: Board, number: int) -> bytes:
    return bytes(value & 0xFF for _, value in board.receive(f"uart{number}.txd"))


class _Descriptors:
    """A pair of file descriptors; input is taken only when it is there."""

    def __init__(self, number: int, source: int | None, sink: int | None) -> None:
        self.number, self.captured = number, b""
        self._source, self._sink = source, sink

    def exchange(self, board: Board) -> None:
        data = _sent_by(board, self.number)
        if data and self._sink is not None:
            os.write(self._sink, data)
        self.captured += data
        if self._source is not None and select.select([self._source], [], [], 0)[0]:
            try:
                arrived = os.read(self._source, 4096)
            except OSError:  # a pty whose other end is not open yet
                return
            if arrived:
                board.send(f"uart{self.number}.rxd", arrived)
            else:
                self._source = None

    def close(self) -> None:
        pass


class _Pty(_Descriptors):
    """A pseudo-terminal: any terminal program can open the other end, whose name is printed."""

    def __init__(self, number: int) -> None:
        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        print(f"uart{number} is at {os.ttyname(self._theirs)}", file=sys.stderr, flush=True)
        super().__init__(number, self._ours, self._ours)

    def close(self) -> None:
        os.close(self._ours)
        os.close(self._theirs)


class _File:
    """A file that receives all that the board sends."""

    def __init__(self, number: int, path: str) -> None:
        self.number, self.captured = number, b""
        self._path = path
        with self._told():
            self._file: BinaryIO = open(path, "wb", buffering=0)  # noqa: SIM115 (closed by close)

    def exchange(self, board: Board) -> None:
        data = _sent_by(board, self.number)
        with self._told():
            self._file.write(data)
        self.captured += data

    def close(self) -> None:
        self._file.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise CyclescopeError(
                f"--uart {self.number}: {self._path} cannot be written: {error.strerror}; name "
                "another file"
            ) from None
