"""Packets in the bytes that one side sends: where each field of them lies."""

from collections.abc import Iterator
from dataclasses import dataclass

from cyclescope.studies.peripheral.kermit import checks

MARK, RETURN = 0x01, 0x0D
LONG_HEAD = 3
"""Characters that an extended length adds: two for the length, one for its check."""


@dataclass(frozen=True)
class KermitPacket:
    """A packet from `begin` to `end` in the bytes of one side.

    Its data, with the block check that belongs to them, begin at `data_at`; `kind` is its type's
    letter. The end of line is the last byte, if there was one.
    """

    begin: int
    end: int
    sequence: int
    kind: str
    data_at: int
    body: bytes
    """From the length to the last character of the check."""
    ends_line: bool

    def data(self, check: int) -> bytes:
        """The data field, where the check has so many characters."""
        return self.body[self.data_at - self.begin - 1 : len(self.body) - check]

    def is_right(self, check: int) -> bool:
        """Whether a check of this type is right."""
        covered = self.body[:-check]
        return len(covered) >= 3 and checks.check(check, covered) == self.body[-check:]


def packets(sent: bytes) -> Iterator[KermitPacket]:
    """The whole packets in what one side sent; bytes between them are of none."""
    at = 0
    while (begin := sent.find(MARK, at)) >= 0:
        found = _packet(sent, begin)
        at = begin + 1 if found is None else found.end
        if found is not None:
            yield found


def _packet(sent: bytes, begin: int) -> KermitPacket | None:
    """The packet with its mark at `begin`, if it is whole and has a head."""
    if begin + 4 > len(sent):
        return None
    length, data_at = checks.number(sent[begin + 1]), begin + 4
    if length == 0:
        data_at += LONG_HEAD
        if data_at > len(sent) or not _has_long_head(sent, begin):
            return None
        high, low = (checks.number(one) for one in sent[begin + 4 : begin + 6])
        end = data_at + high * checks.MOST + low
    else:
        end = begin + 2 + length
    if not 0 <= length <= checks.MOST or not data_at < end <= len(sent):
        return None
    ends_line = sent[end : end + 1] == bytes([RETURN])
    return KermitPacket(
        begin=begin,
        end=end + ends_line,
        sequence=checks.number(sent[begin + 2]),
        kind=chr(sent[begin + 3]),
        data_at=data_at,
        body=sent[begin + 1 : end],
        ends_line=ends_line,
    )


def _has_long_head(sent: bytes, begin: int) -> bool:
    return checks.check(1, sent[begin + 1 : begin + 6]) == sent[begin + 6 : begin + 7]
