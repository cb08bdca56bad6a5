"""Functions of a kernel module at the place where the kernel has put it."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

from elftools.common.exceptions import DWARFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cyclescope.studies.run.instruments.symbols import Named
from cyclescope.studies.run.linux.guest import LoadedModule
from cyclescope.targets.virtual.board import read_file

ALLOCATED_CODE = 2 | 4
INIT = ".init"
"""Sections whose names begin so lie elsewhere, and are dropped after the module's first code."""


def module_functions(
    path: Path, loaded: LoadedModule, is_library: Callable[[str, str | None], bool]
) -> list[Named]:
    """The functions of a relocatable file, as Linux lays its sections out: code first, in order."""
    elf = ELFFile(io.BytesIO(read_file(path)))
    places = dict(_places(elf, loaded))
    file = _source(elf)
    found = []
    table = elf.get_section_by_name(".symtab")
    for symbol in table.iter_symbols() if isinstance(table, SymbolTableSection) else ():
        section = symbol["st_shndx"]
        if symbol["st_info"]["type"] == "STT_FUNC" and section in places:
            start = places[section] + int(symbol["st_value"])
            end = start + int(symbol["st_size"])
            library = is_library(symbol.name, file)
            found.append(Named(symbol.name, file, path.name, start, end, library))
    return found


def _places(elf: ELFFile, loaded: LoadedModule) -> Iterator[tuple[int, int]]:
    sizes = {True: 0, False: 0}
    for number, section in enumerate(elf.iter_sections()):
        if section["sh_flags"] & ALLOCATED_CODE == ALLOCATED_CODE:
            is_init = section.name.startswith(INIT)
            align = max(section["sh_addralign"], 1)
            place = -(-sizes[is_init] // align) * align
            sizes[is_init] = place + section["sh_size"]
            yield number, (loaded.init if is_init else loaded.core) + place


def _source(elf: ELFFile) -> str | None:
    try:
        units = [unit.get_top_DIE() for unit in elf.get_dwarf_info().iter_CUs()]
        return units[0].attributes["DW_AT_name"].value.decode() if units else None
    except (DWARFError, KeyError, ValueError):  # names are a help, not a need
        return None
