"""An image's functions and instructions, read from its ELF file."""

import io
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import capstone
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Symbol, SymbolTableSection

from cyclescope.errors import CyclescopeError

EXECUTABLE = 4
THUMB_BIT = 1
VECTORS_END = 0x20
"""Behind the exception vectors, which the board may show from somewhere else."""


@dataclass(frozen=True)
class Function:
    """A function, or a label of assembly code; `end` is where the next thing begins."""

    name: str
    address: int
    end: int


class Instruction(NamedTuple):
    """One instruction as the disassembler writes it."""

    address: int
    size: int
    mnemonic: str
    operands: str


class Program:
    """The code of an image."""

    def __init__(self, data: bytes) -> None:
        try:
            elf = ELFFile(io.BytesIO(data))
            table = elf.get_section_by_name(".symtab")
            if not isinstance(table, SymbolTableSection):
                raise CyclescopeError("the image has no symbols: build it without stripping it")
            symbols = list(table.iter_symbols())
            self._sections = [
                (section["sh_addr"], section.data())
                for section in elf.iter_sections()
                if section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & EXECUTABLE
            ]
        except ELFError as error:
            raise CyclescopeError(f"the image is not a readable ELF file: {error}") from error
        self.symbols: dict[str, int] = {symbol.name: symbol["st_value"] for symbol in symbols}
        self._states = sorted(
            (symbol["st_value"], symbol.name[1])
            for symbol in symbols
            if symbol.name[:2] in ("$a", "$t", "$d")
        )
        self.functions = self._functions(symbols)
        self._starts = [function.address for function in self.functions]

    def _functions(self, symbols: Iterable[Symbol]) -> list[Function]:
        """Functions with their sizes; a label of assembly code lasts to the next function."""
        found: dict[int, tuple[str, int]] = {}
        for symbol in sorted(symbols, key=lambda one: (not _is_function(one), one.name)):
            address = symbol["st_value"] & ~THUMB_BIT
            named = _is_function(symbol) or _is_label(symbol)
            if named and address not in found and self._section(address):
                found[address] = (symbol.name, symbol["st_size"])
        functions: list[Function] = []
        for start in sorted(found, reverse=True):
            name, size = found[start]
            base, data = self._section(start) or (start, b"")
            last = min(base + len(data), functions[-1].address if functions else 1 << 32)
            end = min(start + size, last) if size else last
            functions.append(Function(name, start, end))
        return functions[::-1]

    def _section(self, address: int) -> tuple[int, bytes] | None:
        for base, data in self._sections:
            if base <= address < base + len(data):
                return base, data
        return None

    def function_at(self, address: int) -> Function:
        """The function that holds the address; where the image has none, one named after it."""
        index = bisect_right(self._starts, address) - 1
        if index >= 0 and address < self.functions[index].end:
            return self.functions[index]
        if address < VECTORS_END:
            return Function("vectors", 0, VECTORS_END)
        return Function(f"{address:#010x}", address, address)

    def place(self, address: int) -> str:
        """An address as FUNCTION+OFFSET."""
        function = self.function_at(address)
        offset = address - function.address
        return f"{function.name}+{offset:#x}" if offset else function.name

    def instructions(self, start: int, end: int) -> Iterator[Instruction]:
        """The instructions from `start` up to `end`; literals between them are left out."""
        section = self._section(start)
        if section is None or end > section[0] + len(section[1]):
            raise CyclescopeError(f"the image has no code at {start:#x}")
        base, data = section
        while start < end:
            index = bisect_right(self._states, (start, "~")) - 1
            state = self._states[index][1] if index >= 0 else "a"
            changes = self._states[index + 1][0] if index + 1 < len(self._states) else end
            stretch = min(end, changes)
            if state != "d":
                mode = capstone.CS_MODE_THUMB if state == "t" else capstone.CS_MODE_ARM
                engine = capstone.Cs(capstone.CS_ARCH_ARM, mode)
                for found in engine.disasm_lite(data[start - base : stretch - base], start):
                    yield Instruction(*found)
            start = stretch


def _is_function(symbol: Symbol) -> bool:
    return bool(symbol["st_info"]["type"] == "STT_FUNC")


def _is_label(symbol: Symbol) -> bool:
    """A label of assembly code: of a section, and none of those that assembler and lab put in."""
    placed = isinstance(symbol["st_shndx"], int) and symbol["st_info"]["type"] == "STT_NOTYPE"
    return placed and bool(symbol.name) and not any(mark in symbol.name for mark in "$.")
