"""Reads an instrument's file, whichever it is."""

from pathlib import Path

from cyclescope import input_files
from cyclescope.errors import CyclescopeError
from cyclescope.studies.power import csv_files, jls_header
from cyclescope.studies.power.recording import Raw, Recording, checked


def read(path: Path, supply_mv: int | None) -> Recording:
    """Reads an export or a JLS file. `supply_mv` is the voltage where the file holds none."""
    return checked(path, _raw(path), supply_mv)


def _raw(path: Path) -> Raw:
    try:
        with path.open("rb") as file:
            begin = file.read(jls_header.HEADER.size)
    except OSError as error:
        raise CyclescopeError(
            f"{path} cannot be read: {error.strerror}", code="cannot-read"
        ) from None
    if not jls_header.is_jls(begin):
        return csv_files.read(path, input_files.read_there(path))
    from cyclescope.studies.power import jls

    jls_header.check(path, begin)
    return jls.read(path)
