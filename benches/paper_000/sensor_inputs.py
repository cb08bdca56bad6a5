"""Inputs from a seed for programs of the sixth drawing: what cameras, lasers and receivers see."""

import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import acos, cos, exp, floor, hypot, pi, radians, sin
from random import Random

import numpy as np

SEED = 2026


def _waypoints(count: int, random: Random) -> bytes:
    """Corners of a border around a place, as degrees of latitude and longitude."""
    lines = []
    for number in range(count):
        angle = 2 * pi * (number + random.uniform(-0.3, 0.3)) / count
        away_km = random.uniform(60, 400)
        north, east = away_km * cos(angle) / 111.2, away_km * sin(angle) / 111.2
        lines.append(f"{47.2 + north:.6f} {8.6 + east / cos(radians(47.2)):.6f}")
    return "".join(f"{line}\n" for line in lines).encode()


def _ring(count: int, least: float, most: float, at: tuple[float, float], random: Random) -> str:
    """The corners of a polygon without crossings, and how many they are."""
    corners = []
    for number in range(count):
        angle = 2 * pi * (number + random.uniform(-0.25, 0.25)) / count
        away = random.uniform(least, most)
        corners.append(f"{at[0] + away * cos(angle):.2f} {at[1] + away * sin(angle):.2f}")
    return f"{count} " + " ".join(corners)


def _outlines(count: int, random: Random) -> bytes:
    """So many fields, each with none to two ponds: the number of rings, then the rings."""
    lines = []
    for _ in range(count):
        ponds = random.randrange(3)
        lines.append(str(1 + ponds))
        lines.append(_ring(random.randrange(8, 40), 40, 100, (0, 0), random))
        for pond in range(ponds):
            lines.append(_ring(random.randrange(4, 14), 4, 11, (30 * pond - 15, 0), random))
    return "".join(f"{line}\n" for line in lines).encode()


def _field(side: int, random: Random) -> bytes:
    """A square of so many measured temperatures a side, as floats."""
    y, x = np.mgrid[0:side, 0:side] / side
    values = 12 + 9 * x - 4 * y
    for _ in range(6):
        cx, cy, wide = random.random(), random.random(), random.uniform(0.05, 0.3)
        values += random.uniform(-6, 6) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / wide**2)
    noise = np.array([random.gauss(0, 0.02) for _ in range(side * side)]).reshape(side, side)
    return (values + noise).astype("<f4").tobytes()


def _firmware(size: int, random: Random) -> bytes:
    """A version of a firmware of about so many bytes; versions differ at some places."""
    base = Random(f"{SEED}/firmware/{size}")
    codes = [base.randbytes(4) for _ in range(160)]
    weights = [1 / (rank + 2) for rank in range(len(codes))]
    made = bytearray()
    while len(made) < size:
        kind = base.randrange(8)
        if kind == 0:
            made += b"%08x: the valve of %d\0" % (base.getrandbits(32), base.randrange(99))
        elif kind == 1:
            made += b"".join(base.randrange(900).to_bytes(2, "little") for _ in range(24))
        else:
            made += b"".join(base.choices(codes, weights, k=base.randrange(8, 60)))
    for _ in range(7):
        at, length = random.randrange(len(made)), random.randrange(2, 60)
        taken = random.choice((0, length, length, length))
        made[at : at + taken] = random.randbytes(random.choice((0, length, length)))
    return bytes(made)


LEFT = ("3211", "2221", "2122", "1411", "1132", "1231", "1114", "1312", "1213", "3112")
"""Widths of the digits of EAN-13 on the left, by odd parity; first a space."""
PARITIES = (
    *("LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG"),
    *("LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL"),
)


def labels_shown(count: int, random: Random) -> list[tuple[str, bool]]:
    """So many numbers that pass a camera, and whether dirt is on their label."""
    goods = []
    for _ in range(14):
        digits = [random.randrange(10) for _ in range(12)]
        check = -sum(one * (3 if at % 2 else 1) for at, one in enumerate(digits)) % 10
        goods.append("".join(map(str, [*digits, check])))
    return [(random.choice(goods), random.random() < 0.08) for _ in range(count)]


def _bars(number: str) -> np.ndarray:
    """The 95 modules of a number: 1 where they are dark."""
    widths = "111"
    for digit, parity in zip(number[1:7], PARITIES[int(number[0])], strict=True):
        widths += LEFT[int(digit)] if parity == "L" else LEFT[int(digit)][::-1]
    widths += "11111" + "".join(LEFT[int(digit)] for digit in number[7:]) + "111"
    return np.concatenate([np.full(int(w), (at + 1) % 2) for at, w in enumerate(widths)])


