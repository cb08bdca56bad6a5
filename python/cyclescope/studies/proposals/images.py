"""The image of each setting: built from the firmware, and described in its document."""

import hashlib
from typing import Any

from cyclescope.firmware.boards import Value
from cyclescope.firmware.build import Built, build
from cyclescope.firmware.configuration import Configuration
from cyclescope.studies.proposals.declared import REAL, sentence
from cyclescope.studies.proposals.setting import FileSetting, Setting
from cyclescope.targets.virtual.board import Board


def built(image: Setting, file: FileSetting) -> Built:
    """Builds the image of a setting, or finds it built."""
    settings: dict[str, Value] = {
        "code": file.code,
        "romwaits": file.rom_waits,
        "ramwaits": file.ram_waits,
    }
    return build(
        Configuration(
            board=REAL, settings=settings, workload=image.workload, parameters=image.parameters
        )
    )


def described(
    image: Setting, made: Built, board: Board, *, sent: bytes, came: bytes
) -> dict[str, Any]:
    """Returns the begin of an image's document: its setting, its board, and whether the file that
    came is the one that was sent."""
    return {
        "image": image.model_dump(mode="json"),
        "name": image.name,
        "board": board.name,
        "real": not image.deviation,
        "declared": sentence(image),
        "image_sha256": made.sha256,
        "file_sha256": hashlib.sha256(sent).hexdigest(),
        "identical": came == sent,
        "unverified": board.unverified(),
        "unmodelled": board.unmodelled(),
    }
