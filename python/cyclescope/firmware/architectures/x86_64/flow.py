"""Control flow of x86-64 instructions (Intel's manual, volume 2), and GCC's forms of switches."""

import capstone
from capstone import CsInsn
from capstone import x86 as x

from cyclescope.firmware.cfg.flow import Flow, FlowKind, Listing
from cyclescope.firmware.program import Program

NEVER_GO_ON = {x.X86_INS_UD2, x.X86_INS_HLT, x.X86_INS_INT3}


def flow_of(program: Program, listing: Listing, one: CsInsn) -> Flow | None:
    """Returns its control transfer; None if execution just goes on."""
    if one.group(capstone.CS_GRP_RET):
        return Flow(FlowKind.RETURN)
    if one.id in NEVER_GO_ON:
        return Flow(FlowKind.TAKEN)
    if one.group(capstone.CS_GRP_CALL):
        if one.operands[0].type != x.X86_OP_IMM:
            raise listing.refuse(one, "calls what a register or the memory holds")
        return Flow(FlowKind.CALL, (one.operands[0].imm,))
    if one.group(capstone.CS_GRP_JUMP):
        if one.operands[0].type == x.X86_OP_IMM:
            conditional = one.id != x.X86_INS_JMP
            return Flow(FlowKind.TAKEN, (one.operands[0].imm,), conditional)
        return Flow(FlowKind.COMPUTED, _switch(program, listing, one))
    return None


def _switch(program: Program, listing: Listing, one: CsInsn) -> tuple[int, ...]:
    """The targets of a jump by a table: of addresses, or of distances from the table itself."""
    operand = one.operands[0]
    if operand.type == x.X86_OP_MEM and operand.mem.scale == 8 and not operand.mem.base:
        raw = program.read(operand.mem.disp, 8 * _entries(listing, one))
        targets = [int.from_bytes(raw[i : i + 8], "little") for i in range(0, len(raw), 8)]
        return tuple(dict.fromkeys(targets))
    if operand.type == x.X86_OP_MEM and operand.mem.base == x.X86_REG_RIP:
        raise listing.refuse(one, "goes into a shared library, which is not in the image")
    table = _table(listing, one)
    if operand.type != x.X86_OP_REG or table is None:
        raise listing.refuse(one, "jumps to a computed address")
    raw = program.read(table, 4 * _entries(listing, one))
    distances = [
        int.from_bytes(raw[i : i + 4], "little", signed=True) for i in range(0, len(raw), 4)
    ]
    return tuple(dict.fromkeys(table + distance for distance in distances))


def _table(listing: Listing, one: CsInsn) -> int | None:
    """Position-independent code: `lea table(%rip)`, `movslq (table, index, 4)`, `add`, `jmp`."""
    forms = list(listing.before(one))
    scaled = any(before.id == x.X86_INS_MOVSXD for before in forms)
    for before in forms:
        if before.id == x.X86_INS_LEA and before.operands[1].mem.base == x.X86_REG_RIP:
            place = before.address + before.size + before.operands[1].mem.disp
            return int(place) if scaled else None
    return None


def _entries(listing: Listing, one: CsInsn) -> int:
    """How many entries the table has: GCC compares the index with the last one before."""
    for before in listing.before(one):
        if before.id == x.X86_INS_CMP and before.operands[1].type == x.X86_OP_IMM:
            return int(before.operands[1].imm) + 1
    raise listing.refuse_table(one)
