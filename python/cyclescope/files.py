"""Files of results: written whole or not at all, and read back checked (docs/results.md)."""

import hashlib
import io
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, ValidationError

from cyclescope.errors import CyclescopeError

MANIFEST = "manifest.json"
FINGERPRINT = b"cyclescope.conditions"

Whole = TypeVar("Whole", bound=BaseModel)


class ResultsError(CyclescopeError):
    """A results folder that cannot be read or written as it is."""


def sha256(path: Path) -> str | None:
    """Of a file's content; None if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def text(manifest: BaseModel) -> str:
    """JSON with a line for each entry of a list: long campaigns write it often."""
    lines = []
    for name, value in manifest.model_dump(mode="json").items():
        written = _compact(value)
        if isinstance(value, list) and value:
            written = "[\n    " + ",\n    ".join(map(_compact, value)) + "\n  ]"
        lines.append(f"  {_compact(name)}: {written}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def content(folder: Path) -> dict[str, Any]:
    """The manifest of a folder as it stands; refuses what is none."""
    path = folder / MANIFEST
    try:
        found = json.loads(path.read_text())
    except FileNotFoundError:
        raise ResultsError(f"{folder} is no results folder: it has no {MANIFEST}") from None
    except NotADirectoryError:
        raise ResultsError(f"{folder} is a file, not a results folder") from None
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise ResultsError(f"{path} is not JSON: it was cut or edited; measure again") from None
    if not isinstance(found, dict):
        raise ResultsError(f"{path} is not a manifest: it names no format")
    return found


def parse(folder: Path, kind: type[Whole], format_name: str, versions: Sequence[int]) -> Whole:
    """The manifest of a folder as a record of its kind; refuses another format or version."""
    path, found = folder / MANIFEST, content(folder)
    if found.get("format") != format_name:
        raise ResultsError(f'{path} is not a manifest: its format is not "{format_name}"')
    if found.get("version") not in versions:
        known = " and ".join(map(str, versions))
        raise ResultsError(
            f"{path} has format version {found.get('version')}, this cyclescope reads "
            f"{known}: use the version that wrote it ({found.get('tool')})"
        )
    try:
        return kind.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ResultsError(f"{path} is damaged at {where}: {first['msg']}") from None


def parquet(table: pa.Table, schema: pa.Schema, fingerprint: str) -> bytes:
    """A table as a file, with the conditions that it was measured under."""
    buffer = io.BytesIO()
    signed = table.cast(schema.with_metadata({FINGERPRINT: fingerprint.encode()}))
    pq.write_table(signed, buffer, compression="zstd")
    return buffer.getvalue()


def read_table(folder: Path, name: str, digest: str, fingerprint: str) -> pa.Table:
    """A table that the manifest lists; refuses one that is not as it was measured."""
    path = folder / name
    try:
        found = path.read_bytes()
    except FileNotFoundError:
        raise ResultsError(f"{path} is missing though the manifest lists it") from None
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror}") from None
    try:
        # Without threads: Arrow's may abort the interpreter as it exits, and the files are small.
        table = pq.read_table(pa.BufferReader(found), use_threads=False, pre_buffer=False)
    except (pa.ArrowException, OSError):
        raise ResultsError(f"{path} is truncated or damaged: measure its case again") from None
    metadata = table.schema.metadata or {}
    if metadata.get(FINGERPRINT) != fingerprint.encode():
        raise ResultsError(f"{path} was measured under other conditions than {folder / MANIFEST}")
    if hashlib.sha256(found).hexdigest() != digest:
        raise ResultsError(f"{path} has changed since it was measured: its SHA-256 differs")
    return table.replace_schema_metadata(None)


def clear_drafts(folder: Path, places: Iterable[str]) -> None:
    """Removes what a killed process was writing, in the places that it writes to."""
    for place in places:
        for draft in folder.glob(f"{place}/.*.draft"):
            remove(draft)


def remove(path: Path) -> None:
    """Removes a file, if it is there."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _refusal(path, error) from None


def write_whole(path: Path, content: bytes) -> None:
    """Whole or not at all, and on the medium when this returns."""
    draft = path.with_name(f".{path.name}.draft")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with draft.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as error:
        raise _refusal(path, error) from None


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refusal(path: Path, error: OSError) -> ResultsError:
    return ResultsError(
        f"{path} cannot be written: {error.strerror}; free space or choose another --out"
    )
