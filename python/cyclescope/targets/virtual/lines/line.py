"""Serial lines: what each `N=WHERE` names, and the bytes that go between board and peer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from cyclescope.errors import CyclescopeError
from cyclescope.targets.virtual.board import Board
from cyclescope.targets.virtual.kept import Kept
from cyclescope.targets.virtual.lines.peer import File, Nobody, Peer, Pty, Stdio
from cyclescope.targets.virtual.lines.processes import LOOPBACK, ProgramPeer, Tcp

MOST_WAITING = 4096
"""With so many bytes on their way into the board no more are taken for it."""
WHERE = "stdio|pty|tcp:[HOST:]PORT|program:COMMAND|FILE"


@dataclass
class Line:
    """A serial line of a board and its peer. `signals` begins the names of its two signals in
    recordings; `captured` holds what the board has sent, when that was asked for."""

    board: Board
    number: int
    device: str
    peer: Peer
    signals: str
    captured: Kept = field(default_factory=lambda: Kept(0))

    def bring_out(self) -> None:
        """Hands to the peer what the board has sent since."""
        if sent := self.board.receive(f"{self.device}.txd"):
            data = bytes(value & 0xFF for _, value in sent)
            self.captured.add(data)
            self.peer.give(data)

    def bring_in(self) -> bytes:
        """Sends to the board what came from the peer since, and returns it."""
        if self.board.waiting(f"{self.device}.rxd") >= MOST_WAITING:
            return b""
        arrived = self.peer.take()
        self.send(arrived)
        return arrived

    def send(self, data: bytes) -> None:
        """Sends bytes to the board, back to back from now on."""
        if data:
            self.board.send(f"{self.device}.rxd", data)

    def remarks(self) -> list[str]:
        """A sentence for what got lost on either side."""
        kept = self.captured.remarks(self.device) if isinstance(self.peer, Stdio) else []
        return [*kept, *self.peer.remarks()]

    @property
    def input(self) -> str:
        """The name of its input in recordings."""
        return f"{self.signals}.rxd"


def devices(board: Board) -> dict[int, str]:
    """The serial lines of a board by number: its devices uart0, usart1, …"""
    names = [device["name"] for device in board.describe().get("device", [])]
    found = ((re.fullmatch(r"us?art(\d+)", name), name) for name in names)
    return dict(sorted((int(match[1]), name) for match, name in found if match))


def open_lines(
    board: Board, texts: Sequence[str], capture: bool, kept_bytes: int, file_bytes: int
) -> list[Line]:
    """Opens what each `N=WHERE` names, and listens to the lines that none does.

    With `capture`, output of stdio is kept, not printed. If one cannot be opened, none stays open.
    """
    opened: list[Line] = []
    try:
        for text in texts:
            opened.append(_opened(board, text, capture, kept_bytes, file_bytes))
    except BaseException:
        for line in opened:
            line.peer.close()
        raise
    taken = {line.number for line in opened}
    unheard = {number: name for number, name in devices(board).items() if number not in taken}
    return [
        *opened,
        *(
            Line(board, number, name, Nobody(name, f"--uart {number}=stdio prints them"), name)
            for number, name in unheard.items()
        ),
    ]


def _opened(board: Board, text: str, capture: bool, kept_bytes: int, file_bytes: int) -> Line:
    number, equals, where = text.partition("=")
    if not equals or not number.isdecimal() or not where:
        raise CyclescopeError(
            f"--uart {text} is not N=WHERE, with N the UART's number and WHERE one of {WHERE}",
            code="uart-not-understood",
        )
    there = devices(board)
    if int(number) not in there:
        names = ", ".join(there.values()) or "none"
        raise CyclescopeError(
            f"--uart {number}: {board.name} has no uart{number}: choose one of its serial lines "
            f"({names})",
            code="no-such-uart",
        )
    name = there[int(number)]
    peer = open_peer(f"--uart {number}", name, where, capture, file_bytes)
    return Line(board, int(number), name, peer, name, Kept(kept_bytes))


def open_peer(option: str, name: str, where: str, capture: bool, file_bytes: int) -> Peer:
    """Opens the peer that `where` names; sentences about it begin with `option` or `name`.

    With `capture`, stdio prints nothing.
    """
    kind, colon, rest = where.partition(":")
    if where == "stdio":
        return Stdio(prints=not capture)
    if where == "pty":
        return Pty(name)
    if colon and kind == "tcp":
        host, _, port = rest.rpartition(":")
        if not port.isdecimal():
            raise CyclescopeError(
                f"{option}: {where} names no port: write tcp:PORT, or tcp:HOST:PORT",
                code="tcp-port-not-understood",
            )
        return Tcp(option, name, host.strip("[]") or LOOPBACK, int(port))
    if colon and kind == "program":
        return ProgramPeer(option, name, rest)
    return File(option, where, file_bytes)
