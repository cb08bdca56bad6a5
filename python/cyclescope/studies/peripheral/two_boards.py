"""Two boards of one kind in lock step, joined by their lines; each is recorded from power-on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.studies.peripheral.board_side import (
    BOARD,
    CONSOLE,
    LINE,
    OVER,
    READY,
    Said,
    understand,
)
from cyclescope.studies.peripheral.board_system import BoardSystem
from cyclescope.studies.peripheral.noise import STOP_BIT
from cyclescope.studies.peripheral.wire_bytes import HeardCharacters, WireBytes
from cyclescope.targets.virtual.board import Bench, Board, make_board

OWN, PEER = "own", "peer"
STEP_CYCLES = 1_000_000
"""The bench runs so far before the consoles are read."""
READY_S, SILENT_S = 20.0, 60.0
"""Of the boards' time: longer than any boot; than any pause of a transfer that goes on."""
SECOND_AS = 10**18
CHARACTER = 0xFF | STOP_BIT
"""Bits of a value that errors may change."""

Join = Callable[[Sequence[tuple[str, Board]]], Bench]
"""Puts boards on a bench whose lines `OWN.usart1` and `PEER.usart1` are joined."""


@dataclass
class BoardEnd:
    """One of the boards: its console so far, and what its line sent and heard (cycle, value).

    It reports by its console, as Linux does.
    """

    board: Board
    console: bytearray = field(default_factory=bytearray)
    sent: list[tuple[int, int]] = field(default_factory=list)
    heard: list[tuple[int, int]] = field(default_factory=list)

    @property
    def is_ready(self) -> bool:
        """Whether its program has begun."""
        return READY.encode() in self.console

    @property
    def is_over(self) -> bool:
        """Whether its program has reported its end."""
        return OVER.encode() in self.console

    def said(self) -> Said:
        """The report at its end."""
        return understand(self.console.decode(errors="replace"))

    def listen(self) -> bool:
        """Takes what came since; returns whether the line sent."""
        self.console += bytes(value & 0xFF for _, value in self.board.receive(f"{CONSOLE}.txd"))
        before = len(self.sent)
        for cycle, signal, value in self.board.take_recorded():
            (self.heard if signal.endswith(".rxd") else self.sent).append((cycle, value))
        return len(self.sent) > before


class TwoBoards:
    """Two boards from power-on to the end of both programs."""

    def __init__(self, own: BoardEnd, peer: BoardEnd, join: Join, swapped: bool) -> None:
        """`swapped` puts the peer first on the bench, which changes no result."""
        self.own, self.peer = own, peer
        named = [(OWN, self.own.board), (PEER, self.peer.board)]
        self._bench = join(named[::-1] if swapped else named)
        self.ready_cycle = 0

    def run(self) -> None:
        """Runs until both have reported their end, or neither sends. Raises CyclescopeError if one
        never begins."""
        board = self.own.board
        heard_at = ready_by = round(READY_S * board.core_hz)
        silent_cycles = round(SILENT_S * board.core_hz)
        at = 0
        while not (self.own.is_over and self.peer.is_over):
            at += STEP_CYCLES
            self._bench.run(until_as=at * SECOND_AS // board.core_hz)
            if any([one.listen() for one in self.ends]):
                heard_at = max(heard_at, at)
            if not self.ready_cycle and self.own.is_ready:
                self.ready_cycle = board.cycle
            if at > ready_by and not all(one.is_ready for one in self.ends):
                raise _never_ready(self.ends)
            if at - heard_at > silent_cycles:
                return

    @property
    def ends(self) -> tuple[BoardEnd, BoardEnd]:
        """The analysed board's end, then the other's."""
        return self.own, self.peer

    def wire(self, delay_cycles: int) -> WireBytes:
        """All that both lines sent; a character of the peer ends `delay_cycles` later here."""
        to_board = [(cycle + delay_cycles, True, value) for cycle, value in self.peer.sent]
        both = sorted(to_board + [(cycle, False, value) for cycle, value in self.own.sent])
        heard = {True: dict(self.own.heard), False: dict(self.peer.heard)}
        cycles = np.array([cycle for cycle, *_ in both], np.int64)
        masks = [
            (heard[way].get(cycle + (0 if way else delay_cycles), value) ^ value) & CHARACTER
            for cycle, way, value in both
        ]
        flipped = np.array(masks, np.uint16)
        sent = np.array([value for *_, value in both], np.uint16)
        ways = np.array([way for _, way, _ in both], np.bool_)
        return WireBytes(cycles, ways, np.where(ways, sent ^ flipped, sent), flipped)

    def heard(self) -> HeardCharacters:
        """Characters that came to the analysed board's receiver."""
        rows = self.own.heard
        return HeardCharacters(
            np.array([cycle for cycle, _ in rows], np.int64),
            np.array([value for _, value in rows], np.uint16),
        )


def switched_on(system: BoardSystem) -> Board:
    """A board with the system, at its power-on; its line is recorded."""
    board = make_board(BOARD)
    system.load(board)
    board.record([f"{LINE}.rxd", f"{LINE}.txd"])
    return board


def _never_ready(ends: Sequence[BoardEnd]) -> CyclescopeError:
    silent = next(one for one in ends if not one.is_ready)
    last = silent.console.decode(errors="replace").strip().splitlines()
    said = f'; its last words: "{last[-1]}"' if last else ""
    return CyclescopeError(
        f'a board has not said "{READY}" in {READY_S:g} s of its time{said}: choose another '
        "setting",
        code="board-of-two-silent",
    )
