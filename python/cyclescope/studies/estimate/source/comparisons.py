"""Comparisons: conditions of branches, truth values, and flags that an operation sets anyway."""

from cyclescope.studies.estimate.source.calling import Calling
from cyclescope.studies.estimate.source.statements import (
    ASSIGNED,
    BINARY,
    CONDITION,
    CONVERTED,
    number,
)


class Comparisons(Calling):
    """Chooses instructions of comparisons."""

    def _tests(self, name: str) -> bool:
        """Whether a truth value is only ever asked for."""
        readers = [text for _, text in self._readers[self.root(name)]]
        if not readers:
            return False
        for text in readers:
            if CONDITION.match(text):
                continue
            match = ASSIGNED.match(text)
            binary = BINARY.match(match.group(2)) if match else None
            if not match or not binary or binary.group(2) not in ("&", "|", "!=", "=="):
                return False
            if not self._tests(match.group(1)):
                return False
        return True

    def _truth(self, left: str, a: str, operator: str, b: str) -> None:
        if self._tests(left) and not self._machine.plain:
            self._flags.add(self.root(left))
            self._compare(a, operator, b)
            self._emit({}, [], left)
            return
        if number(b) == 0 and operator in ("<", ">=") and self.width(a).bits == 32:
            self._emit({"alu": 1 if operator == "<" else 2}, [a], left)
            return
        self._compare(a, operator, b)
        self._emit({"truth": 1}, [], left)

    def _compared(self, a: str, operator: str, b: str) -> None:
        if self.root(a) in self._flags:
            self._emit({"tested": 1}, [a])
            return
        self._compare(a, operator, b)

    def _compare(self, a: str, operator: str, b: str) -> None:
        width = self.width(a)
        if width.kind == "f":
            self._library("double compared" if width.bits == 64 else "float compared", [a, b], "")
            self._emit({"compare": 1})
        elif width.bits == 64:
            equal = operator in ("==", "!=") and b == "0"
            self._emit({"alu": 1} if equal else {"compare long": 1}, [a, b])
        elif number(b) == 0 and operator in ("==", "!=", "<", ">=") and self._sets_flags(a):
            self._emit({"compare folded": 1}, [a])
        else:
            operand, further = self._operand(b, "compare")
            # An address of something among data is a literal.
            a, operand = (
                self._constant(one, "literal") if one.startswith("&") else one
                for one in (a, operand)
            )
            self._emit({"compare": 1 + further}, [a, operand])

    def _sets_flags(self, name: str) -> bool:
        """Whether the value is that of an operation in the same block, which can set flags."""
        made = self._made.get(self.root(name))
        if made is None or made[0] != self._block.number or self._machine.plain:
            return False
        if CONVERTED.match(made[1]):
            extends = name not in self.roots and self.width(name).bits in (8, 16)
            return self._machine.thumb and extends
        match = BINARY.match(made[1])
        return match is not None and match.group(2) in (
            "+",
            "-",
            "&",
            "|",
            "^",
            "<<",
            ">>",
            "r<<",
            "r>>",
        )
