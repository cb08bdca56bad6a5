"""The host's side of the wire: frames, repetition, what a host can ask (docs/wire.md)."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import NamedTuple, Protocol

from cyclescope.errors import CyclescopeError

VERSION = 1
MAX_BODY_BYTES = 245
SAMPLES_PER_FRAME = 26
SAMPLE_BYTES = 9

LONGEST_SERIES = 0xFFFF
"""Samples; lengths are sent in 16 bits."""

NOISE_BYTES = 4096
"""So much without an answer is noise: the request is repeated."""


class Kind(IntEnum):
    """What a request asks or an unasked frame is; an answer has its request's kind plus 0x80."""

    HELLO = 0x01
    DESCRIBE = 0x02
    RUN = 0x03
    SAMPLES = 0x04
    ABOUT = 0x10
    CALIBRATE = 0x11
    BATCH = 0x12
    ROOM = 0x13
    SWITCH = 0x18
    REFUSED = 0xC0
    FAULT = 0xE0


class Reason(IntEnum):
    """Why a target refuses a request."""

    VERSION = 1
    UNKNOWN_REQUEST = 2
    MALFORMED = 3
    NO_SUCH_CASE = 4
    NO_SUCH_VALUE = 5
    HEAP = 6
    BUFFER = 7
    NO_SUCH_SAMPLES = 8
    CALL_FAILED = 9
    SET_UP_FAILED = 10
    NO_SUCH_INDICATOR = 11


class CaseFlag(IntFlag):
    """Properties of a case."""

    MOVES = 1
    """Control moves to another task inside the call; the stopping probe is there."""
    LENGTH_IS_LOAD = 2
    """Every call of a series adds to what the next one meets."""
    INTERRUPT = 4
    """The call is made by an interrupt service routine."""


class Option(IntFlag):
    """How a series is to be run."""

    EMPTY = 1
    """The empty call in place of the real one."""
    UNPLACED = 2
    """Samples start `delay` timer ticks after a tick and are not kept clear of the next."""


NO_OPTIONS = Option(0)


TICK = 1
"""Sample flag: a tick fell into the sample."""
ORIGIN_SHIFT = 4
"""Sample flags from here on: who began the sample of a real-time figure."""

_SENTENCES = {
    Reason.VERSION: "the target speaks version {a} of the wire, the lab 1: rebuild the firmware",
    Reason.UNKNOWN_REQUEST: "the target does not know request {a}: rebuild the firmware",
    Reason.MALFORMED: "the target cannot read a body of {a} bytes: rebuild the firmware",
    Reason.NO_SUCH_CASE: "the target has no such case; it has {a}",
    Reason.NO_SUCH_VALUE: "the case has no value {a}",
    Reason.HEAP: "the series does not fit: it needs {a} bytes of heap, {b} are free",
    Reason.BUFFER: "the series does not fit: its samples need {a} bytes, the buffer has {b}",
    Reason.NO_SUCH_SAMPLES: "the last series has only {a} samples",
    Reason.CALL_FAILED: "the call of sample {a} failed (result {b:#x}): its time means nothing",
    Reason.SET_UP_FAILED: "the case could not be set up",
    Reason.NO_SUCH_INDICATOR: "the target does not have indicator {a}",
}


class WireError(CyclescopeError):
    """The target is silent, or what it says cannot be understood."""


class NoAnswer(WireError):
    """The target is silent for longer than is waited for it."""


class Refused(CyclescopeError):
    """The target understood the request and will not do it."""

    def __init__(self, reason: Reason, a: int, b: int) -> None:
        super().__init__(_SENTENCES[reason].format(a=a, b=b))
        self.reason, self.a, self.b = reason, a, b


class DoesNotFit(Refused):
    """A series needs more memory than the target has."""

    @property
    def needed_bytes(self) -> int:
        """What the series needs."""
        return self.a

    @property
    def available_bytes(self) -> int:
        """What the target has for it."""
        return self.b


