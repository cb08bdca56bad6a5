"""Single files of results: written whole or not at all, and removed."""

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

from cyclescope.errors import CyclescopeError, unwritable


class ResultsError(CyclescopeError):
    """A results folder that cannot be read or written as it is."""


def sha256(path: Path) -> str | None:
    """Of a file's content; None if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def clear_drafts(folder: Path, places: Iterable[str]) -> None:
    """Removes what a killed process was writing, in the places that it writes to."""
    for place in places:
        for draft in folder.glob(f"{place}/.*.draft"):
            remove(draft)


def remove(path: Path) -> None:
    """Removes a file, if it is there."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise ResultsError(unwritable(path, error), code="cannot-write") from None


def write_whole(path: Path, content: bytes, lasting: bool = True) -> None:
    """Whole or not at all; if it is to be `lasting`, on the medium when this returns.

    A file that can be made again, and has a digest or seal, need not wait for the medium. A loss of
    power may tear it; `--resume` finds that and makes it again.
    """
    # Of this process alone: another may be writing the same file, a report say.
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with draft.open("wb") as file:
                file.write(content)
                if lasting:
                    file.flush()
                    os.fsync(file.fileno())
            draft.replace(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        if lasting:
            sync_folder(path.parent)
    except OSError as error:
        raise ResultsError(unwritable(path, error), code="cannot-write") from None


def sync_folder(folder: Path) -> None:
    """Has the medium know the names in a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
