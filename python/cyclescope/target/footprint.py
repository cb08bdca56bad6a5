"""Footprint: the bytes that an image takes of a part's memories."""

import io

from elftools.elf.elffile import ELFFile
from pydantic import Field

from cyclescope.record import Record

WRITABLE, ALLOCATED = 1, 2


class Footprint(Record):
    """Bytes of an image's sections, as `size` counts them.

    `text` is code and constants, `data` variables with initial values, `bss` the others: stacks,
    heaps and buffers too. Read-only memory holds `text` and `data`, RAM `data` and `bss`.
    """

    text: int = Field(ge=0)
    data: int = Field(ge=0)
    bss: int = Field(ge=0)

    @property
    def sentence(self) -> str:
        """The bytes of each kind."""
        return f"text {self.text:,} + data {self.data:,} + bss {self.bss:,} bytes"

    def beside(self, base: "Footprint") -> str:
        """The bytes that this one has more than a base, of flash and of RAM."""
        flash = self.text + self.data - base.text - base.data
        ram = self.data + self.bss - base.data - base.bss
        return f"flash {flash:+,}, RAM {ram:+,} bytes"


def footprint(elf: bytes) -> Footprint:
    """The footprint of a sound ELF file."""
    text = data = bss = 0
    for section in ELFFile(io.BytesIO(elf)).iter_sections():
        if not section["sh_flags"] & ALLOCATED:
            continue
        if section["sh_type"] == "SHT_NOBITS":
            bss += section["sh_size"]
        elif section["sh_flags"] & WRITABLE:
            data += section["sh_size"]
        else:
            text += section["sh_size"]
    return Footprint(text=text, data=data, bss=bss)
