"""Footprint: the bytes that an image takes of a part's memories."""

import io
from typing import Literal

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection
from pydantic import Field

from cyclescope.record import Record

WRITABLE, ALLOCATED = 1, 2
HEAP = "ucHeap"
"""The memory that a kernel hands out; the build gives it what is left of a part's RAM."""


class Footprint(Record):
    """Bytes of an image's sections, as `size` counts them.

    `text` is code and constants, `data` variables with initial values, `bss` the others: stacks and
    buffers too. `heap` is the kernel's, which is in none of them. Read-only memory holds `text` and
    `data`, RAM `data`, `bss` and `heap`.
    """

    text: int = Field(ge=0)
    data: int = Field(ge=0)
    bss: int = Field(ge=0)
    heap: int = Field(default=0, ge=0)

    @property
    def sentence(self) -> str:
        """The bytes of each kind."""
        heap = f" + heap {self.heap:,}" if self.heap else ""
        return f"text {self.text:,} + data {self.data:,} + bss {self.bss:,}{heap} bytes"

    def beyond(self, base: "Footprint") -> tuple[int, int]:
        """The bytes that this one has more than a base: of flash, and of RAM but for the heap."""
        flash = self.text + self.data - base.text - base.data
        return flash, self.data + self.bss - base.data - base.bss


def footprint(elf: bytes) -> Footprint:
    """The footprint of a sound ELF file."""
    text = data = bss = 0
    file = ELFFile(io.BytesIO(elf))
    for section in file.iter_sections():
        if not section["sh_flags"] & ALLOCATED:
            continue
        if section["sh_type"] == "SHT_NOBITS":
            bss += section["sh_size"]
        elif section["sh_flags"] & WRITABLE:
            data += section["sh_size"]
        else:
            text += section["sh_size"]
    table = file.get_section_by_name(".symtab")
    heap = min(size_of(table, HEAP), bss) if isinstance(table, SymbolTableSection) else 0
    return Footprint(text=text, data=data, bss=bss - heap, heap=heap)


def size_of(table: SymbolTableSection, name: str) -> int:
    """The bytes of the first symbol of a name; 0 if there is none.

    Names are compared by their places in the table of strings, as parsing every symbol of an image
    takes longer than all of its runs.
    """
    order: Literal["little", "big"] = "little" if table.elffile.little_endian else "big"
    symbols, strings, wanted = table.data(), table.stringtable.data(), name.encode() + b"\0"
    for number in range(table.num_symbols()):
        start = number * table["sh_entsize"]
        at = int.from_bytes(symbols[start : start + 4], order)
        # A linker may let a name be the end of a longer one; this one begins where it is looked up.
        if strings.startswith(wanted, at):
            return int(table.get_symbol(number)["st_size"])
    return 0
