"""Results of `cyclescope peripheral` on disk: a manifest, and a folder for each transfer.

`transfers/NAME/` has the recording of a transfer (`transfer.json`, `wire.npz`, `console.txt`) and a
file for each analysis of it (`ANALYSIS.json`). Manifest and recordings are sealed.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from cyclescope.errors import CyclescopeError
from cyclescope.record import Record
from cyclescope.results import files
from cyclescope.results.folder_lock import LOCK, holds_anything
from cyclescope.results.whole_files import ResultsError, write_whole
from cyclescope.studies.peripheral import transfer
from cyclescope.studies.peripheral.setting import TransferSetting
from cyclescope.studies.peripheral.transfer import Transfer

FORMAT_NAME: Literal["cyclescope peripheral"] = "cyclescope peripheral"
FORMAT_VERSION: Literal[2] = 2
TRANSFERS = "transfers"


class FailedTransfer(Record):
    """A transfer that could not be measured, and why."""

    name: str
    sentence: str
    code: str


class PeripheralManifest(Record):
    """The plan of a study and what it has of it; written anew after each transfer."""

    format: Literal["cyclescope peripheral"] = FORMAT_NAME
    version: Literal[2] = FORMAT_VERSION
    tool: str
    planned: tuple[TransferSetting, ...]
    finished: tuple[str, ...] = ()
    failed: tuple[FailedTransfer, ...] = ()


@dataclass(frozen=True)
class PeripheralResults:
    """The results in one folder."""

    folder: Path
    manifest: PeripheralManifest

    def home(self, setting: TransferSetting) -> Path:
        """The folder of a transfer."""
        return self.folder / TRANSFERS / setting.name

    def transfers(self) -> Iterator[Transfer]:
        """The finished transfers in the order of the plan. Raises ResultsError for damaged ones."""
        for setting in self.manifest.planned:
            if setting.name in self.manifest.finished:
                yield transfer.load(self.home(setting))

    def documents(self, setting: TransferSetting) -> dict[str, Any]:
        """The documents of a transfer's analyses, by their names."""
        found = sorted(self.home(setting).glob("*.json"))
        return {one.stem: json.loads(one.read_text()) for one in found if one.name != transfer.HEAD}

    def keep(self, manifest: PeripheralManifest) -> "PeripheralResults":
        """Writes another manifest, and returns the results with it."""
        files.save(self.folder / files.MANIFEST, manifest)
        return PeripheralResults(self.folder, manifest)

    def keep_document(
        self, setting: TransferSetting, name: str, document: Mapping[str, Any]
    ) -> None:
        """Writes what an analysis found."""
        text = json.dumps(document, indent=1, allow_nan=False) + "\n"
        write_whole(self.home(setting) / f"{name}.json", text.encode(), lasting=False)


def begin(
    folder: Path, planned: Sequence[TransferSetting], replace: bool, resume: bool
) -> PeripheralResults:
    """Opens a folder for a study, empty or with what is resumed.

    Raises CyclescopeError if it has other results, or a study that was planned otherwise.
    """
    fresh = PeripheralManifest(tool=version("cyclescope"), planned=tuple(planned))
    if holds_anything(folder):
        files.require_kind(folder, FORMAT_NAME)
        if replace:
            _clear(folder)
            return PeripheralResults(folder, fresh).keep(fresh)
        found = load(folder)
        if not resume:
            raise CyclescopeError(
                f"{folder} has {len(found.manifest.finished)} of {len(found.manifest.planned)} "
                "transfers already: add --resume to keep them, or --replace to discard them",
                code="peripheral-results-there",
            )
        if found.manifest.planned != fresh.planned:
            raise CyclescopeError(
                f"{folder} was begun with other transfers, so it cannot be resumed: ask for the "
                "same ones, or choose another --out",
                code="resume-of-another-plan",
            )
        return found.keep(found.manifest.model_copy(update={"failed": ()}))
    return PeripheralResults(folder, fresh).keep(fresh)


def load(folder: Path) -> PeripheralResults:
    """The results in a folder."""
    manifest = files.parse(folder, PeripheralManifest, FORMAT_NAME, [FORMAT_VERSION])
    return PeripheralResults(folder, manifest)


def _clear(folder: Path) -> None:
    for one in folder.iterdir():
        if one.name == LOCK:
            continue
        try:
            if one.is_dir():
                shutil.rmtree(one)
            else:
                one.unlink()
        except OSError as error:
            raise ResultsError(
                f"{one} cannot be removed: {error.strerror}; choose another --out",
                code="cannot-remove-results",
            ) from None
