"""Control flow of Thumb-2 instructions (ARM DDI 0403), and the forms of switches that GCC makes."""

from capstone import CsInsn
from capstone import arm as a

from cyclescope.firmware.arm_code import flow as of_arm
from cyclescope.firmware.cfg.flow import Flow, FlowKind, Listing
from cyclescope.firmware.program import Program

COMPARE_BRANCHES = {a.ARM_INS_CBZ, a.ARM_INS_CBNZ}
TABLE_BRANCHES = {a.ARM_INS_TBB: 1, a.ARM_INS_TBH: 2}
"""Bytes of an entry of the table behind them, which counts halfwords from there."""
BLOCK_OF_CONDITIONS = a.ARM_INS_IT
SINGLE_CYCLE = of_arm.SINGLE_CYCLE | {
    a.ARM_INS_ADR, a.ARM_INS_MOVT, a.ARM_INS_MOVW, a.ARM_INS_ORN, a.ARM_INS_UBFX, a.ARM_INS_SBFX,
    a.ARM_INS_BFI, a.ARM_INS_BFC, a.ARM_INS_CLZ, a.ARM_INS_RBIT, a.ARM_INS_REV, a.ARM_INS_REV16,
    a.ARM_INS_REVSH, a.ARM_INS_UXTB, a.ARM_INS_UXTH, a.ARM_INS_SXTB, a.ARM_INS_SXTH,
    a.ARM_INS_SSAT, a.ARM_INS_USAT, a.ARM_INS_MUL,
}  # fmt: skip
"""They cost a cycle whether their condition holds or not."""


def has_condition(one: CsInsn) -> bool:
    """Whether the instruction may be skipped by a condition, its own or that of its IT block."""
    return one.id != BLOCK_OF_CONDITIONS and of_arm.has_condition(one)


def varies(one: CsInsn) -> bool:
    """Whether the instruction may be skipped and then costs other than when it executes."""
    return has_condition(one) and one.id not in SINGLE_CYCLE


def flow_of(program: Program, listing: Listing, one: CsInsn) -> Flow | None:
    """Returns its control transfer; None if execution just goes on."""
    if one.id in COMPARE_BRANCHES:
        return Flow(FlowKind.TAKEN, (int(one.operands[1].imm) & 0xFFFF_FFFF,), True)
    if one.id in TABLE_BRANCHES:
        return Flow(FlowKind.COMPUTED, _table_behind(program, listing, one))
    if one.id == BLOCK_OF_CONDITIONS:
        return None
    if _loads_from_table(one):
        return Flow(FlowKind.COMPUTED, _words(program, listing, one))
    return of_arm.flow_of(program, listing, one)


def _table_behind(program: Program, listing: Listing, one: CsInsn) -> tuple[int, ...]:
    """Where TBB and TBH lead, whose base is the program counter."""
    if one.operands[0].mem.base != a.ARM_REG_PC:
        raise listing.refuse(one, "jumps by a table whose address a register holds")
    width, table = TABLE_BRANCHES[one.id], one.address + one.size
    raw = program.read(table, width * of_arm.table_entries(listing, one))
    offsets = (int.from_bytes(raw[i : i + width], "little") for i in range(0, len(raw), width))
    return tuple(dict.fromkeys(table + 2 * offset for offset in offsets))


def _loads_from_table(one: CsInsn) -> bool:
    """`ldr pc, [rN, rM, lsl #2]`."""
    is_load = one.id == a.ARM_INS_LDR and bool(one.operands)
    if not is_load or one.operands[0].reg != a.ARM_REG_PC:
        return False
    return bool(one.operands[1].mem.index) and one.operands[1].mem.base != a.ARM_REG_PC


def _words(program: Program, listing: Listing, one: CsInsn) -> tuple[int, ...]:
    """The words of the table that its base was made to point to: by ADR, or by a literal."""
    base = one.operands[1].mem.base
    for before in listing.before(one):
        if not before.operands or before.operands[0].reg != base:
            continue
        if before.id in (a.ARM_INS_ADR, a.ARM_INS_ADD) and before.operands[-1].type == a.ARM_OP_IMM:
            table = (before.address + 4 & ~3) + int(before.operands[-1].imm)
            return of_arm.pointers_of_table(program, listing, one, table)
        literal = of_arm.loaded_literal(program, listing, one, base)
        if literal is not None:
            return of_arm.pointers_of_table(program, listing, one, literal)
        break
    raise listing.refuse(one, "jumps to a computed address")
