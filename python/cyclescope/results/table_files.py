"""Tables of samples: Parquet files that the manifest lists with their digests.

See docs/reference/columns.md.
"""

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from cyclescope import input_files
from cyclescope.results.files import MANIFEST
from cyclescope.results.whole_files import ResultsError, sha256

FINGERPRINT = b"cyclescope.conditions"


def table(columns: Mapping[str, Any], rows: int, schema: pa.Schema) -> pa.Table:
    """So many rows by a schema; a column that is not there is null."""
    arrays = [
        pa.nulls(rows, field.type)
        if (values := columns.get(field.name)) is None
        else pa.array(values, field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def parquet(table: pa.Table, fingerprint: str) -> bytes:
    """A table as a file, with the conditions that it was measured under."""
    buffer = io.BytesIO()
    signed = table.replace_schema_metadata({FINGERPRINT: fingerprint.encode()})
    # Without dictionaries, and quickly: the tables are many and small.
    pq.write_table(signed, buffer, compression="snappy", use_dictionary=False)
    return buffer.getvalue()


def check_table(folder: Path, name: str, digest: str, fingerprint: str) -> None:
    """Refuses a table that is not as it was measured, without a look into it if it is."""
    if sha256(folder / name) != digest:
        _opened(folder, name, digest, fingerprint).close()


def read_table(folder: Path, name: str, digest: str, fingerprint: str) -> pa.Table:
    """A table that the manifest lists; refuses one that is not as it was measured."""
    # Without threads: Arrow's may abort the interpreter as it exits, and the files are small.
    table = _opened(folder, name, digest, fingerprint).read(use_threads=False)
    return table.replace_schema_metadata(None)


def _opened(folder: Path, name: str, digest: str, fingerprint: str) -> pq.ParquetFile:
    path = folder / name
    try:
        found = input_files.read(path, ResultsError)
    except FileNotFoundError:
        raise ResultsError(
            f"{path} is missing though the manifest lists it", code="samples-missing"
        ) from None
    except NotADirectoryError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror}", code="cannot-read") from None
    try:
        table = pq.ParquetFile(pa.BufferReader(found))
    except (pa.ArrowException, OSError, UnicodeDecodeError):  # the last of a column's name
        raise ResultsError(
            f"{path} is truncated or damaged: measure its case again", code="samples-damaged"
        ) from None
    metadata = table.schema_arrow.metadata or {}
    if metadata.get(FINGERPRINT) != fingerprint.encode():
        raise ResultsError(
            f"{path} was measured under other conditions than {folder / MANIFEST}",
            code="samples-of-other-conditions",
        )
    if hashlib.sha256(found).hexdigest() != digest:
        raise ResultsError(
            f"{path} has changed since it was measured: its SHA-256 differs", code="samples-changed"
        )
    return table
