"""Control flow of ARM and Thumb instructions (ARM7TDMI data sheet, ARM DDI 0029), and the forms
that GCC gives to returns, veneers and switches there."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from capstone import CsInsn
from capstone import arm as a

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.cfg.flow import Flow, FlowKind, Listing
from cyclescope.firmware.program import Program

CASE_HELPER = "__gnu_thumb1_case_"
"""libgcc's functions that jump by a table behind their call, of bytes, halfwords or words."""
SINGLE_CYCLE = {
    a.ARM_INS_MOV, a.ARM_INS_MVN, a.ARM_INS_ADD, a.ARM_INS_ADC, a.ARM_INS_SUB, a.ARM_INS_SBC,
    a.ARM_INS_RSB, a.ARM_INS_RSC, a.ARM_INS_AND, a.ARM_INS_ORR, a.ARM_INS_EOR, a.ARM_INS_BIC,
    a.ARM_INS_CMP, a.ARM_INS_CMN, a.ARM_INS_TST, a.ARM_INS_TEQ, a.ARM_INS_MRS, a.ARM_INS_MSR,
    a.ARM_INS_LSL, a.ARM_INS_LSR, a.ARM_INS_ASR, a.ARM_INS_ROR, a.ARM_INS_RRX, a.ARM_INS_NOP,
}  # fmt: skip
"""They cost 1S whether their condition holds or not, unless they shift by a register."""
FACTORS = {
    a.ARM_INS_MUL: 2, a.ARM_INS_MLA: 2, a.ARM_INS_UMULL: 3, a.ARM_INS_SMULL: 3,
    a.ARM_INS_UMLAL: 3, a.ARM_INS_SMLAL: 3,
}  # fmt: skip
"""The operand of a multiplication that decides how long it takes; in Thumb code it is the first."""
NOT_WRITING = {a.ARM_INS_CMP, a.ARM_INS_CMN, a.ARM_INS_TST, a.ARM_INS_TEQ, a.ARM_INS_PUSH}
SHIFTS_BY_REGISTER = {a.ARM_SFT_ASR_REG, a.ARM_SFT_LSL_REG, a.ARM_SFT_LSR_REG, a.ARM_SFT_ROR_REG}
SHIFTS = {a.ARM_INS_LSL, a.ARM_INS_LSR, a.ARM_INS_ASR, a.ARM_INS_ROR}


def varies(one: CsInsn) -> bool:
    """Whether the instruction may be skipped and then costs other than when it executes."""
    if one.cc in (a.ARM_CC_AL, a.ARM_CC_INVALID):
        return False
    by_register = any(operand.shift.type in SHIFTS_BY_REGISTER for operand in one.operands)
    if one.id in SHIFTS:
        by_register = one.operands[-1].type == a.ARM_OP_REG and len(one.operands) == 3
    return one.id not in SINGLE_CYCLE or by_register


def has_condition(one: CsInsn) -> bool:
    """Whether the instruction may be skipped by its own condition."""
    return one.cc not in (a.ARM_CC_AL, a.ARM_CC_INVALID)


CONDITIONS = {
    a.ARM_CC_EQ: "eq", a.ARM_CC_NE: "ne", a.ARM_CC_HS: "cs", a.ARM_CC_LO: "cc",
    a.ARM_CC_MI: "mi", a.ARM_CC_PL: "pl", a.ARM_CC_HI: "hi", a.ARM_CC_LS: "ls",
    a.ARM_CC_GE: "ge", a.ARM_CC_LT: "lt", a.ARM_CC_GT: "gt", a.ARM_CC_LE: "le",
}  # fmt: skip


def condition(one: CsInsn) -> str:
    """The condition by which it executes (DDI 0029, section 4.2), or nothing."""
    return CONDITIONS.get(one.cc, "")


WORD_BITS = 32


def is_far_if_taken(code: Sequence[CsInsn]) -> bool | None:
    """Of a shift of 64 bits: whether its branch is taken where it is by 32 places or more.

    GCC 12 has there `subs places, #32` and `bmi` or `bpl` in Thumb code.
    """
    if len(code) < 2 or code[-2].id not in (a.ARM_INS_SUB, a.ARM_INS_SUBS):
        return None
    last = code[-2].operands[-1]
    if last.type != a.ARM_OP_IMM or last.imm != WORD_BITS:
        return None
    return {"mi": False, "pl": True}.get(condition(code[-1]))


