"""Laws that are shipped: which configurations have some, and where they are."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Self

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.boards import Value, firmware_of
from cyclescope.firmware.configuration import Configuration
from cyclescope.studies.estimate.calls.laws import Laws, read

FOLDER = Path(__file__).parent.parent / "laws"
NAMING = ("code", "mam", "isa")
"""Settings of a board that name its laws; others have the values of the board's file."""
CLOCK = "clock"
"""Cycles of a call do not depend on it: wait states are settings of their own."""


@dataclass(frozen=True)
class Wanted:
    """The configuration of a board and its kernel, as far as laws differ by it."""

    board: str
    kernel: str
    settings: Mapping[str, Value]

    @classmethod
    def of(cls, board: str, kernel: str, settings: Mapping[str, Value]) -> Self:
        """The naming settings, given or else of the board's file. The flash accelerator is
        none of memories without one."""
        there = firmware_of(board)
        found = {name: settings.get(name, there.default(name)) for name in NAMING}
        if found["code"] != "flash":
            found["mam"] = None
        return cls(board, kernel, {key: one for key, one in found.items() if one is not None})

    @property
    def name(self) -> str:
        parts = (f"mam{one}" if key == "mam" else str(one) for key, one in self.settings.items())
        return "-".join((self.board, *parts, self.kernel))


def shipped(configuration: Configuration) -> Laws:
    """The laws that are shipped for a configuration; those of a kernel with the C library's."""
    wanted = Wanted.of(configuration.board, configuration.kernel, configuration.settings)
    file = FOLDER / f"{wanted.name}.json"
    others = _others(configuration)
    if others or not file.is_file():
        there = ", ".join(sorted(one.stem for one in FOLDER.glob("*.json")))
        what = " ".join((wanted.name, *others))
        raise CyclescopeError(
            f"no laws are shipped for {what}: measure them by cyclescope characterize --out DIR "
            f"and give --laws DIR; shipped are {there}",
            code="no-shipped-laws",
        )
    library = FOLDER / f"{replace(wanted, kernel='bare').name}.json"
    if file == library or not library.is_file():
        return _read(file)
    return _read(file).with_library(_read(library))


@cache
def _read(file: Path) -> Laws:
    return read(file)


def _others(configuration: Configuration) -> list[str]:
    """Settings that differ from those under which shipped laws were measured."""
    there = firmware_of(configuration.board)
    found = [
        f"{name}={value}"
        for name, value in configuration.settings.items()
        if name not in (*NAMING, CLOCK) and value != there.default(name)
    ]
    found += [f"{name}={value}" for name, value in configuration.options]
    if configuration.library:
        found.append(configuration.library)
    if configuration.optimise != "O2":
        found.append(configuration.optimise)
    return found
