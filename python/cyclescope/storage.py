"""Results on disk: written run by run so that nothing finished is lost, and read back checked.

The folder's layout is docs/results.md. A file appears under its name only when it is whole.
"""

import hashlib
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from cyclescope.case import Case
from cyclescope.conditions import Conditions
from cyclescope.errors import CyclescopeError
from cyclescope.results import (
    FORMAT_NAME,
    FORMAT_VERSION,
    READ_VERSIONS,
    SCHEMA,
    Key,
    Manifest,
    Overhead,
    Refused,
    Results,
    ResultsError,
    Run,
    RunRecord,
    TimedFragment,
)
from cyclescope.target import Findings, Unverified

MANIFEST = "manifest.json"
RUNS = "runs"
EXPLANATIONS = "explain"

FINGERPRINT = b"cyclescope.conditions"


def file_name(offset_bytes: int, case: str, parameter: int | None) -> str:
    """Name of a run's file; whatever the target calls its case stays inside the folder.

    >>> file_name(0, "queue-send", 16), file_name(44, "../x", None)
    ('runs/0/queue-send@16.parquet', 'runs/44/..%2Fx.parquet')
    """
    at = "" if parameter is None else f"@{parameter}"
    return f"{RUNS}/{offset_bytes}/{quote(case, safe='')}{at}.parquet"


