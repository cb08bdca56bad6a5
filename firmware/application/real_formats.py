"""Prints what the linker is asked for if a program's formats have floating-point numbers.

newlib-nano leaves them out of its formatted text otherwise. Called by the Makefile with the
program's objects; needs nothing but Python.
"""

import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

REAL = re.compile(rb"%[-+ #0-9.*l]*[efgEFG]")
"""A conversion of a floating-point number."""
ASKED = "-u _printf_float -u _scanf_float"
SECTION = struct.Struct("<10I")
LITERALS = 0x22
"""Flags of a section that holds string literals, and is loaded."""


def literals(elf: bytes) -> Iterator[bytes]:
    """The sections of an object that hold string literals."""
    begin, size, count = struct.unpack_from("<I10xHH", elf, 32)
    for at in range(begin, begin + size * count, size):
        _, _, flags, _, offset, length, *_ = SECTION.unpack_from(elf, at)
        if flags & LITERALS == LITERALS:
            yield elf[offset : offset + length]


def main(objects: list[str]) -> None:
    found = (one for path in objects for one in literals(Path(path).read_bytes()))
    if any(REAL.search(one) for one in found):
        print(ASKED)


if __name__ == "__main__":
    main(sys.argv[1:])
