"""Inputs of the programs, each made from a seed: the same bytes on every machine."""

import json
from collections.abc import Callable
from math import pi, sin
from random import Random

from code_inputs import CODE_KINDS
from device_inputs import DEVICE_KINDS
from field_inputs import FIELD_KINDS
from format_inputs import FORMAT_KINDS
from machine_inputs import MACHINE_KINDS
from office_inputs import OFFICE_KINDS
from radio_inputs import RADIO_KINDS
from screen_inputs import SCREEN_KINDS
from sensor_inputs import SENSOR_KINDS
from vocabulary import words
from wasm_module import WASM_KINDS

import pictures

SEED = 2026


def made(kind: str, size: int, name: str) -> bytes:
    """The file `name` of a kind; what `size` counts depends on the kind."""
    return KINDS[kind](size, Random(f"{SEED}/{kind}/{size}/{name}"))


def _speech(size: int, random: Random) -> bytes:
    """So many bytes of signed 16-bit samples at 8 kHz: voiced syllables between pauses."""
    samples: list[int] = []
    while 2 * len(samples) < size:
        pitch_hz, length = random.uniform(90, 220), random.randrange(600, 2200)
        loud = 0 if random.random() < 0.25 else random.uniform(1500, 9000)
        formants = [(random.uniform(2, 6), 0.6), (random.uniform(7, 14), 0.3)]
        for i in range(length):
            envelope = loud * sin(pi * i / length)
            at = 2 * pi * pitch_hz * i / 8000
            value = sin(at) + sum(part * sin(multiple * at) for multiple, part in formants)
            samples.append(max(-32768, min(32767, round(envelope * value + random.gauss(0, 40)))))
    return b"".join(one.to_bytes(2, "little", signed=True) for one in samples)[:size]


def _text(size: int, random: Random) -> bytes:
    """So many bytes of sentences: words by Zipf's law, a few of them misspelt."""
    known = words(900, Random(SEED))
    Random(SEED + 1).shuffle(known)
    weights = [1 / (rank + 2) for rank in range(len(known))]
    lines, line, length = [], "", 0
    while length < size:
        sentence = random.choices(known, weights, k=random.randrange(4, 16))
        if random.random() < 0.3:
            at = random.randrange(len(sentence))
            sentence[at] = sentence[at][::-1]
        sentence[0] = sentence[0].capitalize()
        for word in [*sentence[:-1], sentence[-1] + random.choice(".,.;!?")]:
            if len(line) + len(word) > 72:
                lines.append(line)
                length += len(line) + 1
                line = ""
            line += (" " if line else "") + word
    return ("\n".join([*lines, line]) + "\n").encode()[:size]


def _dictionary(count: int, random: Random) -> bytes:
    """So many of the words that texts are made of, one a line."""
    known = words(900, Random(SEED))
    return "".join(f"{one}\n" for one in sorted(random.sample(known, count))).encode()


def _points(count: int, random: Random) -> bytes:
    """Lines of three integers."""
    lines = (" ".join(str(random.randint(-20_000, 20_000)) for _ in range(3)) for _ in range(count))
    return "".join(f"{line}\n" for line in lines).encode()


def _noise(size: int, random: Random) -> bytes:
    return random.randbytes(size)


def _pi(size: int, random: Random) -> bytes:
    """So many bytes of the binary digits of pi behind its point, by Machin's formula."""
    del random
    bits = 8 * size + 64

    def arctangent(reciprocal: int) -> int:
        term = total = (1 << bits) // reciprocal
        divisor, sign = 1, -1
        while term:
            term //= reciprocal * reciprocal
            divisor += 2
            total += sign * (term // divisor)
            sign = -sign
        return total

    pi = 4 * (4 * arctangent(5) - arctangent(239))
    return ((pi - (3 << bits)) >> 64).to_bytes(size, "big")


def _graph(count: int, random: Random) -> bytes:
    """A graph of so many nodes with six edges each, and forty questions."""
    edges = [
        (node, random.randrange(count), random.randrange(1, 1000))
        for node in range(count)
        for _ in range(6)
    ]
    asked = [(random.randrange(count), random.randrange(count)) for _ in range(40)]
    lines = [(count, len(edges)), *edges, *asked]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines).encode()


