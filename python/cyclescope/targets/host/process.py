"""A program of the firmware as a process of this machine, and the host's end of its wire."""

import os
import select
import signal
import subprocess
from pathlib import Path
from tempfile import TemporaryFile

from cyclescope import wire
from cyclescope.errors import CyclescopeError

START_S = 60.0
"""Longest wait for the process to come up; it calibrates its counter for 0.05 s."""


class Died(CyclescopeError):
    """The process is gone."""


class Process:
    """The program, and the host's end of its wire."""

    def __init__(
        self,
        elf: Path,
        what: str,
        folder: Path | None = None,
        counter_hz: int | None = None,
    ) -> None:
        """Starts it in a folder; `counter_hz` is what an earlier one measured."""
        self._what = what
        self._errors = TemporaryFile()  # noqa: SIM115 (closed by close)
        self._process = subprocess.Popen(
            [elf],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            cwd=folder,
            env=os.environ | ({"BOARD_COUNTER_HZ": str(counter_hz)} if counter_hz else {}),
        )
        assert self._process.stdin and self._process.stdout
        self._to, self._from = self._process.stdin, self._process.stdout

    @property
    def pid(self) -> int:
        return self._process.pid

    def write(self, data: bytes) -> None:
        """Sends all of `data`."""
        try:
            self._to.write(data)
        except BrokenPipeError as error:
            raise Died(self._end()) from error

    def read(self, timeout_s: float) -> bytes:
        """Waits for a byte, at most `timeout_s`; empty: none came."""
        if not select.select([self._from], [], [], timeout_s)[0]:
            return b""
        if not (data := os.read(self._from.fileno(), 65536)):
            raise Died(self._end())
        return data

    def _end(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().splitlines()[-1:]
        said = f"; its last words: {last[0]}" if last else ""
        if code >= 0:
            return f"{self._what} ended the program with exit code {code}{said}"
        name = signal.Signals(-code).name
        return f"{self._what} was stopped by {name} ({signal.strsignal(-code)}){said}"

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for file in (self._to, self._from, self._errors):
            file.close()


def link_of(process: Process) -> wire.Link:
    """A conversation with it. Nothing is lost in a pipe, so nothing is asked twice."""
    return wire.Link(process, timeout_s=START_S, patience_s=START_S)
