"""Inputs from a seed for programs of the eighth drawing: recordings, blocks, ways and prefixes."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, sin
from random import Random

from vocabulary import words

SAMPLES_HZ = 9600
BAUD = 1200
MARK_HZ, SPACE_HZ = 1200, 2200


@dataclass(frozen=True)
class Packet:
    """A packet of amateur radio; `broken` has a bit that is wrong."""

    source: str
    to: str
    by: tuple[str, ...]
    text: str
    broken: bool


def _call(call: str, last: bool, repeated: bool = False) -> bytes:
    name, _, number = call.partition("-")
    letters = bytes(ord(one) << 1 for one in name.ljust(6))
    return letters + bytes([0x60 | int(number or 0) << 1 | int(last) | 0x80 * int(repeated)])


def checksum(data: bytes) -> int:
    """CRC-16 of X.25."""
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0x8408 * (value & 1)
    return value ^ 0xFFFF


def packets(count: int, random: Random) -> list[Packet]:
    """So many packets; one in five is broken."""
    known = words(300, random)
    made = []
    for number in range(count):
        names = [
            "".join(random.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=random.randrange(4, 7)))
            for _ in range(4)
        ]
        calls = [f"{name}-{ssid}" if (ssid := random.randrange(12)) else name for name in names]
        text = f"!{random.randrange(9000):04d}.{number:02d}N " + " ".join(random.sample(known, 4))
        by = tuple(calls[2 : 2 + random.randrange(3)])
        made.append(Packet(calls[0], calls[1], by, text, number % 5 == 3))
    return made


def _afsk(count: int, random: Random) -> bytes:
    """A recording of packets, with noise between and beneath them."""
    samples: list[float] = []
    phase = 0.0
    level = 0

    def send(bit: int) -> None:
        nonlocal phase, level
        level ^= 1 - bit
        for _ in range(SAMPLES_HZ // BAUD):
            samples.append(8000 * sin(phase))
            phase += 2 * pi * (SPACE_HZ if level else MARK_HZ) / SAMPLES_HZ

    for one in packets(count, random):
        samples += [0.0] * random.randrange(60, 300)
        data = _call(one.to, False) + _call(one.source, not one.by)
        for number, call in enumerate(one.by):
            data += _call(call, number == len(one.by) - 1, number == 0)
        data += b"\x03\xf0" + one.text.encode()
        data += struct.pack("<H", checksum(data))
        if one.broken:
            data = data[:20] + bytes([data[20] ^ 4]) + data[21:]
        for _ in range(12):
            for bit in (0, 1, 1, 1, 1, 1, 1, 0):
                send(bit)
        ones = 0
        for byte in data:
            for place in range(8):
                bit = byte >> place & 1
                send(bit)
                ones = ones + 1 if bit else 0
                if ones == 5:
                    send(0)
                    ones = 0
        for _ in range(3):
            for bit in (0, 1, 1, 1, 1, 1, 1, 0):
                send(bit)
    samples += [0.0] * 400
    return b"".join(
        struct.pack("<h", max(-32768, min(32767, round(one + random.gauss(0, 400)))))
        for one in samples
    )


LDPC_BITS, LDPC_CHECKS = 256, 128


def checks() -> list[list[int]]:
    """The bits of each check: three of the message, then one or two of the parity bits."""
    random = Random(77)
    useful = LDPC_BITS - LDPC_CHECKS
    slots = [bit for bit in range(useful) for _ in range(3)]
    while True:
        random.shuffle(slots)
        rows = [slots[3 * i : 3 * i + 3] for i in range(LDPC_CHECKS)]
        if all(len(set(row)) == len(row) for row in rows):
            break
        for row in rows:
            while len(set(row)) < len(row):
                a, b = random.randrange(3), random.randrange(LDPC_CHECKS)
                row[a], rows[b][a] = rows[b][a], row[a]
        if all(len(set(row)) == len(row) for row in rows):
            break
    return [
        sorted(row) + ([useful + i - 1] if i else []) + [useful + i] for i, row in enumerate(rows)
    ]


def _ldpc_code(count: int, random: Random) -> bytes:
    """The checks of the code, a line each."""
    del count, random
    lines = [[LDPC_BITS, LDPC_CHECKS], *checks()]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines).encode()


def message(count: int) -> bytes:
    """The text of so many blocks."""
    size = (LDPC_BITS - LDPC_CHECKS) // 8
    text = " ".join(words(count * size, Random(count)))
    return text.encode()[: count * size]


def _ldpc_blocks(count: int, random: Random) -> bytes:
    """The blocks as they are heard, a byte for each bit: its sign, and how sure that is."""
    text, size = message(count), (LDPC_BITS - LDPC_CHECKS) // 8
    rows = checks()
    heard = []
    for block in range(count):
        part = text[block * size : (block + 1) * size]
        bits = [byte >> (7 - place) & 1 for byte in part for place in range(8)]
        for row in rows:
            bits.append(sum(bits[bit] for bit in row[:-1]) & 1)
        loud = 24
        heard += [
            max(-127, min(127, round((-loud if bit else loud) + random.gauss(0, 14))))
            for bit in bits
        ]
    return struct.pack(f"{len(heard)}b", *heard)


BEACONS = ((0, 0), (10, 0), (10, 8), (0, 8))


def drive(count: int, random: Random) -> list[tuple[float, float, float, str]]:
    """Where a robot is after each step, and the line of its log."""
    x, y, heading = 2.0, 2.0, 0.0
    made = []
    for number in range(count):
        to = (5 + 3 * cos(number / 6), 4 + 2 * sin(number / 6))
        turn = (atan2(to[1] - y, to[0] - x) - heading + pi) % (2 * pi) - pi
        turn = max(-0.5, min(0.5, turn))
        forward = 0.45
        heading += turn
        x += forward * cos(heading)
        y += forward * sin(heading)
        seen = [
            -1.0 if random.random() < 0.1 else hypot(x - a, y - b) + random.gauss(0, 0.1)
            for a, b in BEACONS
        ]
        line = " ".join(str(round(1000 * one)) for one in (forward, turn, *seen))
        if number % 13 == 6:
            line = " ".join(line.split()[:2]) + " no data"
        made.append((x, y, heading, line))
    return made


def _drive(count: int, random: Random) -> bytes:
    return "".join(f"{line}\n" for *_, line in drive(count, random)).encode()


def _prefixes(count: int, random: Random) -> bytes:
    """Routes that come and go, and packets; a few lines are wrong."""
    lines: list[str] = []
    routes: list[tuple[str, int]] = []

    def address() -> int:
        return random.choice((10, 10, 172, 192, 203)) << 24 | random.getrandbits(24)

    def dotted(value: int) -> str:
        return ".".join(str(value >> shift & 255) for shift in (24, 16, 8, 0))

    near = [address() for _ in range(40)]
    for _ in range(count):
        kind = random.random()
        base = random.choice(near) if random.random() < 0.7 else address()
        if kind < 0.3:
            bits = random.choice((0, 8, 12, 16, 16, 20, 22, 24, 24, 24, 28, 32))
            value = base >> (32 - bits) << (32 - bits)
            routes.append((dotted(value), bits))
            hop, metric = random.randrange(1, 30), random.randrange(1, 9)
            lines.append(f"+ {dotted(value)}/{bits} {hop} {metric}")
        elif kind < 0.38 and routes:
            text, bits = random.choice(routes)
            lines.append(f"- {text}/{bits}")
        elif kind < 0.4:
            lines.append(
                random.choice(("+ 300.1.1.1/8 1 1", "? here", "- 1.2.3/4", "+ 1.2.3.4/33 1 1"))
            )
        else:
            value = base ^ random.getrandbits(random.choice((2, 8, 12, 16)))
            lines.append(f"? {dotted(value)}")
    return "".join(f"{line}\n" for line in lines).encode()


RADIO_KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "afsk": _afsk,
    "ldpc-code": _ldpc_code,
    "ldpc-blocks": _ldpc_blocks,
    "drive": _drive,
    "prefixes": _prefixes,
}
