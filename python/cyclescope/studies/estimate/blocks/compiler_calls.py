"""Prices of the compiler's own functions, which it calls where the core has no instruction."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import PurePath

from cyclescope.sources.counts import SourceCounts
from cyclescope.studies.estimate.blocks.positions import LinePosition
from cyclescope.studies.estimate.calls.laws import Laws

QUOTIENT = "__aeabi_uidiv.quotient"
SMALLER = "__aeabi_uidiv.smaller"
"""A quotient of nothing."""
DIVISIONS = {
    "uidiv": "",
    "idiv": "__aeabi_idiv.negative",
    "uidivmod": "__aeabi_uidivmod.positive",
    "idivmod": "__aeabi_idivmod.positive",
}
"""The case that shows what a division takes beyond the unsigned one of the same quotient."""
CASES_BITS = 8
"""Bits of the quotient of 1000 and 7, which these cases divide."""
CASES = {
    "dadd": "dadd.doubles", "dsub": "dsub.doubles", "drsub": "dsub.doubles",
    "dmul": "dmul.doubles", "ddiv": "ddiv.doubles",
    "i2d": "i2d.integer", "ui2d": "i2d.integer", "d2iz": "d2iz.double", "d2uiz": "d2iz.double",
    "f2d": "f2d.float", "d2f": "d2f.double",
    "fadd": "fadd.floats", "fsub": "fadd.floats", "frsub": "fadd.floats",
    "fmul": "fmul.floats", "fdiv": "fdiv.floats",
    "i2f": "i2f.integer", "ui2f": "i2f.integer", "f2iz": "f2iz.float", "f2uiz": "f2iz.float",
    "lmul": "lmul.64_bits", "ldivmod": "ldivmod.64_bits", "uldivmod": "uldivmod.64_bits",
    **dict.fromkeys(("dcmplt", "dcmple", "dcmpeq", "dcmpge", "dcmpgt"), "dcmplt.doubles"),
    **dict.fromkeys(("fcmplt", "fcmple", "fcmpeq", "fcmpge", "fcmpgt"), "fcmplt.floats"),
}  # fmt: skip
"""By the function's name without `__aeabi_`, the case that is nearest."""
PREFIX = "__aeabi_"
BITS_UNKNOWN = 8


class CompilerCalls:
    """Mean cycles of a call of the compiler's functions, by the line that it is made for."""

    def __init__(self, counts: SourceCounts | None, laws: Laws) -> None:
        self._laws = laws
        self._bits: Mapping[tuple[str, int], Counter[int]] = _quotients(counts)

    def cycles(self, function: str, position: LinePosition | None) -> float | None:
        """The cycles from entry to return; None without a law."""
        name = function.removeprefix(PREFIX)
        if name in DIVISIONS:
            bits = self._near(position) or Counter({BITS_UNKNOWN: 1})
            of_quotient = [(n, self._quotient(one)) for one, n in bits.items()]
            more = self._beyond(DIVISIONS[name])
            if more is None or any(cycles is None for _, cycles in of_quotient):
                return None
            return more + sum(n * (cycles or 0.0) for n, cycles in of_quotient) / bits.total()
        case = CASES.get(name)
        return self._cycles(PREFIX + case) if case is not None else None

    def _near(self, position: LinePosition | None) -> Counter[int] | None:
        """Quotients of the line, or of the nearest one: the compiler moves and joins divisions."""
        lines = [line for file, line in self._bits if position and file == position.file]
        if position is None or not lines:
            return None
        return self._bits[position.file, min(lines, key=lambda one: abs(one - position.line))]

    def _quotient(self, bits: int) -> float | None:
        """An unsigned division whose quotient has so many bits."""
        return self._cycles(QUOTIENT, bits) if bits else self._cycles(SMALLER)

    def _beyond(self, case: str) -> float | None:
        """The cycles of a division beyond those of the unsigned one."""
        whole, part = self._cycles(case), self._cycles(QUOTIENT, CASES_BITS)
        if not case:
            return 0.0
        return None if whole is None or part is None else whole - part

    def _cycles(self, case: str, x: int | None = None) -> float | None:
        law = self._laws.beyond(case, x)
        return law.cycles if law is not None else None


def _quotients(counts: SourceCounts | None) -> Mapping[tuple[str, int], Counter[int]]:
    """By file and line, how often a division had a quotient of so many bits."""
    found: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    if counts is None:
        return found
    operators = {one.id: one for one in counts.operands}
    for _, number, bits, times in counts.magnitudes:
        one = operators[number]
        if one.operation in ("divide", "remain"):
            found[PurePath(one.file).name, one.line][bits] += times
    return found
