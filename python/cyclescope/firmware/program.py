"""An image's functions and instructions, read from its ELF file."""

import io
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import architecture
from cyclescope.firmware.architecture import Architecture, Decoded, Instruction

ALLOCATED = 2
EXECUTABLE = 4
ATTRIBUTES = ".ARM.attributes"
"""The section in which tools for ARM describe what a program was built for."""
MACHINE = slice(18, 20)
"""Where the header of an ELF file has the number of its machine."""


@dataclass(frozen=True)
class Function:
    """A function, or a label of assembly code; `end` is where the next thing begins."""

    name: str
    address: int
    end: int


class Symbol(NamedTuple):
    """An entry of the symbol table; `kind` is its type, `section` the number of its section."""

    name: str
    value: int
    size: int
    kind: int
    section: int


class Program:
    """The code of an image."""

    def __init__(self, data: bytes) -> None:
        try:
            elf = ELFFile(io.BytesIO(data))
            table = elf.get_section_by_name(".symtab")
            if not isinstance(table, SymbolTableSection):
                raise CyclescopeError(
                    "the image has no symbols: build it without stripping it",
                    code="image-has-no-symbols",
                )
            symbols = list(_symbols(elf, table))
            executable = {
                number
                for number, section in enumerate(elf.iter_sections())
                if section["sh_flags"] & EXECUTABLE
            }
            self._machine = str(elf.get_machine_arch())
            number = int.from_bytes(data[MACHINE], "little" if elf.little_endian else "big")
            section = elf.get_section_by_name(ATTRIBUTES)
            attributes = section.data() if section else None
            self._architecture = architecture.of_machine(number, attributes)
            loaded = [
                (section["sh_flags"], section["sh_addr"], section.data())
                for section in elf.iter_sections()
                if section["sh_type"] == "SHT_PROGBITS" and section["sh_flags"] & ALLOCATED
            ]
        except (ELFError, struct.error, ValueError) as error:
            raise CyclescopeError(
                f"the image is not a readable ELF file: {error}", code="not-an-elf-file"
            ) from error
        self.loaded = [(base, data) for _, base, data in loaded]
        self._sections = [(base, data) for flags, base, data in loaded if flags & EXECUTABLE]
        self.symbols: dict[str, int] = {symbol.name: symbol.value for symbol in symbols}
        # Sections of other kinds, with addresses of their own, have such symbols too.
        marks = self._architecture.marks if self._architecture else {}
        found = sorted(
            (symbol.value, symbol.name[:2])
            for symbol in symbols
            if symbol.name[:2] in marks and symbol.section in executable
        )
        self._kinds = [(value, marks[mark]) for value, mark in found]
        self._symbols = symbols

    @property
    def architecture(self) -> Architecture:
        """The instruction set of its code; refuses one that the lab does not know."""
        if self._architecture is None:
            raise CyclescopeError(
                f"code for {self._machine} cannot be disassembled here: only "
                f"{' and '.join(architecture.known())} can",
                code="machine-not-disassembled",
            )
        return self._architecture

    @property
    def known_architecture(self) -> Architecture | None:
        """The instruction set of its code; None for one that the lab does not know."""
        return self._architecture

    @cached_property
    def _starts(self) -> list[int]:
        return [function.address for function in self.functions]

    @cached_property
    def functions(self) -> list[Function]:
        """Functions with their sizes; a label of assembly code lasts to the next function."""
        found: dict[int, tuple[str, int]] = {}
        for symbol in sorted(self._symbols, key=lambda one: (not _is_function(one), one.name)):
            address = self.address(symbol.value)
            named = _is_function(symbol) or _is_label(symbol)
            if named and address not in found and self._section(address):
                found[address] = (symbol.name, symbol.size)
        functions: list[Function] = []
        for start in sorted(found, reverse=True):
            name, size = found[start]
            base, data = self._section(start) or (start, b"")
            last = min(base + len(data), functions[-1].address if functions else 1 << 32)
            end = min(start + size, last) if size else last
            functions.append(Function(name, start, end))
        return functions[::-1]

    def address(self, value: int) -> int:
        """Where the code is that a symbol's value or a pointer means."""
        return self._architecture.address(value) if self._architecture else value

    def read(self, address: int, length: int) -> bytes:
        """Bytes of the image as it is loaded."""
        for base, data in self.loaded:
            if base <= address and address + length <= base + len(data):
                return data[address - base : address - base + length]
        raise CyclescopeError(f"the image has nothing at {address:#x}", code="nothing-at-address")

    def has(self, address: int, length: int) -> bool:
        """Whether the image has bytes there."""
        return any(at <= address and address + length <= at + len(b) for at, b in self.loaded)

    @cached_property
    def pointed(self) -> frozenset[int]:
        """Where words of data point to in code: words that lie in no function."""
        found = set[int]()
        for base, data in self.loaded:
            words = struct.iter_unpack("<I", data[: len(data) & ~3])
            for at, (word,) in zip(range(base, base + len(data), 4), words, strict=False):
                if self._section(word) and not self.holds(self.function_at(at)):
                    found.add(self.address(word))
        return frozenset(found)

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
        vectors_end = self._architecture.vectors_end if self._architecture else 0
        if address < vectors_end:
            return Function("vectors", 0, vectors_end)
        return Function(f"{address:#010x}", address, address)

    def holds(self, function: Function) -> bool:
        """Whether the function is the image's own, and not one named after an address."""
        index = bisect_left(self._starts, function.address)
        return function in self.functions[index : index + 1]

    def code_from(self, address: int) -> Function:
        """The function that holds the address, or the code from there on that belongs to none."""
        function = self.function_at(address)
        section = self._section(address)
        if self.holds(function) or section is None:
            return function
        following = bisect_right(self._starts, address)
        ends = [section[0] + len(section[1]), *self._starts[following : following + 1]]
        return Function(function.name, address, min(ends))

    def place(self, address: int) -> str:
        """An address as FUNCTION+OFFSET."""
        function = self.function_at(address)
        offset = address - function.address
        return f"{function.name}+{offset:#x}" if offset else function.name

    def instructions(self, start: int, end: int) -> Iterator[Instruction]:
        """The instructions from `start` up to `end`; literals between them are left out."""
        for kind, at, code in self._stretches(start, end):
            yield from self.architecture.instructions(code, at, kind)

    def decoded(self, start: int, end: int) -> Iterator[Decoded]:
        """The same with every operand, in the words of the disassembler."""
        for kind, at, code in self._stretches(start, end):
            yield from self.architecture.decoded(code, at, kind)

    def kind_of_code(self, address: int) -> str:
        """The kind of code there, by the mapping symbols."""
        return self._kind(address)[0] or self.architecture.plain

    def _kind(self, address: int) -> tuple[str | None, int]:
        """Returns the kind of code there, None for data, and where it ends."""
        index = bisect_right(self._kinds, address, key=lambda mark: mark[0]) - 1
        kind = self._kinds[index][1] if index >= 0 else self.architecture.plain
        changes = self._kinds[index + 1][0] if index + 1 < len(self._kinds) else 1 << 64
        return kind, changes

    def _stretches(self, start: int, end: int) -> Iterator[tuple[str, int, bytes]]:
        """Yields each piece of code of one kind, that kind, its address and its bytes."""
        section = self._section(start)
        if section is None or end > section[0] + len(section[1]):
            raise CyclescopeError(f"the image has no code at {start:#x}", code="no-code-at-address")
        base, data = section
        while start < end:
            kind, changes = self._kind(start)
            stretch = min(end, changes)
            if kind is not None:
                yield kind, start, data[start - base : stretch - base]
            start = stretch


