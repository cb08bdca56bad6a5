"""The host's side of the wire to an image that shows what a context switch costs.

See docs/reference/wire.md.
"""

import struct
from typing import NamedTuple

from cyclescope.wire import Link, MessageKind

PREEMPTED, BY_INTERRUPT = 1, 2


class WindowRequest(NamedTuple):
    """One window: both tasks of Pillai and Isha, section 4.2.1.

    `preempted`: the multiply-accumulate task preempts the transmission, `delay_counts` after the
    window began; else it follows. `by_interrupt`: the UART's interrupt feeds it, else polling does.
    """

    preempted: bool
    by_interrupt: bool
    characters: int
    operations: int
    delay_counts: int = 0

    def body(self) -> bytes:
        options = PREEMPTED * self.preempted | BY_INTERRUPT * self.by_interrupt
        return struct.pack("<BBHI", options, *self[2:])


class Stamps(NamedTuple):
    """Counts of the firmware's own timer, and what the multiply-accumulate task computed.

    `before` and `after` enclose the longest iteration of the transmission task's waiting loops,
    `shortest` is the length of the shortest. `interrupts` and `mac_interrupts` count the UART's
    interrupts in that iteration, and in the multiply-accumulate task.
    """

    began: int
    sent: int
    ended: int
    mac_began: int
    mac_ended: int
    before: int
    after: int
    shortest: int
    sum: int
    interrupts: int
    mac_interrupts: int


class SwitchLink(Link):
    """A conversation with such an image."""

    def window(self, order: WindowRequest) -> Stamps:
        """Runs one window."""
        fields = self._ask(MessageKind.SWITCH, order.body())
        stamps = Stamps(*fields.take("<11I"))
        fields.end()
        return stamps
