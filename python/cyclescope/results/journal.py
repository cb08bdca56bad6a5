"""The journal of a manifest: its changes since it was last written whole, one line for each.

A campaign appends a line for each run, so it writes as many bytes as its runs need and not their
square. Folding puts the changes into the manifest and removes the journal
(docs/reference/results.md).
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cyclescope import input_files
from cyclescope.errors import unwritable
from cyclescope.results.whole_files import ResultsError, remove, sync_folder, write_whole

MANIFEST = "manifest.json"
JOURNAL = "manifest.changes.jsonl"

_SEAL = re.compile(rb', "seal": "([0-9a-f]{64})"}\Z')
_OF, _LISTS, _RULES = "of", "lists", "unverified"


class Splice(NamedTuple):
    """A change of one list of the manifest: at `place` so many entries leave, and one enters.

    `entry` is the JSON of the record that enters; None if none does.
    """

    field: str
    place: int
    leave: int
    entry: str | None


class Journal:
    """Appends to the journal of one folder, whose manifest it follows."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seal = ""
        self._size = 0

    def fold(self, manifest: bytes) -> None:
        """Writes the manifest with all changes in it, and begins the journal anew."""
        fold(self._folder, manifest)
        self._seal, self._size = "", 0

    def append(self, splices: Sequence[Splice], rules: Mapping[str, str] | None) -> None:
        """Writes one change; when this returns it is on the medium. `rules` replace the texts of
        the rules, unless they are None. Raises ResultsError, and leaves the journal as it was."""
        lines, seal = b"", self._seal
        if not self._size:
            content = input_files.read_there(self._folder / MANIFEST, ResultsError)
            lines, seal = _line(json.dumps({_OF: hashlib.sha256(content).hexdigest()}), seal)
        line, seal = _line(_change(splices, rules), seal)
        lines += line
        try:
            self._write(lines)
        except OSError as error:
            path = self._folder / JOURNAL
            raise ResultsError(unwritable(path, error), code="cannot-write") from None
        self._seal, self._size = seal, self._size + len(lines)

    def _write(self, lines: bytes) -> None:
        """Adds lines at the end, all or none."""
        begins = os.O_CREAT | os.O_TRUNC if not self._size else 0
        file = os.open(self._folder / JOURNAL, os.O_WRONLY | os.O_APPEND | begins, 0o666)
        try:
            left = memoryview(lines)
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
            if begins:
                sync_folder(self._folder)
        except BaseException:
            with suppress(OSError):
                os.ftruncate(file, self._size)
            raise
        finally:
            os.close(file)


def fold(folder: Path, manifest: bytes) -> None:
    """Writes a manifest that has all changes in it, then removes the journal."""
    write_whole(folder / MANIFEST, manifest)
    remove(folder / JOURNAL)


def read(folder: Path) -> tuple[bytes, Callable[[dict[str, Any]], None]]:
    """Returns the manifest as it was last written whole, and what puts the later changes into it.

    Raises FileNotFoundError without a manifest, ResultsError for a damaged journal.
    """
    # The journal first: one that is folded meanwhile is in the manifest that is read next.
    try:
        lines = input_files.read(folder / JOURNAL, ResultsError).splitlines()
    except (FileNotFoundError, NotADirectoryError):
        lines = []
    manifest = input_files.read(folder / MANIFEST, ResultsError)
    changes = _sound(folder, lines)
    # A journal of another manifest is folded already; its process ended before removing it.
    if changes and changes[0].get(_OF) != hashlib.sha256(manifest).hexdigest():
        changes = []

    def put_into(found: dict[str, Any]) -> None:
        for change in changes[1:]:
            _apply(change, found)

    return manifest, put_into


def _change(splices: Sequence[Splice], rules: Mapping[str, str] | None) -> str:
    words = ", ".join(
        f"[{json.dumps(one.field)}, {one.place}, {one.leave}, {one.entry or 'null'}]"
        for one in splices
    )
    known = "" if rules is None else f', "{_RULES}": {json.dumps(rules, ensure_ascii=False)}'
    return f'{{"{_LISTS}": [{words}]{known}}}'


def _apply(change: Mapping[str, Any], found: dict[str, Any]) -> None:
    for field, place, leave, entry in change[_LISTS]:
        found.setdefault(field, [])[place : place + leave] = [] if entry is None else [entry]
    if _RULES in change:
        found[_RULES] = change[_RULES]


def _line(body: str, before: str) -> tuple[bytes, str]:
    """A line of the journal and its seal, which covers the seal of the line before it too."""
    words = body[:-1].encode()
    seal = _digest(words, before)
    return words + f', "seal": "{seal}"}}\n'.encode(), seal


def _digest(words: bytes, before: str) -> str:
    return hashlib.sha256(before.encode() + words).hexdigest()


def _sound(folder: Path, lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """The changes of a journal. A last line that is cut is of a change that never was made."""
    changes, seal = [], ""
    for number, line in enumerate(lines, 1):
        found = _SEAL.search(line)
        words = line[: found.start()] if found else b""
        if found is None or _digest(words, seal) != found[1].decode():
            if number == len(lines):
                break
            raise ResultsError(
                f"{folder / JOURNAL} is damaged at line {number}: it was cut or edited; "
                "measure again",
                code="journal-damaged",
            )
        seal = found[1].decode()
        changes.append(json.loads(words + b"}"))
    return changes
