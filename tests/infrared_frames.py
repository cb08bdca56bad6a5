"""Frames of infrared lines for tests: of recordings by others, and a conversation of all kinds."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from cyclescope.wire.infrared import LineFrame, SentOctet, frames, packets, wrapped
from cyclescope.wire.infrared.tshark import installed, judge

PHONES = (
    *("C06511A215C1", "C064117A0CC1", "C06510800301002B0BC1", "C06431782DC1"),
    "C0643083008100F429C1",
)
"""Whole frames with their check sequence between two Nokia 6150, as dev-thomynet.de published them
(nokworld/noktrace, "time_decode_high")."""
IRDADUMP = (
    ("1f5680120100", "I", 1, 2, 3, (0x00, 0x12, 0x01)),
    ("1e9492008100", "I", 0, 4, 2, (0x12, 0x00, 0x81)),
    ("1eb612008400000100040100000004", "I", 0, 5, 3, (0x12, 0x00, None)),
)
"""Frames without check sequence, and irdadump's fields of them: kind, command, N(R), N(S), LSAPs
and opcode, as the Spanish HOWTO "Interconexión IrDA con Linux" (V. Fernandez, 2002) prints them."""

CONVERSATION = (
    # (sender, content): discovery, a connection, IAS, TinyTP, and how it ends
    (0, "ff3f01 78563412 ffffffff 01 00 00"),
    (1, "febf01 21436587 78563412 01 00 00 8424 00 5043"),
    (0, "ff3f01 78563412 ffffffff 01 ff 00 8220 00 42"),
    (0, "ff93 78563412 21436587 46 01013e 820101 83013f 84017f 850104 860108 0801ff"),
    (1, "4673 21436587 78563412 01013e 820101 83013f 84017f 850180 860180 080101"),
    (0, "4711"),
    (1, "4611"),
    (0, "4710 80 01 01 00"),
    (1, "4630 81 00 81 00"),
    (0, "4732 00 01 84 0f 4379636c6573636f70653a53656e64 13"
        "497244413a54696e7954503a4c73617053656c"),
    (1, "4652 01 00 84 00 0001 0001 01 00000005"),
    (0, "4754 85 02 01 00 0a"),
    (1, "4674 82 05 81 00 87 04 01 02 0400"),
    (0, "4746 05 02 80 01 6669"),
    (0, "4758 05 02 00 6c65"),
    (1, "46b1"),
    (0, "4749"),
    (1, "4686 02 05 03"),
    (0, "4765"),
    (1, "469d"),
    (0, "47b1"),
    (1, "46b8 82 05 02 01"),
    (0, "4753"),
    (1, "4673"),
)  # fmt: skip

needs_tshark = pytest.mark.skipif(not installed(), reason="tshark is not fetched: run make tshark")


def line(
    sent: Iterable[tuple[int, bytes]], xbofs: int = 3, octet_ns: int = 86_806
) -> list[LineFrame]:
    """The frames of contents that senders send one after the other."""
    octets, now = [], 0
    for sender, content in sent:
        for value in wrapped(content, xbofs):
            octets.append(SentOctet(now, sender, value))
            now += octet_ns
        now += 1_000_000
    return frames(octets)


def conversation() -> list[tuple[int, bytes]]:
    """CONVERSATION as octets."""
    return [(sender, bytes.fromhex(text)) for sender, text in CONVERSATION]


def judged(found: list[LineFrame], folder: Path) -> int:
    """Asserts that tshark agrees with our fields of all frames; returns their number."""
    judgement = judge(packets(found), folder)
    assert judgement.agrees, (judgement.malformed, judgement.differences)
    assert judgement.frames == sum(one.content is not None for one in found) > 0
    assert judgement.fields > judgement.frames
    return judgement.frames
