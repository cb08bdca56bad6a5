"""Builds a user's program for a board."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from cyclescope.firmware import build as firmware
from cyclescope.firmware.application.disk import Disk
from cyclescope.firmware.application.source import Application
from cyclescope.firmware.build import Built
from cyclescope.firmware.configuration import Configuration

WORKLOAD = "application"
SECTION = re.compile(r"^ \.text\S*\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (.+)$", re.MULTILINE)

Owner = Literal["program", "compiler", "calls"]
"""Whose code it is: the user's, the compiler's own (libgcc: divisions, floating point), or that of
the C library, files and kernel, which the program calls."""


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
    def owners(self) -> list[tuple[int, int, Owner]]:
        """First address and first behind it of each piece of code, and whose it is; ascending."""
        text = self.image.elf.with_suffix(".map").read_text()
        joined = re.sub(r"^( \.\S+)\n\s+", r"\1 ", text.partition("\nLinker script")[2], flags=re.M)
        found = []
        for start, size, file in SECTION.findall(joined):
            if begin := int(start, 16):
                found.append((begin, begin + int(size, 16), self._owner(file)))
        return sorted(found)

    def _owner(self, file: str) -> Owner:
        if "/libgcc.a(" in file:
            return "compiler"
        own = self.image.elf.parent.name
        return "program" if Path(file).parent.name == own else "calls"


def build_application(
    application: Application, configuration: Configuration, root: Path = firmware.ROOT
) -> BuiltApplication:
    """Builds the program for a board, or finds it built; `root` is the clone to build in."""
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
