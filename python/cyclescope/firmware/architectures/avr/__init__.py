"""AVR, as the ATmega2560's AVRe+ core executes it (AVR Instruction Set Manual, 0856)."""

from collections.abc import Iterator

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.architecture import Architecture, Decoded, Instruction
from cyclescope.firmware.architectures.avr.decoder import decode
from cyclescope.firmware.architectures.avr.flow import flow_of
from cyclescope.firmware.cfg.flow import Flow, Listing
from cyclescope.firmware.program import Program

VECTORS = 57
VECTOR_BYTES = 4
LEFT = "fragment_left"
RJMP, RJMP_WORDS = 0xC000, 0x800
"""The encoding, and how many words it reaches in each direction."""


class Avr(Architecture):
    """The one encoding; addresses of code are bytes, as ELF files have them."""

    name = "AVR"
    machine = 83
    calls = frozenset({"call", "rcall"})
    call_sizes = (4, 2)
    vectors_end = VECTORS * VECTOR_BYTES
    modes = {0: "program"}  # noqa: RUF012 (there are no others)
    task_modes = (0,)
    runtime = ("__*[qhsdp][ifa]*[0-9]", "__xload_*", "__tablejump*", "__do_*")
    debugger = "avr-gdb"
    preserved = "r2 to r17, r28 and r29"

    def instructions(self, code: bytes, address: int, kind: str) -> Iterator[Instruction]:
        return (Instruction(*one[:4]) for one in decode(code, address))

    def decoded(self, code: bytes, address: int, kind: str) -> Iterator[Decoded]:
        return decode(code, address)

    def target(self, one: Instruction) -> int | None:
        """Of `brne 0x12` and its like; other operands that are one number are no addresses."""
        jumps = one.mnemonic in ("jmp", "call", "rjmp", "rcall") or one.mnemonic.startswith("br")
        return int(one.operands, 0) if jumps and one.operands else None

    def flow_of(self, program: Program, listing: Listing, one: Decoded) -> Flow | None:
        return flow_of(program, listing, one)

    def ends_interrupt(self, one: Instruction) -> bool:
        return one.mnemonic == "reti"

    def leave(self, program: Program, at: int) -> bytes:
        """An RJMP to what returns to the execution's caller (firmware/arch/avr/leave.S)."""
        words = (program.symbols[LEFT] - at - 2) // 2
        if not -RJMP_WORDS <= words < RJMP_WORDS:
            raise CyclescopeError(
                f"an execution cannot be left at {program.place(at)}, {LEFT} is farther than "
                "RJMP reaches: make the fragment smaller, or leave --blocks out",
                code="exit-out-of-reach",
            )
        return (RJMP | words & 2 * RJMP_WORDS - 1).to_bytes(2, "little")


ARCHITECTURE = Avr()
