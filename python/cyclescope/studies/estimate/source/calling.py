"""Calls of functions, and of those that the compiler itself has for what the core cannot do."""

from collections.abc import Sequence

from cyclescope.studies.estimate.source.emission import Emission
from cyclescope.studies.estimate.source.gimple import SSA, values
from cyclescope.studies.estimate.source.statements import (
    is_floating,
    is_value,
    is_variable,
    number,
)

ARGUMENTS = 4
"""Words of arguments that registers hold."""
INLINE = {"__builtin_bswap32": "swap bytes", "__builtin_abs": "minimum"}
NOTHING = (
    *("__builtin_unreachable", "__builtin_expect", ".FALLTHROUGH"),
    *("__builtin_stack_save", "__builtin_stack_restore"),
)


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

    def _arguments(self, kinds: dict[str, float], given: Sequence[str]) -> int:
        words = 0
        for one in given:
            size = (
                2
                if self.width(one).bits == 64 or (is_floating(one) and "double" in str(kinds))
                else 1
            )
            words += size
            if words > ARGUMENTS:
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
        return words

    def _is_read_again(self, name: str) -> bool:
        return len(self._readers[self.root(name)]) > 1

    def _call(self, left: str | None, name: str, arguments: str) -> None:
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
        own = name.split(".")[0] in self._own
        kinds: dict[str, float] = {"call" if own else "call outside": 1}
        self._arguments(kinds, given)
        if left is not None and not target:
            kinds["store"] = 1
        if target and (self._machine.plain or self._is_read_again(target)):
            kinds["result kept"] = self._words(target)
        reads = values(arguments)
        if SSA.fullmatch(name):
            reads.append(name)
        self._emit(kinds, reads, target, calls=True)
