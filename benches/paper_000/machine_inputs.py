"""Inputs from a seed for programs of the seventh drawing: cassettes, songs, sources, devices."""

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from vocabulary import words

WORD = 2**32

OPCODES = {
    **{"clc": 0x18, "sec": 0x38, "rts": 0x60, "pha": 0x48, "pla": 0x68, "brk": 0x00},
    **{"tax": 0xAA, "txa": 0x8A, "tay": 0xA8, "tya": 0x98, "asl": 0x0A},
    **{"inx": 0xE8, "iny": 0xC8, "dex": 0xCA, "dey": 0x88, "jsr": 0x20, "jmp": 0x4C},
    **{"bne": 0xD0, "beq": 0xF0, "bcc": 0x90, "bcs": 0xB0, "bpl": 0x10, "bmi": 0x30},
    **{"lda #": 0xA9, "ldx #": 0xA2, "ldy #": 0xA0, "adc #": 0x69, "cmp #": 0xC9},
    **{"cpx #": 0xE0, "cpy #": 0xC0, "eor #": 0x49, "and #": 0x29, "sbc #": 0xE9},
    **{"lda z": 0xA5, "sta z": 0x85, "ldx z": 0xA6, "stx z": 0x86, "sty z": 0x84, "adc z": 0x65},
    **{"cmp z": 0xC5, "sbc z": 0xE5, "eor z": 0x45, "inc z": 0xE6, "dec z": 0xC6, "asl z": 0x06},
    **{"rol z": 0x26, "lsr z": 0x46, "ror z": 0x66, "ldy z": 0xA4, "and z": 0x25, "ora z": 0x05},
    **{"lda x": 0xBD, "sta x": 0x9D, "cmp x": 0xDD, "adc x": 0x7D, "lda y": 0xB9, "sta y": 0x99},
    **{"lda i": 0xB1, "sta i": 0x91, "adc i": 0x71, "lda a": 0xAD, "sta a": 0x8D, "inc a": 0xEE},
}
"""Codes of the 6502 by name and kind of address: number, zero page, +X, +Y, (zero page)+Y, all."""
GAME = """
        jsr sort
        jsr sieve
        jsr products
        jsr sum
        brk
sort:   ldx # 62
again:  ldy # 0
        sty z 16
        ldx # 0
pair:   lda x 769
        cmp x 768
        bcs good
        pha
        lda x 768
        sta x 769
        pla
        sta x 768
        inc z 16
good:   inx
        cpx # 63
        bne pair
        lda z 16
        bne again
        rts
sieve:  ldx # 2
number: lda x 1024
        bne none
        txa
        sta z 17
multiple: clc
        adc z 17
        bcs none
        tay
        lda # 1
        sta y 1024
        tya
        jmp multiple
none:   inx
        bne number
        rts
products: ldx # 0
factor: lda x 1280
        sta z 18
        lda x 1344
        sta z 19
        jsr times
        lda z 20
        sta x 1536
        lda z 21
        sta x 1600
        inx
        cpx # 64
        bne factor
        rts
times:  lda # 0
        sta z 20
        sta z 21
        stx z 23
        ldx # 8
bit:    asl z 20
        rol z 21
        asl z 19
        bcc zero
        clc
        lda z 20
        adc z 18
        sta z 20
        bcc zero
        inc z 21
zero:   dex
        bne bit
        ldx z 23
        rts
sum:    lda # 0
        sta z 24
        lda # 3
        sta z 25
        lda # 0
        sta z 26
        sta z 27
        ldy # 0
byte:   clc
        adc i 24
        bcc low
        inc z 27
low:    iny
        cpy # 64
        bne byte
        sta a 1792
        lda z 27
        sta a 1793
        rts
"""