def stores(one: CsInsn) -> bool:
    """Whether it writes memory that is not the stack, whenever it is reached."""
    if has_condition(one) or one.mnemonic[:3] not in ("str", "stm"):
        return False
    if one.mnemonic.startswith("stm"):
        return bool(one.operands[0].reg != a.ARM_REG_SP)
    return bool(one.operands[1].mem.base != a.ARM_REG_SP)


ARGUMENTS = (a.ARM_REG_R0, a.ARM_REG_R1, a.ARM_REG_R2, a.ARM_REG_R3)


def multiplies(one: CsInsn) -> bool:
    """Whether the multiplier's cycles are among the instruction's."""
    return one.id in FACTORS


def constant_factor(program: Program, before: Iterable[CsInsn], one: CsInsn) -> int | None:
    """The factor that decides how long a multiplication takes, if a constant was loaded there."""
    thumb = program.kind_of_code(one.address) == "thumb"
    return _constant(program, before, one.operands[0 if thumb else FACTORS[one.id]].reg)


def constant_argument(program: Program, before: Iterable[CsInsn], number: int) -> int | None:
    """The argument of a call, 0 for the first, if a constant was loaded after the call before."""
    calls = (a.ARM_INS_BL, a.ARM_INS_BLX)
    return _constant(program, takewhile(lambda one: one.id not in calls, before), ARGUMENTS[number])


def _constant(program: Program, before: Iterable[CsInsn], register: int) -> int | None:
    for earlier in before:
        operands = earlier.operands
        if not operands or operands[0].type != a.ARM_OP_REG or operands[0].reg != register:
            continue
        if earlier.id in NOT_WRITING or earlier.mnemonic.startswith("str"):
            continue
        if earlier.id == a.ARM_INS_LDR and operands[1].mem.base == a.ARM_REG_PC:
            if operands[1].mem.index:
                return None
            return int.from_bytes(program.read(literal(program, earlier), 4), "little")
        moved = earlier.id in (a.ARM_INS_MOV, a.ARM_INS_MVN) and operands[1].type == a.ARM_OP_IMM
        if not moved:
            return None
        value = int(operands[1].imm) & 0xFFFF_FFFF
        return value ^ 0xFFFF_FFFF if earlier.id == a.ARM_INS_MVN else value
    return None


def flow_of(program: Program, listing: Listing, one: CsInsn) -> Flow | None:
    """Returns its control transfer; None if execution just goes on."""
    conditional = one.cc not in (a.ARM_CC_AL, a.ARM_CC_INVALID)
    if one.id == a.ARM_INS_B:
        return Flow(FlowKind.TAKEN, (_target(one),), conditional)
    if one.id in (a.ARM_INS_BL, a.ARM_INS_BLX) and one.operands[0].type == a.ARM_OP_IMM:
        return _call(program, listing, one, conditional)
    if one.id == a.ARM_INS_BLX:
        raise listing.refuse(one, "calls what a register holds")
    if one.id in (a.ARM_INS_UDF, a.ARM_INS_BKPT):
        return Flow(FlowKind.TAKEN)
    if not _writes_pc(one):
        return None
    if _is_return(listing, one):
        return Flow(FlowKind.RETURN, (), conditional)
    if any(_sets_return_address(before) for before in _until_transfer(listing, one)):
        raise listing.refuse(one, "calls what a register holds")
    return Flow(FlowKind.COMPUTED, _computed(program, listing, one), conditional)


def _call(program: Program, listing: Listing, one: CsInsn, conditional: bool) -> Flow:
    target = _target(one)
    if _is_far_jump(program, listing, target):
        return Flow(FlowKind.TAKEN, (target,), conditional)
    helper = program.function_at(target).name
    if not helper.startswith(CASE_HELPER):
        return Flow(FlowKind.CALL, (target,), conditional)
    kind, behind = helper.removeprefix(CASE_HELPER), one.address + one.size
    width = {"q": 1, "h": 2, "s": 4}[kind[-2]]
    entries = table_entries(listing, one)
    table = behind + 2 & ~3 if width == 4 else behind
    raw = program.read(table, width * entries)
    signed = not kind.startswith("u")
    offsets = [
        int.from_bytes(raw[i : i + width], "little", signed=signed)
        for i in range(0, len(raw), width)
    ]
    scale = 1 if width == 4 else 2
    resumes = tuple(dict.fromkeys(table + scale * offset for offset in offsets))
    return Flow(FlowKind.CALL, (target,), conditional, resumes)


