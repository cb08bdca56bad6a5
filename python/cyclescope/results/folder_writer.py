"""Writes a results folder: its manifest and its tables, each whole or not at all."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

import pyarrow as pa

from cyclescope.results import files, table_files, whole_files
from cyclescope.results.files import MANIFEST
from cyclescope.results.folder_lock import holds_anything
from cyclescope.results.whole_files import ResultsError
from cyclescope.target.conditions import Conditions

M = TypeVar("M", bound=Any)


class FolderWriter(ABC, Generic[M]):
    """Adds tables to a folder, and to its manifest; after every call the folder can be loaded.

    `tables` are globs of the files that it writes, `drafts` the places where it writes them.
    """

    tables: tuple[str, ...]
    drafts: tuple[str, ...]

    def __init__(self, folder: Path, manifest: M) -> None:
        self.folder = folder
        self._manifest = manifest
        self._text = files.ManifestText()

    @classmethod
    def start(cls, folder: Path, manifest: M, replace: bool) -> Self:
        """Starts a folder, or continues one of the same conditions. Raises ResultsError if the
        folder holds anything else; with `replace` it is emptied of its results."""
        whole_files.clear_drafts(folder, cls.drafts)
        if (folder / MANIFEST).exists():
            files.require_kind(folder, manifest.format)
            if replace:
                cls.empty(folder)
            else:
                manifest = cls.continued(folder, manifest)
        elif holds_anything(folder):
            raise ResultsError(
                f"{folder} is not empty and holds no results: choose another --out",
                code="folder-not-empty",
            )
        writer = cls(folder, manifest)
        writer.save(manifest)
        writer._clear_strays()
        return writer

    @classmethod
    @abstractmethod
    def continued(cls, folder: Path, manifest: M) -> M:
        """The manifest in `folder`, with what `manifest` adds. Raises ResultsError if they are of
        different conditions."""

    @abstractmethod
    def listed(self) -> Iterable[str]:
        """The tables that the manifest names."""

    @property
    def manifest(self) -> M:
        """As it stands on disk."""
        return self._manifest

    def save(self, manifest: M) -> None:
        """Writes the manifest."""
        whole_files.write_whole(self.folder / MANIFEST, self._text.of(manifest).encode())
        self._manifest = manifest

    def put(self, name: str, table: pa.Table, fingerprint: str, lasting: bool = True) -> str:
        """Writes a table with the fingerprint of its conditions; returns its SHA-256."""
        content = table_files.parquet(table, fingerprint)
        whole_files.write_whole(self.folder / name, content, lasting)
        return hashlib.sha256(content).hexdigest()

    @classmethod
    def empty(cls, folder: Path) -> None:
        """Removes the manifest and the tables, and nothing else."""
        whole_files.remove(folder / MANIFEST)
        for path in cls._written(folder):
            whole_files.remove(path)

    @classmethod
    def _written(cls, folder: Path) -> list[Path]:
        return [path for pattern in cls.tables for path in folder.glob(pattern)]

    def _clear_strays(self) -> None:
        """Removes tables that were cut off before the manifest could name them."""
        listed = {self.folder / name for name in self.listed()}
        for path in self._written(self.folder):
            if path not in listed:
                whole_files.remove(path)


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
