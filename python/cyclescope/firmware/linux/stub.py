"""The stub in ROM that enters Linux, with its settings."""

import io
import struct
from dataclasses import dataclass

from cyclescope.errors import CyclescopeError

MOST_WAITS = 8
ROM_SELECT, RAM_SELECT = 0x0040_2081, 0x0100_2081
"""Chip selects: base, enabled, 4 MB, 16 bits wide, no wait states."""
MCR_2_MB = 6
MODE_8N1, DIVIDER_115200 = 0x8C0, 18
"""USART 0 as Linux's early messages find it: 8 bits, no parity, MCK / 16 / 18."""


@dataclass(frozen=True)
class Stub:
    """The stub's bytes, where they lie, and where it jumps to the kernel."""

    address: int
    data: bytes
    enter_kernel: int


def stub(elf: bytes, rom_waits: int, ram_waits: int, device_tree: int, kernel: int) -> Stub:
    """Returns the assembled stub with its settings written.

    Wait states of ROM and RAM are 0 to 8; `device_tree` and `kernel` are addresses.
    """
    for waits in (rom_waits, ram_waits):
        if not 0 <= waits <= MOST_WAITS:
            raise CyclescopeError(
                f"{waits} wait states are not to be had: choose 0 to {MOST_WAITS}",
                code="linux-wait-states",
            )
    from elftools.elf.elffile import ELFFile  # options of a run need MOST_WAITS alone

    from cyclescope.firmware.program import Program

    symbols = Program(elf).symbols
    segment = next(ELFFile(io.BytesIO(elf)).iter_segments("PT_LOAD"))
    start = int(segment["p_vaddr"])
    words = (
        *(_select(ROM_SELECT, rom_waits), _select(RAM_SELECT, ram_waits), MCR_2_MB),
        *(MODE_8N1, DIVIDER_115200, device_tree, kernel),
    )
    data = bytearray(segment.data())
    struct.pack_into(f"<{len(words)}I", data, symbols["settings"] - start, *words)
    return Stub(start, bytes(data), symbols["enter_kernel"])


def _select(without_waits: int, waits: int) -> int:
    return without_waits | (1 << 5 | waits - 1 << 2 if waits else 0)
