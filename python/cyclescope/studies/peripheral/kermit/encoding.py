"""Data of Kermit packets: quoted control characters, eighth bits, and repeats."""

from collections.abc import Iterator
from dataclasses import dataclass

from cyclescope.studies.peripheral.kermit import checks

BLANKS = "YN "
"""Bids for the eighth bit that name no character."""


@dataclass(frozen=True)
class Prefixes:
    """The characters that one side's data are encoded with; None where they agreed on none."""

    control: int = ord("#")
    eighth: int | None = None
    repeat: int | None = None


@dataclass(frozen=True)
class Encoded:
    """One encoded byte: `width` characters that stand for `count` times `byte`."""

    width: int
    byte: int
    count: int


class NotKermitData(ValueError):
    """Data that end within a prefix."""


def decode(data: bytes, prefixes: Prefixes) -> Iterator[Encoded]:
    """Each encoded byte of a data field, in order. Raises NotKermitData if the last is cut."""
    at = 0
    try:
        while at < len(data):
            begin, count, high = at, 1, 0
            if data[at] == prefixes.repeat:
                count, at = checks.number(data[at + 1]), at + 2
            if data[at] == prefixes.eighth:
                high, at = 0x80, at + 1
            byte = data[at]
            if byte == prefixes.control:
                at += 1
                byte = data[at]
                if 0x3F <= byte & 0x7F <= 0x5F:
                    byte ^= 0x40
            at += 1
            yield Encoded(at - begin, byte | high, count)
    except IndexError:
        raise NotKermitData from None


@dataclass(frozen=True)
class KermitParameters:
    """The parameters of one side's initialisation: check, prefixes, lengths."""

    longest: int
    control: int
    eighth: str
    check: int
    repeat: str

    @classmethod
    def of(cls, data: bytes) -> "KermitParameters":
        """The parameters in the data of an S or I packet, or of the answer to one."""
        text = data.decode("latin-1").ljust(9)
        known = text[7] in "123"
        return cls(
            longest=checks.number(ord(text[0])),
            control=ord(text[5]) if text[5] != " " else ord("#"),
            eighth=text[6],
            check=int(text[7]) if known else 1,
            repeat=text[8],
        )

    def prefixes(self, other: "KermitParameters") -> Prefixes:
        """How this side encodes its data, having seen the other's parameters."""
        eighth = self.eighth if self.eighth not in BLANKS else other.eighth
        agreed = eighth not in BLANKS and "N" not in (self.eighth, other.eighth)
        repeats = self.repeat == other.repeat and self.repeat != " "
        return Prefixes(
            control=self.control,
            eighth=ord(eighth) if agreed else None,
            repeat=ord(self.repeat) if repeats else None,
        )