def _is_far_jump(program: Program, listing: Listing, target: int) -> bool:
    """Whether a call is a jump too far for a branch of Thumb: GCC takes `bl` inside a function.

    A call of `bx` behind a function is a call of what a register holds.
    """
    inside = target in listing and target != listing.function.address
    is_thumb = program.kind_of_code(target) == "thumb"
    return inside and is_thumb and bool(listing.at(target).id != a.ARM_INS_BX)


def _target(one: CsInsn) -> int:
    """The disassembler takes addresses for signed numbers."""
    return int(one.operands[0].imm) & 0xFFFF_FFFF


def _writes_pc(one: CsInsn) -> bool:
    if one.id == a.ARM_INS_BX:
        return True
    if one.id in (a.ARM_INS_POP, a.ARM_INS_LDM, a.ARM_INS_LDMDA, a.ARM_INS_LDMDB, a.ARM_INS_LDMIB):
        return any(operand.reg == a.ARM_REG_PC for operand in one.operands)
    first = one.operands[0] if one.operands else None
    writes = first is not None and first.type == a.ARM_OP_REG and first.reg == a.ARM_REG_PC
    return writes and one.mnemonic[:3] not in ("str", "cmp", "cmn", "tst", "teq")


def _is_return(listing: Listing, one: CsInsn) -> bool:
    """`bx lr`, `mov pc, lr`, a load of r15 from the stack, or `bx` of a register popped there."""
    if one.id in (a.ARM_INS_POP, a.ARM_INS_LDM, a.ARM_INS_LDMDA, a.ARM_INS_LDMDB, a.ARM_INS_LDMIB):
        return True
    if one.id == a.ARM_INS_LDR:
        return bool(one.operands[1].mem.base == a.ARM_REG_SP)
    source = one.operands[-1].reg
    if source == a.ARM_REG_LR:
        return True
    for before in _until_transfer(listing, one):
        if any(operand.reg == source for operand in before.operands):
            popped = before.id in (a.ARM_INS_POP, a.ARM_INS_LDM)
            return popped or (
                before.id == a.ARM_INS_LDR and before.operands[1].mem.base == a.ARM_REG_SP
            )
    return False


def _sets_return_address(one: CsInsn) -> bool:
    """`mov lr, pc`: what follows is a call."""
    registers = [operand.reg for operand in one.operands]
    return one.id == a.ARM_INS_MOV and registers == [a.ARM_REG_LR, a.ARM_REG_PC]


def _until_transfer(listing: Listing, one: CsInsn) -> Iterator[CsInsn]:
    """The instructions in front of it that certainly execute before it, nearest first."""
    for before in listing.before(one):
        if before.id in (a.ARM_INS_B, a.ARM_INS_BL, a.ARM_INS_BX) or _writes_pc(before):
            return
        yield before


def _computed(program: Program, listing: Listing, one: CsInsn) -> tuple[int, ...]:
    """Where a jump to a computed address can go: literals, veneers and switches."""
    if one.id == a.ARM_INS_BX and one.operands[0].reg == a.ARM_REG_PC:
        return (one.address + 4 & ~3,)
    if one.id == a.ARM_INS_LDR:
        memory = one.operands[1].mem
        if memory.base == a.ARM_REG_PC and not memory.index:
            return (_pointer(program, one.address + 8 + memory.disp),)
        if memory.base == a.ARM_REG_PC:
            return pointers_of_table(program, listing, one, one.address + 8)
    if one.id == a.ARM_INS_ADD and one.operands[1].reg == a.ARM_REG_PC:
        entries = table_entries(listing, one)
        return tuple(one.address + 8 + 4 * index for index in range(entries))
    if one.id not in (a.ARM_INS_MOV, a.ARM_INS_BX):
        raise listing.refuse(one, "jumps to a computed address")
    try:
        return _by_register(program, listing, one)
    except CyclescopeError:
        # A call of a pointer at the end of a function is `bx`, which changes the state.
        labels = _labels(program, listing) if one.id == a.ARM_INS_MOV else ()
        if not labels:
            raise
        return labels