class Writer:
    """Adds runs to a folder; after every call what is on disk is whole and can be loaded."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self._manifest = manifest

    @classmethod
    def begin(
        cls,
        folder: Path,
        conditions: Sequence[Conditions],
        technique: str,
        cases: Iterable[Case],
        planned: Iterable[str],
        layout_seed: int | None = None,
        replace: bool = False,
        fragment: TimedFragment | None = None,
    ) -> "Writer":
        """Starts a folder, or goes on with one measured under the same conditions.

        `conditions` are those of each layout, and differ in nothing else. A folder with other
        conditions is refused, or emptied of its results with `replace`.
        """
        first, *others = sorted(conditions, key=lambda one: one.layout_offset_bytes)
        for other in others:
            if differing := first.differences(other.of(first.layout)):
                raise CyclescopeError(f"the layouts differ also in {', '.join(differing)}")
        _clear_drafts(folder)
        manifest = Manifest(
            tool=version("cyclescope"),
            technique=technique,
            conditions=first,
            layouts=(first.layout, *(other.layout for other in others)),
            layout_seed=layout_seed,
            cases=tuple(cases),
            planned=tuple(planned),
            fragment=fragment,
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
        differing = old.conditions.differences(manifest.conditions.of(old.conditions.layout))
        differing += [
            name
            for name in ("tool", "technique", "cases", "fragment")
            if getattr(old, name) != getattr(manifest, name)
        ]
        layouts = {one.offset_bytes: one for one in (*old.layouts, *manifest.layouts)}
        if any(layouts[one.offset_bytes] != one for one in old.layouts):
            differing.append("image_sha256")
        seeds = {old.layout_seed, manifest.layout_seed} - {None}
        if len(seeds) > 1:
            differing.append("layout_seed")
        if differing:
            raise ResultsError(
                f"{folder} holds results of other conditions ({', '.join(differing)} differ): "
                "choose another --out, or discard them with --replace"
            )
        planned = {*old.planned, *manifest.planned}
        names = tuple(case.name for case in manifest.cases if case.name in planned)
        in_order = tuple(layouts[offset_bytes] for offset_bytes in sorted(layouts))
        update = {
            "version": FORMAT_VERSION,
            "conditions": old.conditions.of(in_order[0]),
            "layouts": in_order,
            "layout_seed": next(iter(seeds), None),
            "planned": names,
        }
        return old.model_copy(update=update)

    def finished(self) -> set[Key]:
        """The runs that are on disk as the manifest has them, and those of which nothing fits."""
        runs = self._manifest.runs
        sound = {one.key for one in runs if _sha256(self.folder / one.file) == one.sha256}
        return sound | ({one.key for one in self._manifest.refused} - {one.key for one in runs})

    def _clear_strays(self) -> None:
        """Files of runs that were cut off before the manifest could name them."""
        listed = {self.folder / one.file for one in self._manifest.runs}
        for path in (self.folder / RUNS).glob("*/*.parquet"):
            if path not in listed:
                _remove(path)

    def add(self, run: Run, overhead: Overhead | None) -> None:
        """Puts one run on disk; an earlier run of the same case and parameter gives way to it.

        A run of which nothing fitted leaves no file, only the note of what did not fit.
        """
        self._forget(run.key)
        refused = (*self._manifest.refused, *([run.refused] if run.refused else []))
        records, rules = self._manifest.runs, self._manifest.unverified
        if run.samples.num_rows:
            records = (*records, self._store(run, overhead))
            rules = rules | {one.rule: one.text for one in run.findings.unverified}
        self._update(runs=records, refused=refused, rules=rules)

    def _store(self, run: Run, overhead: Overhead | None) -> RunRecord:
        name = file_name(*run.key)
        content = _parquet(run, self._manifest.conditions.of(run.layout).fingerprint())
        write_whole(self.folder / name, content)
        return RunRecord(
            layout_offset_bytes=run.layout.offset_bytes,
            case=run.case.name,
            parameter=run.parameter,
            file=name,
            sha256=hashlib.sha256(content).hexdigest(),
            samples=run.samples.num_rows,
            rejected=run.rejected("call"),
            overhead=overhead,
            unverified=tuple(one.rule for one in run.findings.unverified),
            unmodelled=run.findings.unmodelled,
        )

    def _forget(self, key: Key) -> None:
        # First out of the manifest, then off the disk: at no moment does one contradict the other.
        runs = tuple(one for one in self._manifest.runs if one.key != key)
        refused = tuple(one for one in self._manifest.refused if one.key != key)
        if (runs, refused) != (self._manifest.runs, self._manifest.refused):
            self._update(runs=runs, refused=refused, rules=self._manifest.unverified)

    def _update(
        self, runs: Sequence[RunRecord], refused: Sequence[Refused], rules: Mapping[str, str]
    ) -> None:
        def place(one: RunRecord | Refused) -> tuple[int, int, int]:
            return self._manifest.order(one.key)

        touched = {rule for one in runs for rule in one.unverified}
        update = {
            "runs": tuple(sorted(runs, key=place)),
            "refused": tuple(sorted(refused, key=place)),
            "unverified": {rule: rules[rule] for rule in sorted(touched)},
        }
        self._save(self._manifest.model_copy(update=update))

    def _save(self, manifest: Manifest) -> None:
        write_whole(self.folder / MANIFEST, _text(manifest).encode())
        self._manifest = manifest


def _sha256(path: Path) -> str | None:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def _text(manifest: Manifest) -> str:
    """JSON with a line for each entry of a list: long campaigns write it often."""
    lines = []
    for name, value in manifest.model_dump(mode="json").items():
        text = _compact(value)
        if isinstance(value, list) and value:
            text = "[\n    " + ",\n    ".join(map(_compact, value)) + "\n  ]"
        lines.append(f"  {_compact(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def load(folder: Path) -> Results:
    """Reads a results folder; refuses what is missing, damaged, foreign or mixed."""
    manifest = read_manifest(folder)
    runs = tuple(_read_run(folder, manifest, record) for record in manifest.runs)
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
    if content.get("version") not in READ_VERSIONS:
        known = " and ".join(map(str, READ_VERSIONS))
        raise ResultsError(
            f"{path} has format version {content.get('version')}, this cyclescope reads "
            f"{known}: use the version that wrote it ({content.get('tool')})"
        )
    try:
        return Manifest.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ResultsError(f"{path} is damaged at {where}: {first['msg']}") from None


def _read_run(folder: Path, manifest: Manifest, record: RunRecord) -> Run:
    layout = next((one for one in manifest.layouts if one.offset_bytes == record.key[0]), None)
    case = next((one for one in manifest.cases if one.name == record.case), None)
    known = manifest.unverified.keys() >= set(record.unverified)
    if layout is None or case is None or record.file != file_name(*record.key) or not known:
        raise ResultsError(f"{folder / MANIFEST} is damaged: it lists a run that it does not know")
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
    if metadata.get(FINGERPRINT) != manifest.conditions.of(layout).fingerprint().encode():
        raise ResultsError(f"{path} was measured under other conditions than {folder / MANIFEST}")
    if hashlib.sha256(content).hexdigest() != record.sha256:
        raise ResultsError(f"{path} has changed since it was measured: its SHA-256 differs")
    return Run(
        layout=layout,
        case=case,
        parameter=record.parameter,
        samples=_in_schema(table),
        cycles_per_count=manifest.conditions.cycles_per_count,
        findings=Findings(
            unverified=tuple(
                Unverified(rule=rule, text=manifest.unverified[rule]) for rule in record.unverified
            ),
            unmodelled=record.unmodelled,
        ),
    )


def _in_schema(table: pa.Table) -> pa.Table:
    """The table with every column there is now; what an older version did not keep is null."""
    for field in SCHEMA:
        if field.name not in table.column_names:
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table.select(SCHEMA.names).replace_schema_metadata(None)


def _parquet(run: Run, fingerprint: str) -> bytes:
    table = run.samples.cast(SCHEMA.with_metadata({FINGERPRINT: fingerprint.encode()}))
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _empty(folder: Path) -> None:
    """Removes what a campaign wrote, and nothing else."""
    _remove(folder / MANIFEST)
    for path in (folder / RUNS).glob("*/*.parquet"):
        _remove(path)
    for path in (folder / EXPLANATIONS).glob("*.json"):
        _remove(path)


def _clear_drafts(folder: Path) -> None:
    """Removes what a killed process was writing."""
    for place in (".", f"{RUNS}/*", EXPLANATIONS):
        for draft in folder.glob(f"{place}/.*.draft"):
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
