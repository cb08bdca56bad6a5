"""The symbols of a kernel, ready to use: reading them from vmlinux takes seconds."""

import json
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux.built import STRUCTURES
from cyclescope.firmware.structures import structures
from cyclescope.studies.run.instruments.symbols import functions

TREE = "/.work/linux/"
SOURCE = "fs/exec.c"
"""The source file from whose debugging information structures are read."""


def write(vmlinux: Path, folder: Path) -> None:
    """Fills a folder with functions (name, file, start, end) and with places of fields."""
    found = [(one.name, _short(one.file), one.start, one.end) for one in functions(vmlinux)]
    (folder / "functions.json").write_text(json.dumps(found))
    known = structures(vmlinux.read_bytes(), SOURCE, STRUCTURES)
    missing = [
        f"{name}.{field}"
        for name, fields in STRUCTURES.items()
        for field in fields
        if name not in known or field not in known[name].fields
    ]
    if missing:
        raise CyclescopeError(
            f"the kernel has no {', '.join(missing)}: adapt python/cyclescope/firmware/linux to "
            "this version of Linux",
            code="linux-structures-differ",
        )
    places = {
        name: {field: known[name].fields[field] for field in fields}
        for name, fields in STRUCTURES.items()
    }
    (folder / "structures.json").write_text(json.dumps(places, indent=2) + "\n")


def _short(file: str | None) -> str | None:
    """A path in the kernel's tree, wherever that lay: assembly sources have the whole path."""
    return file.rpartition(TREE)[2] if file else None
