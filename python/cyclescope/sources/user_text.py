"""The user's part of a preprocessed text: its macros are expanded, system headers are left out."""

import re
from bisect import bisect_right
from collections import defaultdict
from typing import NamedTuple

from cyclescope.sources.line_markers import MARKER, SYSTEM
from cyclescope.sources.scanning import TOKEN

ENTERS, RETURNS = b"1", b"2"
"""Flags of markers where a file is included, and where it ends."""


class TextPiece(NamedTuple):
    """Text between two markers: its bytes [begin, end), and where it is from.

    `entry` counts how often a file of this name was entered before it: files may be included
    several times.
    """

    begin: int
    end: int
    file: str
    entry: int
    line: int
    is_system: bool


class LineOfEntry(NamedTuple):
    """A line of a file, by its name without folders, in one of its inclusions."""

    file: str
    entry: int
    line: int


class Token(NamedTuple):
    """A token of a preprocessed text and its bytes [begin, end)."""

    text: bytes
    begin: int
    end: int


def pieces(text: bytes) -> list[TextPiece]:
    """The pieces of a text between its markers, in their order."""
    found: list[TextPiece] = []
    entries: dict[str, int] = defaultdict(int)
    stack: list[int] = []
    entry, at, file, line, is_system = 0, 0, "", 1, True
    for one in MARKER.finditer(text):
        found.append(TextPiece(at, one.start(), file, entry, line, is_system))
        at, line = one.end(), int(one[1])
        name = re.sub(rb"\\(.)", rb"\1", one[2]).decode(errors="replace")
        file, flags = name.rpartition("/")[2], one[3].split()
        is_system = SYSTEM in flags or name.startswith("<")
        if ENTERS in flags:
            stack.append(entry)
            entry = entries[file]
            entries[file] += 1
        elif RETURNS in flags and stack:
            entry = stack.pop()
    return [*found, TextPiece(at, len(text), file, entry, line, is_system)]


def tokens(text: bytes, begin: int, end: int) -> list[Token]:
    """The tokens of a part of a text, directives left out."""
    return [
        Token(one[0], one.start(), one.end())
        for one in TOKEN.finditer(text, begin, end)
        if one["skip"] is None
    ]


def user_lines(text: bytes) -> dict[LineOfEntry, list[Token]]:
    """The tokens of each of the user's lines, in their order."""
    found: dict[LineOfEntry, list[Token]] = defaultdict(list)
    for piece in pieces(text):
        if not piece.is_system:
            at, line = piece.begin, piece.line
            for one in tokens(text, piece.begin, piece.end):
                line += text.count(b"\n", at, one.begin)
                at = one.begin
                found[LineOfEntry(piece.file, piece.entry, line)].append(one)
    return dict(found)


class UserText:
    """A preprocessed text without what system headers hold; all markers stay."""

    def __init__(self, text: bytes) -> None:
        self._kept = [(one.begin, one.end) for one in pieces(text) if not one.is_system]
        self._begins = [begin for begin, _ in self._kept]
        self._moved: list[int] = []
        made, length = list[bytes](), 0
        markers = [(one.start(), one.end(), False) for one in MARKER.finditer(text)]
        for begin, end, is_text in sorted([*markers, *((*one, True) for one in self._kept)]):
            if is_text:
                self._moved.append(length)
            made.append(text[begin:end])
            length += end - begin
        self.text = b"".join(made)

    def at(self, offset: int) -> int:
        """Where a byte of the user's part lies here; that of the nearest before it, else 0."""
        index = bisect_right(self._begins, offset) - 1
        if index < 0:
            return 0
        begin, end = self._kept[index]
        return self._moved[index] + min(offset, end) - begin
