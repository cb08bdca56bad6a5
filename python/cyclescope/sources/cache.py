"""Counted programs that were built before, kept on disk by a hash of all that decides them."""

import hashlib
import os
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from cyclescope.firmware.build import ROOT

FOLDER = ROOT / "build" / "counted"
KEPT_SECONDS = 30 * 24 * 3600
"""Files that were not used for so long are deleted."""


def key(parts: Iterable[object]) -> str:
    """A hash of values and bytes, of this package's files and of libclang's version."""
    found = hashlib.sha256(_tool())
    for part in parts:
        content = part if isinstance(part, bytes) else repr(part).encode()
        found.update(f"{len(content)} ".encode() + content)
    return found.hexdigest()[:32]


def find(name: str) -> Path | None:
    """A file that was kept under this name."""
    path = FOLDER / name
    try:
        os.utime(path)
    except OSError:
        return None
    return path


def keep(name: str, content: Path | str) -> None:
    """Keeps a text, or a copy of a file; a folder that cannot be written keeps nothing."""
    with suppress(OSError):
        FOLDER.mkdir(parents=True, exist_ok=True)
        data = content.read_bytes() if isinstance(content, Path) else content.encode()
        # Written aside and renamed: another process finds all of it or nothing.
        file, aside = tempfile.mkstemp(dir=FOLDER)
        with os.fdopen(file, "wb") as written:
            written.write(data)
        if isinstance(content, Path):
            Path(aside).chmod(content.stat().st_mode)
        Path(aside).replace(FOLDER / name)


def clear() -> None:
    """Deletes files that were not used for long."""
    with suppress(OSError):
        for path in FOLDER.iterdir():
            if time.time() - path.stat().st_mtime > KEPT_SECONDS:
                path.unlink(missing_ok=True)


@cache
def _tool() -> bytes:
    found = hashlib.sha256(version("libclang").encode())
    for path in sorted(Path(__file__).parent.rglob("*.[pch]*")):
        if path.suffix in (".py", ".c", ".h"):
            found.update(path.read_bytes())
    return found.digest()
