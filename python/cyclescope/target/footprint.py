"""Footprint: the bytes that an image takes of a part's memories."""

import io

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
    found = table.get_symbol_by_name(HEAP) if isinstance(table, SymbolTableSection) else None
    heap = min(int(found[0]["st_size"]), bss) if found else 0
    return Footprint(text=text, data=data, bss=bss - heap, heap=heap)
