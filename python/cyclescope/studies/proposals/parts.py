"""The parts of the image's code, by source file: what belongs to which layer."""

from enum import StrEnum
from fnmatch import fnmatchcase

from cyclescope.studies.run.instruments.symbols import Named


class SoftwarePart(StrEnum):
    """A layer of the software."""

    APPLICATION = "application"
    DRIVER = "driver"
    KERNEL = "kernel"
    IDLE = "idle"


IDLE = ("prvIdleTask", "vApplicationIdleHook", "board_sleep")
FILES = (
    ("*/transfer/frames.c", SoftwarePart.APPLICATION),
    ("*/transfer/receiver.c", SoftwarePart.APPLICATION),
    ("*/freertos/transfer/main.c", SoftwarePart.KERNEL),
    ("*/freertos/transfer/*", SoftwarePart.DRIVER),
    ("*/irda/ports/freertos/line_*", SoftwarePart.DRIVER),
    ("*/irda/ports/freertos/entries.c", SoftwarePart.DRIVER),
    ("*/irda/*.c", SoftwarePart.APPLICATION),
)
"""The first pattern that matches counts; all other code is the kernel's."""
NAMES = (
    ("line_*", SoftwarePart.DRIVER),
    ("*_entered", SoftwarePart.DRIVER),
    ("mem*", SoftwarePart.APPLICATION),
)
"""The same by name, for what has no source file: entries in assembly, and the C library."""


def part_of(function: Named | None) -> SoftwarePart:
    """The part that a function belongs to; vectors and code without a symbol are the kernel's."""
    if function is None:
        return SoftwarePart.KERNEL
    if function.name in IDLE:
        return SoftwarePart.IDLE
    for pattern, part in FILES:
        if fnmatchcase(f"/{function.file or ''}", pattern):
            return part
    found = (part for pattern, part in NAMES if fnmatchcase(function.name, pattern))
    return next(found, SoftwarePart.KERNEL)
