"""Errors of a conversation with a target, each in a sentence.

See docs/reference/wire.md.
"""

from errno import errorcode
from os import strerror

from cyclescope.errors import CyclescopeError
from cyclescope.wire.messages import Reason

_SENTENCES = {
    Reason.VERSION: "the target speaks version {a} of the wire, the lab 1: rebuild the firmware",
    Reason.UNKNOWN_REQUEST: "the target does not know request {a}: rebuild the firmware",
    Reason.MALFORMED: "the target cannot read a body of {a} bytes: rebuild the firmware",
    Reason.NO_SUCH_CASE: "the target has no such case; it has {a}",
    Reason.NO_SUCH_VALUE: "the case does not take the value {a}",
    Reason.HEAP: "the series does not fit: it needs {a} bytes of heap, {b} are free",
    Reason.BUFFER: "the series does not fit: its samples need {a} bytes, the buffer has {b}",
    Reason.NO_SUCH_SAMPLES: "the last series has only {a} samples",
    Reason.CALL_FAILED: "the call of sample {a} failed (result {b:#x}): its time means nothing",
    Reason.SET_UP_FAILED: "the case could not be set up",
    Reason.NO_SUCH_INDICATOR: "the target does not have indicator {a}",
    Reason.SYSTEM: "the target's system refused a call with error {a}",
}


CHECK, STACK = 5, 6
"""Causes of a fault: a check of the firmware, the overflow of a stack."""


class WireError(CyclescopeError):
    """The target is silent, or what it says cannot be understood."""


class NoAnswer(WireError):
    """The target is silent for longer than is waited for it."""


class RequestRefused(CyclescopeError):
    """The target understood the request and will not do it; `call` is what its system refused."""

    def __init__(self, reason: Reason, a: int, b: int, call: str = "") -> None:
        super().__init__(_SENTENCES[reason].format(a=a, b=b))
        self.reason, self.a, self.b, self.call = reason, a, b, call

    @property
    def refused_call(self) -> str:
        """Describes the call that the system refused, by the system's own message."""
        name = errorcode.get(self.a, str(self.a))
        return f"{self.call.partition('(')[0]} failed: {strerror(self.a)} ({name})"


class SeriesDoesNotFit(RequestRefused):
    """A series needs more memory than the target has."""

    @property
    def needed_bytes(self) -> int:
        """Bytes that the series needs."""
        return self.a

    @property
    def available_bytes(self) -> int:
        """Bytes that the target has for it."""
        return self.b


class TargetFault(CyclescopeError):
    """The firmware met a fault and stopped."""

    def __init__(self, cause: int, address: int, text: str) -> None:
        super().__init__(f"the firmware stopped: {_what(cause, address, text)}")
        self.cause, self.address, self.text = cause, address, text


def _what(cause: int, address: int, text: str) -> str:
    if cause == STACK:
        return (
            f"the stack of {text} overflowed: declare fewer or smaller variables in its functions"
        )
    return text if cause == CHECK and not address else f"{text} at {address:#010x}"
