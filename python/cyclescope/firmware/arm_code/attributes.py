"""The section in which tools for ARM describe what a program was built for (ARM IHI 0045)."""

from collections.abc import Iterator

VERSION = b"A"
VENDOR = b"aeabi"
LENGTH_BYTES = 4
FILE = 1
"""The tag of attributes of a whole file."""
PROFILE = 7
COMPATIBILITY = 32
"""Its value is a number and a text."""
NAMES = (4, 5)
"""Tags below 32 whose values are texts; above, those of odd tags are."""
M_PROFILE = ord("M")


def profile(section: bytes | None) -> int | None:
    """The letter of the architecture's profile, as its code; None if the section names none."""
    for tag, value in _attributes(section or b""):
        if tag == PROFILE and value:
            return value
    return None


def _attributes(section: bytes) -> Iterator[tuple[int, int]]:
    """Tags and values of the attributes of whole files; a text counts as 0."""
    if section[:1] != VERSION:
        return
    at = 1
    while at + LENGTH_BYTES <= len(section):
        length = int.from_bytes(section[at : at + LENGTH_BYTES], "little")
        part = section[at + LENGTH_BYTES : at + length]
        vendor, _, rest = part.partition(b"\0")
        if vendor == VENDOR:
            yield from _of_files(rest)
        at += max(length, LENGTH_BYTES)


def _of_files(part: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at + 1 + LENGTH_BYTES <= len(part):
        length = int.from_bytes(part[at + 1 : at + 1 + LENGTH_BYTES], "little")
        if part[at] == FILE:
            yield from _values(part[at + 1 + LENGTH_BYTES : at + length])
        at += max(length, 1 + LENGTH_BYTES)


def _values(part: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(part):
        tag, at = _number(part, at)
        value = 0
        if tag == COMPATIBILITY:
            _, at = _number(part, at)
        if tag in NAMES or tag == COMPATIBILITY or (tag > COMPATIBILITY and tag % 2):
            end = part.find(b"\0", at)
            at = end + 1 if end >= 0 else len(part)
        else:
            value, at = _number(part, at)
        yield tag, value


def _number(part: bytes, at: int) -> tuple[int, int]:
    """A number of seven bits in each byte, the low ones first, and where the next thing begins."""
    value = shift = 0
    while at < len(part):
        byte = part[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            break
    return value, at
