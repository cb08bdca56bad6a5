"""Measures the images of a study one by one; each is on disk as soon as it ends."""

from pathlib import Path
from typing import Any

from cyclescope import interruption
from cyclescope.errors import CyclescopeError, Interrupted
from cyclescope.progress import Progress, unreported
from cyclescope.studies.proposals import measure, stations
from cyclescope.studies.proposals.results import (
    FailedImage,
    ProposalsManifest,
    keep,
    planned,
)
from cyclescope.studies.proposals.setting import FileSetting, ImageSetting, Setting, StationSetting


def collect(
    manifest: ProposalsManifest, folder: Path, progress: Progress = unreported
) -> ProposalsManifest:
    """Measures every image that is not there yet. One that cannot be measured is noted with its
    reason, and the next one begins."""
    keep(folder, manifest)
    images = planned(manifest.ablations)
    for done, image in enumerate(images):
        if manifest.document(image):
            continue
        try:
            interruption.check()
            progress(done, len(images), image.name)
            found = _measured(image, manifest.file)
            manifest = manifest.model_copy(update={"measured": (*manifest.measured, found)})
        except CyclescopeError as error:
            failed = FailedImage(name=image.name, sentence=error.sentence, code=error.code)
            manifest = manifest.model_copy(update={"failed": (*manifest.failed, failed)})
        except KeyboardInterrupt:
            raise Interrupted(
                f"interrupted; {len(manifest.measured)} of {len(images)} images are measured and "
                f"kept in {folder}: --resume makes the others"
            ) from None
        keep(folder, manifest)
    return manifest


def _measured(image: Setting, file: FileSetting) -> dict[str, Any]:
    match image:
        case ImageSetting():
            return measure.measure(image, file)
        case StationSetting():
            return stations.measure(image, file)
        case _:
            raise TypeError(type(image).__name__)
