"""How a JLS file begins: what it is, and whether it is whole."""

import struct
from pathlib import Path

from cyclescope.errors import CyclescopeError

MAGIC = b"jlsfmt\r\n \n \x1a  \xb2\x1c"
MAGIC_VERSION_1 = b"\xd3tagfmt"
HEADER = struct.Struct("<16sQ")


def is_jls(begin: bytes) -> bool:
    """Whether a file that begins like this is Joulescope's, of whatever version."""
    return begin.startswith((MAGIC[:6], MAGIC_VERSION_1))


def check(path: Path, begin: bytes) -> None:
    """Refuses what cannot be read. Files that were not closed are among it: the maker's reader
    would repair them in place."""
    if begin.startswith(MAGIC_VERSION_1):
        raise CyclescopeError(
            f"{path} is a JLS file of version 1: open it in Joulescope's user interface and export "
            "it again",
            code="jls-version-1",
        )
    if len(begin) < HEADER.size or HEADER.unpack(begin[: HEADER.size])[0] != MAGIC:
        raise CyclescopeError(
            f"{path} is damaged: it does not begin as a JLS file does", code="jls-head-damaged"
        )
    length, there = HEADER.unpack(begin[: HEADER.size])[1], path.stat().st_size
    if length != there:
        raise CyclescopeError(
            f"{path} was cut off or not closed ({there:,} bytes; its header says {length:,}): open "
            "it in Joulescope's user interface, which repairs it, and export it again",
            code="jls-not-closed",
        )
