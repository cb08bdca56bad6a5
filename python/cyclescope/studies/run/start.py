"""Loads the program of a run: an image and raw bytes, or a composed system with Linux."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclescope.errors import WrongUsage
from cyclescope.studies.run import measure
from cyclescope.studies.run.addresses import address
from cyclescope.studies.run.instruments.options import InstrumentOptions
from cyclescope.studies.run.linux import document
from cyclescope.studies.run.linux.options import LinuxOptions
from cyclescope.studies.run.options import ProgramOptions
from cyclescope.targets.virtual.board import Board, Image, read_image

if TYPE_CHECKING:  # reads ELF files, which no other run does
    from cyclescope.studies.run.linux.follower import Follower


@dataclass(frozen=True)
class Start:
    """A loaded board: the image with its symbols, its file, and where execution starts."""

    image: Image | None
    path: Path | None
    entry: int | None
    follower: "Follower | None" = None
    settings: dict[str, Any] | None = None
    """How the system was composed."""

    def outcome(self) -> dict[str, Any]:
        """The part of the result that is of Linux; empty where there is none."""
        if self.settings is None:
            return {}
        return {"linux": document.document(self.settings, self.follower)}


def load(
    board: Board, program: ProgramOptions, linux: LinuxOptions, instruments: InstrumentOptions
) -> Start:
    """Loads what the options ask for."""
    system = linux.system(board)
    if system is None:
        image = measure.load(board, program.image, program.load or [])
        entry = address(program.entry, "--entry") if program.entry is not None else None
        return Start(image, program.image, entry)
    if program.image or program.load or program.entry:
        raise WrongUsage(
            "--linux is the whole program: leave --image, --load and --entry out, and add files by "
            "--root-file",
            code="linux-beside-image",
        )
    from cyclescope.studies.run.linux.follower import Follower

    system.load(board)
    vmlinux = system.kernel.vmlinux
    follower = Follower(board, system, instruments.patterns)
    return Start(read_image(vmlinux), vmlinux, 0, follower, dict(system.settings))
