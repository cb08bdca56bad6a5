"""The host's side of the wire to an image that measures real-time figures.

See docs/reference/wire.md.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from cyclescope import wire
from cyclescope.wire import Link, MessageKind

HUNDREDTHS = 100
"""In which a target counts a percent of its processor."""


class Topic(IntEnum):
    """Facts that an image reports, item by item."""

    INDICATORS = 0
    FACILITIES = 1
    REMARKS = 2
    ARITHMETIC = 3


class Item(NamedTuple):
    """One item of a topic: a number that belongs to it, and words."""

    value: int
    words: str


class BatchRequest(NamedTuple):
    """Settings of a batch, in the wire's own numbers."""

    indicator: int
    load_percent: int
    load_kind: int
    placement: int
    extra_tasks: int
    length: int
    seed: int
    limit_ms: int

    def body(self) -> bytes:
        return struct.pack("<BBBBHHII", *self)


@dataclass(frozen=True)
class Filled:
    """The buffer after a batch: what it holds, kernel ticks it took, calls of each facility. Also
    the share of the processor that the load had by the target's own account."""

    samples: Sequence[wire.WireSample]
    ticks: int
    load_percent: float
    calls: tuple[int, ...]


class Room(NamedTuple):
    """Bytes for the test and the load to live on, for each extra task, and free for both."""

    fixed_bytes: int
    task_bytes: int
    free_bytes: int


class RealtimeLink(Link):
    """A conversation with such an image."""

    def about(self, topic: Topic) -> list[Item]:
        """All items of a topic."""
        items: list[Item] = []
        while True:
            fields = self._ask(MessageKind.ABOUT, struct.pack("<BB", topic, len(items)))
            count, value = fields.take("<BB")
            words = fields.string()
            fields.end()
            if len(items) >= count:
                return items
            items.append(Item(value, words))

    def calibrate(self, unit: int, n: int, *, empty: bool) -> Sequence[wire.WireSample]:
        """Times the reference operation, or the same frame without it."""
        fields = self._ask(
            MessageKind.CALIBRATE, struct.pack("<BBH", unit, empty, n), patience_s=60
        )
        (count,) = fields.take("<H")
        fields.end()
        return self.drain(count)

    def batch(self, order: BatchRequest) -> Filled:
        """Fills the buffer, then drains it."""
        patience_s = order.limit_ms / 1000 + 60
        fields = self._ask(MessageKind.BATCH, order.body(), patience_s)
        count, ticks, load, facilities = fields.take("<HIHB")
        calls = fields.take(f"<{facilities}I")
        fields.end()
        return Filled(self.drain(count), ticks, load / HUNDREDTHS, calls)

    def room(self, order: BatchRequest) -> Room:
        """Returns the memory beside a test and its load."""
        fields = self._ask(MessageKind.CAPACITY, order.body(), patience_s=60)
        room = Room(*fields.take("<III"))
        fields.end()
        return room