def _labels(count: int, random: Random) -> bytes:
    """So many labels as a line camera of 400 pixels sees them."""
    found = b""
    for number, dirty in labels_shown(count, random):
        bars = _bars(number)
        if random.random() < 0.5:
            bars = bars[::-1]
        width = random.uniform(2.9, 3.6)
        begin = random.uniform(20, 380 - 95 * width)
        places = np.floor((np.arange(0, 400, 0.125) - begin) / width).astype(int)
        inside = (places >= 0) & (places < 95)
        dark = np.where(inside, bars[np.clip(places, 0, 94)], 0).reshape(400, 8).mean(axis=1)
        dark = np.convolve(dark, (0.15, 0.7, 0.15), "same")
        if dirty:
            at = int(begin + random.uniform(20, 70) * width)
            dark[at : at + 25] = 0.9
        noise = np.array([random.gauss(0, 3) for _ in range(400)])
        found += np.clip(np.rint(205 - 165 * dark + noise), 0, 255).astype(np.uint8).tobytes()
    return found


@dataclass(frozen=True)
class Aircraft:
    """An aircraft as its squitters say: degrees, feet, knots, feet a minute."""

    address: int
    name: str
    latitude: float
    longitude: float
    altitude_ft: int
    east_kt: int
    north_kt: int
    climb_fpm: int


@dataclass(frozen=True)
class Squitter:
    """A line that a receiver hears, who sent it as it flew then, and whether it can be read."""

    line: str
    sender: Aircraft
    kind: str
    readable: bool


def parity(message: bytes) -> int:
    """The 24 bits behind eleven bytes of Mode S."""
    rest = int.from_bytes(message, "big") << 24
    for bit in range(8 * len(message) + 23, 23, -1):
        if rest >> bit & 1:
            rest ^= 0x1FFF409 << bit - 24
    return rest


def _zones(latitude: float) -> int:
    """How many zones of longitude fit, by the table's definition."""
    near = cos(radians(latitude)) ** 2
    return floor(2 * pi / acos(1 - (1 - cos(pi / 30)) / near))


def _compact(one: Aircraft, odd: int) -> tuple[int, int]:
    """Latitude and longitude in 17 bits each, as an even or an odd message has them."""
    high = 360 / (60 - odd)
    y = floor(131072 * (one.latitude % high) / high + 0.5)
    south = high * (y / 131072 + floor(one.latitude / high))
    wide = 360 / max(_zones(south) - odd, 1)
    x = floor(131072 * (one.longitude % wide) / wide + 0.5)
    return y % 131072, x % 131072


def _said(one: Aircraft, kind: str) -> int:
    """The 56 bits of a message of a kind."""
    if kind == "name":
        letters = 0
        for letter in f"{one.name:8}":
            letters = letters << 6 | ord(letter) & 63
        return 4 << 51 | letters
    if kind == "speed":
        east, north, climb = one.east_kt, one.north_kt, one.climb_fpm // 64
        said = 19 << 51 | 1 << 48
        said |= (east < 0) << 42 | abs(east) + 1 << 32 | (north < 0) << 31 | abs(north) + 1 << 21
        return said | (climb < 0) << 19 | abs(climb) + 1 << 10
    steps = (one.altitude_ft + 1000) // 25
    height = steps >> 4 << 5 | 16 | steps & 15
    y, x = _compact(one, kind == "odd")
    return 11 << 51 | height << 36 | (kind == "odd") << 34 | y << 17 | x


def squitters_heard(count: int, random: Random) -> list[Squitter]:
    """So many squitters of a dozen aircraft; some are damaged."""
    fleet = [
        Aircraft(
            random.getrandbits(24),
            "".join(random.choices("ABCDEFGHKLMNPRSTW", k=3)) + str(random.randrange(10, 9999)),
            random.uniform(45, 49),
            random.uniform(5, 12),
            random.randrange(2000, 40_000, 25),
            random.randrange(-450, 450),
            random.randrange(-450, 450),
            64 * random.randrange(-30, 30),
        )
        for _ in range(12)
    ]
    kinds = dict.fromkeys(range(len(fleet)), "even")
    heard = []
    for _ in range(count):
        for at, one in enumerate(fleet):
            hours = 0.1 / 3600
            fleet[at] = replace(
                one,
                latitude=one.latitude + one.north_kt / 60 * hours,
                longitude=one.longitude + one.east_kt / 60 * hours / cos(radians(one.latitude)),
            )
        at = random.randrange(len(fleet))
        kind = random.choices(("place", "speed", "name"), (6, 3, 1))[0]
        if kind == "place":
            kind = kinds[at] = "odd" if kinds[at] == "even" else "even"
        plain = bytes([0x8D]) + fleet[at].address.to_bytes(3, "big")
        plain += _said(fleet[at], kind).to_bytes(7, "big")
        bits = int.from_bytes(plain + parity(plain).to_bytes(3, "big"), "big")
        damaged = random.choices((0, 1, 3), (85, 10, 5))[0]
        for bit in random.sample(range(112), damaged):
            bits ^= 1 << bit
        line = f"*{bits:028X};"
        if cut := random.random() < 0.02:
            line = line[: random.randrange(5, 25)] + ";"
        heard.append(Squitter(line, fleet[at], kind, damaged < 3 and not cut))
    return heard