NO_TYPE, FUNCTION = 0, 2
UNDEFINED, RESERVED = 0, 0xFF00
"""Numbers of sections: of a symbol that is elsewhere, and from here on of what is in none."""
SYMBOL_32, SYMBOL_64 = struct.Struct("<IIIBBH"), struct.Struct("<IBBHQQ")


def _symbols(elf: ELFFile, table: SymbolTableSection) -> Iterator[Symbol]:
    """Its entries. There are thousands, and every process reads them of every layout, so they are
    not made one by one into what pyelftools makes of them."""
    names = elf.get_section(table["sh_link"]).data()
    wide = elf.elfclass == 64
    for entry in (SYMBOL_64 if wide else SYMBOL_32).iter_unpack(table.data()):
        if wide:
            name, info, _, section, value, size = entry
        else:
            name, value, size, info, _, section = entry
        text = names[name : names.index(0, name)].decode()
        yield Symbol(text, value, size, info & 0xF, section)


def _is_function(symbol: Symbol) -> bool:
    return symbol.kind == FUNCTION


def _is_label(symbol: Symbol) -> bool:
    """A label of assembly code: of a section, and none of those that assembler and lab put in."""
    placed = UNDEFINED < symbol.section < RESERVED and symbol.kind == NO_TYPE
    return placed and bool(symbol.name) and not any(mark in symbol.name for mark in "$.")
