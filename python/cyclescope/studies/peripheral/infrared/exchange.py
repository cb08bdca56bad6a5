"""A transfer over an infrared line, decoded: frames, the origin of every octet, and the file."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cyclescope.studies.peripheral.wire_bytes import WireBytes
from cyclescope.wire.infrared import (
    ORIGINS,
    InfraredPacket,
    SentOctet,
    frames,
    origins_of_packets,
    packets,
)

PAYLOAD, STUFFING, DAMAGED = "payload", "stuffing", "damaged"
ESCAPE, HEAD = 0x7D, 3
"""A data frame has BOF, address and control before its packet, FCS and EOF behind it."""
SEQUENCE = 8


@dataclass(frozen=True)
class PlacedPacket:
    """A packet with the place of its octets among those of its sender, and its payload."""

    packet: InfraredPacket
    begin: int
    end: int
    payload: bytes
    first_at: int
    """The moment at which its first octet had come to its end; `last_at`, its last one."""
    last_at: int


@dataclass
class InfraredExchange:
    """A whole exchange of two sides: `origins` has one entry for each octet of each side.

    A file's octet is on the medium once, but for retransmissions, so none is `saved`.
    """

    origins: tuple[list[str], list[str]]
    packets: list[PlacedPacket] = field(default_factory=list)
    saved: int = 0

    @property
    def known_origins(self) -> Sequence[str]:
        """All origins, in the order of tables."""
        return tuple(ORIGINS)

    @property
    def content(self) -> bytes:
        """The file that the packets carry."""
        return b"".join(one.payload for one in self.packets)

    @property
    def wrong_checks(self) -> int:
        """Frames that were sent damaged."""
        return sum(one.packet.frame.content is None for one in self.packets)

    @property
    def retransmissions(self) -> int:
        """Frames that were sent before."""
        return sum(one.packet.repeated for one in self.packets)

    def count(self) -> Counter[tuple[int, str]]:
        """Octets by side and origin."""
        return Counter((side, one) for side in (0, 1) for one in self.origins[side])

    def kinds(self) -> Counter[str]:
        """Frames by kind."""
        return Counter(one.packet.lap.kind if one.packet.lap else DAMAGED for one in self.packets)

    def span(self, frame: int) -> tuple[int, int] | None:
        """The steady state: from the first frame with payload to the acknowledgement of the last.

        Returns None without payload. `frame` is how long an octet takes.
        """
        carrying = [one for one in self.packets if one.payload]
        if not carrying:
            return None
        last = carrying[-1]
        return carrying[0].first_at - frame, self._acknowledged(last) or last.last_at

    def _acknowledged(self, last: PlacedPacket) -> int | None:
        """When the first frame that acknowledges a data frame has come; None if there is none.

        It may acknowledge later frames with it.
        """
        assert last.packet.lap and last.packet.lap.ns is not None
        later = 0
        for one in self.packets[self.packets.index(last) + 1 :]:
            lap = one.packet.lap
            if lap is None:
                continue
            if one.packet.frame.sender == last.packet.frame.sender:
                later += lap.kind == "I" and not one.packet.repeated
            elif lap.nr is not None and (lap.nr - last.packet.lap.ns - 1) % SEQUENCE <= later:
                return one.last_at
        return None


def decode(wire: WireBytes) -> InfraredExchange:
    """Decodes what both sides sent; side 0 is the peer, side 1 the analysed board."""
    sides = [wire.sent(to_board=True), wire.sent(to_board=False)]
    octets = [
        SentOctet(at, side, value)
        for side, one in enumerate(sides)
        for at, value in zip(one.ends, one.sent, strict=True)
    ]
    found = InfraredExchange(([], []))
    for packet, counts in origins_of_packets(packets(frames(octets))):
        side = packet.frame.sender
        begin = len(found.origins[side])
        labels = list(_labels(packet, counts))
        found.origins[side].extend(labels)
        end = begin + len(labels)
        ends = sides[side].ends
        found.packets.append(
            PlacedPacket(packet, begin, end, _payload(packet, counts), ends[begin], ends[end - 1])
        )
    return found


def _payload(packet: InfraredPacket, counts: Counter[str]) -> bytes:
    content = packet.frame.content or b""
    return content[len(content) - counts[PAYLOAD] :]


def _labels(packet: InfraredPacket, counts: Counter[str]) -> Iterator[str]:
    """The origin of each octet of a frame, in the order of the wire."""
    frame = packet.frame
    whole = [origin for origin, count in counts.items() if count]
    if len(whole) == 1:
        yield from whole * (len(frame.lead) + len(frame.wire))
        return
    yield from (DAMAGED if is_stray else "extra flags" for is_stray in _strays(frame.lead))
    inner = _inner(counts, len(frame.wire) - frame.escapes)
    for octet in frame.wire:
        yield STUFFING if octet == ESCAPE else next(inner)


def _strays(lead: bytes) -> Iterator[bool]:
    return (one not in (0xFF, 0xC0) for one in lead)


def _inner(counts: Counter[str], length: int) -> Iterator[str]:
    """Origins of a frame's octets from BOF to EOF, without escapes."""
    in_order = ("IrLMP", "TinyTP", "file information", PAYLOAD)
    within = [origin for origin in in_order for _ in range(counts[origin])]
    if within:
        yield from ["IrLAP"] * HEAD
        yield from within
        yield from ["IrLAP"] * (length - HEAD - len(within))
        return
    outer = (DAMAGED, STUFFING, "extra flags")
    known = (one for one, count in counts.items() if count and one not in outer)
    yield from [next(known, DAMAGED)] * length
