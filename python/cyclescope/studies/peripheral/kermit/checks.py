"""Block checks of Kermit packets: types 1, 2 and 3 of the protocol's manual."""

MOST = 95
"""Values of one printable character."""


def number(character: int) -> int:
    """The value that a printable character stands for."""
    return character - 32


def check(kind: int, data: bytes) -> bytes:
    """The characters of a check of this kind over `data`, which begins at the length.

    Type 1 is a sum of 6 bits, type 2 one of 12, type 3 the CRC-CCITT of 16 bits.
    """
    if kind == 3:
        return _characters(_crc(data), (12, 6, 0))
    total = sum(data)
    if kind == 2:
        return _characters(total & 0xFFF, (6, 0))
    return _characters((total + ((total & 0xC0) >> 6)) & 0x3F, (0,))


def _characters(value: int, shifts: tuple[int, ...]) -> bytes:
    return bytes(((value >> shift) & 0x3F) + 32 for shift in shifts)


def _crc(data: bytes) -> int:
    crc = 0
    for byte in data:
        for half in (byte & 0xF, byte >> 4):
            crc = (crc >> 4) ^ (((crc ^ half) & 0xF) * 0x1081)
    return crc
