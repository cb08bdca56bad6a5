"""Prices of the compiler's own functions, which it calls where the core has no instruction."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import PurePath
from statistics import fmean

from cyclescope.sources.counts import SourceCounts
from cyclescope.sources.operand_edits import (
    BY_ONE,
    BY_POWER_OF_TWO,
    CONVERT,
    REAL,
    REAL_DIVISION,
    REAL_WAYS,
)
from cyclescope.studies.estimate.blocks.positions import LinePosition
from cyclescope.studies.estimate.calls.groups.memory import clear, copy, moved
from cyclescope.studies.estimate.calls.laws import Laws

DIVISIONS = ("uidiv", "idiv", "uidivmod", "idivmod", "uldivmod", "ldivmod")
"""Functions with two cases: a series by bits of the `quotient`, and one where it is nothing
(`smaller`)."""
CASES = {
    **{f"{kind}{name}": f"{kind}{name}.pairs" for kind in "df" for name in ("add", "sub", "mul")},
    **{f"{kind}{name}": f"{kind}{name}.pairs" for kind in "df" for name in ("div", "2iz")},
    **{f"{kind}rsub": f"{kind}sub.pairs" for kind in "df"},
    **{f"{kind}2uiz": f"{kind}2iz.pairs" for kind in "df"},
    **{f"{sign}i2{kind}": f"{sign}i2{kind}.bits" for kind in "df" for sign in ("", "u")},
    **{
        f"{kind}cmp{order}": f"{kind}cmp{order}.pairs"
        for kind in "df"
        for order in ("lt", "le", "eq", "ge", "gt", "un")
    },
    "f2d": "f2d.float", "d2f": "d2f.double",
    **{f"{sign}l2{kind}": f"{sign}l2{kind}.bits" for kind in "df" for sign in ("", "u")},
    **{f"{kind}2{sign}lz": f"{kind}2{sign}lz.bits" for kind in "df" for sign in ("", "u")},
    **{name: f"{name}.64_bits" for name in ("lmul", "llsl", "llsr", "lasr", "lcmp", "ulcmp")},
}  # fmt: skip
"""By the function's name without `__aeabi_`, the case that is nearest. Of a series the mean is
taken: operands of floating point were drawn at random."""
BITS = {
    f"__{name}{width}i2": f"__{name}{width}i2.bit"
    for name in ("clz", "ctz", "popcount")
    for width in "sd"
}
"""Functions that count bits, where the core has no such instruction. The mean over all bits is
taken."""
REALS = {
    f"{letter}{name}": (f"{letter}{of}", REAL[sign], width)
    for letter, width in (("f", "float"), ("d", "double"))
    for name, of, sign in (
        *(("add", "add", "+"), ("sub", "add", "+"), ("rsub", "add", "+")),
        *(("mul", "mul", "*"), ("div", "div", "/")),
    )
}
"""By the function's name without `__aeabi_`: the one whose cases of shorter ways are taken, and the
operator and its width in the source."""
SIGNIFICANT_BITS = {"float": 24, "double": 53}
WHOLES = {"i": "int", "ui": "uint", "l": "llong", "ul": "ullong"}
REAL_LETTERS = {"f": "float", "d": "double"}
CONVERSIONS = {
    **{
        f"{whole}2{real}": f"{WHOLES[whole]} {REAL_LETTERS[real]}"
        for whole in WHOLES
        for real in REAL_LETTERS
    },
    **{
        f"{real}2{whole}z": f"{REAL_LETTERS[real]} {WHOLES[whole]}"
        for whole in WHOLES
        for real in REAL_LETTERS
    },
}
"""By the function's name without `__aeabi_`: what it converts."""
PREFIX = "__aeabi_"
BITS_UNKNOWN = 8
PLAIN_DIVISION = PREFIX + "idiv"
POWER_OF_TWO = PLAIN_DIVISION + ".power_of_two"
WIDE = ("ldivmod", "uldivmod")
"""Divisions of 64 bits."""


