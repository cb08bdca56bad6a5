"""Builds a user's program for a board."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware import build as firmware
from cyclescope.firmware.application.disk import Disk
from cyclescope.firmware.application.source import Application
from cyclescope.firmware.build import Built
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.program import Program

WORKLOAD = "application"
NARROW = {"avr": 2}
"""Cores whose `int` has not four bytes, and how many it has."""
VENEERS = "linker stubs"
"""In the linker's map, the file of the veneers between ARM and Thumb code."""
VENEER = re.compile(r"__(.+)_(?:from_thumb|from_arm|veneer)")
SECTION = re.compile(r"^ \.text\S*\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (.+)$", re.MULTILINE)

Owner = Literal["program", "compiler", "calls"]
"""Whose code it is: the user's, the compiler's own (libgcc: divisions, floating point), or that of
the C library, files and kernel, which the program calls."""


Piece = tuple[int, int, Owner]
"""First address and first behind it of a piece of code, and whose it is."""


@dataclass(frozen=True)
class CompileCommand:
    """How one file of the program was compiled for the board."""

    file: Path
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class BuiltApplication:
    """An image with a user's program, for the board of its configuration."""

    application: Application
    configuration: Configuration
    image: Built
    commands: tuple[CompileCommand, ...]
    disk: Disk

    @cached_property
    def owners(self) -> list[Piece]:
        """The pieces of the image's code, ascending."""
        text = self.image.elf.with_suffix(".map").read_text()
        joined = re.sub(r"^( \.\S+)\n\s+", r"\1 ", text.partition("\nLinker script")[2], flags=re.M)
        found = []
        for start, size, file in SECTION.findall(joined):
            begin = int(start, 16)
            if begin and file != VENEERS:
                found.append((begin, begin + int(size, 16), self._owner(file)))
        return sorted([*found, *self._veneers(found)])

    def _veneers(self, pieces: Sequence[Piece]) -> Iterator[Piece]:
        """The veneers of the compiler's functions: they belong to these."""
        program = Program(self.image.elf.read_bytes())
        compiler = [range(begin, end) for begin, end, owner in pieces if owner == "compiler"]
        for function in program.functions:
            behind = VENEER.fullmatch(function.name)
            leads = program.symbols.get(behind[1]) if behind else None
            if leads is not None and any(program.address(leads) in one for one in compiler):
                yield function.address, function.end, "compiler"

    def _owner(self, file: str) -> Owner:
        if "/libgcc.a(" in file:
            return "compiler"
        own = self.image.elf.parent.name
        return "program" if Path(file).parent.name == own else "calls"


def build_application(
    application: Application, configuration: Configuration, root: Path = firmware.ROOT
) -> BuiltApplication:
    """Builds the program for a board, or finds it built; `root` is the clone to build in.

    Refuses a board whose `int` is narrower than this machine's.
    """
    if int_bytes := NARROW.get(boards.core_of(configuration.board)):
        raise CyclescopeError(
            f"int has {int_bytes} bytes on {configuration.board}, and 4 on this machine: programs "
            "are built for boards of 32 bits alone",
            code="board-has-narrow-int",
        )
    chosen = replace(
        configuration,
        workload=WORKLOAD,
        application=application,
        parameters=application.memory.parameters(),
    )
    image = firmware.build(chosen, root)
    folder = image.elf.parent
    before = shlex.split((folder / "compiled-by").read_text())
    geometry = image.facts.kernel_configuration
    return BuiltApplication(
        application,
        chosen,
        image,
        tuple(_command(before, application, one) for one in application.sources),
        Disk(folder.parent / "disk", int(geometry["DISK_BYTES"])),
    )


def _command(before: Sequence[str], application: Application, source: Path) -> CompileCommand:
    return CompileCommand(source.resolve(), (*before, *application.arguments(source), "-c"))
