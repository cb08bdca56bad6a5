"""The ARM7TDMI: interrupts begin at a vector, in a mode of their own."""

from collections.abc import Mapping, Sequence

from cyclescope.studies.switch.core import Rules
from cyclescope.studies.switch.cores.arm7tdmi.walk import AHEAD_BYTES, Arm7tdmiWalk
from cyclescope.studies.switch.path import Moment, Operands

REGISTERS = [f"r{number}" for number in range(16)]
MODE_BITS = 0x1F

SYNCHRONISER_CYCLES = 2
OVERLAP_CYCLES = 0
INTERRUPT_DOUBT_CYCLES = 4


def moment(cycle: int, registers: Mapping[str, int], spent_fj: int) -> Moment:
    """The boundary that these registers show; r15 is two instructions ahead."""
    operands = Operands(tuple(registers[name] for name in REGISTERS), registers["cpsr"])
    address = operands.registers[15] - AHEAD_BYTES
    return Moment(cycle, address, operands, spent_fj, operands.cpsr & MODE_BITS)


def taken(path: Sequence[Moment], handler: int) -> int:
    """The boundary at which an interrupt was taken: the vector stands between it and the
    handler."""
    return handler - 2


def interrupted(path: Sequence[Moment], taken: int) -> int:
    """The boundary at which the program was interrupted: that at which the interrupt is taken."""
    return taken


def is_over(path: Sequence[Moment], taken: int, index: int) -> bool:
    """Whether the interrupt that was taken there is over: the interrupted program goes on."""
    return path[index].address == path[taken].address and path[index].mode == path[taken].mode


def walk(rules: Rules, watched: int) -> Arm7tdmiWalk:
    """The rules, at the beginning of a path."""
    return Arm7tdmiWalk(rules.program, rules.memory, watched)
