"""x86-64, of images for this machine (Intel's manual, volume 2)."""

from collections.abc import Iterator
from functools import cache

import capstone

from cyclescope.firmware.architecture import Architecture, Decoded, Instruction
from cyclescope.firmware.architectures.x86_64.flow import flow_of
from cyclescope.firmware.cfg.flow import Flow, Listing
from cyclescope.firmware.program import Program


class X86(Architecture):
    """The one encoding of 64-bit mode."""

    name = "x86-64"
    machine = 62
    calls = frozenset({"call"})
    traps = frozenset({"syscall"})
    call_sizes = (5, 2)
    preserved = "rbx, rbp and r12 to r15"

    def instructions(self, code: bytes, address: int, kind: str) -> Iterator[Instruction]:
        return map(Instruction._make, _disassembler(False).disasm_lite(code, address))

    def decoded(self, code: bytes, address: int, kind: str) -> Iterator[Decoded]:
        found: Iterator[Decoded] = _disassembler(True).disasm(code, address)
        return found

    def target(self, one: Instruction) -> int | None:
        jumps = one.mnemonic in self.calls or one.mnemonic.startswith("j")
        return int(one.operands, 0) if jumps and one.operands.startswith("0x") else None

    def flow_of(self, program: Program, listing: Listing, one: Decoded) -> Flow | None:
        return flow_of(program, listing, one)


@cache
def _disassembler(detail: bool) -> capstone.Cs:
    """Making one takes longer than a function of code does."""
    made = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    made.detail = detail
    return made


ARCHITECTURE = X86()
