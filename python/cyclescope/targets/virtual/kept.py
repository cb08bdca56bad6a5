"""Output of a guest that is kept: the first bytes of it, as a guest may print without end."""

MIB = 1 << 20
KEPT_MIB = 16
"""So much is kept unless another limit is given."""


class Kept:
    """The first `limit_bytes` of what is added; the others are counted."""

    def __init__(self, limit_bytes: int = KEPT_MIB * MIB) -> None:
        self._limit_bytes = limit_bytes
        self._data = bytearray()
        self.dropped_bytes = 0

    def add(self, data: bytes) -> None:
        """Keeps as much as the limit allows and counts the rest."""
        fitting = data[: self._limit_bytes - len(self._data)]
        self._data += fitting
        self.dropped_bytes += len(data) - len(fitting)

    def text(self, encoding: str) -> str:
        """Returns the kept text."""
        return self._data.decode(encoding, errors="replace")

    def remarks(self, what: str) -> list[str]:
        """A sentence if not all was kept."""
        if not self.dropped_bytes:
            return []
        return [
            f"{what}: the first {len(self._data):,} bytes are kept, {self.dropped_bytes:,} more "
            "are not (--keep)"
        ]
