"""A program of the firmware as a process of this machine, and the host's end of its wire."""

import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from cyclescope import wire
from cyclescope.errors import CyclescopeError

LAST_BYTES = 4096
"""So much is kept of what the program says on its standard error, which may be without end."""
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
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Starts it in a folder; it finds `environment` beside what there is."""
        self._what = what
        self._last, self._talks = b"", True
        self._process = subprocess.Popen(
            [elf],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env=os.environ | (environment or {}),
        )
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._to, self._from = self._process.stdin, self._process.stdout
        self._errors = self._process.stderr
        os.set_blocking(self._errors.fileno(), False)

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
        """Returns the bytes that came within `timeout_s`, or none. Raises Died if it ended."""
        until = time.monotonic() + timeout_s
        while self._from not in (ready := self._ready(until)):
            if not ready:
                return b""
            self._hear()
        if not (data := os.read(self._from.fileno(), 65536)):
            raise Died(self._end())
        return data

    def _ready(self, until: float) -> list[IO[bytes]]:
        """Returns the streams that can be read or have ended."""
        left_s = max(0.0, until - time.monotonic())
        listened = [self._from, self._errors] if self._talks else [self._from]
        return select.select(listened, [], [], left_s)[0]

    def _hear(self) -> None:
        """Takes what there is on standard error, of which only the end matters."""
        with suppress(BlockingIOError):
            while data := os.read(self._errors.fileno(), 65536):
                self._last = (self._last + data)[-LAST_BYTES:]
            self._talks = False

    def _end(self) -> str:
        code = self._process.wait()
        self._hear()
        last = self._last.decode(errors="replace").strip().splitlines()[-1:]
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
