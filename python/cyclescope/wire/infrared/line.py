"""Frames of an infrared line (SIR): octets with times become frames, none is lost.

The format is that of asynchronous framing in IrLAP: extra flags, 0xC0, escaped content with its
check sequence, 0xC1. docs/reference/irda.md describes it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

XBOF, BOF, EOF, ESCAPE, FLIP = 0xFF, 0xC0, 0xC1, 0x7D, 0x20
FCS_BYTES = 2


class SentOctet(NamedTuple):
    """An octet on the line; `time_ns` is the begin of its character."""

    time_ns: int
    sender: int
    value: int


@dataclass(frozen=True)
class LineFrame:
    """A frame with everything its sender put before it.

    `lead` holds extra flags and strays, `wire` the octets from 0xC0 to 0xC1 as they were sent.
    `content` is address, control and information; it is None if the frame is damaged.
    """

    sender: int
    begin_ns: int
    end_ns: int
    lead: bytes
    wire: bytes
    content: bytes | None

    @property
    def xbofs(self) -> int:
        """The number of extra flags, 0xFF or 0xC0."""
        return len(self.lead) - self.strays

    @property
    def strays(self) -> int:
        """The number of octets before the frame that are no flags."""
        return len(self.lead.translate(None, bytes((XBOF, BOF))))

    @property
    def escapes(self) -> int:
        """The number of octets that stuffing added."""
        return self.wire.count(ESCAPE)


def fcs(data: bytes) -> int:
    """CRC-16/X.25, the check sequence of IrLAP.

    >>> hex(fcs(b"123456789"))
    '0x906e'
    """
    value = 0xFFFF
    for octet in data:
        value = value >> 8 ^ _TABLE[(value ^ octet) & 0xFF]
    return value ^ 0xFFFF


def _table() -> Iterator[int]:
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x8408 if value & 1 else 0)
        yield value


_TABLE = tuple(_table())


def wrapped(content: bytes, xbofs: int = 0) -> bytes:
    """The octets that send this content.

    >>> wrapped(bytes.fromhex("6511")).hex()
    'c06511a215c1'
    """
    checked = content + fcs(content).to_bytes(FCS_BYTES, "little")
    stuffed = b"".join(
        bytes((ESCAPE, one ^ FLIP)) if one in (BOF, EOF, ESCAPE) else bytes((one,))
        for one in checked
    )
    return bytes((XBOF,)) * xbofs + bytes((BOF,)) + stuffed + bytes((EOF,))


def unwrapped(wire: bytes) -> bytes | None:
    """The content of the octets from 0xC0 to 0xC1, or None if they are damaged."""
    if len(wire) < 2 or wire[0] != BOF or wire[-1] != EOF:
        return None
    parts = wire[1:-1].split(bytes((ESCAPE,)))
    if any(not part for part in parts[1:]):
        return None  # 0x7D 0xC1 aborts a frame; an escaped escape is not sent as such
    data = parts[0] + b"".join(bytes((part[0] ^ FLIP,)) + part[1:] for part in parts[1:])
    if len(data) < 2 + FCS_BYTES:
        return None
    content, check = data[:-FCS_BYTES], data[-FCS_BYTES:]
    return content if fcs(content) == int.from_bytes(check, "little") else None


def frames(octets: Iterable[SentOctet]) -> list[LineFrame]:
    """The frames of all senders by the time of their first octet.

    Each octet is part of one frame. Octets that make no whole frame are a damaged one.
    """
    by_sender: dict[int, list[SentOctet]] = {}
    for one in octets:
        by_sender.setdefault(one.sender, []).append(one)
    found = [frame for sent in by_sender.values() for frame in _of_one(sent)]
    return sorted(found, key=lambda one: (one.begin_ns, one.sender))


def _of_one(sent: list[SentOctet]) -> Iterator[LineFrame]:
    """The frames of one sender."""
    first, begin = 0, None
    for at, one in enumerate(sent):
        if one.value == BOF:
            if begin is not None and begin + 1 < at:
                yield _frame(sent[first:at], begin - first)
                first = at
            begin = at
        elif one.value == EOF and begin is not None:
            yield _frame(sent[first : at + 1], begin - first)
            first, begin = at + 1, None
    if first < len(sent):
        yield _frame(sent[first:], len(sent) - first if begin is None else begin - first)


def _frame(octets: list[SentOctet], begin: int) -> LineFrame:
    data = bytes(one.value for one in octets)
    start = octets[min(begin, len(octets) - 1)]
    wire = data[begin:]
    return LineFrame(
        start.sender, start.time_ns, octets[-1].time_ns, data[:begin], wire, unwrapped(wire)
    )
