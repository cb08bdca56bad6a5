"""Frames on the line, as the host reads and writes them: flags, escapes, CRC-16/X.25."""

BEGIN, END, ESCAPE, FLIP = 0xC0, 0xC1, 0x7D, 0x20
SPECIAL = (BEGIN, END, ESCAPE)
HEADER, CHECK = 2, 2


def check(octets: bytes) -> int:
    """CRC-16/X.25 of the octets, bit by bit."""
    crc = 0xFFFF
    for octet in octets:
        crc ^= octet
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return crc ^ 0xFFFF


def make(kind: bytes, sequence: int, body: bytes = b"") -> bytes:
    """A frame as it is on the line."""
    inner = kind + bytes([sequence]) + body
    inner += check(inner).to_bytes(2, "little")
    stuffed = b"".join(
        bytes([ESCAPE, octet ^ FLIP]) if octet in SPECIAL else bytes([octet]) for octet in inner
    )
    return bytes([BEGIN]) + stuffed + bytes([END])


def read(line: bytes) -> tuple[bytes, int] | None:
    """Kind and sequence of the frame that ends a line's octets; None if it is not sound."""
    begin = line.rfind(bytes([BEGIN]))
    if begin < 0 or not line.endswith(bytes([END])):
        return None
    inner, escaped = bytearray(), False
    for octet in line[begin + 1 : -1]:
        if octet == ESCAPE:
            escaped = True
            continue
        inner.append(octet ^ FLIP if escaped else octet)
        escaped = False
    if len(inner) < HEADER + CHECK:
        return None
    body, sent = bytes(inner[:-CHECK]), int.from_bytes(inner[-CHECK:], "little")
    return (body[:1], body[1]) if check(body) == sent else None
