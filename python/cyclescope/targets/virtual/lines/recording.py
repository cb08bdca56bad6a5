"""Recordings of what peers sent to boards and when, which are replayed in place of the peers.

A recording is text, one JSON object a line: a head, then entries `{"at", "to", "data"}`: moment,
input, and bytes in hexadecimal. Moments are those of the clock that the run names: cycles of a
board, or attoseconds of a bench.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from cyclescope.errors import CyclescopeError, unwritable
from cyclescope.input_files import read_there

FORMAT, VERSION = "cyclescope-recording", 1
LATEST = (1 << 63) - 1


class Recorder:
    """Writes a recording while a run is under way."""

    def __init__(self, path: Path, unit: str) -> None:
        self._path = path
        try:
            self._file: TextIO = path.open("w", encoding="ascii")
        except OSError as error:
            raise self._unwritable(error) from None
        self._write({"format": FORMAT, "version": VERSION, "unit": unit})

    def add(self, at: int, to: str, data: bytes) -> None:
        """Notes that `data` was sent to the input at this moment."""
        self._write({"at": at, "to": to, "data": data.hex()})

    def close(self) -> None:
        """The recording is complete."""
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> CyclescopeError:
        return CyclescopeError(
            f"--record can keep nothing: {unwritable(self._path, error, 'name another file')}",
            code="recording-cannot-be-written",
        )


class Playback:
    """A recording that is played: what was sent, in its order."""

    def __init__(self, path: Path, unit: str, inputs: Iterable[str]) -> None:
        self._path, self._next = path, 0
        there = list(inputs)
        lines = read_there(path).decode("utf-8", errors="replace").splitlines()
        try:
            head = json.loads(lines[0]) if lines else {}
            self._entries = [self._entry(json.loads(line)) for line in lines[1:]]
            if (head["format"], head["version"], head["unit"]) != (FORMAT, VERSION, unit):
                raise self._foreign(f"a recording in {unit} of version {VERSION}")
        except (ValueError, KeyError, TypeError):
            raise self._foreign("a recording") from None
        unknown = next((to for _, to, _ in self._entries if to not in there), None)
        if unknown is not None:
            raise CyclescopeError(
                f"--replay {path}: nothing here has an input {unknown}: replay it on the boards "
                "that it was recorded on",
                code="replay-of-other-boards",
            )

    @staticmethod
    def _entry(line: dict[str, Any]) -> tuple[int, str, bytes]:
        at = line["at"]
        if type(at) is not int or not 0 <= at <= LATEST:
            raise ValueError(at)
        return at, str(line["to"]), bytes.fromhex(line["data"])

    def _foreign(self, what: str) -> CyclescopeError:
        return CyclescopeError(
            f"--replay {self._path} is not {what}: name a file that --record has written",
            code="not-a-recording",
        )

    @property
    def next_at(self) -> int | None:
        """The moment of what is sent next; None at the end."""
        return self._entries[self._next][0] if self._next < len(self._entries) else None

    def due(self, at: int) -> list[tuple[str, bytes]]:
        """Takes what was sent up to this moment: (input, bytes)."""
        first = self._next
        while self.next_at is not None and self.next_at <= at:
            self._next += 1
        return [(to, data) for _, to, data in self._entries[first : self._next]]
