"""A hardware line that rises when the firmware cannot foresee it."""

from random import Random

from cyclescope.targets.virtual.board import Board

HIGH_CYCLES = 64
"""Long enough to be seen at every divider of the peripheral clock."""
SLICE_CYCLES = 1_000_000


class Rises:
    """Drives the line, a signal, ahead of the board's clock; `cycles` are those at which it rises,
    each after a random gap between the two of `gaps`.

    Rises that an earlier one has already driven and that are still to come belong to this one too.
    """

    def __init__(
        self,
        board: Board,
        line: str,
        seed: int,
        gaps: tuple[int, int],
        earlier: "Rises | None" = None,
    ) -> None:
        self._board, self._line = board, line
        self._random, self._gaps = Random(seed), gaps
        self.cycles: list[int] = []
        if earlier is not None:
            self.cycles += [cycle for cycle in earlier.cycles if cycle > board.cycle]
        if not self.cycles:
            self.cycles.append(board.cycle + gaps[0])
            self._drive(self.cycles[0])

    def prepare(self, cycle: int) -> int:
        """Drives the line up to `cycle`, or as far as a slice goes; returns that cycle."""
        cycle = min(cycle, self._board.cycle + SLICE_CYCLES)
        while self.cycles[-1] < cycle:
            self.cycles.append(self.cycles[-1] + self._random.randint(*self._gaps))
            self._drive(self.cycles[-1])
        return cycle

    def _drive(self, cycle: int) -> None:
        self._board.drive(self._line, 1, cycle)
        self._board.drive(self._line, 0, cycle + HIGH_CYCLES)
