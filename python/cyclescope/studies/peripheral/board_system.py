"""The software of one board: what a replay loads, and where its functions lie."""

from collections.abc import Mapping
from typing import Any, Protocol

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.linux import System
from cyclescope.targets.virtual.board import Board


class BoardSystem(Protocol):
    """A system that a board can run. `settings` says how it was composed; its "sha256" names all
    that decides a run."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """For results."""

    def load(self, board: Board) -> None:
        """Loads it into a board and switches the board on."""


def linux(system: BoardSystem) -> System:
    """The system, if it is Linux. Raises CyclescopeError for another one."""
    if not isinstance(system, System):
        raise CyclescopeError(
            "this analysis reads the memory of Linux: choose others by --analysis",
            code="analysis-of-linux-alone",
        )
    return system
