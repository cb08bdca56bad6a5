"""Where ARM and Thumb code finds its data, as far as one function's code shows it."""

from collections.abc import Iterable, Iterator

from capstone import CsInsn
from capstone import arm as a

from cyclescope.firmware.arm_code.flow import ARGUMENTS, NOT_WRITING, has_condition, literal
from cyclescope.firmware.program import Program

CALLS = (a.ARM_INS_BL, a.ARM_INS_BLX)
LOST_IN_CALLS = (*ARGUMENTS, a.ARM_REG_R12, a.ARM_REG_LR)
MOVES = (a.ARM_INS_MOV, a.ARM_INS_ADD)
NO_BASES = (a.ARM_REG_PC, a.ARM_REG_SP, a.ARM_REG_INVALID)


def data_places(program: Program, code: Iterable[CsInsn]) -> Iterator[tuple[int, int]]:
    """Instructions whose base or index was loaded as a constant, with an address of their data.

    An index that is not known is taken as 0. Code is read in the order of its addresses: GCC loads
    addresses in front of the loops that use them.
    """
    known: dict[int, int] = {}
    for one in code:
        yield from _accessed(one, known)
        _update(program, one, known)


def _accessed(one: CsInsn, known: dict[int, int]) -> Iterator[tuple[int, int]]:
    for operand in one.operands:
        if operand.type == a.ARM_OP_MEM:
            parts = operand.mem.base, operand.mem.index
            if operand.mem.base not in NO_BASES and any(part in known for part in parts):
                yield one.address, sum(known.get(part, 0) for part in parts) + operand.mem.disp


def _update(program: Program, one: CsInsn, known: dict[int, int]) -> None:
    if one.id in CALLS:
        for register in LOST_IN_CALLS:
            known.pop(register, None)
        return
    operands = one.operands
    if one.id in NOT_WRITING or one.mnemonic.startswith("st"):
        return
    if one.mnemonic.startswith(("ldm", "pop")):
        for operand in operands:
            known.pop(operand.reg, None)
        return
    if not operands or operands[0].type != a.ARM_OP_REG:
        return
    value = _value(program, one, known)
    if value is None or has_condition(one):
        known.pop(operands[0].reg, None)
    else:
        known[operands[0].reg] = value


def _value(program: Program, one: CsInsn, known: dict[int, int]) -> int | None:
    """The address that an instruction leaves in its first register, if it is known."""
    operands = one.operands
    if one.id == a.ARM_INS_LDR and operands[1].mem.base == a.ARM_REG_PC:
        if operands[1].mem.index:
            return None
        return int.from_bytes(program.read(literal(program, one), 4), "little")
    if one.id not in MOVES:
        return None
    # Of a sum one part is the address; what is added to it may be an index.
    parts = operands[1:] if one.id == a.ARM_INS_MOV or len(operands) > 2 else operands
    bases = [known[part.reg] for part in parts if part.type == a.ARM_OP_REG and part.reg in known]
    if len(bases) != 1:
        return None
    return bases[0] + sum(int(part.imm) for part in parts if part.type == a.ARM_OP_IMM)
