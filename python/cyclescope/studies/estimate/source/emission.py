"""Instructions of a function as they are chosen, and what each needs."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from cyclescope.studies.estimate.source.gimple import GimpleFunction, Place
from cyclescope.studies.estimate.source.loops import Loops
from cyclescope.studies.estimate.source.machine import Machine
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.statements import is_value, is_variable, number
from cyclescope.studies.estimate.source.types import Types
from cyclescope.studies.estimate.source.values import Values

THUMB_REACH, THUMB_BYTE = 100, 220
"""Bytes of arrays behind which Thumb's accesses to variables need a constant, and two steps to
make it: they reach 124 bytes, and a constant has one byte."""
WIDE_SHARE = 0.6
"""Of the steps of 64 bits that find no registers, where nothing is optimised."""
LONG_FRAME = 6.0
"""Steps to such a variable in a function that keeps registers for steps of 64 bits."""


@dataclass
class SelectedInstruction:
    """Work of one instruction or a few; `reads` and `writes` are the values that it needs."""

    place: Place
    kinds: dict[str, float]
    reads: tuple[str, ...] = ()
    writes: str = ""
    calls: bool = False


@dataclass
class Selected:
    """The instructions of a function by block, and values that constants are kept in."""

    code: dict[int, list[SelectedInstruction]] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    """The kind of work that makes each."""
    ends: dict[int, Place] = field(default_factory=dict)
    wide: set[str] = field(default_factory=set)
    """Values of two registers."""
    begun: dict[int, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))
    """Pointers that step through a loop, by its header: each is made in front of it."""


class Emission(Values):
    """Collects the instructions of one function."""

    def __init__(
        self,
        function: GimpleFunction,
        types: Types,
        own: frozenset[str],
        machine: Machine,
        magnitudes: Magnitudes,
        loops: Loops,
    ) -> None:
        super().__init__(function, types, machine, loops)
        self._own, self._magnitudes = own, magnitudes
        self.found = Selected()
        self._pending: dict[str, tuple[str, ...]] = {}
        self._flags: set[str] = set()
        self._products: dict[str, dict[str, float]] = {}
        self._at: Place = ("", 0, 0)
        self._code: list[SelectedInstruction] = []
        self._distance = self._far()
        self._addressed_in: set[tuple[int, str]] = set()
        called = function.name.split(".")[0]
        asked = [one for one in function.types if f"{called} {one}" in types.registers]
        self._in_registers = frozenset(asked[: machine.asked])

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
        self._code.append(SelectedInstruction(self._at, kinds, reads, target, calls))

    def _variables(self, kinds: dict[str, float], operands: Sequence[str], writes: str) -> None:
        """Without optimisation each variable is in memory, and constants are made where they are
        read."""
        for one in operands:
            if one.startswith("="):
                kind = self.found.constants[one]
                kinds[kind] = kinds.get(kind, 0) + 1
            elif is_value(one) and self._is_in_memory(one):
                self._variable(kinds, one, "load")
        if writes and self._is_in_memory(writes):
            self._variable(kinds, writes, "store")

    def _is_in_memory(self, name: str) -> bool:
        """Whether a value without optimisation has no register: two words rarely find one."""
        width = self.width(name)
        if name.removesuffix("(D)").rpartition("_")[0] in self._in_registers:
            return False
        return is_variable(name) or (width.bits == 64 and width.kind != "f")

    def _variable(self, kinds: dict[str, float], name: str, access: str) -> None:
        """An access to a variable in a frame, and what its address takes beside it."""
        narrow = self.width(name).bits in (1, 8, 16)
        kind = f"variable {access} narrow" if narrow else f"variable {access}"
        share = 1.0 if is_variable(name) else WIDE_SHARE
        kinds[kind] = kinds.get(kind, 0) + share * self._words(name)
        if not self._machine.thumb:
            return
        aside = 2.0 if narrow else 0.0
        if self._distance and not name.endswith("(D)"):
            # The constant stays in a register until the end of a block.
            variable = name.rpartition("_")[0]
            known = (self._block.number, variable)
            again = 1.0 if self._distance < LONG_FRAME else LONG_FRAME - 2
            aside = again if known in self._addressed_in else self._distance
            self._addressed_in.add(known)
        kinds["variable aside"] = kinds.get("variable aside", 0) + aside * self._words(name)

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
        if any(self.width(one).bits == 64 and self.width(one).kind != "f" for one in self._made):
            return LONG_FRAME
        return 2 if total < THUMB_BYTE else 3

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

    def _copied(self, a: str, b: str) -> dict[str, float]:
        """Thumb's operations write to an operand: what is needed later is copied first."""
        for one in (a, b):
            if is_value(one) and len(self._readers[self.root(one)]) == 1:
                return {}
        return {"copied operand": 1}

    def _extended(self, left: str) -> dict[str, float]:
        """The extension of a result of fewer bits than a register."""
        bits = self.width(left).bits
        if bits not in (8, 16) or self._is_low(left, bits):
            return {}
        return {"extend" if bits == 8 else "extend half": 1}
