"""Options of `cyclescope run` for a system with Linux."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.errors import CyclescopeError, WrongUsage
from cyclescope.firmware.linux import System, compose
from cyclescope.firmware.linux.built import MODELS
from cyclescope.firmware.linux.device_tree import DIRECTIONS
from cyclescope.firmware.linux.stub import MOST_WAITS
from cyclescope.firmware.linux.system import ARGUMENTS
from cyclescope.targets.virtual.board import Board, read_file

ELF = b"\x7fELF"
MEMORIES = {"rom": 0x0040_0000, "ram": 0x0100_0000}
SMALLEST_BYTES = 0x40_0000


@dataclass(frozen=True)
class LinuxOptions(OptionGroup):
    """The system that is booted instead of an image, and its composition."""

    linux: Annotated[
        bool,
        typer.Option("--linux", help="Boot Linux as make linux has built it; for --board at91x40."),
    ] = False
    preemption: Annotated[
        str,
        typer.Option(
            "--preemption", help=f"Linux's kernel by its model of preemption: {', '.join(MODELS)}."
        ),
    ] = MODELS[0]
    pdc: Annotated[
        list[str] | None,
        typer.Option(
            "--pdc",
            metavar="LINE.DIRECTION",
            help="A direction that Linux's driver moves by DMA, not by interrupts: "
            f"{', '.join(DIRECTIONS)}; repeatable.",
        ),
    ] = None
    boot_arguments: Annotated[
        str, typer.Option("--boot-arguments", metavar="TEXT", help="Linux's boot arguments.")
    ] = ARGUMENTS
    root_files: Annotated[
        list[str] | None,
        typer.Option(
            "--root-file",
            metavar="FILE@/PATH",
            help="A file or program for Linux's root file system; repeatable.",
        ),
    ] = None
    modules: Annotated[
        list[str] | None,
        typer.Option(
            "--module", metavar="NAME", help="A kernel module that is loaded first; repeatable."
        ),
    ] = None
    script: Annotated[
        Path | None,
        typer.Option("--script", help="A script that Linux runs before it starts the shell."),
    ] = None
    rom_waits: Annotated[
        int,
        typer.Option("--rom-waits", min=0, max=MOST_WAITS, help="Wait states of Linux's ROM."),
    ] = 0
    ram_waits: Annotated[
        int,
        typer.Option("--ram-waits", min=0, max=MOST_WAITS, help="Wait states of Linux's RAM."),
    ] = 0

    def system(self, board: Board) -> System | None:
        """The system asked for, or None. Refuses options that mean nothing without it."""
        if not self.linux:
            if self != LinuxOptions():
                raise WrongUsage(
                    "--preemption, --pdc, --boot-arguments, --root-file, --module, --script and "
                    "the wait states are of a system with Linux: add --linux, or leave them out",
                    code="linux-options-without-linux",
                )
            return None
        _require_memories(board)
        files = dict(_placed(item) for item in self.root_files or [])
        if self.script is not None:
            files["/etc/rc"] = self.script
        contents = {path: read_file(file) for path, file in files.items()}
        is_program = {path: data.startswith(ELF) for path, data in contents.items()}
        return compose(
            preemption=self.preemption,
            pdc=self.pdc or [],
            arguments=self.boot_arguments,
            programs={path: file for path, file in files.items() if is_program[path]},
            files={path: data for path, data in contents.items() if not is_program[path]},
            modules=self.modules or [],
            rom_waits=self.rom_waits,
            ram_waits=self.ram_waits,
        )


def _require_memories(board: Board) -> None:
    there = {one["base"]: one["size"] for one in board.describe()["memory"]}
    if any(there.get(base, 0) < SMALLEST_BYTES for base in MEMORIES.values()):
        raise CyclescopeError(
            f"Linux does not fit the board {board.name}: choose --board at91x40, or a board of "
            "your own that extends it",
            code="linux-does-not-fit-board",
        )


def _placed(item: str) -> tuple[str, Path]:
    file, at, path = item.rpartition("@")
    if not at or not file:
        raise WrongUsage(
            f"--root-file {item} has no place: write it as FILE@/PATH",
            code="root-file-without-place",
        )
    return path, Path(file)
