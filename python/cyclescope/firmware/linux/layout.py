"""Layout of a kernel's data: symbols, and where fields lie in its structures."""

import io
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.structures import Structure, structures

SOURCES: Mapping[str, tuple[str, ...]] = {
    "drivers/tty/serial/atmel_serial.c": (
        *("task_struct", "mm_struct", "page", "address_space", "inode", "circ_buf"),
        *("atmel_uart_port", "atmel_dma_buffer", "uart_port", "uart_state", "tty_port"),
        *("tty_bufhead", "tty_struct", "tty_buffer", "vm_region"),
    ),
    "drivers/tty/n_tty.c": ("n_tty_data",),
}
"""A source file that has the structures, and their tags."""
OBJECT, FUNCTION, LABEL = "STT_OBJECT", "STT_FUNC", "STT_NOTYPE"


@dataclass(frozen=True)
class Placed:
    """A symbol with its place in the file's own addresses."""

    name: str
    start: int
    end: int
    is_object: bool


class ElfSymbols:
    """Functions, objects and labels of an ELF file, found by address (those with a size) and by
    name."""

    def __init__(self, elf: bytes) -> None:
        table = ELFFile(io.BytesIO(elf)).get_section_by_name(".symtab")
        found = table.iter_symbols() if isinstance(table, SymbolTableSection) else iter(())
        placed = [
            Placed(one.name, start := one["st_value"] & ~1, start + one["st_size"], kind == OBJECT)
            for one in found
            if (kind := one["st_info"]["type"]) in (OBJECT, FUNCTION, LABEL) and one.name
        ]
        sized = (one for one in placed if one.end > one.start)
        self._sorted = sorted(sized, key=lambda one: one.start)
        self._starts = [one.start for one in self._sorted]
        self._by_name = {one.name: one for one in placed}

    def at(self, address: int) -> Placed | None:
        """The function or object that an address belongs to."""
        place = bisect_right(self._starts, address) - 1
        found = self._sorted[place] if place >= 0 else None
        return found if found and address < found.end else None

    def has(self, name: str) -> bool:
        """Whether there is a function, object or label of this name."""
        return name in self._by_name

    def named(self, name: str) -> Placed:
        """The function, object or label of this name. Raises CyclescopeError if there is none."""
        if not self.has(name):
            raise CyclescopeError(
                f"the kernel has no symbol {name}: build it again by make linux",
                code="linux-without-symbol",
            )
        return self._by_name[name]


@dataclass(frozen=True)
class KernelLayout:
    """Symbols of a kernel, and its structures by their tags."""

    symbols: ElfSymbols
    structures: Mapping[str, Structure]

    def offset(self, path: str) -> int:
        """Where `structure.field` lies, in bytes. Raises CyclescopeError if there is none."""
        tag, _, name = path.partition(".")
        fields = self.structures[tag].fields if tag in self.structures else {}
        if name not in fields:
            raise CyclescopeError(
                f"the kernel's debugging information has no {path}: build it again by make linux",
                code="linux-without-field",
            )
        return fields[name]

    def size(self, tag: str) -> int:
        """Bytes of a structure."""
        return self.structures[tag].size_bytes


@cache
def layout(vmlinux: Path) -> KernelLayout:
    """Reads the layout of a kernel, which takes some seconds once."""
    elf = vmlinux.read_bytes()
    found: dict[str, Structure] = {}
    for source, tags in SOURCES.items():
        found |= structures(elf, source, tags)
    return KernelLayout(ElfSymbols(elf), found)
