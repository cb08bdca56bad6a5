"""Edits of a text: what is inserted where, so that pairs nest."""

from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class Edits:
    """Insertions into one text. Register what is outside before what is inside."""

    _before: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    _replaced: dict[int, tuple[int, str]] = field(default_factory=dict)
    _after: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))

    def before(self, offset: int, text: str) -> None:
        """Inserts in front of what begins at `offset`, behind what was inserted there before."""
        self._before[offset].append(text)

    def reserve(self, offset: int) -> int:
        """Keeps the next place in front of what begins at `offset`, to be filled later."""
        self.before(offset, "")
        return len(self._before[offset]) - 1

    def fill(self, offset: int, reserved: int, text: str) -> None:
        """Inserts in a place that was reserved."""
        self._before[offset][reserved] = text

    def after(self, offset: int, text: str) -> None:
        """Inserts behind what ends at `offset`, in front of what was inserted there before."""
        self._after[offset].append(text)

    def around(self, begin: int, end: int, opening: str, closing: str) -> None:
        """Puts the bytes [begin, end) between two texts."""
        self.before(begin, opening)
        self.after(end, closing)

    def replace(self, begin: int, end: int, text: str) -> None:
        """Puts a text in the place of the bytes [begin, end); nothing else may lie in them."""
        self._replaced[begin] = (end, text)

    def applied(self, text: bytes) -> bytes:
        """Returns the text with all insertions."""
        parts, last = [], 0
        for offset in sorted({*self._before, *self._after, *self._replaced}):
            parts.append(text[last:offset])
            last, replaced = self._replaced.get(offset, (offset, ""))
            inserted = [*reversed(self._after.get(offset, [])), *self._before.get(offset, [])]
            parts += [one.encode(errors="surrogateescape") for one in (*inserted, replaced)]
        return b"".join([*parts, text[last:]])
