"""A peer that thinks in no time of the board: a program with pipes, heard until it reads again.

The board stands still meanwhile, so what the host does beside it changes no cycle of a run.
"""

import array
import fcntl
import os
import platform
import subprocess
import termios
import time
from collections.abc import Sequence
from pathlib import Path

from cyclescope.errors import CyclescopeError

PATIENCE_S = 60.0
"""A program that neither reads nor ends in this time is given up."""
ASLEEP_S = 0.05
"""Where the host hides what a program waits for, one that sleeps so long counts as reading."""
MOST_AT_ONCE = 1 << 16
PAUSES_S = (0.0, 0.0, 0.00002, 0.0001, 0.0005)
"""Between looks at a program that is busy: the last is repeated."""
READ_CALLS = {"x86_64": 0, "aarch64": 63, "riscv64": 63}
"""Number of the system call `read` by architecture."""


class InstantProgram:
    """A program whose standard input and output are a board's line.

    `is_exact` is false if the host hides what a program waits for: then its answers may come at
    other cycles in another run.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        try:
            self._program = subprocess.Popen(
                command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        except OSError as error:
            raise CyclescopeError(
                f"{command[0]} cannot be started: {error.strerror}; install it, or name another "
                "program",
                code="peer-program-not-there",
            ) from None
        assert self._program.stdin and self._program.stdout
        self._input, self._output = self._program.stdin, self._program.stdout
        for end in (self._input, self._output):
            os.set_blocking(end.fileno(), False)
        self.is_exact = True

    @property
    def status(self) -> int | None:
        """The exit status of the program; None while it runs."""
        return self._program.poll()

    def answer(self, data: bytes = b"") -> bytes:
        """Gives bytes to the program, waits until it has read them and reads again, and returns
        what it wrote. Bytes for a program that has ended are dropped."""
        begun, said, looks = time.monotonic(), bytearray(), 0
        while True:
            data = self._give(data)
            if not data and self._is_done(time.monotonic() - begun):
                said += self._take()
                return bytes(said)
            said += self._take()
            if time.monotonic() - begun > PATIENCE_S:
                raise CyclescopeError(
                    f"the peer neither read nor ended in {PATIENCE_S:g} s: look at what it does, "
                    "or start it again",
                    code="peer-does-not-answer",
                )
            time.sleep(PAUSES_S[min(looks, len(PAUSES_S) - 1)])
            looks += 1

    def close(self) -> None:
        """Ends the program, if it has not ended: at the end of its input some would spin."""
        if self.status is None:
            self._program.kill()
        self._program.wait()
        self._input.close()
        self._output.close()

    def _give(self, data: bytes) -> bytes:
        """Writes what the pipe takes, and returns the rest."""
        try:
            return data[os.write(self._input.fileno(), data) :] if data else b""
        except BlockingIOError:
            return data
        except BrokenPipeError:
            return b""

    def _take(self) -> bytes:
        taken = bytearray()
        while True:
            try:
                arrived = os.read(self._output.fileno(), MOST_AT_ONCE)
            except BlockingIOError:
                return bytes(taken)
            if not arrived:
                return bytes(taken)
            taken += arrived

    def _is_done(self, waited_s: float) -> bool:
        """Whether the program has ended, or waits for input of which there is none."""
        if self.status is not None:
            return True
        reads = self._reads()
        if reads is None:
            self.is_exact = False
            reads = waited_s > ASLEEP_S
        return reads and not self._unread()

    def _unread(self) -> int:
        """Bytes in the program's input."""
        number = array.array("i", [0])
        fcntl.ioctl(self._input.fileno(), termios.FIONREAD, number)
        return number[0]

    def _reads(self) -> bool | None:
        """Whether the program sleeps in reading its input; None if the host does not say."""
        read = READ_CALLS.get(platform.machine())
        try:
            call = Path(f"/proc/{self._program.pid}/syscall").read_text().split()
        except ProcessLookupError:
            return False
        except OSError:
            return None
        if read is None or not call:
            return None
        return call[0] == str(read) and int(call[1], 16) == 0
