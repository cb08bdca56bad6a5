"""How large the operands of multiplications and divisions were in the run on the host, by line."""

from collections import defaultdict
from pathlib import PurePath

from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.operand_edits import BY_ONE, BY_POWER_OF_TWO

FACTOR_BYTES = 2.0
QUOTIENT_BITS = 12.0
"""Where no operator was counted."""
AS_SHORT_AS = {BY_POWER_OF_TWO: 2, BY_ONE: 0}
"""Quotients, by their bits, that take about as long as divisions by a power of two and by 1."""
NEAR = (0, 1, -1, 2, -2, 3)
"""Lines that are looked at, from that of a statement."""


class Magnitudes:
    """Means over all operators of a line."""

    def __init__(self, counts: SourceCounts | None = None) -> None:
        self._factors: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0, 0])
        self._quotients: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0, 0])
        if counts is None:
            return
        operators = {one.id: one for one in counts.operands}
        for _, number, magnitude, times in counts.magnitudes:
            operator = operators[number]
            place = (PurePath(operator.file).name, operator.line)
            if operator.operation == "multiply":
                sums = self._factors[place]
                sums[1] += times * (magnitude // 4 + magnitude % 4 + 2) / 2
            elif operator.operation in ("divide", "remain"):
                sums = self._quotients[place]
                sums[1] += times * AS_SHORT_AS.get(magnitude, magnitude)
            else:
                continue
            sums[0] += times

    def factor_bytes(self, file: str, line: int) -> float:
        """The mean of the significant bytes of both factors."""
        return self._near(self._factors, file, line, FACTOR_BYTES)

    def quotient_bits(self, file: str, line: int) -> float:
        """The mean of the significant bits of the quotients."""
        return self._near(self._quotients, file, line, QUOTIENT_BITS)

    @staticmethod
    def _near(
        sums: dict[tuple[str, int], list[float]], file: str, line: int, otherwise: float
    ) -> float:
        """The mean at a line, or at the nearest one: a statement may have its neighbour's line."""
        name = PurePath(file).name
        for away in NEAR:
            times, total = sums.get((name, line + away), (0, 0))
            if times:
                return total / times
        return otherwise
