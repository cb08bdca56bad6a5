"""The origin of every byte on the wire: payload, or one of the causes of overhead.

Packets of one kind are of one origin, but file headers, attributes and data have fields of several.
A packet that equals the one before of its side is a retransmission.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from cyclescope.studies.peripheral.kermit.encoding import (
    Encoded,
    KermitParameters,
    NotKermitData,
    Prefixes,
    decode,
)
from cyclescope.studies.peripheral.kermit.packets import KermitPacket, packets

INITIAL = "SI"
DESCRIBING = "FA"


class ByteOrigin(StrEnum):
    """Why a byte is on the wire."""

    PAYLOAD = "payload"
    ACCOMPANYING = "accompanying data"
    INITIALISATION = "initialisation"
    FRAMING = "framing"
    TRANSCODING = "transcoding"
    FLOW_CONTROL = "flow control"
    RETRANSMISSION = "retransmission"
    OTHER = "other"


@dataclass(frozen=True)
class SideBytes:
    """The bytes that one side sent, and the moment at which each had come to its end."""

    sent: bytes
    ends: Sequence[int]


@dataclass(frozen=True)
class SeenPacket:
    """A packet as the two sides exchanged it. `side` sent it; moments are of its first byte's end
    and of its last byte's."""

    side: int
    packet: KermitPacket
    first_at: int
    last_at: int
    repeats: bool
    check_is_right: bool


@dataclass
class KermitExchange:
    """A whole exchange of two sides: `origins` has one entry for each byte of each side.

    `content` is what the data packets say, `saved` how many of its bytes repeat prefixes left out.
    """

    origins: tuple[list[ByteOrigin], list[ByteOrigin]]
    packets: list[SeenPacket] = field(default_factory=list)
    content: bytearray = field(default_factory=bytearray)
    saved: int = 0

    @property
    def known_origins(self) -> Sequence[ByteOrigin]:
        """All origins, in the order of tables."""
        return tuple(ByteOrigin)

    def kinds(self) -> Counter[str]:
        """Packets by the letters of their types."""
        return Counter(one.packet.kind for one in self.packets)

    def count(self) -> Counter[tuple[int, ByteOrigin]]:
        """Bytes by side and origin."""
        return Counter((side, one) for side in (0, 1) for one in self.origins[side])

    @property
    def wrong_checks(self) -> int:
        """Packets that carry a check which is not theirs."""
        return sum(not one.check_is_right for one in self.packets)

    @property
    def retransmissions(self) -> int:
        """Packets that repeat the one before."""
        return sum(one.repeats for one in self.packets)

    def span(self, frame: int) -> tuple[int, int] | None:
        """The steady state. It begins with the first data packet's first byte.

        It ends with the last data packet's acknowledgement, or with that packet if there is none.
        Returns None without data packets. `frame` is how long a byte takes.
        """
        carrying = [one for one in self.packets if one.packet.kind == "D"]
        if not carrying:
            return None
        last = carrying[-1]
        answers = (
            one.last_at
            for one in self.packets
            if one.side != last.side
            and (one.packet.kind, one.packet.sequence) == ("Y", last.packet.sequence)
            and one.last_at > last.last_at
        )
        return carrying[0].first_at - frame, next(answers, last.last_at)


class _Reader:
    """Follows an exchange, packet by packet."""

    def __init__(self, sides: tuple[SideBytes, SideBytes]) -> None:
        self._sides = sides
        self._parameters: dict[int, KermitParameters] = {}
        self._before: dict[int, KermitPacket] = {}
        origins = [[ByteOrigin.OTHER] * len(one.sent) for one in sides]
        self.found = KermitExchange((origins[0], origins[1]))

    def read(self, side: int, packet: KermitPacket) -> None:
        """Takes the next packet."""
        before, self_before = self._before.get(1 - side), self._before.get(side)
        answers_initial = (
            packet.kind == "Y"
            and before is not None
            and before.kind in INITIAL
            and before.sequence == packet.sequence
        )
        initial = packet.kind in INITIAL or answers_initial
        kinds = (1,) if initial else (self._check(), 1)
        check = next((one for one in kinds if packet.is_right(one)), None)
        repeats = self_before is not None and self_before.body == packet.body
        if initial and not repeats:
            self._parameters[side] = KermitParameters.of(packet.data(1))
        ends = self._sides[side].ends
        self.found.packets.append(
            SeenPacket(
                side,
                packet,
                first_at=ends[packet.begin],
                last_at=ends[packet.end - 1],
                repeats=repeats,
                check_is_right=check is not None,
            )
        )
        self._before[side] = packet
        origins = self.found.origins[side]
        marked = self._origins(side, packet, check or kinds[0], initial, repeats)
        origins[packet.begin : packet.end] = list(marked)

    def _check(self) -> int:
        """The type of check that both agreed on; 1 until they have. A side that has not seen the
        other's answer yet still uses 1."""
        asked = {one.check for one in self._parameters.values()}
        return asked.pop() if len(self._parameters) == 2 and len(asked) == 1 else 1

    def _origins(
        self, side: int, packet: KermitPacket, check: int, initial: bool, repeats: bool
    ) -> Iterator[ByteOrigin]:
        length = packet.end - packet.begin
        data = packet.data(check)
        whole = ByteOrigin.FLOW_CONTROL
        if repeats:
            whole = ByteOrigin.RETRANSMISSION
        elif initial:
            whole = ByteOrigin.INITIALISATION
        if repeats or initial or packet.kind not in DESCRIBING + "D":
            yield from [whole] * length
            return
        yield from [ByteOrigin.FRAMING] * (packet.data_at - packet.begin)
        if packet.kind == "D":
            yield from self._of_data(side, data)
        else:
            yield from [ByteOrigin.ACCOMPANYING] * len(data)
        yield from [ByteOrigin.FRAMING] * (packet.end - packet.data_at - len(data))

    def _of_data(self, side: int, data: bytes) -> Iterator[ByteOrigin]:
        """One byte of each encoded group is payload, its prefixes are transcoding."""
        found: list[Encoded] = []
        try:
            found += decode(data, self._prefixes(side))
        except NotKermitData:
            yield from [ByteOrigin.OTHER] * len(data)
            return
        for one in found:
            self.found.content += bytes([one.byte]) * one.count
            self.found.saved += one.count - 1
            yield from [ByteOrigin.TRANSCODING] * (one.width - 1)
            yield ByteOrigin.PAYLOAD

    def _prefixes(self, side: int) -> Prefixes:
        own, other = self._parameters.get(side), self._parameters.get(1 - side)
        return own.prefixes(other) if own and other else Prefixes()


def follow(first: SideBytes, second: SideBytes) -> KermitExchange:
    """Decodes an exchange of two sides, whose moments are of one clock."""
    sides = (first, second)
    found = [
        (sides[side].ends[packet.end - 1], side, packet)
        for side in (0, 1)
        for packet in packets(sides[side].sent)
    ]
    reader = _Reader(sides)
    for _, side, packet in sorted(found, key=lambda one: one[:2]):
        reader.read(side, packet)
    return reader.found
