"""Operands of an instruction by the registers of a board: its condition, factors and data."""

from capstone import CsInsn
from capstone import arm as a

from cyclescope.firmware.program import Program

MULTIPLICATIONS = {
    a.ARM_INS_MUL: 2, a.ARM_INS_MLA: 2, a.ARM_INS_UMULL: 3, a.ARM_INS_SMULL: 3,
    a.ARM_INS_UMLAL: 3, a.ARM_INS_SMLAL: 3,
}  # fmt: skip
"""The operand that decides how long each takes."""
MASK = 0xFFFF_FFFF


def register(one: CsInsn, number: int, registers: dict[str, int]) -> int:
    name = one.reg_name(number)
    named = {"sb": "r9", "sl": "r10", "fp": "r11", "ip": "r12", "sp": "r13", "lr": "r14"}
    return registers[{**named, "pc": "r15"}.get(name, name)]


def holds(one: CsInsn, status: int) -> bool:
    """Whether its condition holds."""
    n, z, c, v = (bool(status >> bit & 1) for bit in (31, 30, 29, 28))
    tests = [
        (a.ARM_CC_EQ, a.ARM_CC_NE, z), (a.ARM_CC_HS, a.ARM_CC_LO, c), (a.ARM_CC_MI, a.ARM_CC_PL, n),
        (a.ARM_CC_VS, a.ARM_CC_VC, v), (a.ARM_CC_HI, a.ARM_CC_LS, c and not z),
        (a.ARM_CC_GE, a.ARM_CC_LT, n == v), (a.ARM_CC_GT, a.ARM_CC_LE, n == v and not z),
    ]  # fmt: skip
    for condition, opposite, passes in tests:
        if one.cc in (condition, opposite):
            return passes == (one.cc == condition)
    return True


def multiplier_cycles(one: CsInsn, registers: dict[str, int], thumb: bool) -> int | None:
    """Cycles of a multiplication by its operand (ARM DDI 0210C); None of anything else."""
    if one.id not in MULTIPLICATIONS:
        return None
    place = 0 if thumb else MULTIPLICATIONS[one.id]
    value = register(one, one.operands[place].reg, registers)
    signed = one.id not in (a.ARM_INS_UMULL, a.ARM_INS_UMLAL)
    if signed and value >> 31:
        value ^= MASK
    return next(cycles for cycles in (1, 2, 3, 4) if value >> 8 * cycles == 0)


def data_address(one: CsInsn, registers: dict[str, int]) -> int | None:
    """Where it reads or writes first; None if it does not, or relative to itself."""
    if one.id == a.ARM_INS_LDM and one.operands[0].reg != a.ARM_REG_SP:
        return register(one, one.operands[0].reg, registers)
    memory = next((x for x in one.operands if x.type == a.ARM_OP_MEM), None)
    if memory is None or memory.mem.base == a.ARM_REG_PC:
        return None
    base = register(one, memory.mem.base, registers)
    if one.post_index:
        return base
    if memory.mem.index == 0:
        return (base + memory.mem.disp) & MASK
    index = register(one, memory.mem.index, registers)
    if memory.shift.type == a.ARM_SFT_LSL:
        index <<= memory.shift.value
    elif memory.shift.type == a.ARM_SFT_LSR:
        index >>= memory.shift.value
    elif memory.shift.type == a.ARM_SFT_ASR:
        index = (index - (index >> 31 << 32)) >> memory.shift.value
    return (base + (-index if memory.subtracted else index)) & MASK


def decoded(program: Program) -> dict[int, CsInsn]:
    """Every instruction of the image."""
    found = {}
    for function in program.functions:
        found.update({one.address: one for one in program.decoded(function.address, function.end)})
    return found
