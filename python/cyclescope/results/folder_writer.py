"""Writes a results folder: its manifest by its journal, its tables each whole or not at all."""

import hashlib
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import pyarrow as pa

from cyclescope.record import Record
from cyclescope.results import files, table_files, whole_files
from cyclescope.results.files import MANIFEST
from cyclescope.results.folder_lock import holds_anything
from cyclescope.results.journal import Journal, Splice
from cyclescope.results.whole_files import ResultsError
from cyclescope.target.conditions import Conditions

M = TypeVar("M", bound=Any)
Listed = tuple[str, Record]
"""A record and the list of the manifest that it stands in."""


class FolderWriter(ABC, Generic[M]):
    """Adds tables to a folder, and to its manifest; after every call the folder can be loaded.

    `tables` are globs of the files that it writes, `drafts` the places where it writes them.
    `growing` names the lists of the manifest that change, each in the order of `place`. The
    manifest's `unverified` has the texts of the rules that entries of these lists name.
    """

    tables: tuple[str, ...]
    drafts: tuple[str, ...]
    growing: tuple[str, ...]

    def __init__(self, folder: Path, manifest: M) -> None:
        self.folder = folder
        self._manifest = manifest
        self._text = files.ManifestText()
        self._journal = Journal(folder)
        self._changed = False
        self._lists: dict[str, list[Any]] = {
            name: [*getattr(manifest, name)] for name in self.growing
        }
        self._rules = dict(manifest.unverified)
        listed = (one for entries in self._lists.values() for one in entries)
        self._touched = Counter(rule for one in listed for rule in _rules_of(one))

    @classmethod
    def start(cls, folder: Path, manifest: M, replace: bool) -> Self:
        """Starts a folder, or continues one of the same conditions. Raises ResultsError if the
        folder holds anything else; with `replace` it is emptied of its results."""
        whole_files.clear_drafts(folder, cls.drafts)
        if (folder / MANIFEST).exists():
            files.require_kind(folder, manifest.format)
            if replace:
                cls.discard(folder)
            else:
                manifest = cls.continued(folder, manifest)
        elif holds_anything(folder):
            raise ResultsError(
                f"{folder} is not empty and holds no results: choose another --out",
                code="folder-not-empty",
            )
        writer = cls(folder, manifest)
        writer.finish()
        writer._clear_strays()
        return writer

    @classmethod
    def discard(cls, folder: Path) -> None:
        """Removes what the folder holds besides manifest and tables, before these are replaced."""

    @classmethod
    @abstractmethod
    def continued(cls, folder: Path, manifest: M) -> M:
        """The manifest in `folder`, with what `manifest` adds. Raises ResultsError if they are of
        different conditions."""

    @abstractmethod
    def listed(self) -> Iterable[str]:
        """The tables that the manifest names."""

    @abstractmethod
    def place(self, one: Any) -> Any:
        """Where an entry stands in its list, whatever the order of measurement."""

    @property
    def manifest(self) -> M:
        """As it stands on disk."""
        if self._changed:
            update: dict[str, Any] = {name: tuple(one) for name, one in self._lists.items()}
            self._manifest = self._manifest.model_copy(update=update | {"unverified": self._known})
            self._changed = False
        return self._manifest

    def change(
        self,
        leave: Sequence[Listed] = (),
        enter: Sequence[Listed] = (),
        rules: Mapping[str, str] | None = None,
    ) -> None:
        """Takes entries out of the manifest, then puts others in, in one step.

        `rules` are the texts of the unverified rules that those who enter name.
        """
        if not leave and not enter:
            return
        before, done = self._known, list[tuple[Splice, Record]]()
        self._changed = True
        self._rules |= rules or {}
        try:
            done += [(self._leaves(*one), one[1]) for one in leave]
            done += [(self._enters(*one), one[1]) for one in enter]
            known = self._known
            self._journal.append([one for one, _ in done], None if known == before else known)
        except BaseException:  # the entries stay as the disk has them
            for splice, one in reversed(done):
                self._splice(splice._replace(leave=1 - splice.leave), one)
            raise

    def finish(self) -> M:
        """Folds the journal: the manifest is then one file, the same for the same entries."""
        self._journal.fold(self._text.of(self.manifest).encode())
        return self.manifest

    @property
    def _known(self) -> dict[str, str]:
        """The texts of all rules that entries name."""
        return {rule: self._rules[rule] for rule in sorted(self._touched)}

    def _leaves(self, name: str, one: Record) -> Splice:
        listed = self._lists[name]
        place = bisect_left(listed, self.place(one), key=self.place)
        while listed[place] != one:
            place += 1
        return self._splice(Splice(name, place, 1, None), one)

    def _enters(self, name: str, one: Record) -> Splice:
        place = bisect_right(self._lists[name], self.place(one), key=self.place)
        return self._splice(Splice(name, place, 0, self._text.entry(one)), one)

    def _splice(self, splice: Splice, one: Record) -> Splice:
        """Carries out a change of the lists here, of the one record that leaves or enters."""
        listed, place = self._lists[splice.field], splice.place
        if splice.leave:
            del listed[place]
            self._touched -= Counter(_rules_of(one))
        else:
            listed.insert(place, one)
            self._touched += Counter(_rules_of(one))
        return splice

    def put(self, name: str, table: pa.Table, fingerprint: str, lasting: bool = True) -> str:
        """Writes a table with the fingerprint of its conditions; returns its SHA-256."""
        content = table_files.parquet(table, fingerprint)
        whole_files.write_whole(self.folder / name, content, lasting)
        return hashlib.sha256(content).hexdigest()

    @classmethod
    def _written(cls, folder: Path) -> list[Path]:
        return [path for pattern in cls.tables for path in folder.glob(pattern)]

    def _clear_strays(self) -> None:
        """Removes tables that were cut off before the manifest could name them."""
        listed = {self.folder / name for name in self.listed()}
        for path in self._written(self.folder):
            if path not in listed:
                whole_files.remove(path)


def _rules_of(entry: Record) -> Iterable[str]:
    """The unverified rules that a run touched; a note of another kind names none."""
    return getattr(entry, "unverified", ())


def refuse_other_conditions(folder: Path, differing: Sequence[str]) -> None:
    """Raises ResultsError that names what differs, if anything does."""
    if differing:
        raise ResultsError(
            f"{folder} holds results of other conditions ({', '.join(differing)} differ): "
            "choose another --out, or discard them with --replace",
            code="other-conditions",
        )


def other_conditions(old: Conditions, new: Conditions) -> list[str]:
    """The names of the conditions in which two differ, except the layout."""
    return old.differences(new.of(old.layout))
