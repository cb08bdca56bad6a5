"""The functions of all images of a run, where they are loaded, with their source files."""

import io
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from elftools.common.exceptions import DWARFError, ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.architecture import Architecture
from cyclescope.firmware.program import EXECUTABLE, Program
from cyclescope.studies.run.addresses import address
from cyclescope.targets.virtual.board import read_file

C_LIBRARY = re.compile(
    r"mem(cpy|move|set|cmp|r?chr)|mempcpy|b(copy|zero|search)|str[nl]?(len|cpy|cat|cmp)|qsort"
    r"|strn?casecmp|str(r?chr|str|c?spn|pbrk|tok|tou?l)|ato[il]|l?(abs|div)"
)
"""Functions of the C library that compute and copy."""


@dataclass(frozen=True)
class Named:
    """A function of an image, from `start` up to `end`. `library`: it is charged to its caller.
    It lies `moved` bytes behind the place where it is linked."""

    name: str
    file: str | None
    image: str
    start: int
    end: int
    library: bool
    moved: int = 0

    @property
    def as_linked(self) -> "Named":
        """The same function at the place where it is linked."""
        return self.at(0) if self.moved else self

    def at(self, moved: int) -> "Named":
        """The same function, `moved` bytes behind the place where it is linked."""
        by = moved - self.moved
        return replace(self, start=self.start + by, end=self.end + by, moved=moved)


class Symbols:
    """The functions of several images; of two at one place the image named later has it."""

    def __init__(self, functions: Iterable[Named], architecture: Architecture | None) -> None:
        self._by_start = {one.start: one for one in functions}
        self._architecture = architecture

    @cached_property
    def _starts(self) -> list[int]:
        return sorted(self._by_start)

    @property
    def functions(self) -> list[Named]:
        """All of them, by their first addresses."""
        return [self._by_start[start] for start in self._starts]

    @property
    def ranges(self) -> list[tuple[int, int, bool]]:
        """First address, the first behind, and whether it is a library: of each function."""
        return [(one.start, one.end, one.library) for one in self.functions]

    def at(self, where: int) -> Named | None:
        """The function that holds the address; the vectors, too, where no symbol names them."""
        index = bisect_right(self._starts, where) - 1
        if index >= 0 and where < (found := self._by_start[self._starts[index]]).end:
            return found
        vectors_end = self._architecture.vectors_end if self._architecture else 0
        if where < vectors_end:
            return Named("vectors", None, "", 0, vectors_end, False)
        return None


def read(
    images: Sequence[tuple[Path, int | None]],
    charge_callers: bool,
    libraries: Sequence[str],
    architecture: Architecture | None,
) -> Symbols:
    """The symbols of each file; without an address it lies where it is linked.

    With `charge_callers` functions of the C library, of the compiler's runtime, and those whose
    name or source file matches one of the patterns `libraries` are libraries.
    """
    found: list[Named] = []
    for path, base in images:
        found += functions(path, base, libraries if charge_callers else None)
    return Symbols(found, architecture)


def placed(text: str) -> tuple[Path, int | None]:
    """The file and the address of `FILE[@ADDRESS]`."""
    path, at, start = text.rpartition("@")
    return (Path(path), address(start, "--symbols")) if at else (Path(text), None)


def functions(
    path: Path, base: int | None = None, libraries: Sequence[str] | None = None
) -> list[Named]:
    """The functions of an ELF file. `base` is where its first function is loaded.

    With patterns `libraries`, those of the C library and the compiler's runtime are libraries, too.
    """
    data = read_file(path)
    try:
        program = Program(data)
    except CyclescopeError as error:
        raise CyclescopeError(f"{path}: {error.sentence}", code=error.code) from None
    is_library = library_rule(program.known_architecture, libraries)
    starts = [function.address for function in program.functions]
    shift = base - min(starts) if base is not None and starts else 0
    files = _Files(data)

    def named(name: str, start: int, end: int) -> Named:
        file = files.at(start)
        return Named(name, file, path.name, start + shift, end + shift, is_library(name, file))

    return [named(one.name, one.address, one.end) for one in program.functions]


def library_rule(
    architecture: Architecture | None, libraries: Sequence[str] | None
) -> Callable[[str, str | None], bool]:
    """Returns whether a function of this name and source file is a library; without patterns no.

    Functions of the C library and of the compiler's runtime are, and those that match a pattern.
    """
    runtime = architecture.runtime if architecture else ()

    def is_library(name: str, file: str | None) -> bool:
        return libraries is not None and (
            C_LIBRARY.fullmatch(name) is not None
            or any(fnmatchcase(name, pattern) for pattern in (*runtime, *libraries))
            or any(fnmatchcase(file or "", pattern) for pattern in libraries)
        )

    return is_library


class _Files:
    """Source files by address, from an image's debugging information, else its symbol table."""

    def __init__(self, data: bytes) -> None:
        self._starts: list[int] = []
        self._pieces: list[tuple[int, str]] = []
        try:
            elf = ELFFile(io.BytesIO(data))
            if not elf.has_dwarf_info():
                self._keep(_pieces_of_table(elf))
                return
            debug = elf.get_dwarf_info() if elf.has_dwarf_info() else None
            ranges = debug.get_aranges() if debug else None
            if debug is None or ranges is None:
                return
            names: dict[int, str] = {}
            pieces = []
            # A linker leaves the pieces that it discarded at address 0.
            for entry in (one for one in ranges.entries if one.begin_addr):
                unit = entry.info_offset
                if unit not in names:
                    top = debug.get_CU_at(unit).get_top_DIE()
                    given = top.attributes.get("DW_AT_name")
                    names[unit] = given.value.decode(errors="replace") if given else ""
                pieces.append((entry.begin_addr, entry.begin_addr + entry.length, names[unit]))
        except (DWARFError, ELFError, KeyError, ValueError):  # names are a help, not a need
            return
        self._keep(pieces)

    def _keep(self, pieces: list[tuple[int, int, str]]) -> None:
        pieces.sort()
        self._starts = [start for start, _, _ in pieces]
        self._pieces = [(end, name) for _, end, name in pieces]

    def at(self, where: int) -> str | None:
        index = bisect_right(self._starts, where) - 1
        if index < 0:
            return None
        end, name = self._pieces[index]
        return name if where < end and name else None


def _pieces_of_table(elf: ELFFile) -> list[tuple[int, int, str]]:
    """(First address, first behind, file) of code: each file begins with a local symbol of its own.

    A symbol table has the local symbols of a file behind the file's name, and a linker puts the
    code of one file in a section together.
    """
    table = elf.get_section_by_name(".symtab")
    if not isinstance(table, SymbolTableSection):
        return []
    starts: dict[int, dict[int, str]] = defaultdict(dict)
    file = ""
    for symbol in table.iter_symbols():
        if symbol["st_info"]["bind"] != "STB_LOCAL":
            break
        if symbol["st_info"]["type"] == "STT_FILE":
            file = symbol.name
        elif symbol["st_info"]["type"] != "STT_SECTION" and isinstance(symbol["st_shndx"], int):
            starts[symbol["st_shndx"]][symbol["st_value"]] = file
    pieces = []
    for number, files in starts.items():
        section = elf.get_section(number)
        places = [*sorted(files), section["sh_addr"] + section["sh_size"]]
        if section["sh_flags"] & EXECUTABLE:
            pieces += [(here, behind, files[here]) for here, behind in pairwise(places)]
    return pieces
