"""Results read back: all checked at once, the samples of a run when they are asked for."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pyarrow as pa

from cyclescope import files
from cyclescope.files import MANIFEST, ResultsError
from cyclescope.results import (
    FORMAT_NAME,
    READ_VERSIONS,
    TIMES_FORMAT_NAME,
    Manifest,
    Results,
    Run,
    RunRecord,
    Sweep,
    SweepRecord,
    is_metered,
    schema,
)
from cyclescope.storage.names import file_name, sweep_name


def load(folder: Path) -> Results:
    """Opens a results folder; refuses what is missing, damaged, foreign or mixed."""
    manifest = read_manifest(folder)
    fingerprints = {
        one.offset_bytes: manifest.conditions.of(one).fingerprint() for one in manifest.layouts
    }
    for record in manifest.runs:
        _require_known(folder, manifest, record)
        fingerprint = fingerprints[record.layout_offset_bytes]
        files.check_table(folder, record.file, record.sha256, fingerprint)
    for swept in manifest.sweeps:
        _require_known_sweep(folder, manifest, swept)
        fingerprint = fingerprints[swept.layout_offset_bytes]
        files.check_table(folder, swept.file, swept.sha256, fingerprint)
    read = partial(_read_run, folder, manifest, fingerprints)
    return Results(folder, manifest, read, partial(_read_sweep, folder, manifest, fingerprints))


def read_manifest(folder: Path) -> Manifest:
    """Reads and checks the manifest alone."""
    of_times = files.content(folder).get("format") == TIMES_FORMAT_NAME
    name = TIMES_FORMAT_NAME if of_times else FORMAT_NAME
    return files.parse(folder, Manifest, name, READ_VERSIONS)


def _require_known(folder: Path, manifest: Manifest, record: RunRecord) -> None:
    known = (
        record.layout_offset_bytes in {one.offset_bytes for one in manifest.layouts}
        and record.case in {one.name for one in manifest.cases}
        and manifest.unverified.keys() >= set(record.unverified)
    )
    if not known or record.file != file_name(*record.key):
        raise ResultsError(f"{folder / MANIFEST} is damaged: it lists a run that it does not know")


def _require_known_sweep(folder: Path, manifest: Manifest, record: SweepRecord) -> None:
    known = record.layout_offset_bytes in {one.offset_bytes for one in manifest.layouts}
    swept = {one.name for one in manifest.cases if one.parameter}
    if not known or record.case not in swept or record.file != sweep_name(record.case):
        raise ResultsError(f"{folder / MANIFEST} is damaged: it lists a sweep it does not know")


def _read_sweep(
    folder: Path, manifest: Manifest, fingerprints: Mapping[int, str], record: SweepRecord
) -> Sweep:
    offset_bytes = record.layout_offset_bytes
    return Sweep(
        layout=next(one for one in manifest.layouts if one.offset_bytes == offset_bytes),
        case=next(one for one in manifest.cases if one.name == record.case),
        samples=files.read_table(folder, record.file, record.sha256, fingerprints[offset_bytes]),
        cycles_per_count=manifest.conditions.cycles_per_count,
    )


def _read_run(
    folder: Path, manifest: Manifest, fingerprints: Mapping[int, str], record: RunRecord
) -> Run:
    offset_bytes = record.layout_offset_bytes
    table = files.read_table(folder, record.file, record.sha256, fingerprints[offset_bytes])
    return Run(
        layout=next(one for one in manifest.layouts if one.offset_bytes == offset_bytes),
        case=next(one for one in manifest.cases if one.name == record.case),
        parameter=record.parameter,
        samples=_in_schema(table),
        cycles_per_count=manifest.conditions.cycles_per_count,
        findings=manifest.findings(record),
    )


def _in_schema(table: pa.Table) -> pa.Table:
    """The table with every column there is now; what an older version did not keep is null."""
    there, wanted = table.column_names, schema(is_metered(table))
    if there == wanted.names:
        return table
    for field in wanted:
        if field.name not in there:
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table.select(wanted.names)
