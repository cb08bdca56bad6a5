"""One ELF file of a composed system: what is loaded, and code and symbols where they run."""

import io
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Section, SymbolTableSection

HEADER = struct.Struct("<16sHHIIIIIHHHHHH")
SEGMENT = struct.Struct("<8I")
SECTION = struct.Struct("<10I")
SYMBOL = struct.Struct("<IIIBBH")
IDENTITY = b"\x7fELF\x01\x01\x01".ljust(16, b"\0")
EXECUTABLE_FILE, ARM, VERSION, FLAGS = 2, 40, 1, 0x0500_0000
LOADED, ALL_RIGHTS = 1, 7
WRITTEN, ALLOCATED, EXECUTED = 1, 2, 4
DATA, SYMBOLS, STRINGS = 1, 2, 3
ABSOLUTE, RESERVED = 0xFFF1, 0xFF00
WORD = 0xFFFF_FFFF
LAST_TYPE = 2
"""Of symbols: none, data, functions."""

VECTORS_LINKED, PAGE = 0xFFFF_0000, 0x1000
"""Where the kernel's vectors are linked. Without CP15 they run at 0."""
HELPERS, HELPERS_END = "__kuser_helper_start", "__kuser_helper_end"
"""The kernel copies the code between them to the end of the first page."""


@dataclass
class Part:
    """A section of the file. `symbols` are (name, value, size, info) in it."""

    address: int
    data: bytes
    flags: int
    symbols: list[tuple[str, int, int, int]] = field(default_factory=list)


def whole_image(
    loads: Sequence[tuple[int, bytes]], vmlinux: bytes, program: bytes, base: int
) -> bytes:
    """Returns the ELF file of a system that runs `program`, whose address 0 lies at `base`.

    `loads` are what is loaded, as `System` has them. Of two symbols with one name the program's is
    the last. Code of the kernel that only starts it is left out: programs lie there later.
    """
    kernel = ELFFile(io.BytesIO(vmlinux))
    parts = [*_kernel(kernel), *_program(ELFFile(io.BytesIO(program)), base)]
    absolute = _absolute(ELFFile(io.BytesIO(program)))
    return _written(loads, parts, absolute)


def _kernel(elf: ELFFile) -> Iterator[Part]:
    found = _symbols(elf)
    for number, section in enumerate(elf.iter_sections()):
        if not int(section["sh_flags"]) & ALLOCATED:
            continue
        address = int(section["sh_addr"])
        if section.name.startswith((".init", ".exit")):
            continue
        down = VECTORS_LINKED if address >= VECTORS_LINKED else 0
        symbols = [(name, value - down, size, info)
                   for name, value, size, info in found.get(number, ())]  # fmt: skip
        data = section.data() if _is_loaded(section) else b""
        yield Part(address - down, data, int(section["sh_flags"]), symbols)
    yield from _helpers(elf, found)


def _helpers(elf: ELFFile, found: dict[int, list[tuple[str, int, int, int]]]) -> Iterator[Part]:
    """The helpers for programs in the vectors page, if the kernel has them."""
    for number, symbols in found.items():
        places = {name: value for name, value, _, _ in symbols}
        if HELPERS not in places:
            continue
        begin, end = places[HELPERS], places[HELPERS_END]
        section = elf.get_section(number)
        first = begin - int(section["sh_addr"])
        up = PAGE - end
        inside = [(name, value + up, size, info)
                  for name, value, size, info in symbols if begin <= value < end]  # fmt: skip
        code = section.data()[first : first + end - begin]
        yield Part(begin + up, code, ALLOCATED | EXECUTED, inside)


def _program(elf: ELFFile, base: int) -> Iterator[Part]:
    found = _symbols(elf)
    for number, section in enumerate(elf.iter_sections()):
        if not int(section["sh_flags"]) & ALLOCATED:
            continue
        moved = [(name, value + base, size, info)
                 for name, value, size, info in found.get(number, ())]  # fmt: skip
        data = section.data() if _is_loaded(section) else b""
        yield Part(base + int(section["sh_addr"]), data, int(section["sh_flags"]), moved)


def _absolute(elf: ELFFile) -> list[tuple[str, int, int, int]]:
    return _symbols(elf).get(ABSOLUTE, [])


def _is_loaded(section: Section) -> bool:
    return bool(section["sh_type"] == "SHT_PROGBITS" and int(section["sh_flags"]) & ALLOCATED)


def _symbols(elf: ELFFile) -> dict[int, list[tuple[str, int, int, int]]]:
    """(name, value, size, info) by number of section."""
    table = elf.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    names = elf.get_section(table["sh_link"]).data()
    found: dict[int, list[tuple[str, int, int, int]]] = {}
    for name, value, size, info, _, number in SYMBOL.iter_unpack(table.data()):
        text = names[name : names.index(0, name)].decode()
        if text and info & 0xF <= LAST_TYPE and (number < RESERVED or number == ABSOLUTE):
            found.setdefault(number, []).append((text, value, size, info))
    return found


def _written(
    loads: Sequence[tuple[int, bytes]],
    parts: Sequence[Part],
    absolute: Sequence[tuple[str, int, int, int]],
) -> bytes:
    body = bytearray(HEADER.size)
    segments, sections = [], [SECTION.pack(*[0] * 10)]

    def put(data: bytes) -> int:
        body.extend(bytes(-len(body) % 4))
        at = len(body)
        body.extend(data)
        return at

    for address, data in loads:
        at = put(data)
        size = len(data)
        segments.append(SEGMENT.pack(LOADED, at, address, address, size, size, ALL_RIGHTS, 4))
    names, entries = bytearray(b"\0"), [SYMBOL.pack(0, 0, 0, 0, 0, 0)]
    numbered = [(number, one) for number, part in enumerate(parts, 1) for one in part.symbols]
    for number, (name, value, size, info) in [*numbered, *((ABSOLUTE, one) for one in absolute)]:
        entries.append(SYMBOL.pack(len(names), value & WORD, size, info, 0, number))
        names += name.encode() + b"\0"
    for part in parts:
        fields = (0, DATA, part.flags, part.address, put(part.data), len(part.data))
        sections.append(SECTION.pack(*fields, 0, 0, 4, 0))
    table, text = b"".join(entries), bytes(names) + b".symtab\0.strtab\0"
    strings = len(sections) + 1
    sections.append(SECTION.pack(len(names), SYMBOLS, 0, 0, put(table), len(table),
                                 strings, 1, 4, SYMBOL.size))  # fmt: skip
    sections.append(SECTION.pack(len(names) + 8, STRINGS, 0, 0, put(text), len(text), 0, 0, 1, 0))
    segments_at, sections_at = put(b"".join(segments)), put(b"".join(sections))
    body[: HEADER.size] = HEADER.pack(
        IDENTITY, EXECUTABLE_FILE, ARM, VERSION, 0, segments_at, sections_at, FLAGS, HEADER.size,
        SEGMENT.size, len(segments), SECTION.size, len(sections), strings,
    )  # fmt: skip
    return bytes(body)
