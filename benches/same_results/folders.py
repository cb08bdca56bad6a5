"""Compares two results folders, file by file."""

import json
from pathlib import Path

from same_results import columns, documents
from same_results.findings import Findings, Renames


def compare(before: Path, after: Path, findings: Findings, renames: Renames) -> None:
    """Compares Parquet and JSON files by content; of others, such as pages, the bytes may differ.

    A file that only one folder holds is a difference.
    """
    old, new = _files(before), _files(after)
    expected = {_renamed(name, renames): name for name in old}
    for name in sorted(expected.keys() - new):
        findings.differs(name, "head has no such file")
    for name in sorted(new - expected.keys()):
        findings.differs(name, "the baseline has no such file")
    for name in sorted(expected.keys() & new):
        findings.counts["files"] += 1
        one, other = before / expected[name], after / name
        if one.suffix == ".parquet":
            columns.compare(one, other, name, findings, renames)
        elif one.suffix == ".json":
            compare_json(one, other, name, findings, renames)
        elif one.read_bytes() != other.read_bytes():
            findings.exempts(f"*{one.suffix}", expected[name], name)


def compare_json(
    before: Path, after: Path, place: str, findings: Findings, renames: Renames
) -> None:
    """Compares two files of JSON; one that cannot be read is a difference."""
    try:
        old, new = json.loads(before.read_text()), json.loads(after.read_text())
    except ValueError as error:
        findings.differs(place, f"not JSON: {error}")
        return
    documents.compare(old, new, place, findings, renames)


def _files(folder: Path) -> set[str]:
    """The files below a folder, as paths in it."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def _renamed(name: str, renames: Renames) -> str:
    return "/".join(renames.folders.get(part, part) for part in name.split("/"))
