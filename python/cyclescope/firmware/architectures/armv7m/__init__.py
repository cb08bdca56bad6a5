"""Thumb-2, as the Cortex-M3 executes it (ARM DDI 0403)."""

from collections.abc import Iterable, Iterator
from functools import cache

import capstone
from capstone import CsInsn
from capstone import arm as a

from cyclescope.firmware.architecture import Architecture, Decoded, Instruction
from cyclescope.firmware.architectures.armv7m.flow import flow_of, has_condition, varies
from cyclescope.firmware.arm_code.attributes import M_PROFILE, profile
from cyclescope.firmware.arm_code.flow import stores
from cyclescope.firmware.cfg.flow import Flow, Listing
from cyclescope.firmware.program import Program

THUMB = "thumb"
THUMB_BIT = 1
VECTORS_OF_CORE, INTERRUPTS = 16, 61
COMPARE_BRANCHES = ("cbz", "cbnz")
BY_OPERANDS = {
    a.ARM_INS_UDIV, a.ARM_INS_SDIV, a.ARM_INS_UMULL, a.ARM_INS_SMULL, a.ARM_INS_UMLAL,
    a.ARM_INS_SMLAL,
}  # fmt: skip
"""They take as long as their operands need."""
CONDITIONS = {
    name[len("ARM_CC_") :].lower(): value
    for name, value in vars(a).items()
    if name.startswith("ARM_CC_") and name not in ("ARM_CC_INVALID", "ARM_CC_AL")
}


class Armv7m(Architecture):
    """The one encoding, of 2 or 4 bytes; bit 0 of a pointer to code is 1."""

    name = "ARMv7-M"
    machine = 40
    cores = frozenset({"armv7m"})
    calls = frozenset({"bl"})
    # A request of PendSV takes effect at the latest behind the barrier that follows it.
    traps = frozenset({"svc", "isb"})
    call_sizes = (4, 2)
    plain = THUMB
    marks = {"$t": THUMB, "$d": None}  # noqa: RUF012 (a constant of the class)
    vectors_end = 4 * (VECTORS_OF_CORE + INTERRUPTS)
    modes = {0: "threads", 1: "handlers"}  # noqa: RUF012 (of the IPSR)
    task_modes = (0,)
    runtime = ("__aeabi_*", "__*[sdt][if][234]", "__gnu_*", "__*_veneer")
    preserved = "r4 to r11"

    def owns(self, attributes: bytes | None) -> bool:
        """An ARM7TDMI's programs have the same machine."""
        return profile(attributes) == M_PROFILE

    def address(self, value: int) -> int:
        return value & ~THUMB_BIT

    def instructions(self, code: bytes, address: int, kind: str) -> Iterator[Instruction]:
        return map(Instruction._make, _disassembler(False).disasm_lite(code, address))

    def decoded(self, code: bytes, address: int, kind: str) -> Iterator[Decoded]:
        found: Iterator[Decoded] = _disassembler(True).disasm(code, address)
        return found

    def target(self, one: Instruction) -> int | None:
        """Of a branch by itself, or behind a comparison with 0."""
        place = one.operands.rpartition(" ")[2]
        is_branch = one.mnemonic.partition(".")[0] in _BRANCHES
        return int(place[1:], 0) if is_branch and place.startswith("#") else None

    def flow_of(self, program: Program, listing: Listing, one: Decoded) -> Flow | None:
        return flow_of(program, listing, one)

    def varies(self, one: Decoded) -> bool:
        return varies(one)

    def has_condition(self, one: Decoded) -> bool:
        return has_condition(one)

    def stores(self, one: Decoded) -> bool:
        return stores(one)

    def multiplies(self, one: CsInsn) -> bool:
        """Products of 64 bits, and quotients too."""
        return one.id in BY_OPERANDS

    def factor(self, program: Program, before: Iterable[Decoded], one: Decoded) -> int | None:
        """Both operands decide."""
        return None

    def pads(self, one: Decoded) -> bool:
        return one.mnemonic in ("nop", "nop.w")

    def leave(self, program: Program, at: int) -> bytes:
        """An SVC: its handler goes on behind the call (firmware/arch/armv7m/leave.S)."""
        return bytes.fromhex("00df")

    def ends_interrupt(self, one: Instruction) -> bool:
        """A handler returns as any function does."""
        pops = one.mnemonic.startswith("pop") and one.operands.endswith("pc}")
        return pops or (one.mnemonic, one.operands) == ("bx", "lr")


_BRANCHES = frozenset({"b", "bl", *COMPARE_BRANCHES, *(f"b{name}" for name in CONDITIONS)})


@cache
def _disassembler(detail: bool) -> capstone.Cs:
    """Making one takes longer than a function of code does."""
    made = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS)
    made.detail = detail
    return made


ARCHITECTURE = Armv7m()
