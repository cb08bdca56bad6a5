"""Compares two Parquet files: every value of every column."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from same_results.findings import Findings, Renames


def compare(before: Path, after: Path, place: str, findings: Findings, renames: Renames) -> None:
    """Compares columns by name and rows by order; the metadata hold only hashes."""
    old, new = pq.read_table(before), pq.read_table(after)
    expected = {renames.columns.get(name, name): name for name in old.column_names}
    for name in sorted(expected.keys() - set(new.column_names)):
        findings.differs(place, f"head has no column {name}")
    for name in sorted(set(new.column_names) - expected.keys()):
        findings.differs(place, f"the baseline has no column {name}")
    if old.num_rows != new.num_rows:
        findings.differs(place, f"{old.num_rows} rows, head has {new.num_rows}")
        return
    for name, old_name in expected.items():
        if name in new.column_names:
            findings.counts["columns"] += 1
            findings.counts["values"] += old.num_rows
            column = f"{place}, column {old_name}"
            _values(old[old_name], new[name], column, findings, renames)


def _values(
    before: pa.ChunkedArray,
    after: pa.ChunkedArray,
    place: str,
    findings: Findings,
    renames: Renames,
) -> None:
    if before.type != after.type:
        findings.differs(place, f"of type {before.type}, head has {after.type}")
    if before.equals(after):
        return
    differing = [
        (row, old, new)
        for row, (old, new) in enumerate(zip(before.to_pylist(), after.to_pylist(), strict=True))
        if not _same(old, new, renames)
    ]
    if differing:
        row, old, new = differing[0]
        some = f"{len(differing)} of {len(before)} values differ"
        findings.differs(place, f"{some}, first in row {row}: {old!r}, head has {new!r}")


def _same(before: Any, after: Any, renames: Renames) -> bool:
    if isinstance(before, str):
        return bool(renames.words.get(before, before) == after)
    both_nan = before != before and after != after
    return bool(both_nan or before == after)
