"""A decoded wire: the origin of every byte, its packets, and the file that they carry."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol


class Exchange(Protocol):
    """A decoded exchange of two sides; side 0 is the peer, side 1 the board."""

    @property
    def origins(self) -> Sequence[Sequence[str]]:
        """By side, the origin of each byte."""

    @property
    def known_origins(self) -> Sequence[str]:
        """All origins that a byte of this protocol may have, in the order of tables."""

    @property
    def content(self) -> bytes | bytearray:
        """The file that the packets carry."""

    @property
    def saved(self) -> int:
        """Bytes of the file that are not on the wire."""

    @property
    def wrong_checks(self) -> int:
        """Packets that carry a check which is not theirs."""

    @property
    def retransmissions(self) -> int:
        """Packets that repeat one of their side."""

    def count(self) -> Mapping[Any, int]:
        """Bytes by (side, origin)."""

    def kinds(self) -> Mapping[str, int]:
        """Packets by the names of their kinds."""

    def span(self, frame: int) -> tuple[int, int] | None:
        """The steady state: from the first data packet's first byte to the last one's answer; None
        without data. `frame` is how long a byte takes."""