def _labels(program: Program, listing: Listing) -> tuple[int, ...]:
    """Where `goto *` may lead: places in the function whose addresses data hold."""
    entry = listing.function.address
    return tuple(sorted(at for at in program.pointed if at in listing and at != entry))


def _by_register(program: Program, listing: Listing, one: CsInsn) -> tuple[int, ...]:
    """Of a register that was loaded from a literal, or from a table at a literal's address."""
    register = one.operands[-1].reg
    for before in listing.before(one):
        if not before.operands or before.operands[0].reg != register:
            continue
        if before.id != a.ARM_INS_LDR:
            break
        memory = before.operands[1].mem
        if memory.base == a.ARM_REG_PC and not memory.index:
            return (_pointer(program, literal(program, before)),)
        for register_of_table in (memory.base, memory.index):
            table = loaded_literal(program, listing, before, register_of_table)
            if table is not None:
                return pointers_of_table(program, listing, one, table)
        found = _distant_table(program, listing, one)
        if found:
            return found
        break
    raise listing.refuse(one, "jumps to a computed address")


def _distant_table(program: Program, listing: Listing, one: CsInsn) -> tuple[int, ...]:
    """Of a table whose address was loaded in front of a loop: all its words lead into the function.

    Of several tables it is the one that leads behind the jump, where GCC puts a case. Nothing if
    that is not one.
    """
    entries = table_entries(listing, one)
    tables = set[tuple[int, ...]]()
    for load in listing.all():
        if load.id != a.ARM_INS_LDR or load.operands[1].mem.base != a.ARM_REG_PC:
            continue
        at = int.from_bytes(program.read(literal(program, load), 4), "little")
        if at % 4 or not program.has(at, 4 * entries):
            continue
        words = tuple(_pointer(program, at + 4 * index) for index in range(entries))
        if all(word in listing for word in words):
            tables.add(tuple(dict.fromkeys(words)))
    nearest = {table for table in tables if one.address + one.size in table}
    chosen = tables if len(tables) == 1 else nearest
    return chosen.pop() if len(chosen) == 1 else ()


def loaded_literal(program: Program, listing: Listing, one: CsInsn, register: int) -> int | None:
    """The literal that the register was last loaded with, or that was added into it."""
    for before in listing.before(one):
        if not before.operands or before.operands[0].reg != register:
            continue
        if before.id == a.ARM_INS_LDR and before.operands[1].mem.base == a.ARM_REG_PC:
            return int.from_bytes(program.read(literal(program, before), 4), "little")
        if before.id != a.ARM_INS_ADD:
            return None
        terms = {operand.reg for operand in before.operands if operand.type == a.ARM_OP_REG}
        found = (loaded_literal(program, listing, before, term) for term in sorted(terms))
        return next((literal for literal in found if literal is not None), None)
    return None


def literal(program: Program, one: CsInsn) -> int:
    """Where the literal of a load relative to the program counter lies."""
    ahead = 4 if program.kind_of_code(one.address) == "thumb" else 8
    return int((one.address + ahead & ~3) + one.operands[1].mem.disp)


def _pointer(program: Program, at: int) -> int:
    return program.address(int.from_bytes(program.read(at, 4), "little"))


def pointers_of_table(
    program: Program, listing: Listing, one: CsInsn, table: int
) -> tuple[int, ...]:
    """Where the pointers of a switch's table lead, which lies at `table`."""
    entries = table_entries(listing, one)
    # A pointer to a function, called at the end of another, looks like the table of a switch.
    if program.has(table, 4 * entries):
        pointers = tuple(
            dict.fromkeys(_pointer(program, table + 4 * index) for index in range(entries))
        )
        if any(target in listing for target in pointers):
            return pointers
    raise listing.refuse(one, "jumps to other functions")


def table_entries(listing: Listing, one: CsInsn) -> int:
    """How many entries a switch's table has: GCC compares the index with the last one before."""
    for before in listing.before(one):
        if before.id == a.ARM_INS_CMP and before.operands[1].type == a.ARM_OP_IMM:
            return int(before.operands[1].imm) + 1
    raise listing.refuse_table(one)
