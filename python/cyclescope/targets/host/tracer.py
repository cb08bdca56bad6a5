"""Which instructions a process of this machine executes, by breakpoints (ptrace(2), x86-64).

The program is the one that is measured, byte for byte, and runs slower: nothing is instrumented.
"""

import ctypes
import os
import platform
import signal
import sys
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from cyclescope.errors import CyclescopeError

PTRACE_POKEUSER, PTRACE_PEEKUSER, PTRACE_CONT, PTRACE_SINGLESTEP = 6, 3, 7, 9
PTRACE_DETACH, PTRACE_SEIZE = 17, 0x4206
WAIT_FOR_ALL = 0x40000000
RIP = 16 * 8
"""Where the user area has the instruction pointer (sys/user.h)."""
BREAKPOINT = b"\xcc"


class Tracer:
    """Records the addresses that a process executes while `watching`; `executed` has them after."""

    def __init__(self, pid: int, addresses: Collection[int]) -> None:
        if sys.platform != "linux" or platform.machine() != "x86_64":
            raise CyclescopeError(
                f"what executes is seen on x86-64 Linux only, not on {platform.machine()}: use a "
                "virtual board",
                code="tracing-needs-x86-64",
            )
        self._pid, self._addresses = pid, frozenset(addresses)
        self.executed: list[int] = []
        self._library = ctypes.CDLL(None, use_errno=True)
        self._library.ptrace.restype = ctypes.c_long
        self._library.ptrace.argtypes = [ctypes.c_long] * 4
        self._ready, self._done = threading.Event(), threading.Event()
        self._refusal: OSError | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Sets the breakpoints, and removes them at the end of the `with` block."""
        thread = threading.Thread(target=self._trace, daemon=True)
        thread.start()
        self._ready.wait()
        if self._refusal is not None:
            raise CyclescopeError(
                f"this machine does not let a process be traced ({self._refusal.strerror}), so "
                "what it executes cannot be counted. Allow ptrace (kernel.yama.ptrace_scope 1 or "
                "less, in a container the capability SYS_PTRACE), or use a virtual board",
                code="tracing-not-allowed",
            )
        try:
            yield
        finally:
            self._done.set()
            os.kill(self._pid, signal.SIGSTOP)
            thread.join()

    def _trace(self) -> None:
        """All of ptrace must come from one thread: this one."""
        try:
            self._ask(PTRACE_SEIZE, 0, 0)
            os.kill(self._pid, signal.SIGSTOP)
            self._wait()
            kept = self._place()
        except OSError as error:
            self._refusal = error
            self._ready.set()
            return
        self._ready.set()
        try:
            self._follow(kept)
        except ChildProcessError:
            return

    def _follow(self, kept: dict[int, bytes]) -> None:
        number = 0
        while not self._done.is_set():
            self._ask(PTRACE_CONT, 0, number)
            stopped = self._wait()
            if stopped is None:
                return
            number = 0
            address = self._ask(PTRACE_PEEKUSER, RIP, 0) - 1
            if stopped == signal.SIGTRAP and address in kept:
                self._step_over(address, kept[address])
            elif stopped not in (signal.SIGTRAP, signal.SIGSTOP):
                number = stopped
        for address, byte in kept.items():
            self._write(address, byte)
        self._ask(PTRACE_DETACH, 0, 0)

    def _step_over(self, address: int, byte: bytes) -> None:
        self.executed.append(address)
        self._write(address, byte)
        self._ask(PTRACE_POKEUSER, RIP, address)
        self._ask(PTRACE_SINGLESTEP, 0, 0)
        self._wait()
        self._write(address, BREAKPOINT)

    def _place(self) -> dict[int, bytes]:
        """Puts the breakpoints; returns what was there."""
        kept = {}
        with open(f"/proc/{self._pid}/mem", "rb", buffering=0) as memory:
            for address in self._addresses:
                kept[address] = os.pread(memory.fileno(), 1, address)
        for address in kept:
            self._write(address, BREAKPOINT)
        return kept

    def _write(self, address: int, data: bytes) -> None:
        descriptor = os.open(f"/proc/{self._pid}/mem", os.O_WRONLY)
        try:
            os.pwrite(descriptor, data, address)
        finally:
            os.close(descriptor)

    def _ask(self, request: int, address: int, data: int) -> int:
        ctypes.set_errno(0)
        found = int(self._library.ptrace(request, self._pid, address, data))
        if found == -1 and (number := ctypes.get_errno()):
            raise OSError(number, os.strerror(number))
        return found

    def _wait(self) -> int | None:
        """The signal that stopped it; None if it is gone."""
        _, status = os.waitpid(self._pid, WAIT_FOR_ALL)
        return os.WSTOPSIG(status) if os.WIFSTOPPED(status) else None


def samples_of(
    executed: Sequence[int], begin: int, starts: Collection[int], stops: Collection[int]
) -> list[list[int]]:
    """Records the execution from the starting probe of each sample to its stopping one.

    A sample begins at `begin`; of several measurements in it the last one counts, for it is made
    again after a rest (boards/host/board.c).

    >>> samples_of([7, 1, 5, 2, 1, 5, 6, 2, 7, 1, 5, 2], 7, {1}, {2})
    [[1, 5, 6, 2], [1, 5, 2]]
    """
    samples: list[list[int]] = []
    inside = False
    for address in executed:
        if address == begin:
            samples.append([])
        if address in starts:
            samples[-1], inside = [], True
        if inside:
            samples[-1].append(address)
        inside = inside and address not in stops
    return samples
