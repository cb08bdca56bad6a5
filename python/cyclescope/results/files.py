"""Manifests and other records of results: written whole, and read back checked.

See docs/reference/results.md.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import to_jsonable_python

from cyclescope import input_files
from cyclescope.results import journal, seal
from cyclescope.results.whole_files import ResultsError, write_whole

MANIFEST = journal.MANIFEST

MADE_BY = {
    "cyclescope results": "characterize",
    "cyclescope times": "time",
    "cyclescope configurations": "characterize --configurations",
    "cyclescope option costs": "options",
    "cyclescope real-time results": "realtime",
    "cyclescope switch": "switch",
    "cyclescope peripheral": "peripheral",
    "cyclescope proposals": "proposals",
}
"""The verb whose results a folder of that format holds."""
OF_FOLDERS = ("cyclescope configurations", "cyclescope option costs")
"""Formats of a folder that holds results folders."""

SEALED_SINCE = {
    "cyclescope results": 5,
    "cyclescope times": 5,
    "cyclescope real-time results": 2,
    "cyclescope peripheral": 1,
    "cyclescope proposals": 1,
}
"""The version of a format since which a manifest always has a seal."""

Whole = TypeVar("Whole", bound=BaseModel)


class ManifestText:
    """JSON with a line for each entry of a list. The journal writes entries before the whole is
    written, so a record, which never changes, is put into words once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[BaseModel, str]] = {}

    def of(self, manifest: BaseModel) -> str:
        """The whole of it."""
        values = {name: getattr(manifest, name) for name in type(manifest).model_fields}
        records = {name for name, value in values.items() if isinstance(value, (tuple, BaseModel))}
        plain = manifest.model_dump(mode="json", exclude=records)
        lines = []
        for name, value in values.items():
            if name in records:
                words = self._list(value) if isinstance(value, tuple) else self.entry(value)
                lines.append(f"  {_compact(name)}: {words}")
            elif name in plain:
                lines.append(f"  {_compact(name)}: {_compact(plain[name])}")
        return seal.sealed("{\n" + ",\n".join(lines) + "\n}\n")

    def _list(self, value: tuple[object, ...]) -> str:
        entries = ",\n    ".join(map(self.entry, value))
        return f"[\n    {entries}\n  ]" if value else "[]"

    def entry(self, value: object) -> str:
        """One record or value, on one line."""
        known = self._known.get(id(value))
        if known is None:
            if not isinstance(value, BaseModel):
                return _compact(to_jsonable_python(value))
            # The record is kept beside its text, so that no other can have its identity.
            known = self._known[id(value)] = (value, _compact(value.model_dump(mode="json")))
        return known[1]


def text(record: BaseModel) -> str:
    """The JSON of a record that is written once, with its seal."""
    return ManifestText().of(record)


def save(path: Path, record: BaseModel) -> None:
    """Puts a record into a file, whole or not at all."""
    write_whole(path, text(record).encode())


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def content(folder: Path) -> dict[str, Any]:
    """The manifest of a folder with the changes of its journal; refuses what is none."""
    path = folder / MANIFEST
    try:
        whole, put_into = journal.read(folder)
        sound = _opened_seal(path, whole, "measure again")
        found = json.loads(sound, parse_constant=_finite, parse_float=_finite)
    except FileNotFoundError:
        raise ResultsError(
            f"{folder} is no results folder: it has no {MANIFEST}", code="no-results-folder"
        ) from None
    except NotADirectoryError:
        raise ResultsError(
            f"{folder} is a file, not a results folder", code="results-folder-is-file"
        ) from None
    except (ValueError, RecursionError):
        raise ResultsError(
            f"{path} is not JSON: it was cut or edited; measure again", code="not-json"
        ) from None
    if not isinstance(found, dict):
        raise ResultsError(
            f"{path} is not a manifest: it names no format", code="manifest-names-no-format"
        )
    put_into(found)
    return found


def _finite(text: str) -> float:
    """A number of JSON, which has neither NaN nor infinity."""
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number


def require_kind(folder: Path, format_name: str) -> None:
    """Raises CyclescopeError for a folder of another result type."""
    try:
        found = content(folder).get("format")
    except ResultsError:
        return
    if found in MADE_BY and found != format_name:
        inside = ", or one of those in it" if found in OF_FOLDERS else ""
        raise ResultsError(
            f"{folder} holds results of cyclescope {MADE_BY[found]}, not of cyclescope "
            f"{MADE_BY[format_name]}: choose another folder{inside}",
            code="results-of-another-verb",
        )


def parse(folder: Path, kind: type[Whole], format_name: str, versions: Sequence[int]) -> Whole:
    """The manifest of a folder as a record of its kind; refuses another format or version."""
    require_kind(folder, format_name)
    path, found = folder / MANIFEST, content(folder)
    if found.get("format") != format_name:
        raise ResultsError(
            f'{path} is not a manifest: its format is not "{format_name}"',
            code="manifest-of-another-format",
        )
    if found.get("version") not in versions:
        known = ", ".join(map(str, versions))
        raise ResultsError(
            f"{path} has format version {found.get('version')}, this cyclescope reads "
            f"{known}: use the version that wrote it ({found.get('tool')})",
            code="format-version-unknown",
        )
    if found["version"] >= SEALED_SINCE.get(format_name, math.inf) and not _has_seal(path):
        raise ResultsError(
            f"{path} has lost its seal: it was cut or edited; measure again", code="seal-lost"
        )
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        raise ResultsError(
            f"{path} is damaged at {_first_fault(error)}", code="file-damaged"
        ) from None


def read_record(path: Path, kind: type[Whole], remedy: str) -> Whole | None:
    """Returns a file's content as a record of its kind, or None if there is no such file."""
    try:
        return kind.model_validate_json(
            _opened_seal(path, input_files.read(path, ResultsError), remedy)
        )
    except FileNotFoundError:
        return None
    except NotADirectoryError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror}", code="cannot-read") from None
    except ValidationError as error:
        raise ResultsError(
            f"{path} is damaged, or of another version, at {_first_fault(error)}; {remedy}",
            code="file-damaged-or-other-version",
        ) from None


def _opened_seal(path: Path, found: bytes, remedy: str) -> bytes:
    """Checks the seal of what a file holds and returns its content."""
    try:
        return seal.opened(found)
    except seal.Broken:
        raise ResultsError(
            f"{path} has changed since it was written: its seal is of other content; {remedy}",
            code="seal-of-other-content",
        ) from None


def _has_seal(path: Path) -> bool:
    return seal.is_sealed(input_files.read_there(path, ResultsError))


def _first_fault(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc'])) or 'its head'}: {first['msg']}"
