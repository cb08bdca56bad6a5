"""Writes packets of an infrared line as pcap, LINKTYPE_LINUX_IRDA, as tcpdump.org describes it."""

import struct
from collections.abc import Iterable
from pathlib import Path

from cyclescope.wire.infrared.line import LineFrame

NANOSECONDS = 0xA1B23C4D
LINKTYPE_LINUX_IRDA = 144
INCOMING, OUTGOING = 0, 4
ARPHRD_IRDA, PROTOCOL = 0x030F, 0x0017
LONGEST_BYTES = 0xFFFF
SECOND_NS = 1_000_000_000


def write_pcap(path: Path, frames: Iterable[LineFrame], own: int = 0) -> list[LineFrame]:
    """Writes the undamaged frames, those of sender `own` as outgoing; returns what it wrote."""
    kept = [one for one in frames if one.content is not None]
    parts = [struct.pack("<IHHiIII", NANOSECONDS, 2, 4, 0, 0, LONGEST_BYTES, LINKTYPE_LINUX_IRDA)]
    for one in kept:
        way = OUTGOING if one.sender == own else INCOMING
        head = struct.pack(">HHH8sH", way, ARPHRD_IRDA, 0, b"", PROTOCOL)
        record = head + (one.content or b"")
        seconds, rest_ns = divmod(one.begin_ns, SECOND_NS)
        parts += [struct.pack("<IIII", seconds, rest_ns, len(record), len(record)), record]
    path.write_bytes(b"".join(parts))
    return kept