class CompilerCalls:
    """Mean cycles of a call of the compiler's functions, by the line that it is made for."""

    def __init__(self, counts: SourceCounts | None, laws: Laws) -> None:
        self._laws = laws
        self._bits: Mapping[tuple[str, int], Counter[int]] = _quotients(counts)
        self._reals = _reals(counts)
        self._converted = _conversions(counts)

    def cycles(self, function: str, position: LinePosition | None) -> float | None:
        """The cycles from entry to return; None without a law."""
        if function in BITS:
            return self._mean(BITS[function])
        name = function.removeprefix(PREFIX)
        if name in DIVISIONS:
            bits = self._near(position) or Counter({BITS_UNKNOWN: 1})
            by_bits = [(self._quotient(function, one), times) for one, times in bits.items()]
            known = [cycles * times for cycles, times in by_bits if cycles is not None]
            return sum(known) / bits.total() if len(known) == len(by_bits) else None
        case = CASES.get(name)
        usual = self._mean(PREFIX + case) if case is not None else None
        if usual is not None and name in CONVERSIONS:
            return self._conversion(name, position, usual)
        if usual is None or name not in REALS:
            return usual
        ways = self._ways(name, position)
        return usual + sum(
            share * (cycles - usual)
            for way, share in ways.items()
            if (cycles := self._cycles(f"{PREFIX}{REALS[name][0]}.{way}")) is not None
        )

    def _conversion(self, name: str, position: LinePosition | None, usual: float) -> float:
        """By the bits of the integer: those of the line, or of the nearest one."""
        known = self._converted.get(CONVERSIONS[name], {})
        lines = [line for file, line in known if position and file == position.file]
        if position is None or not lines:
            return usual
        bits = known[position.file, min(lines, key=lambda one: abs(one - position.line))]
        found = {one: self._converts(name, one) for one in bits}
        if any(cycles is None for cycles in found.values()):
            return usual
        return sum(times * (found[one] or 0.0) for one, times in bits.items()) / bits.total()

    def _converts(self, name: str, bits: int) -> float | None:
        """A conversion of an integer of so many bits. The law begins with two; zero, and what is
        less than one, may have ways of their own."""
        to_whole = name.endswith("z")
        if bits == 0:
            least = name.replace("u", "") + (".smaller" if to_whole else ".zero")
            shorter = self._cycles(PREFIX + least)
            if shorter is not None:
                return shorter
        if name in ("d2iz", "d2uiz", "f2iz", "f2uiz"):
            return self._cycles(f"{PREFIX}{name}.{REAL_LETTERS[name[0]]}")
        return self._cycles(f"{PREFIX}{name}.bits", max(bits - 1, 1))

    def _ways(self, name: str, position: LinePosition | None) -> Mapping[str, float]:
        """The shares of an operator's executions that take other ways than the usual one, near a
        position.

        Divisions come as near to the way of a zero as the bits that the quotient lacks.
        """
        _, operator, width = REALS[name]
        known = self._reals.get((operator, width), {})
        lines = [line for file, line in known if position and file == position.file]
        if position is None or not lines:
            return {}
        times, ways = known[position.file, min(lines, key=lambda one: abs(one - position.line))]
        return {way: number / times for way, number in ways.items()}

    def filled(self, function: str, size: float, aligned: bool, backwards: bool) -> float | None:
        """A call of memset(), memcpy() or memmove() that the compiler made for a loop.

        Blocks begin at words. A loop moves its data by an element, so between words only if
        elements are `aligned`; one that goes backwards moves them upwards.
        """
        whole = max(round(size), 1)
        if function == "memmove":
            (charge,) = moved(whole, aligned, backwards)
        else:
            (charge,) = (clear if function == "memset" else copy)(whole, True)
        return self._cycles(charge.case, whole)

    def _near(self, position: LinePosition | None) -> Counter[int] | None:
        """Quotients of the line, or of the nearest one: the compiler moves and joins divisions."""
        lines = [line for file, line in self._bits if position and file == position.file]
        if position is None or not lines:
            return None
        return self._bits[position.file, min(lines, key=lambda one: abs(one - position.line))]

    def _quotient(self, function: str, bits: int) -> float | None:
        """A division whose quotient has so many bits, or whose divisor is a power of two."""
        if function.removeprefix(PREFIX).startswith(WIDE):
            # These have no shorter ways.
            bits = BITS_UNKNOWN if bits in (BY_ONE, BY_POWER_OF_TWO) else bits
        if bits == BY_POWER_OF_TWO:
            return self._by_power_of_two(function)
        if bits in (0, BY_ONE):
            return self._cycles(f"{function}.smaller")
        return self._cycles(f"{function}.quotient", bits)

    def _by_power_of_two(self, function: str) -> float | None:
        """Cases have one such division; functions that return what remains take longer around."""
        amounts = [
            self._cycles(one)
            for one in (POWER_OF_TWO, f"{function}.smaller", f"{PLAIN_DIVISION}.smaller")
        ]
        known = [one for one in amounts if one is not None]
        return known[0] + known[1] - known[2] if len(known) == len(amounts) else None

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


def _reals(
    counts: SourceCounts | None,
) -> Mapping[tuple[str, str], Mapping[tuple[str, int], tuple[int, dict[str, float]]]]:
    """By operator and width, then by file and line: executions, and how many took which way."""
    found: dict[tuple[str, str], dict[tuple[str, int], tuple[int, dict[str, float]]]]
    found = defaultdict(dict)
    if counts is None:
        return found
    operators = {one.id: one for one in counts.operands}
    for _, number, magnitude, times in counts.magnitudes:
        one = operators[number]
        if one.operation not in REAL.values():
            continue
        # libgcc subtracts as it adds.
        operation = one.operation.replace("subtract", "add")
        there = found[operation, one.width]
        at = PurePath(one.file).name, one.line
        before, ways = there.get(at, (0, dict[str, float]()))
        way = REAL_WAYS[operation].get(magnitude)
        if way is not None:
            ways[way] = ways.get(way, 0.0) + times
        elif operation == REAL_DIVISION:
            lacking = 1 - magnitude / SIGNIFICANT_BITS[one.width]
            ways["zero"] = ways.get("zero", 0.0) + times * lacking
        there[at] = before + times, ways
    return found


def _conversions(
    counts: SourceCounts | None,
) -> Mapping[str, Mapping[tuple[str, int], Counter[int]]]:
    """By both types, then by file and line: how often an integer of so many bits was converted."""
    found: dict[str, dict[tuple[str, int], Counter[int]]] = defaultdict(dict)
    if counts is None:
        return found
    operators = {one.id: one for one in counts.operands}
    for _, number, bits, times in counts.magnitudes:
        one = operators[number]
        if one.operation == CONVERT:
            at = PurePath(one.file).name, one.line
            found[one.width].setdefault(at, Counter())[bits] += times
    return found


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