def _squitters(count: int, random: Random) -> bytes:
    return "".join(f"{one.line}\n" for one in squitters_heard(count, random)).encode()


def _distance(x: float, y: float, angle: float, walls: list[tuple[float, ...]]) -> float:
    """How far the first wall is from a place, in a direction."""
    dx, dy, nearest = cos(angle), sin(angle), 1e9
    for ax, ay, bx, by in walls:
        ex, ey = bx - ax, by - ay
        across = dx * ey - dy * ex
        if abs(across) < 1e-12:
            continue
        along = ((ax - x) * ey - (ay - y) * ex) / across
        share = ((ax - x) * dy - (ay - y) * dx) / across
        if along > 0 and 0 <= share <= 1:
            nearest = min(nearest, along)
    return nearest


def _scans(count: int, random: Random) -> bytes:
    """So many sweeps of a laser on a robot's way through a flat: its place, then 60 distances."""
    outside = [(300, 300), (9300, 300), (9300, 9300), (300, 9300)]
    walls: list[tuple[float, ...]] = []
    for corners in [outside, *_furniture(random)]:
        for here, there in zip(corners, corners[1:] + corners[:1], strict=True):
            walls.append((*here, *there))
    lines = []
    for number in range(count):
        turn = 2 * pi * number / count
        x, y = 4800 + 3700 * cos(turn), 4800 + 3700 * sin(turn)
        heading = floor(1000 * turn + 1571)
        ranges = [
            _distance(floor(x), floor(y), heading / 1000 + beam * 2 * pi / 60, walls)
            + random.gauss(0, 12)
            for beam in range(60)
        ]
        said = " ".join(str(min(65_000, max(0, round(one)))) for one in ranges)
        lines.append(f"{floor(x)} {floor(y)} {heading} {said}")
    return "".join(f"{line}\n" for line in lines).encode()


def _furniture(random: Random) -> list[list[tuple[int, int]]]:
    """Boxes that are not on the robot's way."""
    boxes: list[list[tuple[int, int]]] = []
    while len(boxes) < 9:
        x, y = random.randrange(600, 8200), random.randrange(600, 8200)
        wide, high = random.randrange(300, 1100), random.randrange(300, 1100)
        away = hypot(x + wide / 2 - 4800, y + high / 2 - 4800)
        if abs(away - 3700) > 1100:
            boxes.append([(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)])
    return boxes


def _pulse(count: int, random: Random) -> bytes:
    """So many samples of a finger in red and infrared light, 100 a second, of 16 bits each."""
    rate, beat, samples = random.uniform(62, 85), 0.0, bytearray()
    ratio = (110 - random.uniform(93, 98)) / 25
    for time in range(count):
        rate = min(120, max(55, rate + random.gauss(0, 0.08)))
        beat += rate / 6000
        phase = beat % 1
        shape = exp(-(((phase - 0.25) / 0.1) ** 2)) + 0.35 * exp(-(((phase - 0.6) / 0.11) ** 2))
        wander = 1 + 0.002 * sin(2 * pi * time / 520)
        infrared = 41_000 * wander * (1 - 0.016 * shape) + random.gauss(0, 6)
        red = 29_000 * wander * (1 - 0.016 * ratio * shape) + random.gauss(0, 6)
        samples += struct.pack("<HH", round(red), round(infrared))
    return bytes(samples)


SENSOR_KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "field": _field,
    "firmware": _firmware,
    "labels": _labels,
    "outlines": _outlines,
    "pulse": _pulse,
    "scans": _scans,
    "squitters": _squitters,
    "waypoints": _waypoints,
}
"""Kinds of files, as inputs.KINDS has them."""
