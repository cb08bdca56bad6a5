"""Calls of functions, and of those that the compiler itself has for what the core cannot do."""

import re
from collections.abc import Sequence

from cyclescope.studies.estimate.source.emission import Emission
from cyclescope.studies.estimate.source.gimple import JUMPS, SSA, GimpleBlock, values
from cyclescope.studies.estimate.source.statements import (
    CALLED,
    is_floating,
    is_value,
    is_variable,
    number,
)
from cyclescope.studies.estimate.source.tails import parameters, places
from cyclescope.studies.estimate.source.types import Width

ARGUMENTS = 4
"""Words of arguments that registers hold."""
INLINE = {"__builtin_bswap32": "swap bytes", "__builtin_abs": "minimum"}
NOTHING = (
    *("__builtin_unreachable", "__builtin_expect", ".FALLTHROUGH"),
    *("__builtin_stack_save", "__builtin_stack_restore"),
)


GIVEN = re.compile(r"[\w$.]+_\d+\(D\)")


def _parameter(value: str) -> str:
    """The parameter that a value is as the function is entered, or none."""
    return value.rpartition("_")[0] if value.endswith("(D)") else ""


def _sources(block: GimpleBlock) -> list[str]:
    return [one for choice in block.choices for one in choice.sources.values()]


class Calling(Emission):
    """Chooses instructions of calls."""

    def _library(
        self, kind: str, operands: Sequence[str], left: str, *, remains: bool = False
    ) -> None:
        """Work that the compiler's own functions do."""
        kinds: dict[str, float] = {"library call": 1, f"library {kind}": 1}
        if kind.endswith("division"):
            kinds[f"library {kind} bits"] = self._magnitudes.quotient_bits(*self._at[:2])
        if remains:
            kinds["library remain"] = 1
        self._arguments(kinds, operands)
        if self._machine.plain and left:
            kinds["result kept"] = self._words(left)
        reads = [one if is_value(one) else "" for one in operands]
        self._emit(kinds, [one for one in reads if one], left, calls=True)

    def _arguments(
        self, kinds: dict[str, float], given: Sequence[str], there: Sequence[str] = ()
    ) -> None:
        """Words of arguments; those that are `there` on the stack already are left out."""
        wide = "double" in str(kinds)
        widths = [Width(64, "f") if is_floating(one) and wide else self.width(one) for one in given]
        for at, one, place in zip(range(len(given)), given, places(widths), strict=True):
            size = 2 if widths[at].bits == 64 else 1
            if place + size > ARGUMENTS:
                if at >= len(there) or _parameter(one) != there[at]:
                    kinds["argument in memory"] = kinds.get("argument in memory", 0) + size
                continue
            value = number(one)
            if not is_value(one):
                far = value is None and not one.startswith("&")
                made = (
                    "argument literal"
                    if far or (value is not None and "literal" in self._machine.made(value))
                    else "argument constant"
                )
            elif is_variable(one) if self._machine.plain else self._is_read_again(one):
                made = "argument kept"
            else:
                made = "argument passed"
            kinds[made] = kinds.get(made, 0) + size

    def _in_memory(self) -> list[str]:
        """The function's own parameters by position; those that are in registers are nameless."""
        names = parameters(self._function)
        widths = [self._types.width(self._function.types.get(one, "int")) for one in names]
        at = zip(names, places(widths), widths, strict=True)
        return [
            one if place + (2 if width.bits == 64 else 1) > ARGUMENTS else ""
            for one, place, width in at
        ]

    def _load_parameters(self) -> None:
        """Loads parameters that are on the stack; a jump that hands them on leaves them."""
        there = self._in_memory()
        given = {
            _parameter(one): one
            for block in self._function.blocks
            for text in (*(each.text for each in block.statements), *_sources(block))
            for one in GIVEN.findall(text)
        }
        for name in filter(None, there):
            value = given.get(name, "")
            texts = [text for _, text in self._readers[self.root(value)]] if value else []
            if any(not self._passes(text, value, there) for text in texts):
                self._emit({"load": self._words(value)}, [], value)

    @staticmethod
    def _passes(text: str, value: str, there: Sequence[str]) -> bool:
        """Whether a statement is a jump that leaves a parameter in its place."""
        match = CALLED.match(text) if text.endswith(JUMPS) else None
        given = match.group(3).split(", ") if match else []
        return any(one == value for one in given) and all(
            at < len(there) and _parameter(one) == there[at]
            for at, one in enumerate(given)
            if one == value
        )

    def _is_read_again(self, name: str) -> bool:
        return len(self._readers[self.root(name)]) > 1

    def _call(self, left: str | None, name: str, arguments: str, *, jumps: bool = False) -> None:
        given = [one for one in arguments.split(", ") if one.strip()]
        target = left if left is not None and SSA.fullmatch(left) else ""
        if name == ".DIVMOD":
            long = self.width(given[0]).bits == 64
            signed = self.width(given[0]).kind == "i"
            kind = "long division" if long else "signed division" if signed else "division"
            self._library(kind, given, target, remains=not long)
            return
        if name in NOTHING:
            return
        if name.startswith(".") or name in INLINE:
            self._emit({INLINE.get(name, "alu"): 1}, values(arguments), target)
            return
        kinds: dict[str, float] = {"jump": 1}
        if jumps:
            self._arguments(kinds, given, self._in_memory())
            reads = values(arguments) + ([name] if SSA.fullmatch(name) else [])
            self._emit(kinds, reads)
            return
        own = name.split(".")[0] in self._own
        kinds = {"call" if own else "call outside": 1}
        self._arguments(kinds, given)
        if left is not None and not target:
            kinds["store"] = 1
        if target and (self._machine.plain or self._is_read_again(target)):
            kinds["result kept"] = self._words(target)
        reads = values(arguments)
        if SSA.fullmatch(name):
            reads.append(name)
        self._emit(kinds, reads, target, calls=True)
