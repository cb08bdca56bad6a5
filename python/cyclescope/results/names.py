"""Names of results folders, and of what lies in them (docs/reference/results.md)."""

import hashlib
from collections.abc import Iterable
from urllib.parse import quote

from cyclescope.target.conditions import Conditions

RUNS = "runs"
EXPLANATIONS = "explain"
SWEEPS = "sweeps"


def folder_name(
    conditions: Conditions,
    *,
    before: Iterable[str] = (),
    with_kernel: bool = True,
    with_timer: bool,
) -> str:
    """The usual name of a results folder: the conditions that differ from others, then its
    image."""
    settings = [f"{name}{value}" for name, value in conditions.memory.items()]
    kernel = [conditions.kernel] if with_kernel else []
    parts = [conditions.board, *kernel, conditions.code, conditions.isa, *settings]
    parts += ["energy"] if conditions.energy else []
    parts += [conditions.timer] if with_timer else []
    return "-".join([*before, *parts, conditions.image_sha256[:8]]).replace(" ", "")


def file_name(number: int, case: str, parameter: int | None) -> str:
    """Name of a run's file; whatever the target calls its case stays inside the folder.

    Of a case all runs in layouts other than the plain link are in one file.

    >>> file_name(0, "queue-send", 16), file_name(4, "../x", 1)
    ('runs/0/queue-send@16.parquet', 'runs/layouts/..%2Fx.parquet')
    """
    if number:
        return f"{RUNS}/layouts/{quote(case, safe='')}.parquet"
    return old_file_name(number, case, parameter)


def old_file_name(number: int, case: str, parameter: int | None) -> str:
    """The same in results before version 5."""
    at = "" if parameter is None else f"@{parameter}"
    return f"{RUNS}/{number}/{quote(case, safe='')}{at}.parquet"


def sweep_name(case: str) -> str:
    """Name of the file of a case's sweep.

    >>> sweep_name("queue-send")
    'sweeps/queue-send.parquet'
    """
    return f"{SWEEPS}/{quote(case, safe='')}.parquet"


def of_file(fingerprints: Iterable[str]) -> str:
    """Returns the fingerprint of a file with runs under these conditions: of one, its own."""
    first, *others = fingerprints
    return hashlib.sha256(" ".join([first, *others]).encode()).hexdigest() if others else first
