"""The other side of the line: sends a file in packets, each once the one before is answered."""

from dataclasses import dataclass, field

from cyclescope.errors import CyclescopeError
from cyclescope.studies.proposals.setting import FileSetting
from cyclescope.targets.virtual.board import Board
from cyclescope.wire.infrared.line import BOF, EOF, unwrapped, wrapped

LINE = "usart1"
HEADER = 2
"""Octets before a packet's body: its kind, and its sequence."""
SEQUENCES = 64
ATTEMPTS = 5
PATIENCE_CYCLES = 3_000_000
"""A board that says nothing for so long has stopped."""


def packet(kind: bytes, sequence: int, body: bytes = b"") -> bytes:
    """A packet as it is on the line."""
    return wrapped(kind + bytes([sequence]) + body)


@dataclass
class Conversation:
    """A line to a board. Bytes go out at the line's own rate; the peer itself takes no time."""

    board: Board
    to_board: int = 0
    from_board: int = 0
    repeated: int = 0
    sequence: int = 0
    answered_at: list[int] = field(default_factory=list)
    """The cycle at which each answer had ended."""

    def exchange(self, kind: bytes, body: bytes = b"", damage: int | None = None) -> None:
        """Sends a packet until it is taken. `damage` is the place of an octet that the line changes
        in the first attempt. Raises CyclescopeError if the board does not take it."""
        framed = packet(kind, self.sequence, body)
        for attempt in range(ATTEMPTS):
            sent = bytearray(framed)
            if damage is not None and not attempt:
                sent[damage] ^= 1
            self.board.send(f"{LINE}.rxd", bytes(sent))
            self.to_board += len(sent)
            self.repeated += bool(attempt)
            if self._answer() == (b"A", self.sequence):
                self.sequence = (self.sequence + 1) % SEQUENCES
                return
        raise CyclescopeError(
            f"the board refused a packet {ATTEMPTS} times: choose another setting",
            code="packet-refused",
        )

    def _answer(self) -> tuple[bytes, int] | None:
        said = bytearray()
        while not said.endswith(bytes([EOF])):
            stop = self.board.run(
                cycles=self.board.cycle + PATIENCE_CYCLES,
                stop_on_exception=True,
                stop_on_bytes=(f"{LINE}.txd", EOF),
            )
            came = self.board.receive(f"{LINE}.txd")
            said += bytes(value & 0xFF for _, value in came)
            if not came:
                raise CyclescopeError(
                    f"the board stopped answering: {stop['sentence']} Choose another setting",
                    code="board-stopped-answering",
                )
        self.from_board += len(said)
        self.answered_at.append(came[-1][0])
        answer = unwrapped(bytes(said[said.rfind(BOF) :]))
        return (answer[:1], answer[1]) if answer else None


def bodies(setting: FileSetting, content: bytes) -> list[bytes]:
    """The file in pieces of a packet."""
    return [content[at : at + setting.body] for at in range(0, len(content), setting.body)]
