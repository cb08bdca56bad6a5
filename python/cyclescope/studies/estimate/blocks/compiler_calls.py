"""Prices of the compiler's own functions, which it calls where the core has no instruction."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import PurePath
from statistics import fmean

from cyclescope.sources.counts import SourceCounts
from cyclescope.studies.estimate.blocks.positions import LinePosition
from cyclescope.studies.estimate.calls.laws import Laws
from cyclescope.studies.estimate.calls.parts import SHORT

DIVISIONS = ("uidiv", "idiv", "uidivmod", "idivmod", "uldivmod", "ldivmod")
"""Functions with two cases: a series by bits of the `quotient`, and one where it is nothing
(`smaller`)."""
CASES = {
    **{f"{kind}{name}": f"{kind}{name}.pairs" for kind in "df" for name in ("add", "sub", "mul")},
    **{f"{kind}{name}": f"{kind}{name}.pairs" for kind in "df" for name in ("div", "2iz")},
    **{f"{kind}rsub": f"{kind}sub.pairs" for kind in "df"},
    **{f"{kind}2uiz": f"{kind}2iz.pairs" for kind in "df"},
    **{f"{sign}i2{kind}": f"i2{kind}.bits" for kind in "df" for sign in ("", "u")},
    **{
        f"{kind}cmp{order}": f"{kind}cmplt.pairs"
        for kind in "df"
        for order in ("lt", "le", "eq", "ge", "gt", "un")
    },
    "f2d": "f2d.float", "d2f": "d2f.double",
    "l2d": "l2d.64_bits", "ul2d": "l2d.64_bits", "d2lz": "d2lz.64_bits",
    **{name: f"{name}.64_bits" for name in ("lmul", "llsl", "llsr", "lasr", "lcmp", "ulcmp")},
}  # fmt: skip
"""By the function's name without `__aeabi_`, the case that is nearest. Of a series the mean is
taken: operands of floating point were drawn at random."""
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
            by_bits = [(self._quotient(function, one), times) for one, times in bits.items()]
            known = [cycles * times for cycles, times in by_bits if cycles is not None]
            return sum(known) / bits.total() if len(known) == len(by_bits) else None
        case = CASES.get(name)
        return self._mean(PREFIX + case) if case is not None else None

    def filled(self, function: str, size: int) -> float | None:
        """A call of memset() or memcpy() that the compiler made: its data are aligned."""
        return self._cycles(f"{function}.{'aligned' if size >= SHORT else 'short'}", max(size, 1))

    def _near(self, position: LinePosition | None) -> Counter[int] | None:
        """Quotients of the line, or of the nearest one: the compiler moves and joins divisions."""
        lines = [line for file, line in self._bits if position and file == position.file]
        if position is None or not lines:
            return None
        return self._bits[position.file, min(lines, key=lambda one: abs(one - position.line))]

    def _quotient(self, function: str, bits: int) -> float | None:
        """A division whose quotient has so many bits."""
        return (
            self._cycles(f"{function}.quotient", bits)
            if bits
            else self._cycles(f"{function}.smaller")
        )

    def _mean(self, case: str) -> float | None:
        """The mean over all x of a case."""
        law = self._laws.cases.get(case)
        if law is None:
            return None
        first, last = map(int, law.ends or (0, 0))
        return fmean(law.at(x).cycles for x in range(first, last + 1))

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
