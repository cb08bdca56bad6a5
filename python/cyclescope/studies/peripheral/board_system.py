"""The software of one board: what a replay loads, and where its functions lie."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux import System
from cyclescope.studies.run.instruments.symbols import Symbols
from cyclescope.targets.virtual.board import Board


class BoardSystem(Protocol):
    """A system that a board can run. `settings` says how it was composed; its "sha256" names all
    that decides a run."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """For results."""

    def load(self, board: Board) -> None:
        """Loads it into a board and switches the board on."""


@runtime_checkable
class LinkedSystem(BoardSystem, Protocol):
    """A system in one image, whose functions lie where they are linked."""

    def symbols(self) -> Symbols:
        """All functions of the image."""


def linux(system: BoardSystem) -> System:
    """The system, if it is Linux. Raises CyclescopeError for another one."""
    if not isinstance(system, System):
        raise CyclescopeError(
            "this analysis reads structures of Linux, and this board has none: choose others by "
            "--analysis",
            code="board-has-no-linux",
        )
    return system
