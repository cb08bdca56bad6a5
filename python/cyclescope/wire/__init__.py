"""The host's side of the wire: frames, repetition, what a host can ask (docs/wire.md)."""

from cyclescope.wire.errors import DoesNotFit, NoAnswer, Refused, TargetFault, WireError
from cyclescope.wire.frame import (
    MAX_BODY_BYTES,
    Fields,
    Frame,
    decode_cobs,
    decode_frame,
    encode_cobs,
    encode_frame,
)
from cyclescope.wire.link import SAMPLE, SAMPLE_BYTES, Link, Transport
from cyclescope.wire.messages import (
    LAST,
    NO_OPTIONS,
    ORIGIN_SHIFT,
    OVERTAKEN,
    TICK,
    CaseDescription,
    CaseFlag,
    Hello,
    Kind,
    Option,
    Reason,
    Sample,
)

__all__ = [
    "LAST",
    "MAX_BODY_BYTES",
    "NO_OPTIONS",
    "ORIGIN_SHIFT",
    "OVERTAKEN",
    "SAMPLE",
    "SAMPLE_BYTES",
    "TICK",
    "CaseDescription",
    "CaseFlag",
    "DoesNotFit",
    "Fields",
    "Frame",
    "Hello",
    "Kind",
    "Link",
    "NoAnswer",
    "Option",
    "Reason",
    "Refused",
    "Sample",
    "TargetFault",
    "Transport",
    "WireError",
    "decode_cobs",
    "decode_frame",
    "encode_cobs",
    "encode_frame",
]
