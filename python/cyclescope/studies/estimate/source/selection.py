"""Chooses instructions of an ARM7TDMI for the statements of a function, as a compiler would.

A shift that one addition reads is part of it. An addition of a product is one instruction. The
increment of a pointer is part of the access. Values stay names: `registers.py` finds how many of
them there are at once.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from cyclescope.studies.estimate.source.gimple import (
    SSA,
    GimpleBlock,
    GimpleFunction,
    Place,
    values,
)
from cyclescope.studies.estimate.source.loops import Loops
from cyclescope.studies.estimate.source.machine import Machine, added_digits
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.statements import (
    ASSIGNED,
    BINARY,
    CALLED,
    COMPARISONS,
    CONDITION,
    CONVERTED,
    Reference,
    is_floating,
    is_memory,
    is_value,
    number,
    reference,
)
from cyclescope.studies.estimate.source.types import POINTER, Types, Width

ARGUMENTS = 4
"""Words of arguments that registers hold."""
FLOAT_WORK = {"+": "add", "-": "add", "*": "mul", "/": "div"}
SHIFTS = ("<<", ">>", "r<<", "r>>")
TAKES_SHIFT = ("+", "-", "&", "|", "^", *COMPARISONS)
THUMB_REACH, THUMB_FAR = 124, 1020
"""Bytes of a frame that Thumb's accesses reach with a constant, and with one of a byte."""


@dataclass
class Instruction:
    """Work of one instruction or a few; `reads` and `writes` are the values that it needs."""

    place: Place
    kinds: dict[str, float]
    reads: tuple[str, ...] = ()
    writes: str = ""
    calls: bool = False


@dataclass
class Selected:
    """The instructions of a function by block, and values that constants are kept in."""

    code: dict[int, list[Instruction]] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    """The kind of work that makes each."""
    ends: dict[int, Place] = field(default_factory=dict)
    wide: set[str] = field(default_factory=set)
    """Values of two registers."""