class TargetFault(CyclescopeError):
    """The firmware met a fault and stopped."""

    def __init__(self, cause: int, address: int, text: str) -> None:
        super().__init__(f"the firmware stopped: {text} at {address:#010x}")
        self.cause, self.address, self.text = cause, address, text


class Transport(Protocol):
    """A stream of bytes to a target and back."""

    def write(self, data: bytes) -> None:
        """Sends all of `data`."""

    def read(self, timeout_s: float) -> bytes:
        """Waits for a byte, at most `timeout_s` of the target's time; empty: none came."""


class Frame(NamedTuple):
    """What one frame carries."""

    kind: int
    sequence: int
    body: bytes
    version: int = VERSION


@dataclass(frozen=True)
class Hello:
    """Who answers."""

    cases: int
    capacity: int
    core_hz: int
    timer_hz: int
    tick_hz: int
    free_bytes: int
    board: str
    kernel: str
    timer: str
    build: str


@dataclass(frozen=True)
class CaseDescription:
    """One case, as its declaration on the target has it."""

    index: int
    flags: CaseFlag
    values: tuple[int, ...]
    name: str
    call: str
    """As its source has it."""
    callee: str
    condition: str
    library: str
    parameter: str
    unit: str
    function_class: str
    """The file that declares it."""


class Sample(NamedTuple):
    """One raw timing: two timer values and flags."""

    start: int
    stop: int
    flags: int

    @property
    def ticks(self) -> int:
        """Timer ticks from start to stop."""
        return (self.stop - self.start) & 0xFFFF_FFFF


def encode_cobs(data: bytes) -> bytes:
    """Encodes fewer than 254 bytes without a zero.

    >>> encode_cobs(bytes([1, 0, 2])).hex()
    '02010202'
    """
    return b"".join(bytes([len(run) + 1]) + run for run in data.split(b"\0"))


def decode_cobs(data: bytes) -> bytes | None:
    """Inverse of `encode_cobs`; `None` if `data` is not an encoding.

    >>> decode_cobs(bytes.fromhex("02010202")).hex()
    '010002'
    """
    runs, at = [], 0
    while at < len(data):
        end = at + data[at]
        if data[at] == 0 or end > len(data):
            return None
        runs.append(data[at + 1 : end])
        at = end
    return b"\0".join(runs) if runs else None


def encode_frame(frame: Frame) -> bytes:
    """The bytes of a frame on the wire."""
    if len(frame.body) > MAX_BODY_BYTES:
        raise ValueError(f"a body of {len(frame.body)} bytes; a frame holds {MAX_BODY_BYTES}")
    content = struct.pack("<BBH", frame.version, frame.kind, frame.sequence) + frame.body
    content += struct.pack("<I", zlib.crc32(content))
    return b"\0" + encode_cobs(content) + b"\0"


def decode_frame(encoded: bytes) -> Frame | None:
    """The frame between two zeros; `None` if it is damaged."""
    content = decode_cobs(encoded)
    if content is None or not 8 <= len(content) <= MAX_BODY_BYTES + 8:
        return None
    if zlib.crc32(content[:-4]) != int.from_bytes(content[-4:], "little"):
        return None
    version, kind, sequence = struct.unpack_from("<BBH", content)
    return Frame(kind, sequence, content[4:-4], version)


class _Fields:
    """Takes fields off a body, in order."""

    def __init__(self, body: bytes) -> None:
        self._body, self._at = body, 0

    def take(self, layout: str) -> tuple[int, ...]:
        return struct.unpack(layout, self._bytes(struct.calcsize(layout)))

    def string(self) -> str:
        (length,) = self.take("<B")
        return str(self._bytes(length), "utf-8", "replace")

    def end(self) -> None:
        if self._at != len(self._body):
            raise WireError("an answer is longer than it should be: rebuild the firmware")

    def _bytes(self, length: int) -> bytes:
        data = self._body[self._at : self._at + length]
        if len(data) < length:
            raise WireError("an answer is shorter than it should be: rebuild the firmware")
        self._at += length
        return data


