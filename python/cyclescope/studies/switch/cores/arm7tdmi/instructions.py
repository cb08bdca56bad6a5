"""Bus accesses of an ARM instruction, by the ARM7TDMI's table of cycles (ARM DDI 0210C).

Decoded anew from the opcode, for the analytic way: which data it accesses, how many internal cycles
it makes, whether it breaks the flow. It computes no results.
"""

from typing import NamedTuple

from cyclescope.errors import CyclescopeError
from cyclescope.studies.switch.path import Operands

PC = 15
WORD_BITS = 32
WORD = 0xFFFF_FFFF


class Activity(NamedTuple):
    """Behind its own fetch: data accesses in order, each of `size_bytes`, internal cycles, and
    whether it writes r15."""

    data: tuple[int, ...] = ()
    is_store: bool = False
    internal: int = 0
    breaks_flow: bool = False
    size_bytes: int = 4


NOTHING = Activity()


def activity(opcode: int, operands: Operands) -> Activity:
    """Returns this opcode's accesses with these operands; a false condition leaves the fetch
    alone."""
    if not holds(opcode >> 28, operands.cpsr):
        return NOTHING
    if opcode & 0x0FFF_FFF0 == 0x012F_FF10:  # BX
        return Activity(breaks_flow=True)
    if opcode & 0x0F00_00F0 == 0x0000_0090:
        return _multiply(opcode, operands)
    if opcode & 0x0FB0_0FF0 == 0x0100_0090:  # SWP: read, write, I
        address = operands.registers[opcode >> 16 & 15]
        return Activity((address, address), internal=1, size_bytes=1 if opcode >> 22 & 1 else 4)
    if opcode & 0x0E00_0090 == 0x0000_0090:
        size_bytes = 1 if opcode >> 5 & 3 == 2 else 2  # LDRSB
        return _transfer(opcode, operands, _halfword_offset(opcode, operands), size_bytes)
    if opcode >> 26 & 3 == 0:
        return _process(opcode)
    if opcode >> 26 & 3 == 1:
        size_bytes = 1 if opcode >> 22 & 1 else 4
        return _transfer(opcode, operands, _word_offset(opcode, operands), size_bytes)
    if opcode >> 25 & 7 == 4:
        return _block(opcode, operands)
    if opcode >> 25 & 7 == 5 or opcode >> 24 & 15 == 15:  # B, BL, SWI
        return Activity(breaks_flow=True)
    raise CyclescopeError(
        f"the analytic way has no rule for the opcode {opcode:#010x}", code="no-rule-for-opcode"
    )


def holds(condition: int, cpsr: int) -> bool:
    """Whether a condition field holds under these flags."""
    n, z, c, v = (bool(cpsr >> bit & 1) for bit in (31, 30, 29, 28))
    pairs = (z, c, n, v, c and not z, n == v, not z and n == v, True)
    return pairs[condition >> 1] != bool(condition & 1)


def _multiply(opcode: int, operands: Operands) -> Activity:
    """MUL 1S + mI; accumulating or long one I more, both two."""
    factor = operands.registers[opcode >> 8 & 15]
    is_long, is_signed, accumulates = (bool(opcode >> bit & 1) for bit in (23, 22, 21))
    steps = _steps(factor, ones_end=not is_long or is_signed)
    return Activity(internal=steps + is_long + accumulates)


def _steps(factor: int, *, ones_end: bool) -> int:
    """m: bytes of the second factor until all higher bits are equal to the sign (or zero)."""
    for steps in (1, 2, 3):
        rest = factor >> 8 * steps
        if rest == 0 or (ones_end and rest == WORD >> 8 * steps):
            return steps
    return 4


def _process(opcode: int) -> Activity:
    """Data processing 1S, a shift by register 1I more; MRS and MSR 1S."""
    is_test = opcode >> 23 & 3 == 2
    if is_test and not opcode >> 20 & 1:
        return NOTHING  # MRS, MSR
    by_register = not opcode >> 25 & 1 and bool(opcode >> 4 & 1)
    breaks = not is_test and opcode >> 12 & 15 == PC
    return Activity(internal=int(by_register), breaks_flow=breaks)


def _transfer(opcode: int, operands: Operands, offset: int, size_bytes: int) -> Activity:
    """LDR 1S + 1N + 1I, into r15 1N + 1S more; STR 2N."""
    base = operands.registers[opcode >> 16 & 15]
    moved = base + offset if opcode >> 23 & 1 else base - offset
    address = (moved if opcode >> 24 & 1 else base) & WORD
    if not opcode >> 20 & 1:
        return Activity((address,), is_store=True, size_bytes=size_bytes)
    breaks = opcode >> 12 & 15 == PC
    return Activity((address,), internal=1, breaks_flow=breaks, size_bytes=size_bytes)


def _halfword_offset(opcode: int, operands: Operands) -> int:
    if opcode >> 22 & 1:
        return opcode >> 4 & 0xF0 | opcode & 0xF
    return operands.registers[opcode & 15]


def _word_offset(opcode: int, operands: Operands) -> int:
    if not opcode >> 25 & 1:
        return opcode & 0xFFF
    value, kind, amount = operands.registers[opcode & 15], opcode >> 5 & 3, opcode >> 7 & 31
    if kind == 0:
        return value << amount & WORD
    if kind == 1:
        return value >> (amount or WORD_BITS)
    if kind == 2:
        signed = value - (value >> 31 << WORD_BITS)
        return signed >> (amount or WORD_BITS - 1) & WORD
    if amount == 0:  # RRX
        return (operands.cpsr >> 29 & 1) << 31 | value >> 1
    return (value >> amount | value << WORD_BITS - amount) & WORD


def _block(opcode: int, operands: Operands) -> Activity:
    """LDM nS + 1N + 1I, with r15 1N + 1S more; STM (n-1)S + 2N."""
    count = (opcode & 0xFFFF).bit_count()
    base = operands.registers[opcode >> 16 & 15]
    up, before = opcode >> 23 & 1, opcode >> 24 & 1
    lowest = base if up else base - 4 * count
    lowest += 4 if before == up else 0
    data = tuple(lowest + 4 * index & WORD for index in range(count))
    if not opcode >> 20 & 1:
        return Activity(data, is_store=True)
    return Activity(data, internal=1, breaks_flow=bool(opcode >> PC & 1))
