"""A transfer while it runs: the board, the peer, and the line between them with its bit errors."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.studies.peripheral.board_side import (
    CONSOLE,
    LINE,
    OVER,
    READY,
    ran_out_of_memory,
)
from cyclescope.studies.peripheral.noise import STOP_BIT, BitErrors
from cyclescope.studies.peripheral.wire_bytes import WireBytes
from cyclescope.targets.virtual.board import Board
from cyclescope.targets.virtual.lines.instant_program import InstantProgram

STEP_CYCLES = 2_000_000
"""The board runs at most so far before its console is read."""
BOOT_S = 20.0
"""Of the board's time: longer than any boot."""
SILENT_S = 200.0
"""Of the board's time: G-Kermit gives up after ten time-outs, which take less."""


@dataclass
class LiveLine:
    """The line of a board under way: what it says on its console, and what it and the peer send."""

    board: Board
    errors: BitErrors
    console: bytearray = field(default_factory=bytearray)
    free_at: int = 0
    given: int = 0
    taken: int = 0
    masks: dict[bool, dict[int, int]] = field(default_factory=lambda: {True: {}, False: {}})

    def boot(self) -> None:
        """Runs until the board's side is ready. Raises CyclescopeError if it never is."""
        self._run_until(READY, BOOT_S)
        self._require_memory()
        self.board.record([f"{LINE}.rxd", f"{LINE}.txd"])
        self.board.receive(f"{LINE}.txd")

    def exchange(self, peer: InstantProgram) -> None:
        """Runs until the board's side has reported its end, or both sides wait for each other."""
        self._send(peer.answer())
        heard_at = self.board.cycle
        limit = round(SILENT_S * self.board.core_hz)
        while not self._says(OVER):
            self.board.run(cycles=self.board.cycle + STEP_CYCLES, stop_on_bytes=f"{LINE}.txd")
            self._hear()
            if heard := self._received():
                heard_at = self.board.cycle
                self._send(peer.answer(heard))
            status = peer.status
            if status is not None and status < 0:
                raise CyclescopeError(
                    f"the peer was ended by signal {-status} in the middle of the transfer: "
                    "measure again",
                    code="peer-vanished",
                )
            if self.board.cycle - heard_at > limit:
                return

    def wire(self) -> WireBytes:
        """All that went over the line since the boot."""
        recorded = self.board.take_recorded()
        to_board = [signal.endswith(".rxd") for _, signal, _ in recorded]
        return WireBytes(
            cycles=np.array([cycle for cycle, _, _ in recorded], np.int64),
            to_board=np.array(to_board, np.bool_),
            values=np.array([value for _, _, value in recorded], np.uint16),
            flipped=np.array(self._flipped(to_board), np.uint16),
        )

    def _flipped(self, to_board: Sequence[bool]) -> list[int]:
        counts, found = {True: 0, False: 0}, []
        for way in to_board:
            found.append(self.masks[way].get(counts[way], 0))
            counts[way] += 1
        return found

    def _run_until(self, text: str, seconds: float) -> None:
        limit = self.board.cycle + round(seconds * self.board.core_hz)
        while not self._says(text):
            if self.board.cycle >= limit:
                self._require_memory()
                last = self.console.decode(errors="replace").strip().splitlines()
                said = f'; its last words: "{last[-1]}"' if last else ""
                raise CyclescopeError(
                    f'the board has not said "{text}" in {seconds:g} s of its time{said}: choose '
                    "another setting",
                    code="board-silent",
                )
            self.board.run(
                cycles=min(limit, self.board.cycle + STEP_CYCLES),
                stop_on_bytes=(f"{CONSOLE}.txd", ord("\n")),
            )
            self._hear()

    def _require_memory(self) -> None:
        if ran_out_of_memory(self.console.decode(errors="replace")):
            raise CyclescopeError(
                "the board's memory cannot hold the file beside Linux: choose a smaller --size",
                code="board-memory-full",
            )

    def _says(self, text: str) -> bool:
        return text.encode() in self.console

    def _hear(self) -> None:
        self.console += bytes(value & 0xFF for _, value in self.board.receive(f"{CONSOLE}.txd"))

    def _received(self) -> bytes:
        """The peer's share of what the board has sent: a terminal drops a character whose stop bit
        is wrong."""
        heard = bytearray()
        for _, value in self.board.receive(f"{LINE}.txd"):
            mask = self._mask(to_board=False, index=self.taken)
            self.taken += 1
            if not mask & STOP_BIT:
                heard.append((value ^ mask) & 0xFF)
        return bytes(heard)

    def _send(self, data: bytes) -> None:
        """Sends bytes to the board, back to back at the board's own rate."""
        frame = self.board.level(f"{LINE}.frame_cycles")
        self.free_at = max(self.free_at, self.board.cycle)
        for byte in data:
            self.free_at += frame
            mask = self._mask(to_board=True, index=self.given)
            self.given += 1
            self.board.drive(f"{LINE}.rxd", byte ^ mask, at=self.free_at)

    def _mask(self, *, to_board: bool, index: int) -> int:
        mask = self.errors.mask(to_board, index)
        if mask:
            self.masks[to_board][index] = mask
        return mask
