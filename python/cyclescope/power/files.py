"""Reads an instrument's file, whichever it is."""

from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.power import csv_files, jls_header
from cyclescope.power.recording import Raw, Recording, checked


def read(path: Path, supply_mv: int | None) -> Recording:
    """Reads an export or a JLS file. `supply_mv` is the voltage where the file holds none."""
    try:
        return checked(path, _raw(path), supply_mv)
    except OSError as error:
        raise CyclescopeError(f"{path} cannot be read: {error.strerror}") from None


def _raw(path: Path) -> Raw:
    with path.open("rb") as file:
        begin = file.read(jls_header.HEADER.size)
    if not jls_header.is_jls(begin):
        return csv_files.read(path, path.read_bytes())
    from cyclescope.power import jls  # only those who have such a file wait for its package

    jls_header.check(path, begin)
    return jls.read(path)
