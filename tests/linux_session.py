"""A shell of Linux on the virtual board, line by line."""

import pytest

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux import LinuxBuild, System, built
from cyclescope.targets.virtual.board import Board, make_board

PROMPT = b"/ # "
SLICE_CYCLES = 500_000
MOST_CYCLES = 400_000_000
CHARACTER_CYCLES = 20_000


def built_or_skip() -> LinuxBuild:
    """Returns the finished build, or skips the test."""
    try:
        return built()
    except CyclescopeError:
        pytest.skip("not built: make linux")


class Shell:
    """A booted system whose console stands at the prompt."""

    def __init__(self, system: System, board: Board | None = None) -> None:
        self.board = board or make_board("at91x40")
        self.system = system
        system.load(self.board)
        self.boot = self._until_prompt()

    def run(self, line: str) -> str:
        """Types a line, slowly enough for the driver; returns what was printed."""
        for character in line.encode() + b"\n":
            self.board.send("usart0.rxd", bytes([character]))
            self.board.run(cycles=self.board.cycle + CHARACTER_CYCLES)
        return self._until_prompt().partition("\r\n")[2].rpartition("\r\n")[0]

    def _until_prompt(self) -> str:
        printed = b""
        while not printed.endswith(PROMPT):
            assert self.board.cycle < MOST_CYCLES, printed
            stop = self.board.run(cycles=self.board.cycle + SLICE_CYCLES)
            assert stop["reason"] == "cycles", stop
            printed += bytes(value & 0xFF for _, value in self.board.receive("usart0.txd"))
        return printed.decode(errors="replace")
