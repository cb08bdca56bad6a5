"""The memory of a station with FreeRTOS: the object of its image that an address belongs to.

All objects lie where they are linked, so the image's symbols are enough.
"""

import struct
from collections.abc import Callable

from cyclescope.firmware.linux.layout import ElfSymbols
from cyclescope.firmware.linux.objects import BLOCK_TO_STACK, ONE_TO_STACK
from cyclescope.firmware.linux.ram_copy import GuestObject

PROGRAM, DRIVER = "station", "driver"
HEAP, FILE, LINE_BUFFERS = "ucHeap", "station_file", ("buffers", "ring")
"""Objects of the image: the heap has the task's stack, the driver receives into its buffers."""
CONTEXT_SAVED = (BLOCK_TO_STACK[0], 0x080E_0000)
"""Mask and value of the opcode by which FreeRTOS saves a context: STM with base r14."""
WORD_BYTES = 4


class StationMemory:
    """A copy of a station's memory from address `start` on, as it stood at one cycle."""

    def __init__(self, memory: bytes, start: int, symbols: ElfSymbols) -> None:
        self._memory, self._start, self._symbols = memory, start, symbols

    def symbol(self, address: int) -> tuple[str, str] | None:
        """The image, and the function or object at an address."""
        found = self._symbols.at(address)
        return (PROGRAM, found.name) if found else None

    def at(self, address: int) -> GuestObject:
        """The object that an address belongs to."""
        found = self._symbols.at(address)
        if found is None or not found.is_object:
            return GuestObject("memory without a name", address, address + 1)
        if found.name == HEAP:
            return GuestObject(f"{PROGRAM}: stack", found.start, found.end)
        owner = DRIVER if found.name in LINE_BUFFERS else PROGRAM
        return GuestObject(f"{owner}: {found.name}", found.start, found.end)

    def saves_register(self, address: int) -> bool:
        """Whether the instruction at an address saves registers: at the begin of a function, or in
        the entry of an interrupt."""
        place = address - self._start
        if not 0 <= place <= len(self._memory) - WORD_BYTES:
            return False
        (opcode,) = struct.unpack_from("<I", self._memory, place)
        known = (BLOCK_TO_STACK, ONE_TO_STACK, CONTEXT_SAVED)
        return any(opcode & mask == value for mask, value in known)

    def file_pages(self, size: int, content: bytes) -> list[GuestObject]:
        """The object that holds a file of this content, as its only page; none without it."""
        found = self._symbols.named(FILE)
        place = found.start - self._start
        if self._memory[place : place + size] != content:
            return []
        return [GuestObject(f"{PROGRAM}: {FILE}", found.start, found.start + size, 0)]

    def held_by(self, name: str) -> Callable[[int], bool]:
        """Whether an address lies in an object of the program."""
        return lambda address: self.at(address).name.startswith(f"{name}:")
