"""A virtual board's serial line from outside: standard input and output, a terminal, a file."""

import os
import pty
import select
import sys
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from cyclescope.errors import CyclescopeError, unwritable
from cyclescope.targets.virtual.board import Board
from cyclescope.targets.virtual.kept import Kept

MOST_WAITING = 4096
"""With so many bytes on their way into the board no more are read for it."""
PATIENCE_S = 1.0
"""A terminal whose buffer is full and that nobody reads is waited for so long."""


class SerialLine(Protocol):
    """One end of UART `number`; `captured` holds what the board has sent, when asked for."""

    number: int
    captured: Kept

    def exchange(self, board: Board) -> None:
        """Hands over what arrived on either side since the last call."""

    def remarks(self) -> list[str]:
        """A sentence for what was sent and got lost."""

    def close(self) -> None:
        """Lets go of the outside end."""


def open_lines(
    board: Board, texts: Sequence[str], capture: bool, kept_bytes: int, file_bytes: int
) -> list[SerialLine]:
    """Opens what each `N=stdio|pty|FILE` names, and listens to the lines that none does.

    With `capture`, output of stdio is kept, not printed.
    """
    there = _numbers(board)
    opened = [_open(board, there, text, capture, Kept(kept_bytes), file_bytes) for text in texts]
    taken = {line.number for line in opened}
    return [*opened, *(_Unheard(number) for number in there if number not in taken)]


def _open(
    board: Board, there: Sequence[int], text: str, capture: bool, kept: Kept, file_bytes: int
) -> SerialLine:
    number, equals, where = text.partition("=")
    if not equals or not number.isdecimal() or not where:
        raise CyclescopeError(
            f"--uart {text} is not N=stdio, N=pty or N=FILE, with N the UART's number",
            code="uart-not-understood",
        )
    if int(number) not in there:
        names = ", ".join(f"uart{one}" for one in there) or "none"
        raise CyclescopeError(
            f"--uart {number}: {board.name} has no uart{number}: choose one of its serial lines "
            f"({names})",
            code="no-such-uart",
        )
    if where == "stdio":
        return _Stdio(int(number), kept, capture)
    if where == "pty":
        return _Pty(int(number), kept)
    return _File(int(number), kept, where, file_bytes)


def _numbers(board: Board) -> list[int]:
    """The serial lines of a board: its devices uart0, uart1, …"""
    names = [device["name"] for device in board.describe().get("device", [])]
    found = (name.removeprefix("uart") for name in names if name.startswith("uart"))
    return sorted(int(number) for number in found if number.isdecimal())


def _sent_by(board: Board, number: int) -> bytes:
    return bytes(value & 0xFF for _, value in board.receive(f"uart{number}.txd"))


class _Unheard:
    """A line that nobody asked for: what the board sends there is counted."""

    def __init__(self, number: int) -> None:
        self.number, self.captured = number, Kept(0)

    def exchange(self, board: Board) -> None:
        self.captured.add(_sent_by(board, self.number))

    def remarks(self) -> list[str]:
        if not (sent := self.captured.dropped_bytes):
            return []
        return [
            f"uart{self.number} sent {sent:,} byte{'s' if sent > 1 else ''} that nobody asked for: "
            f"--uart {self.number}=stdio prints them"
        ]

    def close(self) -> None:
        pass


class _Descriptors:
    """A pair of file descriptors; input is taken only when it is there."""

    def __init__(self, number: int, kept: Kept, source: int | None) -> None:
        self.number, self.captured = number, kept
        self._source = source

    def exchange(self, board: Board) -> None:
        if data := _sent_by(board, self.number):
            self._pass_on(data)
        if board.waiting(f"uart{self.number}.rxd") >= MOST_WAITING:
            return
        if self._source is not None and select.select([self._source], [], [], 0)[0]:
            try:
                arrived = os.read(self._source, 4096)
            except OSError:  # a pty whose other end is not open yet
                return
            if arrived:
                board.send(f"uart{self.number}.rxd", arrived)
            else:
                self._source = None

    def _pass_on(self, data: bytes) -> None:
        """Takes what the board has sent."""
        raise NotImplementedError


class _Stdio(_Descriptors):
    """Standard input, and standard output or what is kept."""

    def __init__(self, number: int, kept: Kept, capture: bool) -> None:
        super().__init__(number, kept, sys.stdin.fileno() if sys.stdin else None)
        self._capture = capture

    def _pass_on(self, data: bytes) -> None:
        if self._capture:
            self.captured.add(data)
        else:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    def remarks(self) -> list[str]:
        return self.captured.remarks(f"uart{self.number}")

    def close(self) -> None:
        pass


class _Pty(_Descriptors):
    """A pseudo-terminal: any terminal program can open the other end, whose name is printed.

    Waits for a reader there; without one, bytes that do not fit are lost and counted.
    """

    def __init__(self, number: int, kept: Kept) -> None:
        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self._lost_bytes, self._is_read = 0, True
        print(f"uart{number} is at {os.ttyname(self._theirs)}", file=sys.stderr, flush=True)
        super().__init__(number, kept, self._ours)

    def _pass_on(self, data: bytes) -> None:
        self.captured.add(data)
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

    def remarks(self) -> list[str]:
        if not self._lost_bytes:
            return []
        return [
            f"uart{self.number}: {self._lost_bytes:,} bytes are lost that nobody read: open the "
            "terminal that was named, or choose --uart N=FILE"
        ]

    def close(self) -> None:
        os.close(self._ours)
        os.close(self._theirs)


class _File:
    """A file that receives what the board sends, up to a limit."""

    def __init__(self, number: int, kept: Kept, path: str, limit_bytes: int) -> None:
        self.number, self.captured = number, kept
        self._path, self._left_bytes, self._lost_bytes = path, limit_bytes, 0
        with self._as_lab_errors():
            if Path(path).is_fifo():
                raise CyclescopeError(
                    f"--uart {number}: {path} is a FIFO, which would wait for who reads it: choose "
                    f"{number}=pty, or a file",
                    code="uart-file-is-fifo",
                )
            self._file: BinaryIO = open(path, "wb", buffering=0)  # noqa: SIM115 (closed by close)

    def exchange(self, board: Board) -> None:
        data = _sent_by(board, self.number)
        self.captured.add(data)
        fitting = data[: self._left_bytes]
        self._left_bytes -= len(fitting)
        self._lost_bytes += len(data) - len(fitting)
        with self._as_lab_errors():
            while fitting:
                fitting = fitting[self._file.write(fitting) :]

    def remarks(self) -> list[str]:
        if not self._lost_bytes:
            return []
        return [
            f"uart{self.number}: {self._lost_bytes:,} bytes are not in {self._path}, which has as "
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
                f"--uart {self.number}: {sentence}", code="uart-file-cannot-be-written"
            ) from None