def assembled(text: str, origin: int) -> bytes:
    """The code of a program whose branches and jumps go to names."""
    lines: list[tuple[str, str]] = []
    places: dict[str, int] = {}
    at = origin
    for line in text.strip().splitlines():
        found = re.fullmatch(r"(?:(\w+):)?\s*(\w+)(?: (\S+))?(?: (\d+))?", line.strip())
        assert found, line
        label, name, kind, number = found.groups()
        if label:
            places[label] = at
        to = kind if name[0] in "bj" and name != "brk" else ""
        key = name if to or not kind else f"{name} {kind}"
        lines.append((key, to or number or ""))
        long = 3 if name in ("jsr", "jmp") or (kind in ("x", "y", "a") and not to) else 2
        at += 1 if not kind else long
    code = bytearray()
    for key, operand in lines:
        code.append(OPCODES[key])
        if key in ("jsr", "jmp"):
            code += places[operand].to_bytes(2, "little")
        elif operand in places:
            code.append((places[operand] - origin - len(code) - 1) & 255)
        elif operand and key[-1] in "xya" and " " in key:
            code += int(operand).to_bytes(2, "little")
        elif operand:
            code.append(int(operand))
    return bytes(code)


def _cassette(count: int, random: Random) -> bytes:
    """A game of the 6502 with its data: numbers to be sorted, and factors."""
    del count
    parts = {
        0x0800: assembled(GAME, 0x0800),
        0x0300: random.randbytes(64),
        0x0500: random.randbytes(128),
        0xFFFC: b"\x00\x08",
    }
    return b"".join(struct.pack("<HH", at, len(part)) + part for at, part in parts.items())


@dataclass(frozen=True)
class Source:
    """A program for pcode/batch.c, and what it prints, or its mistake."""

    name: str
    text: str
    result: tuple[int, ...] | str


