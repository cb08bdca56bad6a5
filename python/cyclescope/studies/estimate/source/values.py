"""Values of a function: who reads them, which share a register, and which step through a loop."""

import re
from collections import defaultdict

from cyclescope.studies.estimate.source.gimple import SSA, GimpleBlock, GimpleFunction, values
from cyclescope.studies.estimate.source.loops import Loops
from cyclescope.studies.estimate.source.machine import Machine
from cyclescope.studies.estimate.source.statements import (
    ASSIGNED,
    BINARY,
    CONDITION,
    CONVERTED,
    is_floating,
    is_memory,
    is_value,
    number,
    reference,
)
from cyclescope.studies.estimate.source.types import Types, Width

CARRIES_UP = ("+", "-", "*", "&", "|", "^")
"""Operations whose low bits depend on the low bits of their operands alone."""
SIGN = re.compile(r"^if \(\S+ (?:<|>=) 0\)$")


class Values:
    """The values of one function in SSA form, and the block that is looked at."""

    def __init__(
        self, function: GimpleFunction, types: Types, machine: Machine, loops: Loops
    ) -> None:
        self._function, self._types, self._machine, self._loops = function, types, machine, loops
        self.roots: dict[str, str] = {}
        self._made: dict[str, tuple[int, str]] = {}
        self._readers: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self._texts: dict[str, list[str]] = defaultdict(list)
        self._chosen: set[str] = set()
        self._where: dict[str, int] = {}
        self._stepping: dict[str, str] = {}
        self._block: GimpleBlock
        self._index()
        self._steps()

    def root(self, name: str) -> str:
        """The value whose register a value shares."""
        name = name.removesuffix("(D)")
        while name in self.roots:
            name = self.roots[name]
        return name

    def width(self, name: str) -> Width:
        """The width of an operand."""
        bare = name.removesuffix("(D)")
        if SSA.fullmatch(bare):
            return self._types.width(self._function.type_of(bare))
        if is_floating(bare):
            return Width(0, "f")
        if match := re.search(r"MEM(?: <([^>]+)>)? ?\[\(([^()]*?) ?\*", bare):
            return self._types.width(match.group(1) or match.group(2))
        if bare in self._function.types:
            return self._types.width(self._function.types[bare])
        return Width(0, "i")

    def _index(self) -> None:
        for block in self._function.blocks:
            for one in block.statements:
                match = ASSIGNED.match(one.text)
                left, right = match.groups() if match else ("", one.text)
                if SSA.fullmatch(left):
                    self._made[left] = block.number, right
                    self._where[left] = block.number
                for name in values(right if SSA.fullmatch(left) else one.text):
                    self._texts[name].append(one.text)
            for choice in block.choices:
                self._where[choice.name] = block.number
                self._chosen.update(choice.sources.values())
        for left, (_, right) in self._made.items():
            source = self._shared(left, right)
            if source:
                self.roots[left] = source.removesuffix("(D)")
        for block in self._function.blocks:
            for one in block.statements:
                match = ASSIGNED.match(one.text)
                left, right = match.groups() if match else ("", one.text)
                if left in self.roots:
                    continue
                for name in values(right if SSA.fullmatch(left) else one.text):
                    self._readers[self.root(name)].append((block.number, one.text))
            for choice in block.choices:
                for source in choice.sources.values():
                    for name in values(source):
                        self._readers[self.root(name)].append((-1, ""))

    def _shared(self, left: str, right: str) -> str:
        """The value that a conversion without an instruction is of."""
        match = CONVERTED.match(right)
        if match is None or not is_value(match.group(2)):
            return right if is_value(right) else ""
        source = match.group(2)
        before, after = self.width(source), self.width(left)
        if "f" in (before.kind, after.kind):
            return source if before == after else ""
        if after.bits == 64:
            return source if before.bits == 64 else ""
        if after.bits == 1 or before.bits == 1:
            return source
        if after.bits >= min(before.bits, 32) and not (
            after.bits < 32 and after.kind != before.kind and after.bits == before.bits
        ):
            return source
        if self._is_low(left, after.bits) or self._fits(source, after):
            return source
        signed = before.bits == after.bits and after.kind == "i"
        return source if signed and self._is_sign(left, after.bits) else ""

    def _fits(self, name: str, width: Width) -> bool:
        """Whether the operation that makes a value leaves zeros above the bits of a width."""
        bits = width.bits - (width.kind == "i")
        made = self._made.get(name.removesuffix("(D)"))
        if made is None or self._machine.plain:
            return False
        if match := CONVERTED.match(made[1]):
            before = self.width(match.group(2))
            return before.kind == "u" and 1 <= before.bits <= bits
        match = BINARY.match(made[1])
        if match is None or self.width(name).bits != 32:
            return False
        a, operator, b = match.groups()
        by = number(b)
        if operator == "&" and by is not None:
            return 0 <= by < 1 << bits
        if operator == ">>" and by is not None:
            return self.width(a).kind == "u" and 32 - by <= bits
        return operator in ("&", "|", "^") and self._fits(a, width) and self._fits(b, width)

    def _is_sign(self, name: str, bits: int) -> bool:
        """Whether a signed value is read for its sign and its low bits alone: ARM tests a bit."""
        return not self._machine.thumb and all(
            SIGN.match(text) is not None or self._reads_low(name, bits, text)
            for text in self._texts[name]
        )

    def _is_low(self, name: str, bits: int) -> bool:
        """Whether no more than the low bits of a value are ever read."""
        if name in self._chosen:
            return False
        return all(self._reads_low(name, bits, text) for text in self._texts[name])

    def _reads_low(self, name: str, bits: int, text: str) -> bool:
        """Whether a statement reads no more than the low bits of a value."""
        match = ASSIGNED.match(text)
        if match is None:
            return False
        left, right = match.groups()
        if not SSA.fullmatch(left):
            return name not in values(left)
        after = self.width(left)
        if CONVERTED.match(right):
            if after.kind == "f" or after.bits == 1:
                return False
            makes = after.bits <= bits and not self._shared(left, right)
            return makes or self._is_low(left, bits)
        binary = BINARY.match(right)
        if binary is None:
            return right[0] in "-~" and self._is_low(left, bits)
        _, operator, b = binary.groups()
        mask = number(b)
        if operator == "&" and mask is not None and 0 <= mask < 1 << bits:
            return True
        carries = operator in CARRIES_UP or (operator == "<<" and name not in values(b))
        return carries and after.kind != "f" and after.bits <= 32 and self._is_low(left, bits)

    def _reader(self, name: str) -> str:
        """The only statement that reads a value, if it is in the same block."""
        readers = self._readers[self.root(name)]
        if len(readers) != 1 or readers[0][0] != self._block.number:
            return ""
        return readers[0][1]

    def _reading(self, name: str) -> tuple[str, str, str, str]:
        """The operation that alone reads a value: result, operand, operator, operand."""
        match = ASSIGNED.match(self._reader(name))
        binary = BINARY.match(match.group(2)) if match else None
        if match and binary:
            a, operator, b = binary.groups()
            return match.group(1), a, operator, b
        if condition := CONDITION.match(self._reader(name)):
            a, operator, b = condition.groups()
            return "", a, operator, b
        return "", "", "", ""

    def _steps(self) -> None:
        """Increments that an access makes on its way."""
        if self._machine.plain:
            return
        for block in self._function.blocks:
            for choice in block.choices:
                for source in choice.sources.values():
                    made = self._made.get(source)
                    match = BINARY.match(made[1]) if made else None
                    if not match or match.group(2) not in ("+", "-"):
                        continue
                    if self.root(match.group(1)) == choice.name and number(match.group(3)):
                        self._stepping[self.root(source)] = choice.name

    def _is_free(self, left: str, by: int) -> bool:
        """Whether an increment is part of an access to memory."""
        before = self._stepping.get(self.root(left))
        if before is None or self._machine.thumb:
            return False
        counted, free = True, False
        for where, text in (*self._readers[before], *self._readers[self.root(left)]):
            match = ASSIGNED.match(text)
            if not match:
                counted = counted and (where < 0 or text.startswith("if "))
                continue
            target, right = match.groups()
            place = target if is_memory(target) else right if is_memory(right) else ""
            if not place:
                counted = counted and self.root(target) == self.root(left)
                continue
            if not SSA.fullmatch(target) and values(right) and self.root(right) == before:
                counted = False
            ref = reference(place, 4)
            same = where == self._block.number
            if self.root(ref.base) in (before, self.root(left)) and not ref.indices:
                free = free or (same and ref.offset in (0, by))
            elif same and any(
                self.root(one) in (before, self.root(left)) for one, _ in ref.indices
            ):
                free = True
        return free and (counted or self._is_base(before, left, by))

    def _is_base(self, before: str, left: str, by: int) -> bool:
        """Whether accesses have the value itself as their address."""
        for where, text in (*self._readers[before], *self._readers[self.root(left)]):
            match = ASSIGNED.match(text)
            for part in match.groups() if match else ():
                if where == self._block.number and is_memory(part):
                    ref = reference(part, 4)
                    if (
                        self.root(ref.base) in (before, self.root(left))
                        and not ref.indices
                        and ref.offset in (0, by)
                    ):
                        return True
        return False

    def _accessed(self, name: str) -> list[Width]:
        """The widths of the accesses that a value is the address of; none, if others read it."""
        found = []
        for _, text in self._readers[self.root(name)]:
            match = ASSIGNED.match(text)
            target, right = match.groups() if match else ("", "")
            place = right if SSA.fullmatch(target) and is_memory(right) else target
            ref = reference(place, 4) if place and is_memory(place) else None
            if ref is None or self.root(ref.base) != self.root(name) or ref.offset or ref.indices:
                return []
            if place is target and is_value(right) and self.root(right) == self.root(name):
                return []
            width = self.width(target if place is right else right)
            found.append(width if width.bits else self.width(place))
        return found

    def _is_address(self, name: str) -> bool:
        """Whether a sum is made by the accesses that read it: an access adds two registers.

        For size the target's compiler was seen to keep such sums.
        """
        if self._machine.plain or self._machine.small:
            return False
        widths = self._accessed(name)
        return bool(widths) and all(0 < one.bits <= 32 for one in widths)

    def _scales_address(self, name: str, scale: int) -> bool:
        """Whether the accesses that a sum is the address of shift what is added to it."""
        if self._machine.thumb or not self._is_address(name):
            return False
        return all(
            (one.bits == 32 and scale == 4) or (one.bits == 8 and one.kind == "u" and scale == 1)
            for one in self._accessed(name)
        )

    def _is_outside(self, name: str) -> bool:
        """Whether a value stays the same in the loop around this block."""
        loop = self._loops.innermost.get(self._block.number)
        return loop is not None and self._where.get(self.root(name), -1) not in loop.blocks

    def _is_stepping(self, index: str) -> bool:
        name = self.root(index)
        return name in self._stepping or name in self._stepping.values()

    def _stepped_root(self, index: str) -> str:
        """The value that a step begins with in each round."""
        name = self.root(index)
        return self._stepping.get(name, name)

    def _words(self, name: str) -> int:
        return 2 if self.width(name).bits == 64 else 1

    def _converting(self, name: str) -> list[str]:
        """The results of conversions that read a value; itself, if others read it."""
        found = []
        for _, text in self._readers[self.root(name)]:
            match = ASSIGNED.match(text)
            converted = CONVERTED.match(match.group(2)) if match else None
            found.append(match.group(1) if match and converted else name)
        return found or [name]

    def _is_low_half(self, name: str) -> bool:
        """Whether a wide operand has only zeros in its upper half."""
        by = number(name)
        if by is not None:
            return 0 <= by < 1 << 32
        made = self._made.get(self.root(name)) if is_value(name) else None
        if made is None:
            return False
        if match := CONVERTED.match(made[1]):
            before = self.width(match.group(2))
            return before.kind == "u" and before.bits < 64
        match = BINARY.match(made[1])
        if match is None:
            return False
        a, operator, b = match.groups()
        by = number(b)
        if operator == ">>":
            return by is not None and by >= 32 and self.width(a).kind == "u"
        return operator == "&" and by is not None and 0 <= by < 1 << 32

    def _is_half(self, name: str) -> bool:
        """Whether a wide value has only zeros in one of its halves."""
        made = self._made.get(self.root(name))
        if made is None:
            return False
        if match := CONVERTED.match(made[1]):
            return self.width(match.group(2)).kind == "u" and self.width(match.group(2)).bits < 64
        match = BINARY.match(made[1])
        return match is not None and match.group(2) == "<<" and match.group(3) == "32"
