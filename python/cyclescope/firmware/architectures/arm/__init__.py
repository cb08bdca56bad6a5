"""ARM and Thumb, as the ARM7TDMI executes them (ARM DDI 0029)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import capstone

from cyclescope.firmware.architecture import Architecture, Decoded, Instruction
from cyclescope.firmware.arm_code.attributes import M_PROFILE, profile
from cyclescope.firmware.arm_code.data import data_places
from cyclescope.firmware.arm_code.flow import (
    condition,
    constant_argument,
    constant_factor,
    flow_of,
    has_condition,
    is_far_if_taken,
    multiplies,
    stores,
    varies,
)
from cyclescope.firmware.cfg.flow import Flow, Listing
from cyclescope.firmware.program import Program

THUMB = "thumb"
THUMB_BIT = 1


class Arm(Architecture):
    """The two encodings; bit 0 of a pointer to code says Thumb."""

    name = "ARM"
    machine = 40
    calls = frozenset({"bl"})
    traps = frozenset({"svc"})
    call_sizes = (4, 2)
    plain = "arm"
    marks = {"$a": "arm", "$t": THUMB, "$d": None}  # noqa: RUF012 (a constant of the class)
    vectors_end = 0x20
    interrupt_vector = 0x18
    modes = {  # noqa: RUF012 (by bits 4:0 of the CPSR)
        0x00: "reset",
        0x10: "user mode",
        0x11: "FIQ",
        0x12: "IRQ",
        0x13: "supervisor mode",
        0x17: "abort mode",
        0x1B: "undefined mode",
        0x1F: "system mode",
    }
    task_modes = (0x10, 0x1F)
    runtime = (
        "__aeabi_*", "__*[sdt][if][234]", "__gnu_*",
        "__*_veneer", "__*_from_arm", "__*_from_thumb", "_call_via_*",
    )  # fmt: skip
    preserved = "r4 to r11"

    def owns(self, attributes: bytes | None) -> bool:
        """Code of the M profile is another instruction set."""
        return profile(attributes) != M_PROFILE

    def address(self, value: int) -> int:
        return value & ~THUMB_BIT

    def instructions(self, code: bytes, address: int, kind: str) -> Iterator[Instruction]:
        return map(Instruction._make, _disassembler(kind, False).disasm_lite(code, address))

    def decoded(self, code: bytes, address: int, kind: str) -> Iterator[Decoded]:
        found: Iterator[Decoded] = _disassembler(kind, True).disasm(code, address)
        return found

    def target(self, one: Instruction) -> int | None:
        jumps = one.mnemonic.startswith("b") and one.operands.startswith("#")
        return int(one.operands[1:], 0) if jumps else None

    def flow_of(self, program: Program, listing: Listing, one: Decoded) -> Flow | None:
        return flow_of(program, listing, one)

    def varies(self, one: Decoded) -> bool:
        return varies(one)

    def has_condition(self, one: Decoded) -> bool:
        return has_condition(one)

    def condition(self, one: Decoded) -> str:
        return condition(one)

    def is_far_if_taken(self, code: Sequence[Decoded]) -> bool | None:
        return is_far_if_taken(code)

    def stores(self, one: Decoded) -> bool:
        return stores(one)

    def multiplies(self, one: Decoded) -> bool:
        return multiplies(one)

    def factor(self, program: Program, before: Iterable[Decoded], one: Decoded) -> int | None:
        return constant_factor(program, before, one)

    def argument(self, program: Program, before: Iterable[Decoded], number: int) -> int | None:
        return constant_argument(program, before, number)

    def data_places(self, program: Program, code: Iterable[Decoded]) -> Iterator[tuple[int, int]]:
        return data_places(program, code)

    def factor_bytes(self, factor: int) -> int:
        """A negative one ends early too."""
        least = min(factor, factor ^ 0xFFFF_FFFF)
        return max((least.bit_length() + 7) // 8, 1)

    def pads(self, one: Decoded) -> bool:
        return (one.mnemonic, one.op_str) in (("nop", ""), ("mov", "r8, r8"))

    def leave(self, program: Program, at: int) -> bytes:
        """An SWI: its handler returns to what called the execution (firmware/arch/arm/leave.S)."""
        return bytes.fromhex("00df" if program.kind_of_code(at) == THUMB else "000000ef")

    def ends_interrupt(self, one: Instruction) -> bool:
        return (one.mnemonic, one.operands) == ("subs", "pc, lr, #4")


@cache
def _disassembler(kind: str, detail: bool) -> capstone.Cs:
    """Making one takes longer than a function of code does."""
    mode = capstone.CS_MODE_THUMB if kind == THUMB else capstone.CS_MODE_ARM
    made = capstone.Cs(capstone.CS_ARCH_ARM, mode)
    made.detail = detail
    return made


ARCHITECTURE = Arm()
