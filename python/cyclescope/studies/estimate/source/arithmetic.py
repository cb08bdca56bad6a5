"""Arithmetic: instructions of operations on 32 and 64 bits, and of conversions."""

from cyclescope.studies.estimate.source.comparisons import Comparisons
from cyclescope.studies.estimate.source.emission import SelectedInstruction
from cyclescope.studies.estimate.source.machine import added_digits
from cyclescope.studies.estimate.source.statements import (
    ASSIGNED,
    BINARY,
    COMPARISONS,
    CONVERTED,
    is_value,
    number,
)
from cyclescope.studies.estimate.source.types import Width

FLOAT_WORK = {"+": "add", "-": "add", "*": "mul", "/": "div"}
SHIFTS = ("<<", ">>", "r<<", "r>>")
LONG_STEPS = 3
"""Shifted additions of 64 bits that take the place of a product with a constant."""
BYTE, HALF = Width(8, "u"), Width(16, "u")
TAKES_SHIFT = ("+", "-", "&", "|", "^", *COMPARISONS)


class Arithmetic(Comparisons):
    """Chooses instructions of operations."""

    def _unary(self, left: str, right: str) -> None:
        width = self.width(left)
        long = width.bits == 64 and width.kind != "f"
        _, _, operator, _ = self._reading(left)
        if right[0] == "~" and operator == "&" and not self._machine.thumb and not long:
            self._wait(left, right[1:])
            return
        self._emit({"alu long" if long else "alu": 1}, [right[1:]], left)

    def _binary(self, left: str, a: str, operator: str, b: str) -> None:
        width = self.width(left)
        if operator in COMPARISONS:
            self._truth(left, a, operator, b)
        elif width.kind == "f":
            kind = "double" if width.bits == 64 else "float"
            self._library(f"{kind} {FLOAT_WORK.get(operator[:1], 'add')}", [a, b], left)
        elif operator in ("w*", "h*"):
            self._long_multiply(left, a, b, operator == "h*")
        elif operator == "*":
            self._multiply(left, a, b)
        elif operator[0] in "/%":
            self._divide(left, a, operator[0], b)
        elif operator in SHIFTS:
            self._shift(left, a, operator, b)
        elif width.bits == 64:
            self._long(left, a, operator, b)
        else:
            self._simple(left, a, operator, b)

    def _simple(self, left: str, a: str, operator: str, b: str) -> None:
        by = number(b)
        if by is not None and operator in ("+", "-") and self._is_free(left, by):
            self._emit({"stepped": 1}, [a], left)
            return
        if operator == "+" and is_value(b) and self._is_address(left):
            self._wait(left, a, b)
            return
        flags = {self.root(a), self.root(b)} & self._flags
        if operator in ("|", "&") and flags and self._tests(left):
            self._flags.add(self.root(left))
            self._emit({"compare joined": 1}, [a, b], left)
            return
        for one in (a, b):
            if is_value(one) and self.root(one) in self._products:
                kinds = self._products.pop(self.root(one)) | self._extended(left)
                self._emit(kinds, [a, b], left)
                return
        if operator == "&" and self._cuts_bits(by):
            if not self._machine.thumb and self.root(a) in self._pending:
                mask = self._constant(b, self._machine.made(by or 0))
                self._emit({"alu": 1}, [a, mask], left)
            else:
                self._emit({"alu": 2}, [a], left)
            return
        operand, further = self._operand(b, operator)
        kinds = {"alu": 1.0 + further}
        if operator in ("+", "-"):
            kinds |= self._extended(left)
        if self._machine.thumb and operator not in ("+", "-"):
            kinds |= self._copied(a, operand)
        self._emit(kinds, [a, operand], left)

    def _long(self, left: str, a: str, operator: str, b: str) -> None:
        by = number(b)
        if operator == "&" and by == (1 << 32) - 1 and not self._machine.plain:
            self._emit({"widen": 1}, [a], left)
            return
        if operator in ("&", "|", "^") and by is not None and 0 <= by < 1 << 32:
            self._emit({"alu": 1}, [a, b], left)
            return
        for one in (a, b):
            if operator == "+" and is_value(one) and self.root(one) in self._products:
                self._emit(self._products.pop(self.root(one)), [a, b], left)
                return
        if operator in ("|", "^", "+") and any(self._is_half(one) for one in (a, b)):
            self._emit({"alu long half": 1}, [a, b], left)
            return
        self._emit({"alu long": 1}, [a, b], left)

    def _multiply(self, left: str, a: str, b: str) -> None:
        width, by = self.width(left), number(b)
        if width.bits == 64:
            self._multiply_long(left, a, b, by)
            return
        if by is not None and by > 0 and by & (by - 1) == 0 and not self._machine.plain:
            self._shift(left, a, "<<", str(by.bit_length() - 1))
            return
        if by is not None:
            shifted = added_digits(by)
            cheap = 2 if not self._machine.small else 1
            if shifted <= cheap + (1 if self._machine.thumb else 0):
                each = 2 if self._machine.thumb or self._machine.plain else 1
                self._emit(
                    {
                        "alu": max(shifted * each, 1)
                        + (by % 2 == 0 and shifted > 0) * 0.5
                        + (self._machine.plain and shifted > 0)
                    },
                    [a],
                    left,
                )
                return
            b = self._constant(str(by), self._machine.made(by))
        _, _, operator, _ = self._reading(left)
        kinds = {"multiply": 1, "factor bytes": self._bytes()}
        if operator == "+" and not self._machine.thumb and not self._machine.plain:
            self._products[self.root(left)] = kinds | {"multiply added": 1}
            self._wait(left, a, b)
            return
        if self._machine.thumb:
            kinds |= self._copied(a, b)
        self._emit(kinds, [a, b], left)

    def _multiply_long(self, left: str, a: str, b: str, by: int | None) -> None:
        plain, thumb = self._machine.plain, self._machine.thumb
        if by is not None and by > 1 and not plain:
            if by == 2:
                self._emit({"alu long": 1}, [a], left)
                return
            if by & (by - 1) == 0:
                self._shift_long(left, a, "<<", by.bit_length() - 1, b)
                return
            added, even = added_digits(by), by % 2 == 0
            if not self._machine.small and added + (even and thumb) <= LONG_STEPS:
                self._emit({"shift long constant": added + even, "alu long": added}, [a], left)
                return
        high = [one for one in (a, b) if not self._is_low_half(one)]
        if thumb or (not high and not plain):
            self._long_multiply(left, a, b, high=False)
            return
        # A product of each half that is not zero is added.
        further = 2 if plain else len(high)
        kinds: dict[str, float] = {"long multiply": 1, "multiply add": further}
        self._emit(kinds | {"factor bytes": (1 + further) * self._bytes()}, [a, b], left)

    def _bytes(self) -> float:
        return self._magnitudes.factor_bytes(*self._at[:2])

    def _long_multiply(self, left: str, a: str, b: str, high: bool) -> None:
        if self._machine.thumb:
            self._library("long multiply", [a, b], left)
            return
        by = number(b)
        if by is not None:
            if by > 0 and by & (by - 1) == 0 and not high:
                self._emit({"shift long constant": 1}, [a], left)
                return
            b = self._constant(str(by), self._machine.made(by))
        kinds: dict[str, float] = {"long multiply": 1, "factor bytes": self._bytes()}
        _, _, operator, _ = self._reading(left)
        if operator == "+" and not high and not self._machine.plain:
            self._products[self.root(left)] = kinds | {"multiply added": 1}
            self._wait(left, a, b)
            return
        self._emit(kinds, [a, b], left)

    def _divide(self, left: str, a: str, operator: str, b: str) -> None:
        width, by = self.width(left), number(b)
        power = by is not None and abs(by) & (abs(by) - 1) == 0
        if width.bits == 64:
            self._divide_long(left, a, by, b)
        elif power and width.kind == "u":
            self._simple(left, a, "&", str(abs(by or 1) - 1)) if operator == "%" else self._shift(
                left, a, ">>", "1"
            )
        elif power:
            self._emit({"divide by power" if operator == "/" else "remain by power": 1}, [a], left)
        elif by is not None and not self._machine.small and not self._machine.thumb:
            magic = self._constant(f"1/{by}", "literal")
            kinds: dict[str, float] = {"divide constant": 1}
            if width.kind != "u":
                kinds["divide signed"] = 1
            if operator == "%":
                kinds["remain constant"] = 1 + min(added_digits(by), 2)
            self._emit(kinds, [a, magic], left)
        else:
            kind = "division" if width.kind == "u" else "signed division"
            self._library(kind, [a, b], left, remains=operator == "%")

    def _divide_long(self, left: str, a: str, by: int | None, b: str) -> None:
        if by is not None and abs(by) & (abs(by) - 1) == 0:
            signed = self.width(left).kind == "i"
            self._emit({"divide long by power" if signed else "alu long": 1}, [a], left)
        elif by is None or self._machine.small or self._machine.thumb or not is_folded(by):
            self._library("long division", [a, b], left)
        else:
            kinds: dict[str, float] = {"divide long constant": 1}
            if self.width(left).kind == "i":
                kinds["divide long signed"] = 1
            self._emit(kinds, [a], left)

    def _shift(self, left: str, a: str, operator: str, b: str) -> None:
        width, by = self.width(left), number(b)
        if width.bits == 64:
            self._shift_long(left, a, operator, by, b)
            return
        kinds: dict[str, float] = {"alu": 1}
        if by is None:
            kinds["shifted by a register"] = 1
        if by is not None and self._is_cut(left, operator):
            self._wait(left, a)
            return
        _, first, reader, second = self._reading(left)
        if (
            operator == ">>"
            and by is not None
            and reader == "&"
            and self._cuts_bits(number(second))
        ):
            self._wait(left, a)
            return
        sum_ = self._reading(left)[0] if reader == "+" else ""
        if operator == "<<" and by is not None and sum_ and self._scales_address(sum_, 1 << by):
            self._wait(left, a)
            return
        folds = not self._machine.thumb and not self._machine.plain and width.bits == 32
        if operator == "r<<" and by is None:
            # There is only a rotation to the right.
            kinds["alu"] += 1
        if folds and reader in TAKES_SHIFT and number(second) is None:
            others = {self.root(one) for one in (first, second) if is_value(one)}
            if not (others - {self.root(left)}) & self._pending.keys():
                kinds["alu"] -= 1
                if by is None:
                    self._code.append(SelectedInstruction(self._at, kinds))
                self._wait(left, a, b)
                return
        if operator == "<<":
            extended = self._extended(left)
            kinds |= extended
            if by is not None and extended and (self._machine.thumb or "extend half" in extended):
                # An extension begins with a shift, which can shift further.
                kinds["alu"] -= 1
        if operator in ("r<<", "r>>") and self._machine.thumb and by is not None:
            b = self._constant(str(by), "constant")
            kinds |= {"shifted by a register": 1, **self._copied(a, b)}
        self._emit(kinds, [a, b], left)

    def _cuts_bits(self, mask: int | None) -> bool:
        """Whether two shifts leave the low bits of a mask: it is too long for a constant."""
        if mask is None or self._machine.plain:
            return False
        return 0xFF < mask < 0xFFFFFFFF and mask & (mask + 1) == 0

    def _is_cut(self, left: str, operator: str) -> bool:
        """Whether an extension alone reads a shifted value, and its own shifts do both.

        ARM cuts what was shifted right by a mask of 16 bits, with the shift in its operand.
        """
        match = ASSIGNED.match(self._reader(left))
        if match is None or not CONVERTED.match(match.group(2)) or self._machine.plain:
            return False
        to = match.group(1)
        after = self.width(to)
        if after.bits not in (8, 16) or to in self.roots:
            return False
        if operator == "<<":
            return self._machine.thumb or after != BYTE
        return after == HALF or (self._machine.thumb and after.bits == 8)

    def _cuts_by_mask(self, source: str, after: Width) -> bool:
        """Whether ARM cuts a value that was shifted right, and not extended by shifts."""
        match = BINARY.match(self._made[self.root(source)][1])
        shifted = match is not None and match.group(2) == ">>"
        return shifted and not self._machine.thumb and after == HALF

    def _shift_long(self, left: str, a: str, operator: str, by: int | None, b: str) -> None:
        if operator in ("r<<", "r>>") and by is not None:
            # Each half is of both halves; by 32 bits they change names.
            each = {"alu": 6.0, "copied operand": 2.0} if self._machine.thumb else {"alu": 4.0}
            self._emit({} if by == 32 else each, [a], left)
        elif by is None and self._machine.thumb and not self._machine.plain:
            self._library("long shift", [a, b], left)
        elif by is None:
            self._emit({"shift long": 1}, [a, b], left)
        elif by == 32:
            self._emit({"widen": 1}, [a], left)
        elif by > 32:
            self._emit({"alu": 1, "widen": 1}, [a], left)
        elif (
            operator == ">>"
            and all(self.width(target).bits <= 32 for target in self._converting(left))
        ) or (self._is_half(a) and operator == "<<"):
            self._emit({"alu": 2}, [a], left)
        else:
            self._emit({"shift long constant": 1}, [a], left)

    def _converted(self, left: str, source: str) -> None:
        before, after = self.width(source), self.width(left)
        if "f" in (before.kind, after.kind):
            if before != after and before.bits:
                kind = "double" if 64 in (before.bits, after.bits) else "float"
                both = before.kind == after.kind
                made = "resized" if both else "converted" if after.kind == "f" else "truncated"
                self._library(f"{kind} {made}", [source], left)
            else:
                self._emit({}, [source], left)
        elif after.bits == 64 and before.bits < 64:
            self._emit({"widen signed" if before.kind == "i" else "widen": 1}, [source], left)
        elif after.bits < min(before.bits, 32) or (after.bits == before.bits and after.bits < 32):
            if self.root(source) in self._pending and self._cuts_by_mask(source, after):
                mask = self._constant("65535", self._machine.made(65535))
                self._emit({"alu": 1}, [source, mask], left)
                return
            half = after.bits == 16 or after.kind == "i"
            self._emit({"extend half" if half else "extend": 1}, [source], left)
        else:
            self._emit({}, [source], left)


def is_folded(number: int) -> bool:
    """Whether GCC 12 divides 64 bits by a number without a call: a power of two leaves 1."""
    odd = abs(number) // (number & -number)
    return any(pow(2, bits, odd) == 1 for bits in range(16, 33))
