"""Results on disk: written run by run so that nothing finished is lost, and read back checked.

The folder's layout is docs/results.md. A file appears under its name only when it is whole.
"""

import hashlib
import io
import json
import os
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from cyclescope.case import Case
from cyclescope.conditions import Conditions
from cyclescope.results import (
    FORMAT_NAME,
    FORMAT_VERSION,
    SCHEMA,
    Key,
    Manifest,
    Overhead,
    Refused,
    Results,
    ResultsError,
    Run,
    RunRecord,
)

MANIFEST = "manifest.json"
RUNS = "runs"

FINGERPRINT = b"cyclescope.conditions"


def file_name(case: str, parameter: int | None) -> str:
    """Name of a run's file; whatever the target calls its case stays inside the folder.

    >>> file_name("queue-send", 16), file_name("../x", None)
    ('runs/queue-send@16.parquet', 'runs/..%2Fx.parquet')
    """
    at = "" if parameter is None else f"@{parameter}"
    return f"{RUNS}/{quote(case, safe='')}{at}.parquet"


class Writer:
    """Adds runs to a folder; after every call what is on disk is whole and can be loaded."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self._manifest = manifest

    @classmethod
    def begin(
        cls,
        folder: Path,
        conditions: Conditions,
        technique: str,
        cases: Iterable[Case],
        planned: Iterable[str],
        replace: bool = False,
    ) -> "Writer":
        """Starts a folder, or goes on with one measured under the same conditions.

        A folder with other conditions is refused, or emptied of its results with `replace`.
        """
        _clear_drafts(folder)
        manifest = Manifest(
            tool=version("cyclescope"),
            technique=technique,
            conditions=conditions,
            cases=tuple(cases),
            planned=tuple(planned),
        )
        if (folder / MANIFEST).exists():
            manifest = cls._go_on(folder, manifest, replace)
        elif folder.is_dir() and any(folder.iterdir()):
            raise ResultsError(f"{folder} is not empty and holds no results: choose another --out")
        writer = cls(folder, manifest)
        writer._save(manifest)
        writer._clear_strays()
        return writer

    @staticmethod
    def _go_on(folder: Path, manifest: Manifest, replace: bool) -> Manifest:
        if replace:
            _empty(folder)
            return manifest
        old = read_manifest(folder)
        differing = old.conditions.differences(manifest.conditions)
        differing += [
            name
            for name in ("tool", "technique", "cases")
            if getattr(old, name) != getattr(manifest, name)
        ]
        if differing:
            raise ResultsError(
                f"{folder} holds results of other conditions ({', '.join(differing)} differ): "
                "choose another --out, or discard them with --replace"
            )
        planned = {*old.planned, *manifest.planned}
        names = tuple(case.name for case in manifest.cases if case.name in planned)
        return old.model_copy(update={"planned": names})

    def finished(self) -> set[Key]:
        """The runs that are on disk as the manifest has them, and those of which nothing fits."""
        listed = {(one.case, one.parameter): one for one in self._manifest.runs}
        refused = {(one.case, one.parameter) for one in self._manifest.refused}
        sound = {
            key for key, one in listed.items() if _sha256(self.folder / one.file) == one.sha256
        }
        return sound | (refused - set(listed))

    def _clear_strays(self) -> None:
        """Files of runs that were cut off before the manifest could name them."""
        listed = {self.folder / one.file for one in self._manifest.runs}
        for path in (self.folder / RUNS).glob("*.parquet"):
            if path not in listed:
                _remove(path)

    def add(self, run: Run, overhead: Overhead | None) -> None:
        """Puts one run on disk; an earlier run of the same case and parameter gives way to it.

        A run of which nothing fitted leaves no file, only the note of what did not fit.
        """
        self._forget(run.key)
        refused = (*self._manifest.refused, *([run.refused] if run.refused else []))
        records = self._manifest.runs
        if run.samples.num_rows:
            records = (*records, self._store(run, overhead))
        self._update(runs=records, refused=refused)

    def _store(self, run: Run, overhead: Overhead | None) -> RunRecord:
        name = file_name(*run.key)
        content = _parquet(run, self._manifest.conditions.fingerprint())
        write_whole(self.folder / name, content)
        return RunRecord(
            case=run.case.name,
            parameter=run.parameter,
            file=name,
            sha256=hashlib.sha256(content).hexdigest(),
            samples=run.samples.num_rows,
            rejected=run.rejected("call"),
            overhead=overhead,
            findings=run.findings,
        )

    def _forget(self, key: Key) -> None:
        # First out of the manifest, then off the disk: at no moment does one contradict the other.
        runs = tuple(one for one in self._manifest.runs if one.key != key)
        refused = tuple(one for one in self._manifest.refused if one.key != key)
        if (runs, refused) != (self._manifest.runs, self._manifest.refused):
            self._update(runs=runs, refused=refused)

    def _update(self, runs: tuple[RunRecord, ...], refused: tuple[Refused, ...]) -> None:
        def place(one: RunRecord | Refused) -> tuple[int, int]:
            return self._manifest.order(one.case, one.parameter)

        self._save(
            self._manifest.model_copy(
                update={
                    "runs": tuple(sorted(runs, key=place)),
                    "refused": tuple(sorted(refused, key=place)),
                }
            )
        )

    def _save(self, manifest: Manifest) -> None:
        text = json.dumps(manifest.model_dump(mode="json"), indent=2, ensure_ascii=False)
        write_whole(self.folder / MANIFEST, f"{text}\n".encode())
        self._manifest = manifest


def _sha256(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def load(folder: Path) -> Results:
    """Reads a results folder; refuses what is missing, damaged, foreign or mixed."""
    manifest = read_manifest(folder)
    cases = {case.name: case for case in manifest.cases}
    runs = tuple(_read_run(folder, manifest, record, cases) for record in manifest.runs)
    return Results(folder, manifest, runs)


def read_manifest(folder: Path) -> Manifest:
    """Reads and checks the manifest alone."""
    path = folder / MANIFEST
    try:
        content = json.loads(path.read_text())
    except FileNotFoundError:
        raise ResultsError(f"{folder} is no results folder: it has no {MANIFEST}") from None
    except NotADirectoryError:
        raise ResultsError(f"{folder} is a file, not a results folder") from None
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise ResultsError(f"{path} is not JSON: it was cut or edited; measure again") from None
    return _parse_manifest(path, content)


def _parse_manifest(path: Path, content: object) -> Manifest:
    if not isinstance(content, dict) or content.get("format") != FORMAT_NAME:
        raise ResultsError(f'{path} is not a manifest: its format is not "{FORMAT_NAME}"')
    if content.get("version") != FORMAT_VERSION:
        raise ResultsError(
            f"{path} has format version {content.get('version')}, this cyclescope reads "
            f"{FORMAT_VERSION}: use the version that wrote it ({content.get('tool')})"
        )
    try:
        return Manifest.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ResultsError(f"{path} is damaged at {where}: {first['msg']}") from None


def _read_run(folder: Path, manifest: Manifest, record: RunRecord, cases: dict[str, Case]) -> Run:
    if record.case not in cases or record.file != file_name(record.case, record.parameter):
        raise ResultsError(f"{folder / MANIFEST} is damaged: it lists a run of no case it knows")
    path = folder / record.file
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise ResultsError(f"{path} is missing though the manifest lists it") from None
    except OSError as error:
        raise ResultsError(f"{path} cannot be read: {error.strerror}") from None
    try:
        # Without threads: Arrow's may abort the interpreter as it exits, and the files are small.
        table = pq.read_table(pa.BufferReader(content), use_threads=False, pre_buffer=False)
    except (pa.ArrowException, OSError):
        raise ResultsError(f"{path} is truncated or damaged: measure its case again") from None
    metadata = table.schema.metadata or {}
    if metadata.get(FINGERPRINT) != manifest.conditions.fingerprint().encode():
        raise ResultsError(f"{path} was measured under other conditions than {folder / MANIFEST}")
    if hashlib.sha256(content).hexdigest() != record.sha256:
        raise ResultsError(f"{path} has changed since it was measured: its SHA-256 differs")
    return Run(
        case=cases[record.case],
        parameter=record.parameter,
        samples=table.replace_schema_metadata(None),
        cycles_per_count=manifest.conditions.cycles_per_count,
        findings=record.findings,
    )


def _parquet(run: Run, fingerprint: str) -> bytes:
    table = run.samples.cast(SCHEMA.with_metadata({FINGERPRINT: fingerprint.encode()}))
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _empty(folder: Path) -> None:
    """Removes what a campaign wrote, and nothing else."""
    _remove(folder / MANIFEST)
    for path in (folder / RUNS).glob("*.parquet"):
        _remove(path)


def _clear_drafts(folder: Path) -> None:
    """Removes what a killed process was writing."""
    for draft in (*folder.glob(f".{MANIFEST}.draft"), *folder.glob(f"{RUNS}/.*.parquet.draft")):
        _remove(draft)


def _remove(path: Path) -> None:
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