def _systems(count: int, random: Random) -> bytes:
    """Systems of linear equations of 3 to 13 unknowns; one in eight is singular."""
    lines = []
    for number in range(count):
        size = 3 + number % 11
        rows = [[random.randint(-99, 99) for _ in range(size + 1)] for _ in range(size)]
        if number % 8 == 7:
            rows[-1] = [2 * one for one in rows[0]]
        lines += [[size], *rows]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines).encode()


def _images(count: int, random: Random) -> bytes:
    """Images of 16 by 16 bytes: a bright bar on a dark ground."""
    found = bytearray()
    for _ in range(count):
        horizontal, at, width = random.random() < 0.5, random.randrange(13), random.randrange(1, 4)
        for y in range(16):
            for x in range(16):
                bright = at <= (y if horizontal else x) < at + width
                found.append((180 if bright else 20) + random.randrange(40))
    return bytes(found)


def _world(height: int, random: Random) -> bytes:
    """Cells of a world of 64 columns."""
    rows = ("".join(random.choices("#.", (3, 7), k=64)) for _ in range(height))
    return "".join(f"{row}\n" for row in rows).encode()


def _targets(count: int, random: Random) -> bytes:
    """Speeds, and for how many steps."""
    pairs = ((random.randint(-90, 90), random.randint(200, 700)) for _ in range(count))
    return "".join(f"{speed} {steps}\n" for speed, steps in pairs).encode()


def _hex(count: int, random: Random) -> bytes:
    """Numbers of 248 bits."""
    return "".join(f"{random.getrandbits(248):x}\n" for _ in range(count)).encode()


def _bookings(count: int, random: Random) -> bytes:
    """Bookings as CSV: date, account, amount; a few lines are damaged."""
    accounts = words(24, random)
    lines = []
    for _ in range(count):
        cents = random.randint(-200_000, 200_000)
        amount = f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"
        day = f"2026-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
        fields = [day, random.choice(accounts), amount]
        lines.append(",".join(fields[: 2 if random.random() < 0.01 else 3]))
    return "".join(f"{line}\n" for line in lines).encode()


def _json(count: int, random: Random) -> bytes:
    """A list of objects, some within others."""
    names = words(40, random)

    def value(depth: int) -> object:
        kind = random.randrange(8 if depth < 3 else 5)
        if kind < 2:
            return random.randint(-10_000, 10_000)
        if kind == 2:
            return random.choice([True, False, None])
        if kind < 5:
            return " ".join(random.choices(names, k=random.randrange(1, 5)))
        keys = random.sample(names, random.randrange(1, 6))
        return {key: value(depth + 1) for key in keys} if kind < 7 else [value(depth + 1)] * 2

    return json.dumps(
        [{one: value(1) for one in random.sample(names, 4)} for _ in range(count)]
    ).encode()


def _expressions(count: int, random: Random) -> bytes:
    """Lines for a calculator; some are wrong."""

    def made(depth: int) -> str:
        kind = random.randrange(7) if depth < 4 else random.randrange(2)
        if kind == 0:
            return random.choice("abcde")
        if kind == 1:
            return f"{random.uniform(0, 50):.{random.randrange(4)}f}"
        if kind < 5:
            return f"{made(depth + 1)}{random.choice('+-*/')}{made(depth + 1)}"
        if kind == 5:
            return f"({made(depth + 1)} + {made(depth + 1)})"
        return f"{random.choice(['sqrt', 'floor', 'sin'])}({random.randrange(1, 900)})"

    lines = []
    for number in range(count):
        line = made(0)
        if number % 3 == 0:
            line = f"{random.choice('abcde')}={line}"
        if number % 17 == 16:
            line += random.choice([")", "+", " 1", "/0"])
        lines.append(line)
    return "".join(f"{line[:150]}\n" for line in lines).encode()