class Selection:
    """Chooses the instructions of one function."""

    def __init__(
        self,
        function: GimpleFunction,
        types: Types,
        own: frozenset[str],
        machine: Machine,
        magnitudes: Magnitudes,
        loops: Loops,
    ) -> None:
        self._function, self._types, self._own = function, types, own
        self._machine, self._magnitudes, self._loops = machine, magnitudes, loops
        self.found = Selected()
        self.roots: dict[str, str] = {}
        self._made: dict[str, tuple[int, str]] = {}
        self._readers: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self._texts: dict[str, list[str]] = defaultdict(list)
        self._chosen: set[str] = set()
        self._where: dict[str, int] = {}
        self._pending: dict[str, tuple[str, ...]] = {}
        self._flags: set[str] = set()
        self._products: dict[str, dict[str, float]] = {}
        self._stepping: dict[str, str] = {}
        self._at: Place = ("", 0, 0)
        self._distance = self._far()
        self._block: GimpleBlock
        self._code: list[Instruction] = []
        self._index()
        self._steps()
        for block in function.blocks:
            self._select(block)

    # Readers of each value.

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
        stored = self._only_stored(left, after.bits)
        return source if stored else ""

    def _only_stored(self, name: str, bits: int) -> bool:
        """Whether only stores of no more bits read a value."""
        if name in self._chosen:
            return False
        for text in self._texts[name]:
            match = ASSIGNED.match(text)
            if match is None:
                return False
            left, right = match.groups()
            if SSA.fullmatch(left):
                binary = BINARY.match(right)
                narrow = self.width(left).bits <= bits
                if binary and binary.group(2) == "&":
                    mask = number(binary.group(3))
                    if mask is not None and 0 <= mask < 1 << bits:
                        continue
                if not (narrow and self._only_stored(left, bits)):
                    return False
            elif name in values(left):
                return False
        return True

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

    # Emission.

    def _emit(
        self,
        kinds: dict[str, float],
        operands: Sequence[str] = (),
        writes: str = "",
        *,
        calls: bool = False,
    ) -> None:
        reads = tuple(dict.fromkeys(one for each in operands for one in self._registers(each)))
        target = self.root(writes) if writes else ""
        if target and self.width(writes).bits == 64:
            self.found.wide.add(target)
        if self._machine.plain:
            self._variables(kinds, operands, writes)
        self._code.append(Instruction(self._at, kinds, reads, target, calls))

    def _variables(self, kinds: dict[str, float], operands: Sequence[str], writes: str) -> None:
        """Without optimisation each variable is in memory."""
        count = 0
        for one in operands:
            if is_value(one) and not one.startswith("_"):
                kinds["variable load"] = kinds.get("variable load", 0) + self._words(one)
                count += 1
        if writes and not writes.startswith("_"):
            kinds["variable store"] = kinds.get("variable store", 0) + self._words(writes)
            count += 1
        if self._distance and count:
            kinds["variable far"] = count * self._distance

    def _far(self) -> float:
        """Steps to the address of a variable beside arrays that a Thumb access does not reach."""
        total = 0
        for name, static in self._function.arrays.items():
            type_ = self._function.types[name]
            sizes = [int(one) for one in re.findall(r"\[(\d+)\]", type_)]
            if not static and type_.endswith("]"):
                total += prod(sizes) * self.width(name).bits // 8
        if not self._machine.thumb or total < THUMB_REACH:
            return 0
        return 1 if total < THUMB_FAR else 3

    def _words(self, name: str) -> int:
        return 2 if self.width(name).bits == 64 else 1

    def _registers(self, operand: str) -> tuple[str, ...]:
        if operand.startswith("="):
            return (operand,)
        if not is_value(operand):
            return ()
        name = self.root(operand)
        if self.width(operand).bits == 64:
            self.found.wide.add(name)
        return self._pending.get(name, (name,))

    def _constant(self, name: str, kind: str) -> str:
        self.found.constants["=" + name] = kind
        return "=" + name

    def _operand(self, text: str, operator: str) -> tuple[str, int]:
        """An operand as it is read, and further instructions for a constant."""
        value = number(text)
        if value is None:
            return text, 0
        pieces = self._machine.pieces(value, operator)
        if pieces:
            return text, pieces - 1
        return self._constant(str(value), self._machine.made(value)), 0

    def _wait(self, left: str, *operands: str) -> None:
        """Leaves an operation to the instruction that reads it."""
        reads = [one for each in operands for one in self._registers(each)]
        self._pending[self.root(left)] = tuple(dict.fromkeys(reads))

    def _select(self, block: GimpleBlock) -> None:
        self._block, self._code = block, []
        for one in block.statements:
            self._at = one.place
            self._statement(one.text)
            self.found.ends[block.number] = one.place
        self.found.code[block.number] = self._code

    def _statement(self, text: str) -> None:
        if match := CONDITION.match(text):
            self._compared(*match.groups())
        elif text.startswith("switch "):
            kinds: dict[str, float] = {"switch": 1}
            if self._machine.thumb:
                kinds["library switch"] = 1
            self._emit(kinds, values(text))
        elif text.startswith("return"):
            operand = text[6:].strip(" ;")
            constant = bool(operand) and not is_value(operand)
            self._emit({"returned constant": 1} if constant else {}, [operand])
        elif (match := CALLED.match(text)) and not text.partition(" = ")[2].startswith(
            ("MEM", "(", "{")
        ):
            self._call(*match.groups())
        elif match := ASSIGNED.match(text):
            left, right = match.groups()
            if left in self.roots and not self._machine.plain:
                return
            if SSA.fullmatch(left):
                self._assigned(left, right)
            else:
                self._store(left, right)

    def _assigned(self, left: str, right: str) -> None:
        wide = self.width(left).bits == 64
        if match := BINARY.match(right):
            self._binary(left, *match.groups())
        elif match := CONVERTED.match(right):
            self._converted(left, match.group(2))
        elif is_memory(right):
            self._load(left, right)
        elif right.startswith(("-", "~")) and is_value(right[1:]):
            self._unary(left, right)
        elif right.startswith(("MIN_EXPR", "MAX_EXPR")):
            self._emit({"minimum": 2 if wide else 1}, values(right), left)
        elif right.startswith("ABS"):
            floating = self.width(left).kind == "f"
            self._emit({"alu": 1 if floating else 2}, values(right), left)
        elif right.startswith(("REALPART", "IMAGPART")):
            self._emit({}, values(right), left)
        elif " ? " in right:
            self._emit({"minimum": 1}, values(right), left)
        elif right.startswith("&"):
            self._addressed(left, right)
        elif right.startswith("BIT_FIELD_REF"):
            self._emit({"alu": 2}, values(right), left)
        elif is_value(right):
            self._emit({"move": 1} if not self._machine.plain else {}, [right], left)
        elif not self._machine.plain:
            self._emit({"constant": 2 if wide else 1}, values(right), left)
        else:
            self._emit({"constant": 1}, values(right), left)

    def _addressed(self, left: str, right: str) -> None:
        ref = reference(right[1:], 4)
        readers = [text for _, text in self._readers[self.root(left)]]
        folds = bool(readers) and all(f"*{left}" in text or f"({left})" in text for text in readers)
        reads, further = self._address(ref, POINTER, folds=folds)
        if folds and not further and not self._machine.plain:
            self._wait(left, *reads)
        else:
            self._emit({"alu": max(1, further)}, reads, left)

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
        flags = {self.root(a), self.root(b)} & self._flags
        if operator in ("|", "&") and flags and self._tests(left):
            self._flags.add(self.root(left))
            self._emit({"compare joined": 1}, [a, b], left)
            return
        for one in (a, b):
            if is_value(one) and self.root(one) in self._products:
                self._emit(self._products.pop(self.root(one)), [a, b], left)
                return
        operand, further = self._operand(b, operator)
        kinds: dict[str, float] = {"alu": 1 + further}
        if operator in ("+", "-"):
            kinds |= self._extended(left)
        if self._machine.thumb and operator not in ("+", "-"):
            kinds |= self._copied(a, operand)
        self._emit(kinds, [a, operand], left)

    def _extended(self, left: str) -> dict[str, float]:
        """The extension of a result of fewer bits than a register."""
        bits = self.width(left).bits
        if bits not in (8, 16) or self._only_stored(left, bits):
            return {}
        return {"extend" if bits == 8 else "extend half": 1}

    def _copied(self, a: str, b: str) -> dict[str, float]:
        """Thumb's operations write to an operand: what is needed later is copied first."""
        for one in (a, b):
            if is_value(one) and len(self._readers[self.root(one)]) == 1:
                return {}
        return {"copied operand": 1}

    def _long(self, left: str, a: str, operator: str, b: str) -> None:
        by = number(b)
        if operator in ("&", "|", "^") and by is not None and 0 <= by < 1 << 32:
            self._emit({"alu": 1}, [a, b], left)
            return
        if operator in ("|", "^", "+") and any(self._is_half(one) for one in (a, b)):
            self._emit({"alu long half": 1}, [a, b], left)
            return
        self._emit({"alu long": 1}, [a, b], left)

    def _is_half(self, name: str) -> bool:
        """Whether a wide value has only zeros in one of its halves."""
        made = self._made.get(self.root(name))
        if made is None:
            return False
        if match := CONVERTED.match(made[1]):
            return self.width(match.group(2)).kind == "u" and self.width(match.group(2)).bits < 64
        match = BINARY.match(made[1])
        return match is not None and match.group(2) == "<<" and match.group(3) == "32"

    def _multiply(self, left: str, a: str, b: str) -> None:
        width, by = self.width(left), number(b)
        if width.bits == 64:
            if self._machine.thumb:
                self._library("long multiply", [a, b], left)
            else:
                self._emit(
                    {"long multiply": 1, "multiply add": 2, "factor bytes": 3 * self._bytes()},
                    [a, b],
                    left,
                )
            return
        if by is not None:
            shifted = added_digits(by)
            cheap = 2 if not self._machine.small else 1
            if shifted <= cheap + (1 if self._machine.thumb else 0):
                each = 2 if self._machine.thumb else 1
                self._emit(
                    {"alu": max(shifted * each, 1) + (by % 2 == 0 and shifted > 0) * 0.5}, [a], left
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
        self._emit({"long multiply": 1, "factor bytes": self._bytes()}, [a, b], left)

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
        _, first, reader, second = self._reading(left)
        folds = not self._machine.thumb and not self._machine.plain and width.bits == 32
        if folds and by is not None and reader in TAKES_SHIFT and number(second) is None:
            others = {self.root(one) for one in (first, second) if is_value(one)}
            if not (others - {self.root(left)}) & self._pending.keys():
                self._wait(left, a)
                return
        if operator == "<<":
            kinds |= self._extended(left)
        if operator in ("r<<", "r>>") and self._machine.thumb and by is not None:
            b = self._constant(str(by), "constant")
            kinds |= {"shifted by a register": 1, **self._copied(a, b)}
        self._emit(kinds, [a, b], left)

    def _shift_long(self, left: str, a: str, operator: str, by: int | None, b: str) -> None:
        if by is None and self._machine.thumb and not self._machine.plain:
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

    def _converting(self, name: str) -> list[str]:
        """The results of conversions that read a value; itself, if others read it."""
        found = []
        for _, text in self._readers[self.root(name)]:
            match = ASSIGNED.match(text)
            converted = CONVERTED.match(match.group(2)) if match else None
            found.append(match.group(1) if match and converted else name)
        return found or [name]

    def _converted(self, left: str, source: str) -> None:
        before, after = self.width(source), self.width(left)
        if "f" in (before.kind, after.kind):
            if before != after and before.bits:
                kind = "double" if 64 in (before.bits, after.bits) else "float"
                both = before.kind == after.kind
                self._library(f"{kind} {'resized' if both else 'converted'}", [source], left)
            else:
                self._emit({}, [source], left)
        elif after.bits == 64 and before.bits < 64:
            self._emit({"widen signed" if before.kind == "i" else "widen": 1}, [source], left)
        elif after.bits < min(before.bits, 32) or (after.bits == before.bits and after.bits < 32):
            half = after.bits == 16 or after.kind == "i"
            self._emit({"extend half" if half else "extend": 1}, [source], left)
        else:
            self._emit({}, [source], left)

    # Memory.

    def _address(
        self, ref: Reference, width: Width, *, folds: bool = True
    ) -> tuple[list[str], int]:
        """The values that an address is made of, and further instructions."""
        machine = self._machine
        bits, signed = max(width.bits, 8), width.kind == "i"
        reads, further = [], 0
        base = ref.base
        on_stack = False
        if ref.is_value:
            reads.append(base)
        elif base:
            on_stack = not self._function.arrays.get(base, base not in self._function.types)
            if not on_stack:
                reads.append(self._constant(f"&{base}", "literal"))
        moving = [one for one in ref.indices if is_value(one[0]) and not self._is_outside(one[0])]
        still = [one for one in ref.indices if is_value(one[0]) and self._is_outside(one[0])]
        if ref.rows and still and moving:
            further += 1
        elif still and moving:
            reads[:] = [self._constant(f"{base}+{still}", "address made")]
        indices = moving or still
        reads += [one for one, _ in indices]
        for at, (index, scale) in enumerate(indices):
            steps = self._is_stepping(index) and not machine.plain
            further += bool(at) and not steps
            further += not steps and not machine.scales(scale, bits, signed)
        if indices and on_stack:
            further += 2 - any(self._is_stepping(one) for one, _ in indices)
        elif indices and ref.offset and not all(self._is_stepping(one) for one, _ in indices):
            if ref.is_value or machine.plain:
                further += 1 + (ref.inner and not machine.plain)
            else:
                reads[0] = self._constant(f"&{base}+{ref.offset}", "literal")
        elif not indices and ref.offset and not machine.reaches(ref.offset, bits, signed):
            further += 1
        if machine.thumb and not indices and signed and bits < 32 and folds:
            reads.append(self._constant(str(ref.offset), "constant"))
        return reads, further

    def _is_outside(self, name: str) -> bool:
        """Whether a value stays the same in the loop around this block."""
        loop = self._loops.innermost.get(self._block.number)
        return loop is not None and self._where.get(self.root(name), -1) not in loop.blocks

    def _is_stepping(self, index: str) -> bool:
        name = self.root(index)
        return name in self._stepping or name in self._stepping.values()

    def _load(self, left: str, place: str) -> None:
        width = self.width(left)
        ref = reference(place, max(width.bits, 8) // 8)
        reads, further = self._address(ref, width)
        kinds: dict[str, float] = {"address": further} if further else {}
        if width.bits == 64:
            kinds["load" if ref.offset or ref.indices else "load pair"] = (
                2 if ref.offset or ref.indices else 1
            )
        else:
            kinds[
                "load half"
                if width.bits == 16 or (width.bits == 8 and width.kind == "i")
                else "load"
            ] = 1
        self._emit(kinds, reads, left)

    def _store(self, place: str, source: str) -> None:
        width = self.width(source) if is_value(source) else self.width(place)
        ref = reference(place, max(width.bits, 8) // 8)
        reads, further = self._address(ref, Width(width.bits or 32, "u"))
        if source.startswith("{") or is_memory(source):
            self._emit({"copied aggregate": 1, "address": further}, [*reads, *values(source)])
            return
        kinds: dict[str, float] = {"address": further} if further else {}
        words = 2 if width.bits == 64 else 1
        kinds["store pair" if words == 2 else "store"] = 1
        operands = [*reads, source]
        if not is_value(source):
            value = number(source)
            if source.startswith("&") or value is None:
                operands.append(self._constant(source, "literal"))
            else:
                operands.append(self._constant(str(value), self._machine.made(value)))
        self._emit(kinds, operands)

    # Comparisons.

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
            self._emit({"compare": 1 + further}, [a, operand])

    def _sets_flags(self, name: str) -> bool:
        """Whether the value is that of an operation in the same block, which can set flags."""
        made = self._made.get(self.root(name))
        if made is None or made[0] != self._block.number or self._machine.plain:
            return False
        match = BINARY.match(made[1])
        return match is not None and match.group(2) in ("+", "-", "&", "|", "^", *SHIFTS)

    # Calls.

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
            elif len(self._readers[self.root(one)]) > 1:
                made = "argument kept"
            else:
                made = "argument passed"
            kinds[made] = kinds.get(made, 0) + size
        return words

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
        if target and len(self._readers[self.root(target)]) > 1:
            kinds["result kept"] = 1
        reads = values(arguments)
        if SSA.fullmatch(name):
            reads.append(name)
        self._emit(kinds, reads, target, calls=True)


INLINE = {"__builtin_bswap32": "swap bytes", "__builtin_abs": "minimum"}
NOTHING = (
    *("__builtin_unreachable", "__builtin_expect", ".FALLTHROUGH"),
    *("__builtin_stack_save", "__builtin_stack_restore"),
)


def is_folded(number: int) -> bool:
    """Whether GCC 12 divides 64 bits by a number without a call: a power of two leaves 1."""
    odd = abs(number) // (number & -number)
    return any(pow(2, bits, odd) == 1 for bits in range(16, 33))
