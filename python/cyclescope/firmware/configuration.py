"""Configuration: which image is asked for, before anything is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.boards import Value
from cyclescope.firmware.settings import NOTHING_SET, BoardSettings

if TYPE_CHECKING:  # loaded by those alone who time a fragment: it takes long
    from cyclescope.firmware.application.source import Application
    from cyclescope.firmware.fragment.source import FragmentSource

ALL_CASES = "all"


class FirmwareError(CyclescopeError):
    """An image cannot be built, and why."""


@dataclass(frozen=True)
class Configuration:
    """Which image. `settings` are the board's settings that differ from its file. Without `library`
    the board chooses the C library.

    `optimise` is how what is timed is compiled, `options` are those of the kernel. `layout` is the
    number of a layout of `layout_seed`; 0 is the plain link. `workload` is the program that stands
    in the image instead of cases; `parameters` are its own settings. `work` is the file with the
    user's own tasks for it, `application` the user's own program.
    """

    board: str = boards.USUAL
    kernel: str = "freertos"
    settings: Mapping[str, Value] = NOTHING_SET
    cases: str = ALL_CASES
    library: str = ""
    layout: int = 0
    layout_seed: int = 1
    optimise: str = "O2"
    options: tuple[tuple[str, int], ...] = ()
    fragment: FragmentSource | None = None
    workload: str = ""
    parameters: tuple[tuple[str, Value], ...] = ()
    work: Path | None = None
    application: Application | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", BoardSettings(self.settings))

    def having(self, settings: Mapping[str, Value]) -> Self:
        """The same with these values of settings, and its own of the others."""
        return replace(self, settings={**self.settings, **settings})

    def value(self, name: str) -> Value | None:
        """Returns the value of a board's setting, as requested or else as its file has it.

        None where the build chooses, and where the board has no such setting.
        """
        if name in self.settings:
            return self.settings[name]
        return boards.firmware_of(self.board).default(name)

    def variables(self) -> list[str]:
        """The same, for make. Raises FirmwareError for a setting that the board does not have."""
        values = {
            **_place(self.board),
            "KERNEL": self.kernel,
            **self._of_board(),
            "CASES": self.cases,
            "LIBRARY": self.library or None,
            "OPTIMISE": self.optimise,
            "OPTIONS": " ".join(f"{name}={value}" for name, value in self.options) or None,
            "WORKLOAD": self.workload or None,
            "PARAMETERS": " ".join(f"{name}={value}" for name, value in self.parameters) or None,
        }
        return [f"{name}={value}" for name, value in values.items() if value is not None]

    def _of_board(self) -> dict[str, Value]:
        if not self.settings:
            return {}
        there = boards.firmware_of(self.board).settings
        for name in self.settings:
            if name not in there:
                known = ", ".join(f"--{one}" for one in there) or "none"
                raise FirmwareError(
                    f"{self.board} has no setting --{name}: leave it out; there are: {known}",
                    code="no-such-setting",
                )
        return {there[name].variable: value for name, value in self.settings.items()}


def _place(board: str) -> dict[str, str]:
    """Which board, for make; of one that is no folder of `boards/`, where it lies too."""
    if not boards.is_path(board):
        return {"BOARD": board}
    path = boards.path_of(board)
    return {"BOARD": boards.name_of(board), "BOARD_FOLDER": str(path.parent.resolve())}
