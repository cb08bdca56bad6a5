"""The wire as docs/reference/wire.md has it: bytes, damage, repetition, refusal."""

import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from refusals import refused

from cyclescope import wire
from cyclescope.wire import Frame, Link, MessageKind, Option

ROOT = Path(__file__).parent.parent


class Target:
    """A target that follows docs/reference/wire.md, behind a line that may damage what passes."""

    def __init__(self, damage: Callable[[bytes], bytes] = lambda data: data) -> None:
        self.executed: list[Frame] = []
        self.waits: list[float] = []
        self._answered: tuple[int, bytes] = (-1, b"")
        self._damage = damage
        self._out = b""

    def write(self, data: bytes) -> None:
        for encoded in self._damage(data).split(b"\0"):
            frame = wire.decode_frame(encoded)
            if frame is None:
                continue
            if frame.sequence != self._answered[0] or frame.kind == MessageKind.HELLO:
                self.executed.append(frame)
                self._answered = (frame.sequence, wire.encode_frame(self.answer(frame)))
            self._out += self._damage(self._answered[1])

    def read(self, timeout_s: float) -> bytes:
        self.waits.append(timeout_s)
        out, self._out = self._out, b""
        return out

    def answer(self, request: Frame) -> Frame:
        if request.kind == MessageKind.RUN:
            case, length, *_ = struct.unpack("<HHIBI", request.body)
            if case > 0:
                return Frame(
                    MessageKind.REFUSED, request.sequence, struct.pack("<BII", 6, 5000, 4000)
                )
            return Frame(MessageKind.RUN | 0x80, request.sequence, struct.pack("<H", length))
        if request.kind == MessageKind.SAMPLES:
            offset, count = struct.unpack("<HH", request.body)
            starts = [(0xFFFF_FFF0 + i) & 0xFFFF_FFFF for i in range(offset, offset + count)]
            samples = [struct.pack("<IIB", at, (at + 16) & 0xFFFF_FFFF, 0) for at in starts]
            return Frame(
                MessageKind.SAMPLES | 0x80, request.sequence, request.body + b"".join(samples)
            )
        body = struct.pack("<HHIIII", 1, 100, 60_000_000, 60_000_000, 10, 20_000)
        return Frame(MessageKind.HELLO | 0x80, request.sequence, body + b"\3lpc\1k\1t\1b")


def test_the_documented_example_is_what_the_code_sends() -> None:
    lines = (ROOT / "docs/reference/wire.md").read_text().splitlines()
    example = next(line.split("on wire")[1] for line in lines if "on wire" in line)
    assert wire.encode_frame(Frame(MessageKind.HELLO, 1, b"")) == bytes.fromhex(example)


def test_the_documented_kinds_and_reasons_are_the_code_s() -> None:
    text = (ROOT / "docs/reference/wire.md").read_text()
    for kind in MessageKind:
        assert f"| 0x{kind:02X} | {kind.name.lower()} |" in text
    for reason in wire.Reason:
        assert f"\n| {reason.value} | " in text


@pytest.mark.parametrize(
    "data", [b"\0", b"\0\0", b"a", b"a\0", b"\0a", bytes(range(253)), b"\1" * 253]
)
def test_cobs_has_no_zero_and_comes_back(data: bytes) -> None:
    encoded = wire.encode_cobs(data)
    assert 0 not in encoded and len(encoded) == len(data) + 1
    assert wire.decode_cobs(encoded) == data


def test_any_changed_byte_and_any_missing_byte_is_noticed() -> None:
    encoded = wire.encode_frame(Frame(MessageKind.RUN, 7, b"\0\1\2\0"))[1:-1]
    for at in range(len(encoded)):
        assert wire.decode_frame(encoded[:at] + encoded[at + 1 :]) is None
        for value in range(1, 256):
            if value != encoded[at]:
                damaged = encoded[:at] + bytes([value]) + encoded[at + 1 :]
                assert wire.decode_frame(damaged) is None


def test_a_body_too_long_for_a_frame_is_refused_before_it_is_sent() -> None:
    with pytest.raises(ValueError, match="245"):
        wire.encode_frame(Frame(MessageKind.RUN, 1, bytes(246)))


