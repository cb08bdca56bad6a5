"""Judges of the programs of the sixth drawing, as program_judges has those of the first."""

import base64
import re
import struct
import sys
import unicodedata
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from hashlib import blake2b
from itertools import combinations, pairwise
from math import atan, atan2, cos, dist, floor, hypot, pi, radians, sin, sqrt, tan
from random import Random

import numpy as np

Files = dict[str, bytes]
Judge = Callable[[Files, Files, str], object]
WORD = 2**32


def _random(kind: str, size: int, name: str) -> Random:
    """The generator that an input was made with."""
    return Random(f"2026/{kind}/{size}/{name}")


def _numerical(seed: int) -> Iterator[int]:
    """The generator of Numerical Recipes, whose low bits are dropped."""
    while True:
        seed = (seed * 1664525 + 1013904223) % WORD
        yield seed >> 16


def tariff(inputs: Files, files: Files, console: str) -> object:
    with localcontext(prec=34, rounding=ROUND_HALF_EVEN):
        cent, wanted, sums = Decimal("0.01"), [], [Decimal(0)] * 3
        for line in inputs["orders.csv"].decode().split():
            customer, _, count, price = line.split(",")
            net = Decimal(count) * Decimal(price) * (Decimal("0.97") if int(count) > 9 else 1)
            net = net.quantize(cent)
            tax = (net * Decimal("0.19" if int(customer) % 2 else "0.07")).quantize(cent)
            sums = [a + b for a, b in zip(sums, (net, tax, net + tax), strict=True)]
            wanted.append([customer, str(net), str(tax), str(net + tax)])
        wanted.append([str(one) for one in sums])
        rest, monthly = sums[2], Decimal("0.049") / 12
        payment = (rest * monthly / (1 - (1 + monthly) ** -36)).quantize(cent)
        for month in range(1, 37):
            interest = (rest * monthly).quantize(cent)
            rest += interest
            pays = rest if month == 36 or rest < payment else payment
            rest -= pays
            wanted.append([str(month), str(interest), str(pays), str(rest)])
        wanted.append([str(sums[2].sqrt())])
    found = [line.split() for line in files["invoices.txt"].decode().splitlines()]
    return (found, console.strip()), (wanted, "0")


AXIS, FLAT = 6378137.0, 1 / 298.257223563


