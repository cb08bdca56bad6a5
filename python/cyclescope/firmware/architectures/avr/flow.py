"""Control flow of AVR instructions (AVR Instruction Set Manual, 0856)."""

from typing import cast

from cyclescope.firmware.architecture import Decoded
from cyclescope.firmware.architectures.avr.decoder import AvrInstruction
from cyclescope.firmware.cfg.flow import Flow, FlowKind, Listing
from cyclescope.firmware.program import Program

SKIPS = {"cpse", "sbrc", "sbrs", "sbic", "sbis"}


def flow_of(program: Program, listing: Listing, decoded: Decoded) -> Flow | None:
    """Returns its control transfer; None if execution just goes on."""
    one = cast(AvrInstruction, decoded)
    if one.mnemonic in ("ret", "reti"):
        return Flow(FlowKind.RETURN)
    if one.mnemonic in SKIPS:
        skipped = listing.at(one.address + one.size)
        return Flow(FlowKind.TAKEN, (skipped.address + skipped.size,), conditional=True)
    if one.mnemonic in ("ijmp", "eijmp"):
        raise listing.refuse(one, "jumps to a computed address")
    if one.mnemonic in ("icall", "eicall"):
        raise listing.refuse(one, "calls what a register holds")
    if one.target is None:
        return None
    if one.mnemonic in ("call", "rcall"):
        # GCC makes space on the stack by a call of what follows.
        behind = one.target == one.address + one.size
        return None if behind else Flow(FlowKind.CALL, (one.target,))
    outside = not listing.function.address <= one.target < listing.function.end
    if one.mnemonic in ("jmp", "rjmp") and outside and _computes(program, one.target):
        raise listing.refuse(one, "jumps by a table")
    return Flow(FlowKind.TAKEN, (one.target,), conditional=one.mnemonic.startswith("br"))


def _computes(program: Program, target: int) -> bool:
    """Whether libgcc's jump by a table lies there."""
    return program.function_at(target).name.startswith("__tablejump")
