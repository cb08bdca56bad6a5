"""An instrument of the engine: attached, read, cleared and detached while a board stands."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cyclescope.errors import CyclescopeError
from cyclescope.targets.virtual.board import Board

if TYPE_CHECKING:  # who does not count loads no reader of ELF files
    from cyclescope.studies.run.instruments.symbols import Symbols


class Attached(ABC):
    """An instrument that may come and go at any boundary of a run; it disturbs nothing."""

    key: str
    """Its name: its option without dashes, and its key in results."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._number: int | None = None

    @property
    def is_attached(self) -> bool:
        """Whether it counts."""
        return self._number is not None

    def attach(self) -> None:
        """Counts from here on, from 0; does nothing if it counts already."""
        if self._number is None:
            self._number = self._attach()

    def detach(self) -> None:
        """Forgets what it counted; it costs nothing from then on."""
        if self._number is not None:
            self._board.detach(self._number)
            self._number = None

    def clear(self) -> None:
        """Counts from 0."""
        if self._number is not None:
            self._board.clear(self._number)

    @abstractmethod
    def _attach(self) -> int: ...

    def _counted(self) -> dict[str, Any]:
        if self._number is None:
            raise CyclescopeError(
                f"{self.key} is off and has counted nothing: switch it on first",
                code="instrument-is-off",
            )
        return self._board.counted(self._number)

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """Returns the counts up to this boundary, for JSON."""


class NamedBySymbols(Attached):
    """An instrument whose counts are named by symbols, which `read` returns.

    Where a place in memory gets other code, `divide` keeps the names of what was counted before.
    """

    def __init__(self, board: Board, read: "Callable[[], Symbols]") -> None:
        from cyclescope.studies.run.instruments.symbols import Symbols

        super().__init__(board)
        self._read = read
        self._before: list[tuple[dict[str, Any], Symbols]] = []
        self._symbols = Symbols([], None)

    def attach(self) -> None:
        if not self.is_attached:
            self._before = []
            self._symbols = self._read()
        super().attach()

    def clear(self) -> None:
        self._before = []
        super().clear()

    def divide(self) -> None:
        """Names counts from here on by the symbols of now; those so far keep their names."""
        if self.is_attached:
            before = [*self._before, (self._counted(), self._symbols)]
            self.detach()
            self.attach()
            self._before = before

    def _parts(self) -> "list[tuple[dict[str, Any], Symbols]]":
        """Counts with the symbols that name them, in order of time."""
        return [*self._before, (self._counted(), self._symbols)]
