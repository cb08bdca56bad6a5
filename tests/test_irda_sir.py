"""Framing of IrLAP on a serial line: check sequence, stuffed octets, damage and garbage."""

import random
import subprocess

import pytest
from irda_session import fcs, framed, host


def program(*arguments: object, given: bytes) -> bytes:
    """The output of the framing alone. Raises if it ends with an error."""
    command = [str(host("sir_host")), *map(str, arguments)]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def read(line: bytes) -> tuple[list[bytes], list[int]]:
    """The frames that the receiver finds, and its counters: good, wrong, broken off, too long."""
    *frames, counters = program("read", given=line).decode().splitlines()
    return [bytes.fromhex(frame) for frame in frames], [int(one) for one in counters.split()]


def sequences() -> list[bytes]:
    """Contents of frames: each octet in each of the last places, and random ones."""
    source = random.Random(7)
    each = [bytes((0x23, 0x10, octet)) for octet in range(256)]
    marks = [bytes((octet,)) * count for octet in (0x7D, 0xC0, 0xC1, 0xFF) for count in (2, 64)]
    return each + marks + [source.randbytes(source.randrange(2, 2051)) for _ in range(40)]


def test_published_check_value() -> None:
    """CRC-16/X.25: 906E for the digits, and F0B8 over any sequence with its complement."""
    assert program("fcs", given=b"123456789").split() == [b"906e", b"f0b8"]
    for octets in sequences():
        sent, total = program("fcs", given=octets).split()
        assert int(sent, 16) == fcs(octets)
        assert total == b"f0b8"


def test_published_escapes() -> None:
    """A frame octet by octet: marks and escapes are 7D with bit 5 toggled, also in the FCS."""
    line = program("frame", 2, 100, given=bytes((0xFF, 0x3F, 0xC0, 0xC1, 0x7D, 0xFF)))
    assert line[:11] == bytes.fromhex("ffffc0ff3f7de07de17d5d")
    assert line[11] == 0xFF and line[-1] == 0xC1
    escaped = [
        two for two in range(1 << 16) if {0x7D, 0xC0, 0xC1} & set(fcs(two.to_bytes(2)).to_bytes(2))
    ]
    content = escaped[0].to_bytes(2)
    assert program("frame", 0, 100, given=content) == framed(content, 0)
    assert len(framed(content, 0)) > 6


@pytest.mark.parametrize("chunk", (1, 2, 3, 64, 4096))
def test_round_trips(chunk: int) -> None:
    """Frames are on the line as the format says, and are read back."""
    contents = sequences() if chunk > 3 else sequences()[:64]
    line = b"".join(program("frame", 3, chunk, given=content) for content in contents)
    assert line == b"".join(framed(content, 3) for content in contents)
    assert read(line) == (contents, [len(contents), 0, 0, 0])


def test_longest_frame() -> None:
    longest = bytes(2050)
    assert read(framed(longest)) == ([longest], [1, 0, 0, 0])
    assert read(framed(longest + b"\0")) == ([], [0, 0, 0, 1])
    assert read(framed(longest + bytes(9000)) + framed(b"ab")) == ([b"ab"], [1, 0, 0, 1])


def test_broken_frames() -> None:
    whole = framed(b"frame", 0)
    assert read(whole[:5] + whole) == ([b"frame"], [1, 0, 1, 0])  # a BOF begins anew
    assert read(b"\xc0ab\x7d\xc1" + whole) == ([b"frame"], [1, 0, 1, 0])  # the sender's abort
    assert read(b"\xc0\xc1" + whole) == ([b"frame"], [1, 1, 0, 0])  # too short
    assert read(b"\xc1ab\x7d\xc0" + whole[1:]) == ([b"frame"], [1, 0, 0, 0])  # noise in front


def test_every_wrong_bit_is_noticed() -> None:
    """A frame with one wrong bit, or two with a right one between them, is none."""
    whole = framed(b"\x23\x10data", 0)
    damaged = []
    for bit in range(8, 8 * (len(whole) - 1)):
        for flips in (1, 5):
            number = int.from_bytes(whole, "little") ^ flips << bit
            damaged.append(number.to_bytes(len(whole) + 1, "little"))
    assert read(b"".join(damaged))[0] == []


@pytest.mark.parametrize("seed", range(8))
def test_garbage(seed: int) -> None:
    """Noise with many marks: nothing is read out of bounds, and a frame behind it arrives."""
    source = random.Random(seed)
    marks = bytes((0xC0, 0xC1, 0x7D, 0xFF))
    noise = bytes(
        source.choice(marks) if source.random() < 0.02 * seed else source.randrange(256)
        for _ in range(200_000)
    )
    frames, counters = read(noise + framed(b"after"))
    assert frames[-1] == b"after"
    assert counters[0] == len(frames)
    assert sum(counters[1:]) > 0
