"""Link: what a host can ask, and the repetition of what was not heard (docs/reference/wire.md)."""

import struct
from typing import Protocol

from cyclescope.wire.errors import (
    NoAnswer,
    RequestRefused,
    SeriesDoesNotFit,
    TargetFault,
    WireError,
)
from cyclescope.wire.frame import VERSION, Fields, Frame, decode_frame, encode_frame
from cyclescope.wire.messages import (
    NO_OPTIONS,
    CaseDescription,
    CaseFlag,
    Hello,
    MessageKind,
    Option,
    Reason,
    WireSample,
)

SAMPLES_PER_FRAME = 26
SAMPLE = "<IIB"
"""Start, stop and flags of one sample, on the wire and in the target's buffer."""
SAMPLE_BYTES = struct.calcsize(SAMPLE)

LONGEST_SERIES = 0xFFFF
"""Samples; lengths are sent in 16 bits."""

TIMEOUT_S = 0.01
"""A request is repeated after so long a silence, unless something else is asked for."""

NOISE_BYTES = 4096
"""So much without an answer is noise: the request is repeated."""


class Transport(Protocol):
    """A stream of bytes to a target and back."""

    def write(self, data: bytes) -> None:
        """Sends all of `data`."""

    def read(self, timeout_s: float) -> bytes:
        """Returns the bytes that came within `timeout_s` of the target's time, or none."""


class Link:
    """A conversation with one target: one request at a time, repeated until it is answered."""

    def __init__(
        self, transport: Transport, *, timeout_s: float = TIMEOUT_S, patience_s: float = 2.0
    ) -> None:
        """A request is repeated after a silence of `timeout_s`, then of twice as much each
        time, and given up after `patience_s`; all in the target's time."""
        self._transport = transport
        self.timeout_s = timeout_s
        self._patience_s = patience_s
        self._sequence = 0
        self._pending = bytearray()
        self.repeats = 0
        """Requests that had to be sent again, so far."""

    def hello(self) -> Hello:
        """Starts the conversation."""
        fields = self._ask(MessageKind.HELLO, b"")
        cases, capacity, core_hz, timer_hz, tick_hz, free_bytes = fields.take("<HHIIII")
        strings = [fields.string() for _ in range(4)]
        fields.end()
        return Hello(cases, capacity, core_hz, timer_hz, tick_hz, free_bytes, *strings)

    def describe(self, case: int) -> CaseDescription:
        """The declaration of a case."""
        fields = self._ask(MessageKind.DESCRIBE, struct.pack("<H", case))
        index, flags, first, last, step = fields.take("<HBIII")
        strings = [fields.string() for _ in range(8)]
        fields.end()
        return CaseDescription(index, CaseFlag(flags), first, last, step, *strings)

    def cases(self) -> list[CaseDescription]:
        """All declarations."""
        return [self.describe(case) for case in range(self.hello().cases)]

    def run(
        self,
        case: int,
        length: int,
        x: int = 0,
        *,
        options: Option = NO_OPTIONS,
        delay: int = 0,
        patience_s: float = 60.0,
    ) -> list[WireSample]:
        """Runs a series and fetches its samples."""
        return self.drain(
            self.execute(case, length, x, options=options, delay=delay, patience_s=patience_s)
        )

    def execute(
        self,
        case: int,
        length: int,
        x: int = 0,
        *,
        options: Option = NO_OPTIONS,
        delay: int = 0,
        patience_s: float = 60.0,
    ) -> int:
        """Runs a series: so many samples are in the target's buffer then. Raises `DoesNotFit` if
        the target is too small, or the series longer than a request can say."""
        if length > LONGEST_SERIES:
            raise SeriesDoesNotFit(
                Reason.BUFFER, SAMPLE_BYTES * length, SAMPLE_BYTES * LONGEST_SERIES
            )
        body = struct.pack("<HHIBI", case, length, x, options, delay)
        fields = self._ask(MessageKind.RUN, body, patience_s)
        (count,) = fields.take("<H")
        fields.end()
        return count

    def drain(self, count: int) -> list[WireSample]:
        """Fetches the first `count` samples of the target's buffer."""
        samples: list[WireSample] = []
        while len(samples) < count:
            samples += self._samples(len(samples), min(SAMPLES_PER_FRAME, count - len(samples)))
        return samples

    def _samples(self, offset: int, count: int) -> list[WireSample]:
        fields = self._ask(MessageKind.SAMPLES, struct.pack("<HH", offset, count))
        if fields.take("<HH") != (offset, count):
            raise WireError(
                "the target sent other samples than it was asked for", code="samples-not-asked-for"
            )
        samples = [WireSample._make(one) for one in fields.take_all(SAMPLE, count)]
        fields.end()
        return samples

    def _ask(self, kind: MessageKind, body: bytes, patience_s: float | None = None) -> Fields:
        """Sends a request until it is answered."""
        self._sequence = self._sequence + 1 & 0xFFFF
        request = encode_frame(Frame(kind, self._sequence, body))
        patience_s = self._patience_s if patience_s is None else patience_s
        waited_s, timeout_s = 0.0, self.timeout_s
        while waited_s < patience_s:
            self.repeats += waited_s > 0
            self._transport.write(request)
            answer = self._answer(min(timeout_s, patience_s - waited_s))
            if answer is not None:
                return self._understand(kind, answer)
            waited_s, timeout_s = waited_s + timeout_s, 2 * timeout_s
        raise NoAnswer(
            f"no answer to {kind.name.lower()} in {patience_s:g} s of the target's time: "
            "is the image running, and is the wire the right one?"
        )

    def _answer(self, timeout_s: float) -> Frame | None:
        """The answer to the current request, or `None` after a silence."""
        heard = 0
        while heard < NOISE_BYTES:
            while b"\0" in self._pending:
                encoded, _, rest = self._pending.partition(b"\0")
                self._pending = rest
                frame = decode_frame(bytes(encoded))
                if frame is not None and frame.kind == MessageKind.FAULT:
                    raise _fault(frame)
                if frame is not None and frame.sequence == self._sequence:
                    return frame
            data = self._transport.read(timeout_s)
            if not data:
                return None
            heard += len(data)
            self._pending += data
        return None

    @staticmethod
    def _understand(kind: MessageKind, answer: Frame) -> Fields:
        if answer.kind == MessageKind.REFUSED:
            fields = Fields(answer.body)
            code, a, b = fields.take("<BII")
            reason = Reason(code)
            too_large = reason in (Reason.HEAP, Reason.BUFFER)
            call = fields.string() if reason is Reason.SYSTEM else ""
            raise (SeriesDoesNotFit if too_large else RequestRefused)(reason, a, b, call)
        if answer.version != VERSION or answer.kind != kind | 0x80:
            raise WireError(
                f"the target answered {kind.name.lower()} with kind {answer.kind:#04x}, "
                f"version {answer.version}: rebuild the firmware",
                code="answer-of-another-kind",
            )
        return Fields(answer.body)


def _fault(frame: Frame) -> TargetFault:
    fields = Fields(frame.body)
    cause, address = fields.take("<BI")
    return TargetFault(cause, address, fields.string())
