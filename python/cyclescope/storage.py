"""Results on disk: written run by run so that nothing finished is lost, and read back checked.

The folder's layout is docs/results.md. A file appears under its name only when it is whole.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa

from cyclescope import files
from cyclescope.case import Case
from cyclescope.conditions import Conditions
from cyclescope.errors import CyclescopeError
from cyclescope.files import MANIFEST, ResultsError
from cyclescope.results import (
    ENERGY,
    FORMAT_NAME,
    FORMAT_VERSION,
    READ_VERSIONS,
    SCHEMA,
    TIMES_FORMAT_NAME,
    Key,
    Manifest,
    Overhead,
    Refused,
    Results,
    Run,
    RunRecord,
    TimedFragment,
    schema,
)
from cyclescope.target import Findings, Unverified

RUNS = "runs"
EXPLANATIONS = "explain"


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
            format=TIMES_FORMAT_NAME if fragment else FORMAT_NAME,
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
            for name in ("format", "tool", "technique", "cases", "fragment")
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
        sound = {one.key for one in runs if files.sha256(self.folder / one.file) == one.sha256}
        return sound | ({one.key for one in self._manifest.refused} - {one.key for one in runs})

    def _clear_strays(self) -> None:
        """Files of runs that were cut off before the manifest could name them."""
        listed = {self.folder / one.file for one in self._manifest.runs}
        for path in (self.folder / RUNS).glob("*/*.parquet"):
            if path not in listed:
                files.remove(path)

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
        fingerprint = self._manifest.conditions.of(run.layout).fingerprint()
        content = files.parquet(run.samples, schema(_is_metered(run.samples)), fingerprint)
        files.write_whole(self.folder / name, content)
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
        files.write_whole(self.folder / MANIFEST, files.text(manifest).encode())
        self._manifest = manifest


def load(folder: Path) -> Results:
    """Reads a results folder; refuses what is missing, damaged, foreign or mixed."""
    manifest = read_manifest(folder)
    runs = tuple(_read_run(folder, manifest, record) for record in manifest.runs)
    return Results(folder, manifest, runs)


def read_manifest(folder: Path) -> Manifest:
    """Reads and checks the manifest alone."""
    of_times = files.content(folder).get("format") == TIMES_FORMAT_NAME
    name = TIMES_FORMAT_NAME if of_times else FORMAT_NAME
    return files.parse(folder, Manifest, name, READ_VERSIONS)


def _read_run(folder: Path, manifest: Manifest, record: RunRecord) -> Run:
    layout = next((one for one in manifest.layouts if one.offset_bytes == record.key[0]), None)
    case = next((one for one in manifest.cases if one.name == record.case), None)
    known = manifest.unverified.keys() >= set(record.unverified)
    if layout is None or case is None or record.file != file_name(*record.key) or not known:
        raise ResultsError(f"{folder / MANIFEST} is damaged: it lists a run that it does not know")
    fingerprint = manifest.conditions.of(layout).fingerprint()
    table = files.read_table(folder, record.file, record.sha256, fingerprint)
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
    return table.select(schema(_is_metered(table)).names)


def _is_metered(table: pa.Table) -> bool:
    return ENERGY.name in table.column_names


def _empty(folder: Path) -> None:
    """Removes what a campaign wrote, and nothing else."""
    files.remove(folder / MANIFEST)
    for path in (folder / RUNS).glob("*/*.parquet"):
        files.remove(path)
    for path in (folder / EXPLANATIONS).glob("*.json"):
        files.remove(path)


def _clear_drafts(folder: Path) -> None:
    """Removes what a killed process was writing."""
    files.clear_drafts(folder, (".", f"{RUNS}/*", EXPLANATIONS))