def test_a_whole_series_comes_across_in_order() -> None:
    link = Link(Target())
    assert link.hello().capacity == 100
    samples = link.run(0, 100)
    assert [s.start & 0xFF for s in samples] == [(0xF0 + i) & 0xFF for i in range(100)]
    assert all(s.ticks == 16 for s in samples)


def test_every_request_is_executed_once_whatever_the_line_loses() -> None:
    passed = 0

    def lossy(data: bytes) -> bytes:
        nonlocal passed
        passed += 1
        if passed % 5 == 1:
            return b""
        return data[:-6] + b"\x55" + data[-5:] if passed % 5 == 3 else b"\x11\x22" + data

    target = Target(lossy)
    link = Link(target)
    link.hello()
    assert len(link.run(0, 100, options=Option.EMPTY)) == 100
    assert link.repeats > 5
    executed = [f.sequence for f in target.executed if f.kind != MessageKind.HELLO]
    assert executed == sorted(set(executed))


def test_a_late_answer_to_an_earlier_request_is_not_taken_for_this_one() -> None:
    target = Target()
    link = Link(target)
    link.hello()
    target._out = wire.encode_frame(Frame(MessageKind.RUN | 0x80, 1, b"\7\0"))
    assert len(link.run(0, 3)) == 3


def test_silence_is_said_after_the_patience_and_not_before() -> None:
    target = Target(lambda data: b"")
    link = Link(target, timeout_s=0.5, patience_s=2)
    with refused("no-answer", wire.WireError, naming=["hello", "2 s"]):
        link.hello()
    assert target.waits == [0.5, 1, 0.5]


def test_endless_noise_ends() -> None:
    class Noise(Target):
        def read(self, timeout_s: float) -> bytes:
            return b"\x01\x02\x00"

    with refused("no-answer", wire.WireError):
        Link(Noise()).hello()


def test_what_does_not_fit_is_told_with_its_bytes() -> None:
    link = Link(Target())
    link.hello()
    with refused("series-does-not-fit", naming=[5000, 4000]) as refusal:
        link.run(1, 10)
    assert isinstance(refusal.value, wire.SeriesDoesNotFit)
    assert (refusal.value.needed_bytes, refusal.value.available_bytes) == (5000, 4000)


def test_a_series_longer_than_a_request_can_say_does_not_fit() -> None:
    target = Target()
    with refused("series-does-not-fit", wire.SeriesDoesNotFit, naming=[589815]):
        Link(target).run(0, 65_536)
    assert target.executed == []


def test_a_fault_ends_the_conversation_with_its_sentence() -> None:
    class Faulty(Target):
        def answer(self, request: Frame) -> Frame:
            return Frame(MessageKind.FAULT, 0, struct.pack("<BI", 3, 0x1234) + b"\x0adata abort")

    with refused("target-fault", wire.TargetFault, naming=["data abort", "0x00001234"]):
        Link(Faulty()).hello()


def test_an_answer_of_the_wrong_shape_is_an_error_not_a_guess() -> None:
    class Short(Target):
        def answer(self, request: Frame) -> Frame:
            return Frame(MessageKind.HELLO | 0x80, request.sequence, b"\1\0")

    with refused("answer-too-short", wire.WireError):
        Link(Short()).hello()


def test_the_crc_is_the_common_one() -> None:
    assert zlib.crc32(b"123456789") == 0xCBF43926


@pytest.mark.parametrize(
    ("cause", "address", "text", "told"),
    [
        (3, 0x1ED0, "data abort", "data abort at 0x00001ed0"),
        (5, 0, "the heap is too small", "the heap is too small"),
        (5, 0x40, "queue.c:12", "queue.c:12 at 0x00000040"),
        (6, 0, "harness", "the stack of harness overflowed: declare fewer or smaller variables in"),
    ],
)
def test_a_fault_names_an_address_only_if_it_is_known(
    cause: int, address: int, text: str, told: str
) -> None:
    sentence = wire.TargetFault(cause, address, text).sentence
    assert sentence.startswith(f"the firmware stopped: {told}")
    assert (" at 0x" in sentence) == (address > 0)
