"""Writes results run by run, so that nothing finished is lost."""

from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from cyclescope.errors import CyclescopeError
from cyclescope.results import (
    FIRST_WITH_LINKS,
    FORMAT_NAME,
    FORMAT_VERSION,
    TIMES_FORMAT_NAME,
    Failed,
    Key,
    Manifest,
    Overhead,
    Run,
    RunRecord,
    Sweep,
    SweepRecord,
    TimedFragment,
    files,
    journal,
    whole_files,
)
from cyclescope.results.folder_writer import (
    FolderWriter,
    Listed,
    other_conditions,
    refuse_other_conditions,
)
from cyclescope.results.names import EXPLANATIONS, RUNS, SWEEPS, file_name, sweep_name
from cyclescope.results.packed import Packed, pack
from cyclescope.results.reader import read_manifest
from cyclescope.results.whole_files import ResultsError
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions


class Writer(FolderWriter[Manifest]):
    """Adds runs and sweeps to a folder."""

    tables = (f"{RUNS}/*/*.parquet", f"{SWEEPS}/*.parquet")
    drafts = (".", f"{RUNS}/*", SWEEPS, EXPLANATIONS)
    growing = ("runs", "refused", "failed", "sweeps")

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self._place = manifest.order()
        super().__init__(folder, manifest)
        self._fingerprint = cache(lambda layout: self._manifest.conditions.of(layout).fingerprint())
        self._by_key: dict[Key, list[Listed]] = {}
        self._by_file: dict[str, set[Key]] = {}
        self._by_case = {one.case: one for one in manifest.sweeps}
        for name in ("runs", "refused", "failed"):
            for one in self._lists[name]:
                self._know(name, one)

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
        first, *others = sorted(conditions, key=lambda one: one.layout_number)
        for other in others:
            if differing := first.differences(other.of(first.layout)):
                raise CyclescopeError(
                    f"the layouts differ also in {', '.join(differing)}", code="layouts-differ"
                )
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
        return cls.start(folder, manifest, replace)

    @classmethod
    def continued(cls, folder: Path, manifest: Manifest) -> Manifest:
        old = read_manifest(folder)
        differing = other_conditions(old.conditions, manifest.conditions)
        differing += [
            name
            for name in ("format", "tool", "technique", "fragment")
            if getattr(old, name) != getattr(manifest, name)
        ]
        if [_without_values(one) for one in old.cases] != [
            _without_values(one) for one in manifest.cases
        ]:
            differing.append("cases")
        layouts = {one.number: one for one in (*old.layouts, *manifest.layouts)}
        if any(layouts[one.number] != one for one in old.layouts):
            differing.append("image_sha256")
        if old.version < FIRST_WITH_LINKS and len(layouts) > 1:
            differing.append("layouts")
        seeds = {old.layout_seed, manifest.layout_seed} - {None}
        if len(seeds) > 1:
            differing.append("layout_seed")
        refuse_other_conditions(folder, differing)
        if len(layouts) > len(manifest.layouts):
            raise ResultsError(
                f"{folder} holds {len(old.layouts)} layouts of which some would be left behind: "
                f"measure all (--layouts {len(old.layouts)}), choose another --out, or discard "
                "them with --replace",
                code="layouts-left-behind",
            )
        planned = {*old.planned, *manifest.planned}
        names = tuple(case.name for case in manifest.cases if case.name in planned)
        in_order = tuple(layouts[number] for number in sorted(layouts))
        update = {
            "cases": tuple(
                mine.at(before.parameter.values if before.parameter else ())
                for mine, before in zip(manifest.cases, old.cases, strict=True)
            ),
            "version": FORMAT_VERSION,
            "conditions": old.conditions.of(in_order[0]),
            "layouts": in_order,
            "like": old.like if in_order == old.layouts else {},
            "layout_seed": next(iter(seeds), None),
            "planned": names,
        }
        return old.model_copy(update=update)

    @classmethod
    def discard(cls, folder: Path) -> None:
        for path in (folder / EXPLANATIONS).glob("*.json"):
            whole_files.remove(path)

    def place(self, one: Any) -> tuple[int, int, int]:
        return self._place(one)

    def listed(self) -> Iterable[str]:
        runs, sweeps = self.manifest.runs, self.manifest.sweeps
        return [*(one.file for one in runs), *(one.file for one in sweeps)]

    def finished(self) -> set[Key]:
        """The runs that are on disk as the manifest has them, and those of which nothing fits."""
        runs = self.manifest.runs
        digests = {
            name: whole_files.sha256(self.folder / name) for name in {one.file for one in runs}
        }
        sound = {one.key for one in runs if digests[one.file] == one.sha256}
        return sound | ({one.key for one in self.manifest.refused} - {one.key for one in runs})

    def swept(self) -> set[str]:
        """The cases whose sweeps are on disk as the manifest has them."""
        return {
            one.case
            for one in self.manifest.sweeps
            if whole_files.sha256(self.folder / one.file) == one.sha256
        }

    def add_sweep(self, sweep: Sweep) -> None:
        """Puts a sweep on disk; an earlier one of the same case gives way to it."""
        name, case = sweep_name(sweep.case.name), sweep.case.name
        self._forget({(sweep.layout.number, case, None)})
        if before := self._by_case.pop(case, None):
            self.change([("sweeps", before)])
        digest = self.put(name, sweep.samples, self._fingerprint(sweep.layout), lasting=False)
        record = SweepRecord(
            layout_number=sweep.layout.number,
            case=case,
            file=name,
            sha256=digest,
            points=sweep.size,
        )
        self.change(enter=[("sweeps", record)])
        self._by_case[case] = record

    def add(self, finished: Sequence[tuple[Run, Overhead | None]]) -> None:
        """Puts runs on disk; an earlier one of the same case and parameter gives way to its like.

        Of a run of which nothing fitted only a note is left.
        """
        by_file: dict[str, list[tuple[Run, Overhead | None]]] = {}
        for one in sorted(finished, key=lambda one: self._place(one[0])):
            by_file.setdefault(file_name(*one[0].key), []).append(one)
        self.store([pack(runs, self.fingerprints()) for runs in by_file.values()])

    def store(self, packed: Sequence[Packed], failed: Sequence[Failed] = ()) -> None:
        """The same of runs that are packed; of a run that went wrong a note is left."""
        self._forget(
            set[Key]().union(*(one.keys for one in packed), {one.key for one in failed})
            # Runs that share a file that is written anew: at other x of the case, in other layouts.
            | set[Key]().union(*(self._by_file.get(one.name, ()) for one in packed))
        )
        rules: dict[str, str] = {}
        enter: list[Listed] = [("failed", one) for one in failed]
        for one in packed:
            if one.name:
                whole_files.write_whole(self.folder / one.name, one.content, lasting=False)
            enter += (("runs", record) for record in one.records)
            enter += (("refused", note) for note in one.refused)
            rules |= one.rules
        self.change(enter=enter, rules=rules)
        for name, record in enter:
            self._know(name, record)

    def fingerprints(self) -> dict[int, str]:
        """Of each layout, what its files carry."""
        return {one.number: self._fingerprint(one) for one in self._manifest.layouts}

    def _forget(self, keys: Set[Key]) -> None:
        # First out of the manifest, then off the disk: at no moment does one contradict the other.
        there = [one for key in keys for one in self._by_key.get(key, ())]
        self.change(sorted(there, key=lambda one: (one[0], self.place(one[1]))))
        for key in keys:
            self._by_key.pop(key, None)
        for _, one in there:
            if isinstance(one, RunRecord):
                self._by_file[one.file].discard(one.key)

    def _know(self, name: str, one: Any) -> None:
        """Lets a run, or a note on it, be found again by its key and its file."""
        self._by_key.setdefault(one.key, []).append((name, one))
        if isinstance(one, RunRecord):
            self._by_file.setdefault(one.file, set()).add(one.key)


def folded(folder: Path) -> Manifest:
    """Returns the manifest of a folder whose writer has stopped, after folding its journal.

    Where the disk refuses that, the journal stays, and readers take both.
    """
    manifest = read_manifest(folder)
    with suppress(ResultsError):
        journal.fold(folder, files.text(manifest).encode())
    return manifest


def annotate(
    folder: Path, like: Mapping[str, tuple[int, ...]], repeats_in: Mapping[str, str]
) -> Manifest:
    """Puts into the manifest what a look inside the calls said of each case."""
    update = {"like": dict(sorted(like.items())), "repeats_in": dict(sorted(repeats_in.items()))}
    manifest = read_manifest(folder).model_copy(update=update)
    journal.fold(folder, files.text(manifest).encode())
    return manifest


def _without_values(case: Case) -> Case:
    """Returns the identity of a case, whatever x it was timed at so far."""
    if case.parameter is None:
        return case
    parameter = case.parameter.model_copy(update={"values": ()})
    return case.model_copy(update={"parameter": parameter})
