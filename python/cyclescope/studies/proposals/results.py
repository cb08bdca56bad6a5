"""Results of `cyclescope proposals` on disk: one manifest with a document for each image."""

from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from cyclescope.errors import CyclescopeError
from cyclescope.record import Record
from cyclescope.results import files
from cyclescope.results.folder_lock import holds_anything
from cyclescope.studies.proposals.ablation import ABLATIONS, Ablation
from cyclescope.studies.proposals.setting import FileSetting, Setting

FORMAT_NAME: Literal["cyclescope proposals"] = "cyclescope proposals"
FORMAT_VERSION: Literal[1] = 1


class FailedImage(Record):
    """An image that could not be measured, and why."""

    name: str
    sentence: str
    code: str


class ProposalsManifest(Record):
    """The plan of a study and what it has of it; written anew after each image."""

    format: Literal["cyclescope proposals"] = FORMAT_NAME
    version: Literal[1] = FORMAT_VERSION
    tool: str
    file: FileSetting
    proposals: tuple[str, ...]
    measured: tuple[dict[str, Any], ...] = ()
    failed: tuple[FailedImage, ...] = ()

    @property
    def ablations(self) -> tuple[Ablation, ...]:
        """The comparisons that were asked for."""
        return tuple(one for one in ABLATIONS if one.key in self.proposals)

    def document(self, image: Setting) -> dict[str, Any] | None:
        """The document of an image; None if it is not measured."""
        return next((one for one in self.measured if one["name"] == image.name), None)


def planned(ablations: tuple[Ablation, ...]) -> tuple[Setting, ...]:
    """The images of several comparisons, each once."""
    return tuple(dict.fromkeys(image for one in ablations for image in one.images))


def begin(
    folder: Path, file: FileSetting, proposals: tuple[str, ...], replace: bool, resume: bool
) -> ProposalsManifest:
    """The manifest to go on with: a new one, or the one in the folder if it is resumed.

    Raises CyclescopeError if the folder has other results, or was begun otherwise.
    """
    fresh = ProposalsManifest(tool=version("cyclescope"), file=file, proposals=proposals)
    if holds_anything(folder):
        files.require_kind(folder, FORMAT_NAME)
        found = load(folder)
        if not replace and not resume:
            raise CyclescopeError(
                f"{folder} has {len(found.measured)} images already: add --resume to keep them, or "
                "--replace to discard them",
                code="proposals-results-there",
            )
        if resume and (found.file, found.proposals) != (file, proposals):
            raise CyclescopeError(
                f"{folder} was begun with another file or other proposals, so it cannot be "
                "resumed: ask for the same, or choose another --out",
                code="resume-of-other-proposals",
            )
        if resume:
            return found.model_copy(update={"failed": ()})
    return fresh


def keep(folder: Path, manifest: ProposalsManifest) -> None:
    """Writes the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    files.save(folder / files.MANIFEST, manifest)


def load(folder: Path) -> ProposalsManifest:
    """The results in a folder."""
    return files.parse(folder, ProposalsManifest, FORMAT_NAME, [FORMAT_VERSION])
