"""Folders for what the lab writes for a build, each named by a hash of what it holds."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

NAME_DIGITS = 16


def filled(
    folder: Path, prefix: str, files: Mapping[str, str], read: Mapping[str, str] | None = None
) -> Path:
    """Writes files, given by name, into a folder of their own below `folder`, and returns it.

    Its name is a hash of them, and of what they read, if that is given. Files that are there stay:
    builds at the same time may read them.
    """
    hashed = files if read is None else [files, read]
    digest = hashlib.sha256(json.dumps(hashed, sort_keys=True).encode()).hexdigest()
    home = folder / f"{prefix}-{digest[:NAME_DIGITS]}"
    home.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if not (home / name).exists():
            (home / f"{name}.part").write_text(content)
            (home / f"{name}.part").rename(home / name)
    return home