def _signed(value: int) -> int:
    return (value + WORD // 2) % WORD - WORD // 2


def _expression(random: Random, depth: int) -> tuple[str, int]:
    """A sum with its value in 32 bits; divisions go towards zero."""
    if depth == 0:
        value = random.randrange(100_000)
        return str(value), value
    left, a = _expression(random, random.randrange(depth))
    right, b = _expression(random, random.randrange(depth))
    sign = random.choice("+-*/%<")
    if sign in "/%" and b == 0:
        sign = "+"
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else 0
    results = {"+": a + b, "-": a - b, "*": a * b, "/": quotient, "%": a - quotient * b}
    return f"({left} {sign} {right})", _signed(results.get(sign, int(a < b)))


def _source(number: int, random: Random) -> Source:
    name, kind = f"p{number}", random.randrange(7)
    if kind == 0:
        made = [_expression(random, 5) for _ in range(12)]
        body = ";\n".join(f"print {text}" for text, _ in made)
        return Source(name, f"begin\n{body}\nend", tuple(value for _, value in made))
    if kind == 1:
        n = random.randrange(9, 14)
        text = (
            "function fib(n)\nif n < 2 then return n end;\nreturn fib(n - 1) + fib(n - 2)\nend\n"
            f"begin\nprint fib({n})\nend"
        )
        a, b = 0, 1
        for _ in range(n):
            a, b = b, a + b
        return Source(name, text, (a,))
    if kind == 2:
        n = random.randrange(100, 400)
        text = (
            f"var flags[400]\nvar i\nvar j\nvar count\nbegin\ni : 2;\nwhile i < {n} do\n"
            "if flags[i] = 0 then count : count + 1;\nj : i + i;\n"
            f"while j < {n} do flags[j] : 1; j : j + i end\nend;\ni : i + 1\nend;\nprint count\nend"
        )
        return Source(name, text, (sum(all(k % d for d in range(2, k)) for k in range(2, n)),))
    if kind == 3:
        n = random.randrange(3, 400)
        text = (
            "var steps\nfunction next(n)\nif n % 2 = 0 then return n / 2\n"
            "else return 3 * n + 1 end\n"
            f"end\nvar n\nbegin\nn : {n};\nwhile n # 1 do n : next(n); steps : steps + 1 end;\n"
            "print steps\nend"
        )
        steps = 0
        while n != 1:
            n = 3 * n + 1 if n % 2 else n // 2
            steps += 1
        return Source(name, text, (steps,))
    if kind == 4:
        wrong = random.choice(
            [
                ("begin\nprint 7 + cost\nend", "cost is not known"),
                ("var a\nbegin\na : 3;\nwhile a < 5 a : a + 1 end\nend", "do expected, not a"),
                ("function f(a, b)\nreturn a\nend\nbegin\nprint f(1)\nend", "f has 2 parameters"),
                ("var z\nbegin\nprint 5;\nprint 7 / z\nend", " 5|division by 0"),
                ("var t[4]\nvar u\nbegin\nt[5 * 100] : 1\nend", "index 500"),
                ("function r(n)\nreturn r(n + 1)\nend\nbegin\nprint r(0)\nend", "stack"),
            ]
        )
        return Source(name, *wrong)
    seed, count = random.randrange(1000), random.randrange(40, 90)
    text = (
        f"var t[100]\nvar i\nvar j\nvar x\nbegin\nx : {seed};\nwhile i < {count} do\n"
        "x : (x * 1103 + 12345) % 10007;\nt[i] : x;\ni : i + 1\nend;\ni : 1;\n"
        f"while i < {count} do\nx : t[i];\nj : i;\n"
        "while (0 < j) * (x < t[j - 1 + (j = 0)]) do t[j] : t[j - 1]; j : j - 1 end;\n"
        "t[j] : x;\ni : i + 1\nend;\nprint t[0];\nprint t[20];\nprint t[39]\nend"
    )
    values = [seed]
    for _ in range(count):
        values.append((values[-1] * 1103 + 12345) % 10007)
    values = sorted(values[1:])
    return Source(name, text, (values[0], values[20], values[39]))


def sources(count: int, random: Random) -> list[Source]:
    """So many programs: sums, recursion, sieves, sorts, and some with a mistake."""
    return [_source(number, random) for number in range(count)]


def _sources(count: int, random: Random) -> bytes:
    return "".join(f"program {one.name}\n{one.text}\n\n" for one in sources(count, random)).encode()


@dataclass(frozen=True)
class Note:
    """A note of a song: when, in ticks, how long, on which channel, which key, how loud."""

    at: int
    ticks: int
    channel: int
    key: int
    loud: int


TICKS = 96
"""Of a quarter note."""


def song(count: int, random: Random) -> tuple[list[Note], list[tuple[int, int]]]:
    """So many notes of four channels, none twice at once, and tempi in µs by their ticks."""
    notes = []
    for channel in range(4):
        at = 0
        for _ in range(count // 4):
            at += random.choice((12, 24, 24, 48, 96))
            ticks = random.choice((12, 20, 40))
            chord = random.sample(range(40 + 8 * channel, 60 + 8 * channel), 1 + (channel == 2) * 2)
            notes += [Note(at, ticks, channel, key, random.randrange(30, 127)) for key in chord]
            at += ticks
    end = max(one.at for one in notes)
    tempi = [
        (0, 500_000),
        *((at, random.randrange(300_000, 900_000)) for at in range(960, end, 960)),
    ]
    return notes, tempi


def _length(value: int) -> bytes:
    found = [value & 127]
    while value := value >> 7:
        found.insert(0, value & 127 | 128)
    return bytes(found)


def _track(events: list[tuple[int, int, bytes]]) -> bytes:
    """Events by their ticks, with running status between those of one kind."""
    data, now, running = bytearray(), 0, -1
    for at, _, event in sorted(events, key=lambda one: one[:2]):
        data += _length(at - now)
        now = at
        data += event[1:] if event[0] == running else event
        running = event[0] if event[0] < 0xF0 else -1
    data += b"\x00\xff\x2f\x00"
    return b"MTrk" + struct.pack(">I", len(data)) + data


def _song(count: int, random: Random) -> bytes:
    notes, tempi = song(count, random)
    first: list[tuple[int, int, bytes]] = [
        (at, 0, b"\xff\x51\x03" + tempo.to_bytes(3, "big")) for at, tempo in tempi
    ]
    title = " ".join(words(3, random)).encode()
    tracks = [_track([(0, 1, b"\xff\x03" + bytes([len(title)]) + title), *first])]
    for channel in range(4):
        events = [
            (0, 0, bytes([0xC0 | channel, 10 + channel])),
            (0, 1, bytes([0xB0 | channel, 7, 90])),
        ]
        for one in notes:
            if one.channel == channel:
                events.append((one.at, 2, bytes([0x90 | channel, one.key, one.loud])))
                events.append((one.at + one.ticks, 1, bytes([0x90 | channel, one.key, 0])))
        tracks.append(_track(events))
    return b"MThd" + struct.pack(">IHHH", 6, 1, len(tracks), TICKS) + b"".join(tracks)


def _descriptor(kind: int, *fields: bytes) -> bytes:
    body = b"".join(fields)
    return bytes([len(body) + 2, kind]) + body


def _devices(count: int, random: Random) -> bytes:
    """So many devices of USB, each as the size and bytes of all its descriptors; some are wrong."""
    found = b""
    for _ in range(count):
        vendor, product = random.randrange(0x10000), random.randrange(0x10000)
        parts = [
            _descriptor(
                1,
                struct.pack(
                    "<HBBBBHHHBBBB",
                    random.choice((0x110, 0x200)),
                    0,
                    0,
                    0,
                    64,
                    vendor,
                    product,
                    random.randrange(0x500),
                    1,
                    2,
                    random.choice((0, 3)),
                    1,
                ),
            )
        ]
        body = []
        interfaces = random.randrange(1, 4)
        for interface in range(interfaces):
            ends = random.randrange(4)
            body.append(
                _descriptor(
                    4,
                    bytes(
                        [
                            interface,
                            0,
                            ends,
                            random.choice((3, 8, 10, 255)),
                            1,
                            random.randrange(3),
                            random.choice((0, 2)),
                        ]
                    ),
                )
            )
            for end in range(ends):
                transfer = random.choice((1, 2, 3))
                size = random.choice((8, 16, 64, 192, 512)) | random.randrange(3) << 11
                body.append(
                    _descriptor(
                        5,
                        struct.pack(
                            "<BBHB",
                            random.choice((0, 128)) | end + 1,
                            transfer,
                            size,
                            random.choice((1, 4, 10)),
                        ),
                    )
                )
            if random.random() < 0.4:
                body.append(_descriptor(0x24, random.randbytes(random.randrange(1, 9))))
        inner = b"".join(body)
        parts.append(
            _descriptor(
                2,
                struct.pack(
                    "<HBBBBB",
                    len(inner) + 9,
                    interfaces,
                    1,
                    0,
                    128 | random.choice((0, 64, 32, 96)),
                    random.randrange(10, 250),
                ),
            )
        )
        parts.append(inner)
        for name in ("café " + words(1, random)[0], " ".join(words(2, random)), f"№{vendor:05}"):
            parts.append(_descriptor(3, name.encode("utf-16-le")))
        raw = bytearray(b"".join(parts))
        if random.random() < 0.15:
            raw = raw[: random.randrange(20, len(raw) - 1)]
        found += struct.pack("<H", len(raw)) + raw
    return found


def battery(count: int, random: Random) -> tuple[list[str], list[list[float]]]:
    """So many seconds of a battery: milliamps, then millivolts of each cell; the charges."""
    rest = [
        3000,
        3270,
        3450,
        3540,
        3590,
        3620,
        3650,
        3680,
        3715,
        3755,
        3800,
        3850,
        3905,
        3960,
        4020,
    ]
    rest += [4090, 4180]
    charge = [random.uniform(0.55, 0.75) for _ in range(4)]
    ohms = [random.uniform(0.025, 0.06) for _ in range(4)]
    slow, milliamps = [0.0] * 4, 0
    lines: list[str] = []
    charges: list[list[float]] = []
    for second in range(count):
        if second % 90 == 0:
            milliamps = random.choice((0, -1200, -2400, 1000, -600, 1800))
        millivolts = []
        for cell in range(4):
            charge[cell] = min(0.98, max(0.03, charge[cell] + milliamps / (2400 * 3600)))
            slow[cell] += (milliamps * 0.012 - slow[cell]) / 30
            at = charge[cell] * 16
            still = rest[int(at)] + (rest[int(at) + 1] - rest[int(at)]) * (at % 1)
            millivolts.append(
                round(still + milliamps * ohms[cell] + slow[cell] + random.gauss(0, 3))
            )
        lines.append(f"{milliamps} {' '.join(map(str, millivolts))}")
        if random.random() < 0.01:
            lines[-1] = lines[-1][:9] + "?"
        charges.append(list(charge))
    return lines, charges


def _pack(count: int, random: Random) -> bytes:
    return "".join(f"{line}\n" for line in battery(count, random)[0]).encode()


MACHINE_KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "midi": _song,
    "mos6502": _cassette,
    "pack": _pack,
    "pcode": _sources,
    "usb": _devices,
}
"""Kinds of files, as inputs.KINDS has them."""
