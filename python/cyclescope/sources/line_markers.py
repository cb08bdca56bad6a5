"""Line markers of a preprocessor: which line of which file a byte of its output is from."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

MARKER = re.compile(rb'^# (\d+) "((?:[^"\\]|\\.)*)"([ \d]*)\n', re.M)
SYSTEM = b"3"
"""The flag of a marker for what a system header holds."""


class SourcePlace(NamedTuple):
    """A line of a file, counted from 1; columns count from 1, 0 means unknown."""

    file: str
    line: int
    column: int = 0
    is_system: bool = False

    def __str__(self) -> str:
        column = f":{self.column}" if self.column else ""
        return f"{self.file}:{self.line}{column}"


@dataclass(frozen=True)
class LineMarkers:
    """The markers of one preprocessed text."""

    text: bytes

    @cached_property
    def _marks(self) -> list[tuple[int, str, int, bool]]:
        found = [(0, "", 1, True)]
        for one in MARKER.finditer(self.text):
            name = re.sub(r"\\(.)", r"\1", one[2].decode(errors="replace"))
            system = SYSTEM in one[3].split() or name.startswith("<")
            found.append((one.end(), name, int(one[1]), system))
        return found

    @property
    def files(self) -> set[str]:
        """The files of the user that the text is from."""
        return {file for _, file, _, is_system in self._marks if not is_system}

    @cached_property
    def _starts(self) -> list[int]:
        return [mark[0] for mark in self._marks]

    def at(self, offset: int) -> SourcePlace:
        """The place of a byte, without its column."""
        start, file, line, system = self._marks[bisect_right(self._starts, offset) - 1]
        return SourcePlace(file, line + self.text.count(b"\n", start, offset), 0, system)

    def is_system(self, offset: int) -> bool:
        """Whether a byte is a system header's."""
        return self._marks[bisect_right(self._starts, offset) - 1][3]
