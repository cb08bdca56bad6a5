"""A shell of Linux on the virtual board, line by line."""

from collections.abc import Callable

import pytest

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux import LinuxBuild, System, built
from cyclescope.studies.run.linux.follower import Follower
from cyclescope.targets.virtual.board import Board, make_board

PROMPT = b"/ # "
SLICE_CYCLES = 500_000
MOST_CYCLES = 400_000_000
ECHO_CYCLES, MOST_ECHO_SLICES = 30_000, 30


def built_or_skip(*kernels: str) -> LinuxBuild:
    """Returns the build with some kernels, or skips the test."""
    try:
        found = built()
        for name in kernels:
            found.kernel(name)
        return found
    except CyclescopeError as error:
        pytest.skip(error.sentence)


def _refusal() -> str:
    """The sentence that refuses the build; empty if it may be used."""
    try:
        built()
    except CyclescopeError as error:
        return error.sentence
    return ""


needs_linux = pytest.mark.skipif(bool(_refusal()), reason=_refusal())
"""For tests that compose a system."""


class Shell:
    """A booted system whose console stands at the prompt."""

    def __init__(self, system: System, attach: Callable[[Board, Follower], None] | None = None):
        """`attach` may attach instruments before the boot."""
        self.board = make_board("at91x40")
        self.follower = Follower(self.board, system)
        system.load(self.board)
        if attach:
            attach(self.board, self.follower)
        self.boot = self._until_prompt()

    def run(self, line: str) -> str:
        """Types a line, each character after the echo of the other; returns what was printed."""
        for character in line.encode():
            self.board.send("usart0.rxd", bytes([character]))
            assert self._echo() == character
        self.board.send("usart0.rxd", b"\n")
        return self._until_prompt().partition("\r\n")[2].rpartition("\r\n")[0]

    def _echo(self) -> int:
        for _ in range(MOST_ECHO_SLICES):
            self.follower.run_to(self.board.cycle + ECHO_CYCLES)
            if echo := self.board.receive("usart0.txd"):
                return echo[0][1] & 0xFF
        raise AssertionError("no echo")

    def _until_prompt(self) -> str:
        printed = b""
        while not printed.endswith(PROMPT):
            assert self.board.cycle < MOST_CYCLES, printed
            self.follower.run_to(self.board.cycle + SLICE_CYCLES)
            printed += bytes(value & 0xFF for _, value in self.board.receive("usart0.txd"))
        return printed.decode(errors="replace")
