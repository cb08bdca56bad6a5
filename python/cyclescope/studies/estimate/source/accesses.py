"""AccessSelection to memory: which addresses need instructions of their own."""

import re
from functools import cached_property

from cyclescope.studies.estimate.source.emission import Emission
from cyclescope.studies.estimate.source.gimple import Place, values
from cyclescope.studies.estimate.source.statements import (
    MemoryReference,
    is_memory,
    is_value,
    number,
    reference,
)
from cyclescope.studies.estimate.source.types import POINTER, Width

CAST_TO = re.compile(r"\(\s*(?:(?:const|volatile|struct|union)\s+)*(\w+) \*")
MEMBER_OF = re.compile(r"([A-Za-z_]\w*)(?:\(D\))?(?:->|\.)")
AGGREGATE_STEPS = 4
"""Shifts and additions that multiply an index by the size of an aggregate, without optimisation."""


BYTE_BITS, WORD_BITS = 8, 32


class AccessSelection(Emission):
    """Chooses instructions of loads and stores."""

    @cached_property
    def _packed_at(self) -> frozenset[Place]:
        """Where the source has accesses to packed structures.

        A loop may have an access in place of one of them, whose type is that of the field.
        """
        return frozenset(
            one.place
            for block in self._function.blocks
            for one in block.statements
            if self._names_packed(one.text)
        )

    def _names_packed(self, text: str) -> bool:
        if match := CAST_TO.search(text):
            return match.group(1) in self._types.packed
        return any(
            word in self._types.packed
            for base in MEMBER_OF.findall(text)
            for word in re.findall(r"\w+", self._function.type_of(base))
        )

    def _is_packed(self, place: str) -> bool:
        """Whether a place is in a structure that may lie at any address."""
        if not self._types.packed:
            return False
        return self._at in self._packed_at if " * " in place else self._names_packed(place)

    @staticmethod
    def _by_bytes(kinds: dict[str, float], kind: str, bits: int, joining: int) -> None:
        """An access to any address: byte by byte, with `joining` instructions for each further
        byte of a word."""
        count = bits // BYTE_BITS
        words = -(-bits // WORD_BITS)
        kinds[kind] = count
        kinds["alu"] = kinds.get("alu", 0) + joining * (count - words)

    def _address(
        self, ref: MemoryReference, width: Width, *, folds: bool = True
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
        if machine.plain:
            indices = [one for one in ref.indices if is_value(one[0])]
            reads += [one for one, _ in indices]
            if ref.base and indices:
                return reads, self._plain_address(ref, indices, width, on_stack=on_stack)
        reads += [one for one, _ in indices]
        if ref.base and (loop := self._loops.innermost.get(self._block.number)):
            for index, _ in moving:
                if self._is_stepping(index):
                    self.found.begun[loop.header].add((base, self._stepped_root(index)))
        for at, (index, scale) in enumerate(indices):
            steps = self._is_stepping(index) and not machine.plain
            further += bool(at) and not steps
            further += not steps and not machine.scales(scale, bits, signed)
        if indices and on_stack:
            further += 2 - any(self._is_stepping(one) for one, _ in indices)
        elif indices and ref.offset and not all(self._is_stepping(one) for one, _ in indices):
            if ref.is_value or machine.plain:
                further += 1 + (ref.inner and not machine.plain) * (1 + machine.thumb)
            else:
                reads[0] = self._constant(f"&{base}+{ref.offset}", "literal")
        elif not indices and ref.offset and not machine.reaches(ref.offset, bits, signed):
            further += 1
        if machine.thumb and not indices and signed and bits < 32 and folds:
            further += 1
        return reads, further

    def _plain_address(
        self,
        ref: MemoryReference,
        indices: list[tuple[str, int]],
        width: Width,
        *,
        on_stack: bool,
    ) -> int:
        """Instructions of an address with indices, without optimisation."""
        one = len(indices) == 1 and not on_stack and not ref.offset
        scale = indices[0][1]
        if one and scale and self._machine.thumb:
            return int(scale > 1) + (width.kind == "i" and width.bits < 32)
        if one and self._machine.scales(scale, max(width.bits, 8), width.kind == "i"):
            return 2 if width.bits == 64 else 0
        scaling = sum(AGGREGATE_STEPS if each == 0 else each > 1 for _, each in indices)
        return scaling + len(indices) + bool(ref.offset) + 2 * on_stack

    def _addressed(self, left: str, right: str) -> None:
        ref = reference(right[1:], 4)
        readers = [text for _, text in self._readers[self.root(left)]]
        folds = bool(readers) and all(f"*{left}" in text or f"({left})" in text for text in readers)
        reads, further = self._address(ref, POINTER, folds=folds)
        if folds and not further and not self._machine.plain:
            self._wait(left, *reads)
        else:
            self._emit({"alu": max(1, further)}, reads, left)

    def _load(self, left: str, place: str) -> None:
        width = self.width(left)
        ref = reference(place, max(width.bits, 8) // 8)
        reads, further = self._address(ref, width)
        kinds: dict[str, float] = {"address": further} if further else {}
        if self._is_packed(place) and width.bits > BYTE_BITS:
            self._by_bytes(kinds, "load byte", width.bits, 1 + self._machine.thumb)
        elif ref.base in self._types.constants:
            kinds["load constant"] = 2 if width.bits == 64 else 1
        elif width.bits == 64:
            kinds["load" if ref.offset or ref.indices else "load pair"] = (
                2 if ref.offset or ref.indices else 1
            )
        else:
            kinds[
                "load half"
                if width.bits == 16 or (width.bits == 8 and width.kind == "i")
                else "load byte"
                if width.bits == 8
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
        if self._is_packed(place) and width.bits > BYTE_BITS:
            self._by_bytes(kinds, "store narrow", width.bits, 1)
        else:
            narrow = self.width(place).bits in (8, 16) or width.bits in (8, 16)
            kinds["store pair" if words == 2 else "store narrow" if narrow else "store"] = 1
        operands = [*reads, source]
        if not is_value(source):
            value = number(source)
            if source.startswith("&") or value is None:
                operands.append(self._constant(source, "literal"))
            else:
                operands.append(self._constant(str(value), self._machine.made(value)))
        self._emit(kinds, operands)
