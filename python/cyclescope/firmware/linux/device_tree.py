"""The device tree of a run: the board's source, with what the run adds, compiled."""

import subprocess
from collections.abc import Collection
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux.built import SOURCES

BASE = SOURCES / "devicetrees" / "at91x40.dts"
DIRECTIONS = ("usart0.rx", "usart0.tx", "usart1.rx", "usart1.tx")
"""Directions of serial lines that the PDC may move."""


def source(arguments: str, archive: tuple[int, int], pdc: Collection[str], extra: str = "") -> str:
    """Returns the source of a tree: boot arguments, first and last address of the root archive.

    `pdc` has the directions that the USART's DMA moves, out of DIRECTIONS; the rest the driver
    moves by interrupts. `extra` is source that is appended.
    """
    for one in pdc:
        if one not in DIRECTIONS:
            raise CyclescopeError(
                f"the PDC moves nothing named {one}: choose one of: {', '.join(DIRECTIONS)}",
                code="linux-pdc-unknown",
            )
    quoted = arguments.replace("\\", "\\\\").replace('"', '\\"')
    start, end = archive
    parts = [
        BASE.read_text(),
        f'&chosen {{\n\tbootargs = "{quoted}";\n\tlinux,initrd-start = <{start:#x}>;\n'
        f"\tlinux,initrd-end = <{end:#x}>;\n}};\n",
    ]
    for one in sorted(set(pdc)):
        line, direction = one.split(".")
        parts.append(f"&{line} {{\n\tatmel,use-dma-{direction};\n}};\n")
    return "".join([*parts, extra])


def compiled(dtc: Path | str, text: str) -> bytes:
    """Returns the blob that Linux reads, as the compiler `dtc` makes it of a source."""
    made = subprocess.run(
        [dtc, "-q", "-I", "dts", "-O", "dtb", "-"], input=text.encode(), capture_output=True
    )
    if made.returncode:
        first = made.stderr.decode(errors="replace").strip().splitlines()
        raise CyclescopeError(
            f"the device tree does not compile ({first[0] if first else 'no reason given'}): "
            "correct what was added to it",
            code="linux-device-tree-refused",
        )
    return made.stdout
