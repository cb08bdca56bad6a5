"""Results read back: all checked at once, the samples of a run when they are asked for."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import pyarrow as pa

from cyclescope.results import (
    FIRST_WITH_LINKS,
    FORMAT_NAME,
    READ_VERSIONS,
    TIMES_FORMAT_NAME,
    Columns,
    Key,
    Manifest,
    Results,
    Run,
    RunRecord,
    Sweep,
    SweepRecord,
    files,
    is_metered,
    schema,
    table_files,
)
from cyclescope.results.files import MANIFEST
from cyclescope.results.names import file_name, of_file, old_file_name, sweep_name
from cyclescope.results.whole_files import ResultsError


def load(folder: Path) -> Results:
    """Opens a results folder; refuses what is missing, damaged, foreign or mixed."""
    manifest = read_manifest(folder)
    fingerprints = {
        one.number: manifest.conditions.of(one).fingerprint() for one in manifest.layouts
    }
    parts: dict[str, list[RunRecord]] = {}
    for record in manifest.runs:
        _require_known(folder, manifest, record)
        parts.setdefault(record.file, []).append(record)
    places: dict[Key, _Place] = {}
    for name, records in parts.items():
        fingerprint = of_file(fingerprints[number] for number in _layouts(records))
        if len({record.sha256 for record in records}) > 1:
            raise _damaged(folder)
        table_files.check_table(folder, name, records[0].sha256, fingerprint)
        first, rows = 0, sum(record.samples for record in records)
        for record in records:
            places[record.key] = _Place(fingerprint, first, rows)
            first += record.samples
    for swept in manifest.sweeps:
        _require_known_sweep(folder, manifest, swept)
        table_files.check_table(folder, swept.file, swept.sha256, fingerprints[swept.layout_number])
    read = partial(_read_run, folder, manifest, places)
    return Results(folder, manifest, read, partial(_read_sweep, folder, manifest, fingerprints))


@dataclass(frozen=True)
class _Place:
    """Where the samples of a run begin in a file, under which fingerprint, and how many the runs of
    that file have together."""

    fingerprint: str
    first: int
    rows: int


def read_manifest(folder: Path) -> Manifest:
    """Reads and checks the manifest alone."""
    of_times = files.content(folder).get("format") == TIMES_FORMAT_NAME
    name = TIMES_FORMAT_NAME if of_times else FORMAT_NAME
    return files.parse(folder, Manifest, name, READ_VERSIONS)


def _require_known(folder: Path, manifest: Manifest, record: RunRecord) -> None:
    known = (
        record.layout_number in {one.number for one in manifest.layouts}
        and record.case in {one.name for one in manifest.cases}
        and manifest.unverified.keys() >= set(record.unverified)
    )
    name = old_file_name if manifest.version < FIRST_WITH_LINKS else file_name
    if not known or record.file != name(*record.key):
        raise _damaged(folder)


def _damaged(folder: Path) -> ResultsError:
    return ResultsError(
        f"{folder / MANIFEST} is damaged: it lists a run that it does not know",
        code="manifest-lists-unknown-run",
    )


def _layouts(records: Iterable[RunRecord]) -> list[int]:
    return sorted({record.layout_number for record in records})


def _require_known_sweep(folder: Path, manifest: Manifest, record: SweepRecord) -> None:
    known = record.layout_number in {one.number for one in manifest.layouts}
    swept = {one.name for one in manifest.cases if one.parameter}
    if not known or record.case not in swept or record.file != sweep_name(record.case):
        raise ResultsError(
            f"{folder / MANIFEST} is damaged: it lists a sweep it does not know",
            code="manifest-lists-unknown-sweep",
        )


def _read_sweep(
    folder: Path, manifest: Manifest, fingerprints: Mapping[int, str], record: SweepRecord
) -> Sweep:
    number = record.layout_number
    return Sweep(
        layout=next(one for one in manifest.layouts if one.number == number),
        case=next(one for one in manifest.cases if one.name == record.case),
        samples=table_files.read_table(folder, record.file, record.sha256, fingerprints[number]),
        cycles_per_count=manifest.conditions.cycles_per_count,
    )


def _read_run(
    folder: Path, manifest: Manifest, places: Mapping[Key, _Place], record: RunRecord
) -> Run:
    place = places[record.key]
    table, columns = _table(folder, record.file, record.sha256, place.fingerprint)
    if table.num_rows != place.rows:
        raise ResultsError(
            f"{folder / record.file} holds {table.num_rows} samples and not as many as "
            f"{folder / MANIFEST} says: one of them was edited; measure again",
            code="samples-unlike-manifest",
        )
    run = Run(
        layout=next(one for one in manifest.layouts if one.number == record.layout_number),
        case=next(one for one in manifest.cases if one.name == record.case),
        parameter=record.parameter,
        samples=table.slice(place.first, record.samples),
        cycles_per_count=manifest.conditions.cycles_per_count,
        findings=manifest.findings(record),
    )
    return run.with_columns(columns.part(place.first, record.samples))


@lru_cache(maxsize=1)
def _table(folder: Path, name: str, digest: str, fingerprint: str) -> tuple[pa.Table, Columns]:
    """The last file that was read, as several runs may be in it."""
    table = _in_schema(table_files.read_table(folder, name, digest, fingerprint))
    return table, Columns.of(table)


def _in_schema(table: pa.Table) -> pa.Table:
    """The table with every column there is now; what an older version did not keep is null."""
    there, wanted = table.column_names, schema(is_metered(table))
    if there == wanted.names:
        return table
    for field in wanted:
        if field.name not in there:
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table.select(wanted.names)
