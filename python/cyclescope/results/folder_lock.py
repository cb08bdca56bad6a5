"""The lock of a results folder: one process at a time writes there.

It is the kernel's own lock on a file, so it ends with the process however that ends. The file says
who holds it. One that a killed process left behind is taken over.
"""

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO

from cyclescope.errors import unwritable
from cyclescope.results.whole_files import ResultsError

LOCK = ".lock"
_held: dict[Path, IO[str]] = {}
"""Folders that this process has locked, and the files whose locks it holds."""


def _let_go() -> None:
    """A copy of this process holds no lock: it may outlive the one that writes the folder."""
    while _held:
        _, lock = _held.popitem()
        lock.close()


os.register_at_fork(after_in_child=_let_go)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keeps other processes from writing results there; inside another lock of it, does nothing.

    Refuses a folder that another process writes to, and says which. The folder is made, and goes
    again if nothing was put into it.
    """
    home = folder.resolve()
    if home in _held:
        yield
        return
    try:
        made = _make(folder)
        lock = _lock(folder)
    except OSError as error:
        raise ResultsError(unwritable(folder, error), code="cannot-write") from None
    _held[home] = lock
    try:
        yield
    finally:
        _held.pop(home, None)
        with suppress(OSError):  # the folder may be gone, or nobody's to change
            (folder / LOCK).unlink()
        lock.close()
        with suppress(OSError):  # there is something in it
            for one in made:
                one.rmdir()


def holds_anything(folder: Path) -> bool:
    """Whether there is more in a folder than a lock."""
    return folder.is_dir() and any(one.name != LOCK for one in folder.iterdir())


def _make(folder: Path) -> list[Path]:
    """Makes a folder; which ones were not there, from the innermost."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        if not folder.is_dir():
            raise
    return missing


def _lock(folder: Path) -> IO[str]:
    """The file, open and locked."""
    path = folder / LOCK
    while True:
        with ExitStack() as stack:
            lock = stack.enter_context(path.open("a+"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ResultsError(_busy(folder, lock), code="folder-in-use") from None
            if not _is_still(path, lock):  # its holder removed it between opening and locking
                continue
            lock.truncate(0)
            json.dump(_holder(), lock)
            lock.flush()
            stack.pop_all()
            return lock


def _is_still(path: Path, lock: IO[str]) -> bool:
    """Whether the open file is the one that has the name."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), path.stat())
    except FileNotFoundError:
        return False


def _holder() -> dict[str, str | int]:
    started = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
    return {"pid": os.getpid(), "host": socket.gethostname(), "started": started}


def _busy(folder: Path, lock: IO[str]) -> str:
    """Returns the holder of a lock, in a sentence."""
    lock.seek(0)
    try:
        holder = json.load(lock)
        who = f"process {holder['pid']} on {holder['host']} since {holder['started']}"
    except (ValueError, TypeError, KeyError):
        who = "another process"
    return (
        f"{folder} is being written to by {who}: wait until it has ended, or choose another --out"
    )