def _vincenty(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The distance of two places in metres, by Vincenty (1975)."""
    u1, u2 = (atan((1 - FLAT) * tan(radians(one[0]))) for one in (a, b))
    between = angle = radians(b[1] - a[1])
    for _ in range(100):
        sine = hypot(cos(u2) * sin(angle), cos(u1) * sin(u2) - sin(u1) * cos(u2) * cos(angle))
        cosine = sin(u1) * sin(u2) + cos(u1) * cos(u2) * cos(angle)
        arc = atan2(sine, cosine)
        azimuth = cos(u1) * cos(u2) * sin(angle) / sine
        square = 1 - azimuth**2
        middle = cosine - 2 * sin(u1) * sin(u2) / square
        c = FLAT / 16 * square * (4 + FLAT * (4 - 3 * square))
        inner = middle + c * cosine * (2 * middle**2 - 1)
        angle = between + (1 - c) * FLAT * azimuth * (arc + c * sine * inner)
    polar = AXIS * (1 - FLAT)
    u = square * (AXIS**2 - polar**2) / polar**2
    big = 1 + u / 16384 * (4096 + u * (u * (320 - 175 * u) - 768))
    small = u / 1024 * (256 + u * (u * (74 - 47 * u) - 128))
    inner = cosine * (2 * middle**2 - 1)
    inner -= small / 6 * middle * (4 * sine**2 - 3) * (4 * middle**2 - 3)
    return polar * big * (arc - small * sine * (middle + small / 4 * inner))


def _equal_area(latitude: float) -> float:
    """The sine of the latitude on the sphere that has the ellipsoid's area."""
    e = sqrt(FLAT * (2 - FLAT))

    def q(sine: float) -> float:
        part = sine / (1 - (e * sine) ** 2) + np.arctanh(e * sine) / e
        return float((1 - e**2) * part)

    return q(sin(radians(latitude))) / q(1)


def survey(inputs: Files, files: Files, console: str) -> object:
    """Lengths and middles within two millimetres; the area within a thousandth."""
    lines = inputs["border.txt"].decode().splitlines()
    places = [(float(a), float(b)) for a, b in (line.split() for line in lines)]
    total, area, good = 0.0, 0.0, []
    for at, (line, here) in enumerate(
        zip(files["legs.txt"].decode().splitlines(), places, strict=True)
    ):
        there = places[(at + 1) % len(places)]
        length, _, _, latitude, longitude = map(float, line.partition(":")[2].split())
        middle = (latitude, longitude)
        wanted = _vincenty(here, there)
        total += wanted
        halves = _vincenty(here, middle), _vincenty(middle, there)
        good += [abs(length - wanted), *(abs(2 * one - wanted) / 10 for one in halves)]
        steps = range(64)
        parts = [
            tuple(a + (b - a) * n / 64 for a, b in zip(here, there, strict=True)) for n in steps
        ]
        parts.append(there)
        for one, two in pairwise(parts):
            high = (_equal_area(one[0]) + _equal_area(two[0])) / 2
            area += high * radians(two[1] - one[1])
    e = sqrt(FLAT * (2 - FLAT))
    whole = AXIS**2 / 2 * (1 + (1 - e**2) / e * float(np.arctanh(e)))
    _, _, said_m, around_m, said_km2 = console.replace(":", "").split()
    near = abs(abs(area) * whole / 1e6 / abs(float(said_km2)) - 1)
    ends = abs(float(said_m) - total), abs(float(around_m) - total)
    return (max(good) < 2e-3, near < 5e-3, max(ends) < 0.02, len(good)), (True, True, True, 48)


def normalise(inputs: Files, files: Files, console: str) -> object:
    """Python's tables of Unicode say the same."""
    wanted = []
    for raw in inputs["names.txt"].split(b"\n")[:-1]:
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            wanted.append("not of UTF-8")
            continue
        plain = unicodedata.normalize("NFKD", text.casefold())
        folded = unicodedata.normalize("NFKC", plain.casefold())
        bare = "".join(
            one for one in unicodedata.normalize("NFD", text) if unicodedata.category(one)[0] != "M"
        )
        wanted.append("\t".join((unicodedata.normalize("NFC", text), folded, bare)))
    lines = files["equal.txt"].decode().splitlines()
    found = [line if line in wanted else line.partition("\t")[2] for line in lines]
    wide = [
        int(line.split("\t")[0]) == sum(_columns(one) for one in raw.decode())
        for line, raw in zip(lines, inputs["names.txt"].split(b"\n")[:-1], strict=True)
        if line != "not of UTF-8" and not JAMO.search(raw.decode())
    ]
    lines_said, wrong_said, widest = map(int, re.findall(r"\d+", console))
    widest_found = max(int(line.split("\t")[0]) for line in lines if "\t" in line)
    counts = lines_said, wrong_said, widest
    counted = len(wanted), wanted.count("not of UTF-8"), widest_found
    return (found, all(wide), len(wide) > 99, counts), (wanted, True, True, counted)


JAMO = re.compile("[\u1160-\u11ff]")
"""Vowels and ends of syllables of Hangul, which tables give none, one or two columns."""


def _columns(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _patched(old: bytes, delta: bytes) -> bytes:
    """The new file, by the commands of librsync's format."""
    assert delta[:4] == b"rs\x026"
    at, made = 4, b""

    def number(size: int) -> int:
        nonlocal at
        at += size
        return int.from_bytes(delta[at - size : at], "big")

    while (command := number(1)) != 0:
        if command < 0x45:
            size = command if command <= 0x40 else number(2 ** (command - 0x41))
            made += delta[at : at + size]
            at += size
        else:
            where, length = divmod(command - 0x45, 4)
            begin = number(2**where)
            made += old[begin : begin + number(2**length)]
    return made


def delta(inputs: Files, files: Files, console: str) -> object:
    made, old, new = files["new.delta"], inputs["old.bin"], inputs["new.bin"]
    signature = files["old.sig"]
    strong = [signature[at + 4 : at + 12] for at in range(12, len(signature), 12)]
    sums = [
        blake2b(old[at : at + 256], digest_size=32).digest()[:8] for at in range(0, len(old), 256)
    ]
    found = _patched(old, made), len(made) < len(new) // 4, strong, console.strip()
    return found, (new, True, sums, f"{len(made)} bytes")


def patch(inputs: Files, files: Files, console: str) -> object:
    wanted = sys.modules["benchmark"].programs()["delta"].files()["new.bin"]
    return (files["new.bin"], console.strip()), (wanted, f"OK, {len(wanted)} bytes")


def _long_hash(data: bytes, size: int) -> bytes:
    """H' of RFC 9106, section 3.3."""
    data = size.to_bytes(4, "little") + data
    if size <= 64:
        return blake2b(data, digest_size=size).digest()
    made, block = b"", blake2b(data).digest()
    while size - len(made) > 64:
        made += block[:32]
        left = size - len(made)
        block = blake2b(block, digest_size=min(64, left)).digest()
    return made + block


def _mix(v: list[int]) -> list[int]:
    """The permutation of sixteen words."""
    full = 2**64 - 1

    def turn(x: int, y: int, by: int) -> int:
        value = v[x] ^ v[y]
        return (value >> by | value << 64 - by) & full

    def add(x: int, y: int) -> int:
        return (v[x] + v[y] + 2 * (v[x] & WORD - 1) * (v[y] & WORD - 1)) & full

    columns = [(i, i + 4, i + 8, i + 12) for i in range(4)]
    diagonals = [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
    for a, b, c, d in columns + diagonals:
        for first, second in ((32, 24), (16, 63)):
            v[a] = add(a, b)
            v[d] = turn(d, a, first)
            v[c] = add(c, d)
            v[b] = turn(b, c, second)
    return v


def _compress(x: list[int], y: list[int]) -> list[int]:
    """G of two blocks."""
    r = [a ^ b for a, b in zip(x, y, strict=True)]
    z = list(r)
    for row in range(8):
        z[16 * row : 16 * row + 16] = _mix(z[16 * row : 16 * row + 16])
    for column in range(8):
        at = [16 * i + 2 * column + j for i in range(8) for j in (0, 1)]
        for place, value in zip(at, _mix([z[one] for one in at]), strict=True):
            z[place] = value
    return [a ^ b for a, b in zip(r, z, strict=True)]


def _argon2id(password: bytes, salt: bytes, kibibytes: int, passes: int) -> bytes:
    """RFC 9106 with one lane and a tag of 32 bytes."""

    def sized(data: bytes) -> bytes:
        return len(data).to_bytes(4, "little") + data

    numbers = b"".join(one.to_bytes(4, "little") for one in (1, 32, kibibytes, passes, 0x13, 2))
    first = numbers + sized(password) + sized(salt) + sized(b"") + sized(b"")
    seed = blake2b(first).digest()
    blocks = [[0] * 128 for _ in range(kibibytes)]
    for at in (0, 1):
        raw = _long_hash(seed + at.to_bytes(4, "little") + bytes(4), 1024)
        blocks[at] = list(struct.unpack("<128Q", raw))
    part = kibibytes // 4
    for turn in range(passes):
        for piece in range(4):
            told = turn == 0 and piece < 2
            for index in range(2 if turn == piece == 0 else 0, part):
                now = piece * part + index
                if told:
                    head = [turn, 0, piece, kibibytes, passes, 2, index // 128 + 1]
                    inner = _compress([0] * 128, head + [0] * 121)
                    draw = _compress([0] * 128, inner)[index % 128] % WORD
                else:
                    draw = blocks[now - 1][0] % WORD
                area = now - 1 if turn == 0 else kibibytes - part + index - 1
                away = area - 1 - (area * (draw * draw >> 32) >> 32)
                begin = 0 if turn == 0 or piece == 3 else (piece + 1) * part
                other = blocks[(begin + away) % kibibytes]
                new = _compress(blocks[now - 1], other)
                old = blocks[now]
                blocks[now] = [a ^ b for a, b in zip(new, old, strict=True)] if turn else new
    return _long_hash(struct.pack("<128Q", *blocks[-1]), 32)


def login(inputs: Files, files: Files, console: str) -> object:
    found = []
    for line in files["kept.txt"].decode().splitlines():
        _, kind, version, costs, salt, tag = line.split("$")
        assert (kind, version, costs) == ("argon2id", "v=19", "m=16,t=2,p=1")
        found.append(tuple(base64.b64decode(one + "=" * (-len(one) % 4)) for one in (salt, tag)))
    wanted = []
    for user, word in enumerate(inputs["words.txt"].split()):
        salt = bytes((17 * user + 5 * i + word[i % len(word)]) & 255 for i in range(16))
        wanted.append((salt, _argon2id(word, salt, 16, 2)))
    return (found, console.strip()), (wanted, "6 users, 1 right, 1 wrong")


def _inside(one: object, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Which points a shape of a symbol covers."""
    shape = one
    n = shape.numbers  # type: ignore[attr-defined]
    if shape.kind == "circle":  # type: ignore[attr-defined]
        return np.asarray((x - n[0]) ** 2 + (y - n[1]) ** 2 <= n[2] ** 2)
    corners = list(zip(n[::2], n[1::2], strict=True))
    if shape.kind == "curve":  # type: ignore[attr-defined]
        a, b, c, d = (np.array(one) for one in corners)
        steps = np.linspace(0, 1, 60)[:, None]
        left = 1 - steps
        curve = left**3 * a + 3 * left**2 * steps * b + 3 * left * steps**2 * c + steps**3 * d
        corners = [tuple(one) for one in curve]
    turns = np.zeros_like(x)
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        side = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
        turns += np.where((ay <= y) & (by > y) & (side > 0), 1, 0)
        turns -= np.where((ay > y) & (by <= y) & (side < 0), 1, 0)
    return turns != 0


def icon(inputs: Files, files: Files, console: str) -> object:
    """Sixteen points a pixel, of the shapes that the symbol was made from."""
    shapes = sys.modules["format_inputs"].symbol(5, _random("svg", 5, "symbol.svg"))
    fine = (np.arange(48 * 8) + 0.5) * 2 / 8
    x, y = np.meshgrid(fine, fine)
    picture = np.full((48, 48, 3), 255.0)
    for one in shapes:
        cover = _inside(one, x, y).reshape(48, 8, 48, 8).mean(axis=(1, 3))[..., None]
        picture = picture * (1 - cover) + np.array(one.colour) * cover
    found = np.frombuffer(files["symbol.ppm"][-48 * 48 * 3 :], np.uint8).reshape(48, 48, 3)
    off = np.abs(found - picture)
    return (bool(off.mean() < 1), bool(np.percentile(off, 98) < 14)), (True, True)


def triangulate(inputs: Files, files: Files, console: str) -> object:
    """The triangles have the area of the field without its ponds, and lie in it by their middle."""
    lines = iter(inputs["fields.txt"].decode().splitlines())
    fields = []
    for line in lines:
        rings = []
        for _ in range(int(line)):
            _, *numbers = map(float, next(lines).split())
            rings.append(np.array(numbers).reshape(-1, 2))
        fields.append(rings)
    parts = re.split(r"field \d+\n", files["triangles.txt"].decode())[1:]
    good = []
    for rings, part in zip(fields, parts, strict=True):
        *rows, last = part.splitlines()
        areas = [abs(_area(one)) for one in rings]
        wanted = areas[0] - sum(areas[1:])
        triangles = [np.array(row.split(), float).reshape(3, 2) / 100 for row in rows]
        summed = sum(abs(_area(one)) for one in triangles)
        good.append(abs(summed - wanted) < 1.5 and abs(abs(int(last.split()[1])) / 10 - wanted) < 1)
        for one in triangles:
            middle = one.mean(axis=0)
            within = [_in_ring(ring, middle) for ring in rings]
            good.append(abs(_area(one)) < 0.2 or (within[0] and not any(within[1:])))
    count = sum(part.count("\n") - 1 for part in parts)
    said = f"{len(fields)} fields, {count} triangles"
    return (all(good), console.strip()), (True, said)


def _area(corners: np.ndarray) -> float:
    x, y = corners.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)


def _in_ring(ring: np.ndarray, place: np.ndarray) -> bool:
    inside, (x, y) = False, place
    for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside


def archive(inputs: Files, files: Files, console: str) -> object:
    """No value is off by more than the tolerance, and few bytes are kept."""
    field, again = (np.frombuffer(one, "<f4") for one in (inputs["field.bin"], files["again.bin"]))
    worst = float(np.abs(field - again).max())
    packed = len(files["field.zfp"])
    small = packed < len(inputs["field.bin"]) // 3 and console.split()[0] == str(packed)
    return (0 < worst <= 0.05, small), (True, True)


def plugin(inputs: Files, files: Files, console: str) -> object:
    primes = sum(all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(2, 3000))
    check = zlib.crc32(bytes(n * 37 & 255 for n in range(1500)))
    a, b = 0, 1
    for _ in range(17):
        a, b = b, a + b
    mixed = 0
    for _ in range(6000):
        mixed = (mixed * 2862933555777941757 + 3037000493) % 2**64
        mixed ^= mixed >> 29
    value, levels = 0.0, []
    for n in range(800):
        value += ((n & 31) * 1000 - 16000 - value) * 3 * 0.0625
        if n % 64 == 0:
            levels.append(int(value))
    said: list[str | int] = ["primes", primes, "check", check, "fibonacci", a, "mix", mixed >> 32]
    said += ["filter", *levels, int(value)]
    wanted = [str(one - WORD if isinstance(one, int) and one >= 2**31 else one) for one in said]
    return console.split(), [*wanted, *f"{4 + len(levels) + 1} said".split()]


def _resp(data: bytes, at: int) -> tuple[str, int]:
    """A reply as the program writes it, and where the next one begins."""
    end = data.index(b"\r\n", at)
    kind, text = data[at : at + 1], data[at + 1 : end].decode()
    at = end + 2
    if kind in b"+-":
        return kind.decode() + text, at
    if kind == b":":
        return text, at
    if kind == b"$":
        if text == "-1":
            return "nil", at
        size = int(text)
        said = ""
        for byte in data[at : at + size]:
            short = {10: "\\n", 13: "\\r", 9: "\\t", 7: "\\a", 8: "\\b", 34: '\\"', 92: "\\\\"}
            said += short.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}")
        return f'"{said}"', at + size + 2
    parts = []
    for _ in range(int(text)):
        part, at = _resp(data, at)
        parts.append(part)
    return "[" + " ".join(parts) + "]", at


def replies(inputs: Files, files: Files, console: str) -> object:
    data, at, wanted = inputs["replies.bin"], 0, []
    while at < len(data):
        said, at = _resp(data, at)
        wanted.append(f"{len(wanted) + 1} {said}")
    first, _, kept = console.strip().split(", ")
    found = files["replies.txt"].decode().splitlines(), first, kept
    return found, (wanted, f"{len(wanted)} replies", "0 kept")


def _gimli(state: bytearray, tag: int = 0) -> None:
    """The permutation of Bernstein and others (2017)."""
    state[47] ^= tag
    s = list(struct.unpack("<12I", state))

    def left(value: int, by: int) -> int:
        return (value << by | value >> 32 - by) % WORD

    for number in range(24, 0, -1):
        for column in range(4):
            x, y, z = left(s[column], 24), left(s[4 + column], 9), s[8 + column]
            s[8 + column] = (x ^ z << 1 ^ (y & z) << 2) % WORD
            s[4 + column] = (y ^ x ^ (x | z) << 1) % WORD
            s[column] = (z ^ y ^ (x & y) << 3) % WORD
        if number % 4 == 0:
            s[0], s[1], s[2], s[3] = s[1], s[0], s[3], s[2]
            s[0] ^= 0x9E377900 | number
        if number % 4 == 2:
            s[0], s[1], s[2], s[3] = s[2], s[3], s[0], s[1]
    state[:] = struct.pack("<12I", *s)


def _absorb(state: bytearray, data: bytes, tag: int = 0) -> int:
    """Adds bytes to the state, sixteen at a time; returns how many are in the last piece."""
    for begin in range(0, len(data) // 16 * 16, 16):
        for at in range(16):
            state[at] ^= data[begin + at]
        _gimli(state, tag)
    rest = data[len(data) // 16 * 16 :]
    for at, byte in enumerate(rest):
        state[at] ^= byte
    return len(rest)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 16)


def _sponge(head: bytes, message: bytes, size: int) -> bytes:
    """The library's hash, behind a head that names what it is for."""
    state, made = bytearray(48), b""
    length = bytes([1 + (size > 255)]) + size.to_bytes(1 + (size > 255), "little") + b"\0"
    at = _absorb(state, head + message + length)
    state[at] ^= 0x1F
    state[15] ^= 0x80
    while len(made) < size:
        _gimli(state)
        made += bytes(state[:16])
    return made[:size]


def _hash(context: bytes, message: bytes, size: int, key: bytes = b"") -> bytes:
    head = _padded(b"\x04kmac\x08" + context) + _padded(bytes([len(key)]) + key)
    return _sponge(head, message, size)


def _opened(box: bytes, number: int, key: bytes) -> bytes | None:
    """The plain text of a sealed page, if nobody changed it."""
    vector, mac, packed = box[:20], box[20:36], box[36:]
    state = bytearray(48)
    _absorb(state, b"\x06sbx256\x08the page", 1)
    _absorb(state, key, 0xFF)
    _absorb(state, bytes([20]) + vector[:15], 1)
    last = int.from_bytes(vector[15:], "little") ^ number << 32
    _absorb(state, last.to_bytes(16, "little"), 1)
    plain = b""
    for begin in range(0, len(packed), 16):
        piece = packed[begin : begin + 16]
        plain += bytes(a ^ b for a, b in zip(piece, state, strict=False))
        state[: len(piece)] = piece
        if len(piece) == 16:
            _gimli(state, 2)
    at = len(packed) % 16
    state[at] ^= 1
    state[15] ^= 0x80
    _gimli(state, 2)
    for _ in range(2):
        for at, byte in enumerate(key):
            state[16 + at] ^= byte
        _gimli(state, 8)
    return plain if bytes(state[16:32]) == mac else None


def vault(inputs: Files, files: Files, console: str) -> object:
    text, sealed, found = inputs["letter.txt"], files["sealed.bin"], b""
    master = bytes((7 * i + 1) & 255 for i in range(32))
    pages = (len(text) + 511) // 512
    for page in range(pages):
        box, sealed = sealed[: 512 + 36], sealed[512 + 36 :]
        tweak = _padded(b"\x08" + page.to_bytes(8, "little"))
        head = _padded(b"\x04tmac\x08page key") + _padded(b"\x20" + master) + tweak
        opened = _opened(box, page, _sponge(head, b"", 32))
        found += opened or b"damaged"
        if page == pages - 1:
            key = _sponge(head, b"", 32)
            probe = _hash(b"the page", box[20:36], 16, key).hex()
    wanted = [
        f"hash {_hash(b'contents', text, 32).hex()}",
        f"last probe {probe}",
        f"{pages} pages, {pages // 7} refused, 0 wrong",
    ]
    return (found, console.splitlines()), (text, wanted)


class _Bits:
    """The bits of a file, the highest of a byte first."""

    def __init__(self, data: bytes) -> None:
        self.text = "".join(f"{one:08b}" for one in data)
        self.at = 0

    def take(self, count: int) -> int:
        self.at += count
        return int(self.text[self.at - count : self.at] or "0", 2)

    def unary(self) -> int:
        one = self.text.index("1", self.at)
        self.at, zeros = one + 1, one - self.at
        return zeros


def _rice_block(bits: _Bits, count: int, first: bool, left_blocks: int) -> tuple[list[int], int]:
    """Values of a block behind its reference, if it has one, and how many blocks they are of."""
    kind = bits.take(4)
    reference = [bits.take(16)] if first and kind else []
    size = count - len(reference)
    if kind == 15:
        return reference + [bits.take(16) for _ in range(size)], 1
    if kind:
        high = [bits.unary() for _ in range(size)]
        return reference + [one << kind - 1 | bits.take(kind - 1) for one in high], 1
    second = bits.take(1)
    reference = [bits.take(16)] if first else []
    if not second:
        blocks = bits.unary() + 1
        if blocks == 5:
            blocks = left_blocks
        elif blocks > 5:
            blocks -= 1
        return reference + [0] * (blocks * count - len(reference)), blocks
    made: list[int] = [0] if first else []
    while len(made) < count:
        code = bits.unary()
        total = 0
        while (total + 1) * (total + 2) // 2 <= code:
            total += 1
        two = code - total * (total + 1) // 2
        made += [total - two, two]
    return reference + made[len(reference) : count], 1


def _unpacked(data: bytes, samples: int) -> list[int]:
    """Samples of CCSDS 121.0-B, signed, of 16 bits, 16 a block and 64 blocks a segment."""
    bits, made = _Bits(data), list[int]()
    while len(made) < samples:
        values, blocks = list[int](), 0
        while blocks < 64 and len(made) + len(values) < samples:
            part, more = _rice_block(bits, 16, blocks == 0, 64 - blocks)
            values += part
            blocks += more
        now = values[0] - 65536 if values[0] > 32767 else values[0]
        made.append(now)
        for value in values[1:]:
            near = min(now + 32768, 32767 - now)
            if value <= 2 * near:
                step = value // 2 if value % 2 == 0 else -(value + 1) // 2
            else:
                step = value - near if now + 32768 < 32767 - now else near - value
            now += step
            made.append(now)
    return made[:samples]


def rice_pack(inputs: Files, files: Files, console: str) -> object:
    samples = inputs["samples.bin"]
    found = _unpacked(files["samples.aec"], len(samples) // 2)
    said = f"{len(files['samples.aec'])} bytes of {len(samples)}"
    return (found, console.strip()), (list(struct.unpack(f"<{len(samples) // 2}h", samples)), said)


def reach(inputs: Files, files: Files, console: str) -> object:
    """No place lies outside, every edge has two facets, and the volume is that of the facets."""
    places = np.array([line.split() for line in inputs["places.txt"].decode().splitlines()], float)
    rows = [list(map(int, line.split())) for line in files["facets.txt"].decode().splitlines()]
    facets = [row[:3] for row in rows]
    centre, volume, area, good = places.mean(axis=0), 0.0, 0.0, True
    edges: Counter[tuple[int, ...]] = Counter()
    for *facet, offset in rows:
        a, b, c = places[facet]
        normal = np.cross(b - a, c - a)
        plane = abs(float(a @ normal)) / float(np.linalg.norm(normal))
        good = good and abs(abs(offset) / 1e4 - plane) < 1e-3
        away = (places - a) @ normal
        good = good and bool((away <= 1e-3 * abs(away).max()).all() or (away >= -1e-3).all())
        volume += abs(float((centre - a) @ normal)) / 6
        area += float(np.linalg.norm(normal)) / 2
        edges.update(tuple(sorted(pair)) for pair in combinations(facet, 2))
    count, corners, said, said_area, said_volume = map(int, re.findall(r"\d+", console))
    known = len({one for facet in facets for one in facet})
    same = abs(area / 1e3 - said_area) < 2 and abs(volume / 1e6 - said_volume) < 2
    found = (good, same, set(edges.values()), count, corners, said)
    return found, (True, True, {2}, len(places), known, len(facets))


def _crc8(data: bytes) -> int:
    crc = 0xFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ (0x1D if crc & 0x80 else 0)) & 255
    return crc


def recorder(inputs: Files, files: Files, console: str) -> object:
    """The steps of each sensor's walk, in its order; sums are right, and so is the last value."""
    data, good = files["flight.bin"], True
    found: dict[int, list[int]] = defaultdict(list)
    while data:
        size = data[0]
        record, data = data[: size + 2], data[size + 2 :]
        good = good and _crc8(record[:-1]) == record[-1]
        steps, value, shift = list[int](), 0, 0
        for byte in record[2:-1]:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                steps.append(value >> 1 ^ -(value & 1))
                value = shift = 0
        good = good and record[1] & 15 == len(steps)
        found[record[1] >> 4] += steps
    wanted: dict[int, list[int]] = defaultdict(list)
    for number in range(3):
        draws = _numerical(2026 + 1000 * number)
        for _ in range(300):
            for _ in range(2 + next(draws) % 8):
                step = next(draws) % 101 - 50
                wanted[number].append(step * (400 if next(draws) % 16 == 0 else 1))
            next(draws)
    said = re.findall(r"at (-?\d+), (\d+) lost", console)
    ends = [(str(sum(wanted[number])), "0") for number in range(3)]
    return (found, good, said), (wanted, True, ends)


def spooler(inputs: Files, files: Files, console: str) -> object:
    """Documents are whole, those of each client in order; pages have their heads."""
    text = inputs["letter.txt"].decode().split()
    pages = files["paper.txt"].decode().split("\f")
    heads = [page.splitlines()[0].split() == ["Page", str(n)] for n, page in enumerate(pages, 1)]
    lengths = {len(page.splitlines()) for page in pages[:-1]}
    lines = [line for page in pages for line in page.splitlines()[2:]]
    orders: dict[str, list[int]] = defaultdict(list)
    good = True
    joined = " " + " ".join(text) + " "
    while lines:
        title = re.fullmatch(r"== client (\d), document (\d+)", lines.pop(0))
        end = lines.index("--")
        body, lines = lines[:end], lines[end + 1 :]
        good = good and title is not None and f" {' '.join(body)} " in joined
        good = good and all(len(line) <= 48 for line in body)
        orders[title[1] if title else ""].append(int(title[2]) if title else -1)
    counts = console.split(",")[0] == f"{len(pages)} pages" and "taken 3 deep" in console
    wanted = {str(client): list(range(30)) for client in range(3)}
    return (good, all(heads), lengths, orders, counts), (True, True, {24}, wanted, True)


def scanner(inputs: Files, files: Files, console: str) -> object:
    shown = sys.modules["sensor_inputs"].labels_shown(60, _random("labels", 60, "labels.bin"))
    wanted = Counter(number for number, dirty in shown if not dirty)
    rows = [line.split() for line in files["goods.txt"].decode().splitlines()]
    dirty = sum(one for _, one in shown)
    said = f"{60 - dirty} read, {dirty} unread, {len(wanted)} kinds"
    return ({a: int(b) for a, b in rows}, console.strip()), (wanted, said)


def traffic(inputs: Files, files: Files, console: str) -> object:
    """As the aircraft flew that the squitters were made of."""
    squitters = sys.modules["sensor_inputs"]
    heard = squitters.squitters_heard(500, _random("squitters", 500, "squitters.txt"))
    wanted: dict[str, list[str]] = {}
    places: dict[str, tuple[float, float]] = {}
    counts: Counter[str] = Counter()
    for one in heard:
        if not one.readable:
            continue
        plane, key = one.sender, f"{one.sender.address:06X}"
        counts[key] += 1
        if one.kind in ("odd", "even"):
            places[key] = plane.latitude, plane.longitude
        speed = int(hypot(plane.east_kt, plane.north_kt) + 0.5)
        track = int(atan2(plane.east_kt, plane.north_kt) * 180 / pi % 360 + 0.5) % 360
        climb = f"{plane.climb_fpm:+d}"
        wanted[key] = [plane.name, str(plane.altitude_ft), str(speed), str(track), climb]
    found, near = {}, True
    for line in files["aircraft.txt"].decode().splitlines():
        key, name, number, _, y, x, feet, _, speed, _, track, climb = line.split()
        found[key] = [name, feet, speed, track, climb]
        away = dist(places[key], (int(y) / 1e5, int(x) / 1e5))
        near = near and away < 4e-4 and int(number) == counts[key]
    wrong = sum(not one.readable for one in heard)
    plain = bytes.fromhex
    right = sum(
        one.readable and squitters.parity(plain(one.line[1:23])) == int(one.line[23:29], 16)
        for one in heard
    )
    said = f"{right} right, {500 - right - wrong} mended, {wrong} wrong, {len(wanted)} aircraft"
    return (found, near, console.strip()), (wanted, True, said)


def _chain(image: bytes, cluster: int) -> tuple[bytes, int]:
    """The bytes of a chain of FAT12, and how many pieces it lies in."""
    table, data, pieces, before = image[512:1536], b"", 0, 0
    while 2 <= cluster < 0xFF0:
        begin = (9 + cluster - 2) * 512
        data += image[begin : begin + 512]
        pieces += cluster != before + 1
        before = cluster
        pair = int.from_bytes(table[cluster * 3 // 2 : cluster * 3 // 2 + 2], "little")
        cluster = pair >> 4 if cluster % 2 else pair & 0xFFF
    return data, pieces


def _listed(image: bytes, folder: bytes, path: str) -> Iterator[tuple[str, str, bytes, int]]:
    """Path, day and time, bytes and pieces of each file."""
    for at in range(0, len(folder), 32):
        raw = folder[at : at + 32]
        if raw[0] == 0:
            return
        if raw[0] in (0xE5, 0x2E) or raw[11] & 8:
            continue
        name = raw[:8].decode().strip() + ("." + raw[8:11].decode()).rstrip(" .")
        time, day, first, size = struct.unpack("<HHHI", raw[22:32])
        data, pieces = _chain(image, first)
        if raw[11] & 16:
            yield from _listed(image, data, f"{path}/{name}")
        else:
            said = f"{1980 + (day >> 9)}-{day >> 5 & 15:02}-{day & 31:02}"
            said += f" {time >> 11:02}:{time >> 5 & 63:02}"
            yield f"{path}/{name}", said, data[:size], pieces


def card(inputs: Files, files: Files, console: str) -> object:
    image = inputs["card.img"]
    wanted, kept = [], b""
    for path, said, data, pieces in _listed(image, image[5 * 512 : 9 * 512], ""):
        wanted.append(f"{path} {len(data)} {said} {zlib.crc32(data):08x} {pieces}")
        kept = data if path == "/KEPT.CSV" else kept
    found = files["listing.txt"].decode().splitlines(), files["kept.csv"]
    faults = re.findall(r"(\d+) (lost|shared|unlike)", console)
    return (*found, faults), (wanted, kept, [("2", "lost"), ("0", "shared"), ("1", "unlike")])


def floorplan(inputs: Files, files: Files, console: str) -> object:
    """The same odds by lines drawn in fractions, and distances by the nearest wall of all."""
    odds = np.zeros((96, 96), int)

    def add(x: int, y: int, change: int) -> None:
        if 0 <= x < 96 and 0 <= y < 96:
            odds[y, x] = max(-60, min(60, odds[y, x] + change))

    for line in inputs["scans.txt"].decode().splitlines():
        x_mm, y_mm, heading, *ranges = map(int, line.split())
        for beam, range_mm in enumerate(ranges):
            angle = heading / 1000 + beam * (2 * pi / 60)
            near = min(range_mm, 4000)
            begin = floor(x_mm / 100), floor(y_mm / 100)
            end = floor((x_mm + near * cos(angle)) / 100), floor((y_mm + near * sin(angle)) / 100)
            for x, y in _line(begin, end):
                add(x, y, -2)
            if range_mm < 4000:
                add(*end, 9)
    found = np.frombuffer(files["map.bin"], np.int8).reshape(96, 96).astype(int)
    walls = np.argwhere(found >= 12)
    y, x = np.mgrid[1:95, 1:95]
    dy, dx = (np.abs(one[..., None] - walls[:, at]) for at, one in enumerate((y, x)))
    nearest = (5 * np.maximum(dx, dy) + 2 * np.minimum(dx, dy)).min(axis=-1)
    away = np.frombuffer(files["away.pgm"][-96 * 96 :], np.uint8).reshape(96, 96)[1:95, 1:95]
    return (
        bool((found == odds).all()),
        bool((away == np.minimum(nearest, 255)).all()),
        console.split(", ")[1:],
    ), (True, True, [f"{len(walls)} walls", f"{int((found <= -12).sum())} floors\n"])


def _line(begin: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The cells of a line without its last one: the step that stays nearer to it."""
    (x, y), (to_x, to_y) = begin, end
    dx, dy = abs(to_x - x), abs(to_y - y)
    sx, sy = (1 if to_x > x else -1), (1 if to_y > y else -1)
    off = dx - dy
    while (x, y) != end:
        yield x, y
        twice = 2 * off
        if twice >= -dy:
            off -= dy
            x += sx
        if twice <= dx:
            off += dx
            y += sy


def oximeter(inputs: Files, files: Files, console: str) -> object:
    """The pulse by its spectrum, and oxygen by what beats of each light."""
    red, infrared = np.frombuffer(inputs["finger.bin"], "<u2").reshape(-1, 2).T.astype(float)

    def beating(light: np.ndarray) -> np.ndarray:
        spectrum = np.fft.rfft(light - light.mean())
        hertz = np.fft.rfftfreq(len(light), 0.01)
        spectrum[(hertz < 0.7) | (hertz > 5)] = 0
        return np.fft.irfft(spectrum, len(light))

    ratio = beating(red).std() / red.mean() / (beating(infrared).std() / infrared.mean())
    spectrum = np.abs(np.fft.rfft(beating(infrared)))
    hertz = np.fft.rfftfreq(len(infrared), 0.01)
    slow = (hertz > 0.8) & (hertz < 2.2)
    rate = 60 * float((spectrum[slow] ** 2 * hertz[slow]).sum() / (spectrum[slow] ** 2).sum())
    rows = re.findall(r"([\d.]+) s: ([\d.]+) a minute, ([\d.]+) %", files["beats.txt"].decode())
    settled = np.array(rows, float)[8:]
    oxygen = abs(float(np.median(settled[:, 2])) - (110 - 25 * ratio)) < 1.5
    pulse = abs(float(settled[:, 1].mean()) - rate) < 0.05 * rate
    beats = abs(len(rows) - len(red) / 100 * rate / 60) < 0.05 * len(rows)
    return (oxygen, pulse, beats, console.split()[0]), (True, True, True, str(len(rows)))


SIXTH_JUDGES: dict[str, Judge] = {
    "card": card,
    "floorplan": floorplan,
    "oximeter": oximeter,
    "recorder": recorder,
    "scanner": scanner,
    "spooler": spooler,
    "traffic": traffic,
}
SIXTH_JUDGES_OF_LIBRARIES: dict[str, Judge] = {
    "archive": archive,
    "delta": delta,
    "icon": icon,
    "login": login,
    "normalise": normalise,
    "patch": patch,
    "plugin": plugin,
    "reach": reach,
    "replies": replies,
    "rice-pack": rice_pack,
    "survey": survey,
    "tariff": tariff,
    "triangulate": triangulate,
    "vault": vault,
}