class Link:
    """A conversation with one target: one request at a time, repeated until it is answered."""

    def __init__(
        self, transport: Transport, *, timeout_s: float = 0.01, patience_s: float = 2.0
    ) -> None:
        """A request is repeated after a silence of `timeout_s`, then of twice as much each
        time, and given up after `patience_s`; all in the target's time."""
        self._transport = transport
        self._timeout_s = timeout_s
        self._patience_s = patience_s
        self._sequence = 0
        self._pending = bytearray()
        self.repeats = 0
        """Requests that had to be sent again, so far."""

    def hello(self) -> Hello:
        """Starts the conversation."""
        fields = self._ask(Kind.HELLO, b"")
        cases, capacity, core_hz, timer_hz, tick_hz, free_bytes = fields.take("<HHIIII")
        strings = [fields.string() for _ in range(4)]
        fields.end()
        return Hello(cases, capacity, core_hz, timer_hz, tick_hz, free_bytes, *strings)

    def describe(self, case: int) -> CaseDescription:
        """The declaration of a case."""
        fields = self._ask(Kind.DESCRIBE, struct.pack("<H", case))
        index, flags, count = fields.take("<HBB")
        values = fields.take(f"<{count}I")
        strings = [fields.string() for _ in range(8)]
        fields.end()
        return CaseDescription(index, CaseFlag(flags), values, *strings)

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
    ) -> list[Sample]:
        """Runs a series and fetches its samples. Raises `DoesNotFit` if the target is too small, or
        the series longer than a request can say."""
        if length > LONGEST_SERIES:
            raise DoesNotFit(Reason.BUFFER, *(SAMPLE_BYTES * n for n in (length, LONGEST_SERIES)))
        body = struct.pack("<HHIBI", case, length, x, options, delay)
        fields = self._ask(Kind.RUN, body, patience_s)
        (count,) = fields.take("<H")
        fields.end()
        return self.drain(count)

    def drain(self, count: int) -> list[Sample]:
        """Fetches the first `count` samples of the target's buffer."""
        samples: list[Sample] = []
        while len(samples) < count:
            samples += self._samples(len(samples), min(SAMPLES_PER_FRAME, count - len(samples)))
        return samples

    def _samples(self, offset: int, count: int) -> list[Sample]:
        fields = self._ask(Kind.SAMPLES, struct.pack("<HH", offset, count))
        if fields.take("<HH") != (offset, count):
            raise WireError("the target sent other samples than it was asked for")
        samples = [Sample(*fields.take("<IIB")) for _ in range(count)]
        fields.end()
        return samples

    def _ask(self, kind: Kind, body: bytes, patience_s: float | None = None) -> _Fields:
        """Sends a request until it is answered."""
        self._sequence = self._sequence + 1 & 0xFFFF
        request = encode_frame(Frame(kind, self._sequence, body))
        patience_s = self._patience_s if patience_s is None else patience_s
        waited_s, timeout_s = 0.0, self._timeout_s
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
                if frame is not None and frame.kind == Kind.FAULT:
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
    def _understand(kind: Kind, answer: Frame) -> _Fields:
        if answer.kind == Kind.REFUSED:
            code, a, b = _Fields(answer.body).take("<BII")
            reason = Reason(code)
            too_large = reason in (Reason.HEAP, Reason.BUFFER)
            raise (DoesNotFit if too_large else Refused)(reason, a, b)
        if answer.version != VERSION or answer.kind != kind | 0x80:
            raise WireError(
                f"the target answered {kind.name.lower()} with kind {answer.kind:#04x}, "
                f"version {answer.version}: rebuild the firmware"
            )
        return _Fields(answer.body)


def _fault(frame: Frame) -> TargetFault:
    fields = _Fields(frame.body)
    cause, address = fields.take("<BI")
    return TargetFault(cause, address, fields.string())
