"""Frames: what stands between two zeros on the wire, and the fields of a body.

See docs/reference/wire.md.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from cyclescope.wire.errors import WireError

VERSION = 1
MAX_BODY_BYTES = 245


class Frame(NamedTuple):
    """The content of one frame."""

    kind: int
    sequence: int
    body: bytes
    version: int = VERSION


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


class Fields:
    """Takes fields off a body, in order."""

    def __init__(self, body: bytes) -> None:
        self._body, self._at = body, 0

    def take(self, layout: str) -> tuple[int, ...]:
        return struct.unpack(layout, self._bytes(struct.calcsize(layout)))

    def take_all(self, layout: str, count: int) -> Iterator[tuple[int, ...]]:
        """`take`, so many times."""
        return struct.iter_unpack(layout, self._bytes(count * struct.calcsize(layout)))

    def string(self) -> str:
        (length,) = self.take("<B")
        return str(self._bytes(length), "utf-8", "replace")

    def end(self) -> None:
        if self._at != len(self._body):
            raise WireError(
                "an answer is longer than it should be: rebuild the firmware",
                code="answer-too-long",
            )

    def _bytes(self, length: int) -> bytes:
        data = self._body[self._at : self._at + length]
        if len(data) < length:
            raise WireError(
                "an answer is shorter than it should be: rebuild the firmware",
                code="answer-too-short",
            )
        self._at += length
        return data
