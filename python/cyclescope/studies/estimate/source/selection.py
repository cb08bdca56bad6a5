"""Chooses instructions of an ARM7TDMI for the statements of a function, as a compiler would.

A shift that one addition reads is part of it. An addition of a product is one instruction. The
increment of a pointer is part of the access. Values stay names: `registers.py` finds how many of
them there are at once.
"""

from cyclescope.studies.estimate.source.accesses import AccessSelection
from cyclescope.studies.estimate.source.arithmetic import Arithmetic
from cyclescope.studies.estimate.source.gimple import (
    JUMPS,
    SSA,
    GimpleBlock,
    GimpleFunction,
    values,
)
from cyclescope.studies.estimate.source.loops import Loops
from cyclescope.studies.estimate.source.machine import Machine
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.statements import (
    ASSIGNED,
    BINARY,
    CALLED,
    CONDITION,
    CONVERTED,
    is_memory,
    is_value,
)
from cyclescope.studies.estimate.source.types import Types


class InstructionSelection(Arithmetic, AccessSelection):
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
        super().__init__(function, types, own, machine, magnitudes, loops)
        for block in function.blocks:
            self._select(block)

    def _select(self, block: GimpleBlock) -> None:
        self._block, self._code = block, []
        if block is self._function.blocks[0] and not self._machine.plain:
            self._at = next(
                (one.place for each in self._function.blocks for one in each.statements), self._at
            )
            self._load_parameters()
        for one in block.statements:
            self._at = one.place
            self._statement(one.text)
            self.found.ends[block.number] = one.place
        self.found.code[block.number] = self._code

    def _statement(self, text: str) -> None:
        if match := CONDITION.match(text):
            self._compared(*match.groups())
        elif text.startswith("switch "):
            # Thumb code has tables of addresses, and shorter ones for a function where size counts.
            called = self._machine.thumb and self._machine.small
            kinds = {"switch called": 1.0, "library switch": 1.0} if called else {"switch": 1.0}
            self._emit(kinds, values(text))
        elif text.startswith("return"):
            operand = text[6:].strip(" ;")
            constant = bool(operand) and not is_value(operand)
            self._emit({"returned constant": 1} if constant else {}, [operand])
        elif (match := CALLED.match(text)) and not text.partition(" = ")[2].startswith(
            ("MEM", "(", "{")
        ):
            self._call(*match.groups(), jumps=text.endswith(JUMPS))
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
