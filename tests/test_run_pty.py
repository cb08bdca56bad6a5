"""The wire over a pseudo-terminal: firmware on a virtual board, asked by another program."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator

import pytest

from cyclescope import wire
from cyclescope.firmware import build as firmware
from cyclescope.firmware.configuration import Configuration


class Terminal:
    """The other end of the board's serial line; time-outs are in seconds of the host."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)

    def write(self, data: bytes) -> None:
        """Sends all of `data`."""
        os.write(self._descriptor, data)

    def read(self, timeout_s: float) -> bytes:
        """Waits longer than asked: the board may run slower than its own clock."""
        ready, _, _ = select.select([self._descriptor], [], [], 40 * timeout_s)
        return os.read(self._descriptor, 4096) if ready else b""


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    image = firmware.build(Configuration()).elf
    command = [sys.executable, "-m", "cyclescope", "run", "--image", str(image)]
    program = subprocess.Popen(
        [*command, "--uart", "0=pty", "--until", "cycles=100_000_000_000"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert program.stderr is not None
    yield Terminal(program.stderr.readline().split()[-1])
    program.kill()
    program.wait()


def test_another_program_measures_through_a_terminal(terminal: Terminal) -> None:
    link = wire.Link(terminal)
    described = link.cases()
    assert link.hello().board == "lpc2148"
    samples = link.run(described[0].index, 10)
    assert len(samples) == 10
    assert len({sample.ticks for sample in samples}) == 1