def _soft(count: int, random: Random) -> bytes:
    """Frames of 192 bits by the convolutional code of viterbi/receive.c, with noise."""
    found = bytearray()
    for _ in range(count):
        register = 0
        for bit in [*(random.getrandbits(1) for _ in range(192)), *[0] * 6]:
            register = (register | bit << 6) & 0x7F
            for generator in (0o171, 0o133):
                sent = (register & generator).bit_count() & 1
                found.append(max(0, min(255, round(255 * sent + random.gauss(0, 60)))))
            register >>= 1
    return bytes(found)


def _requests(count: int, random: Random) -> bytes:
    """Requests of three clients, each with keys of its own."""
    lines = []
    for _ in range(count):
        client = random.randrange(3)
        key = 100 * (client + 1) + random.randrange(25)
        lines.append(f"{client} {random.choices('afd', (6, 3, 1))[0]} {key}")
    return "".join(f"{line}\n" for line in lines).encode()


def _settings(count: int, random: Random) -> bytes:
    """Settings by section: numbers, switches, texts with names of other settings in them."""
    names, lines = words(60, random), ["; of the whole", "root = /data", "base = 0x40"]
    for number in range(count):
        if number % 20 == 0:
            lines += ["", f"[{random.choice(names)}]"]
        name, kind = random.choice(names), random.randrange(10)
        value = " ".join(random.sample(names, random.randrange(1, 4)))
        if kind < 3:
            value = str(random.randint(-5_000, 5_000))
        elif kind == 3:
            value = random.choice(["yes", "no"])
        elif kind < 6:
            value = f"${{{random.choice(['root', *names])}}}/{value}"
        blanks = " " * random.randrange(3)
        lines.append(name if number % 40 == 39 else f"{blanks}{name}{blanks}={blanks}{value}")
    return "".join(f"{line}\n" for line in lines).encode()


def _customers(count: int, random: Random) -> bytes:
    """Numbers in order, names, some of them in quotes, and towns, as CSV."""
    known, number, lines = words(200, random), 0, []
    towns = [one.capitalize() for one in words(9, random)]
    for _ in range(count):
        number += random.randrange(1, 4)
        first, last = (random.choice(known).capitalize() for _ in range(2))
        name = random.choice([f"{first} {last}", f'"{last}, {first}"', f'"{first} ""{last}"""'])
        lines.append(f"{number},{name},{random.choice(towns)}")
    return "".join(f"{line}\n" for line in lines).encode()


def _orders(count: int, random: Random) -> bytes:
    """Customers' numbers, things, how many and their price, as CSV."""
    things = words(50, random)
    lines = (
        f"{random.randrange(1, 260)},{random.choice(things)},{random.randrange(1, 20)},"
        f"{random.randrange(100, 90_000) / 100:.2f}"
        for _ in range(count)
    )
    return "".join(f"{line}\n" for line in lines).encode()


KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "bookings": _bookings,
    "customers": _customers,
    "dictionary": _dictionary,
    "expressions": _expressions,
    "graph": _graph,
    "hex": _hex,
    "images": _images,
    "json": _json,
    "noise": _noise,
    "orders": _orders,
    "pgm": pictures.pgm,
    "pi": _pi,
    "points": _points,
    "ppm": pictures.ppm,
    "requests": _requests,
    "settings": _settings,
    "soft": _soft,
    "speech": _speech,
    "systems": _systems,
    "targets": _targets,
    "text": _text,
    "tiff-colour": pictures.tiff_colour,
    "tiff-grey": pictures.tiff_grey,
    "tiff-palette": pictures.tiff_palette,
    "world": _world,
    **FIELD_KINDS,
    **DEVICE_KINDS,
    **FORMAT_KINDS,
    **SENSOR_KINDS,
    **WASM_KINDS,
    **CODE_KINDS,
    **MACHINE_KINDS,
    **RADIO_KINDS,
    **OFFICE_KINDS,
    **SCREEN_KINDS,
}
