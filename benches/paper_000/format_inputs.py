"""Inputs from a seed for programs of the sixth drawing: names, symbols, replies, memory cards."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, sin
from random import Random

from vocabulary import words

ALPHABETS = (
    "abcdefghijklmnoprstuvwyzäöüßéèêñçåøæœłşžőţ",
    "ΑΒΓΔΘΛΣΩαβγδεζηικλμνοπρςστφχψωάέήίόύώ",
    "АБВГДЖИКЛМНОПРСТУФабвгдежзийклмнопрстуфхцчшыьэюяёї",
    "가나다라마바사아자차카타파하한국말",
    "ＡＢＣａｂｃ１２３ｱｲｳｴｵ",
    "中文東京大阪山田",
)
RARE = "ﬁﬂ²½Ⅷ℃①Åé̀Åǅſẛΐẞ"


def _names(count: int, random: Random) -> bytes:
    """Lines of names in many scripts: composed or not, and a few with bytes that are not UTF-8."""
    lines = []
    for _ in range(count):
        parts = []
        for _ in range(random.randrange(1, 4)):
            letters = random.choices(random.choice(ALPHABETS), k=random.randrange(3, 10))
            if random.random() < 0.25:
                letters.append(random.choice(RARE))
            part = "".join(letters)
            parts.append(part.capitalize() if random.random() < 0.5 else part)
        form = random.choice(("NFC", "NFD", "NFC", "NFKD"))
        line = unicodedata.normalize(form, " ".join(parts)).encode()
        if random.random() < 0.03:
            line = line[:2] + b"\xff" + line[2:]
        lines.append(line)
    return b"".join(line + b"\n" for line in lines)


@dataclass(frozen=True)
class Shape:
    """A shape of a symbol: a circle, a polygon, or a cubic curve; its numbers and colour."""

    kind: str
    numbers: tuple[float, ...]
    colour: tuple[int, int, int]


def symbol(count: int, random: Random) -> list[Shape]:
    """So many shapes on a ground of 96 by 96, which is the first one."""
    shapes = [Shape("polygon", (0, 0, 96, 0, 96, 96, 0, 96), (230, 230, 240))]
    for number in range(count):
        colour = (random.randrange(256), random.randrange(256), random.randrange(256))
        x, y, size = random.uniform(24, 72), random.uniform(24, 72), random.uniform(12, 40)
        kind = ("circle", "polygon", "curve")[number % 3]
        if kind == "circle":
            numbers = [x, y, size / 2]
        elif kind == "polygon":
            angles = [2 * pi * (i + random.uniform(-0.3, 0.3)) / 7 for i in range(7)]
            numbers = [c for a in angles for c in (x + size * cos(a) / 2, y + size * sin(a) / 2)]
        else:
            numbers = [
                x,
                y,
                x + size / 2,
                y - size / 2,
                x + size / 2,
                y + size / 2,
                x,
                y + size / 3,
            ]
        shapes.append(Shape(kind, tuple(round(one, 2) for one in numbers), colour))
    return shapes


def _svg(count: int, random: Random) -> bytes:
    """Such a symbol, all of paths."""
    lines = ['<svg xmlns="http://www.w3.org/2000/svg">']
    for one in symbol(count, random):
        n = one.numbers
        if one.kind == "circle":
            (x, y, r), arc = n, f"A{n[2]} {n[2]} 0 1 0"
            said = f"M{x - r:.2f} {y}{arc} {x + r:.2f} {y}{arc} {x - r:.2f} {y}Z"
        elif one.kind == "curve":
            said = f"M{n[0]} {n[1]}C{n[2]},{n[3]} {n[4]},{n[5]} {n[6]},{n[7]}Z"
        else:
            said = "M" + "L".join(f"{x} {y}" for x, y in zip(n[::2], n[1::2], strict=True)) + "Z"
        lines.append('  <path fill="#{:02x}{:02x}{:02x}" d="{}"/>'.format(*one.colour, said))
    return "\n".join([*lines, "</svg>", ""]).encode()


def _replies(count: int, random: Random) -> bytes:
    """So many replies of a database, by the protocol of Redis."""
    known = words(60, random)

    def reply(depth: int) -> bytes:
        kind = random.choices(range(6), (6, 4, 2, 1, 1, 3 if depth < 4 else 0))[0]
        text = " ".join(random.choices(known, k=random.randrange(1, 9)))
        if kind == 0:
            raw = text.encode() + random.choice((b"", b"", b"\r\n", b"\x01\x7f", b'"\\'))
            return b"$%d\r\n%b\r\n" % (len(raw), raw)
        if kind == 1:
            return b":%d\r\n" % random.randrange(-(2**40), 2**40)
        if kind == 2:
            return b"+%b\r\n" % text.encode()
        if kind == 3:
            return b"-ERR %b\r\n" % text.encode()
        if kind == 4:
            return b"$-1\r\n"
        parts = [reply(depth + 1) for _ in range(random.randrange(7))]
        return b"*%d\r\n" % len(parts) + b"".join(parts)

    return b"".join(reply(0) for _ in range(count))


SECTOR, FAT_SECTORS, ROOT_ENTRIES = 512, 2, 64
FIRST_DATA = 1 + 2 * FAT_SECTORS + ROOT_ENTRIES * 32 // SECTOR


class _Card:
    """A memory card with FAT12 and clusters of a sector, as it is written to."""

    def __init__(self, sectors: int, random: Random) -> None:
        self.random = random
        self.sectors = sectors
        self.clusters = [b""] * (sectors - FIRST_DATA)
        self.table = [0] * (sectors - FIRST_DATA + 2)
        self.table[:2] = 0xFF8, 0xFFF
        self.at = 2

    def keep(self, data: bytes) -> int:
        """The first cluster of a chain with these bytes; some are left out in between."""
        first = before = 0
        for begin in range(0, len(data), SECTOR):
            if self.random.random() < 0.12:
                self.at += self.random.randrange(1, 6)
            if before:
                self.table[before] = self.at
            else:
                first = self.at
            self.clusters[self.at - 2] = data[begin : begin + SECTOR]
            self.table[self.at] = 0xFFF
            before = self.at
            self.at += 1
        return first

    def entry(self, name: str, attributes: int, first: int, size: int) -> bytes:
        base, _, extension = (name, "", "") if name[0] == "." else name.partition(".")
        random = self.random
        day = random.randrange(36, 47) << 9 | random.randrange(1, 13) << 5 | random.randrange(1, 29)
        clock = random.randrange(24) << 11 | random.randrange(60) << 5
        raw = f"{base:8}{extension:3}".encode() + bytes([attributes]) + bytes(10)
        for one in (clock, day, first):
            raw += one.to_bytes(2, "little")
        return raw + size.to_bytes(4, "little")

    def file(self, name: str, size: int) -> bytes:
        readings = (b"%06d " % self.random.randrange(10**6) for _ in range(size // 7 + 1))
        return self.entry(name, 32, self.keep(b"".join(readings)[:size]), size)

    def image(self, root: bytes) -> bytes:
        boot = bytearray(SECTOR)
        boot[0:11] = b"\xeb\x3c\x90CARD 1.0"
        fields = ((11, SECTOR), (14, 1), (17, ROOT_ENTRIES), (19, self.sectors), (22, FAT_SECTORS))
        for at, value in fields:
            boot[at : at + 2] = value.to_bytes(2, "little")
        boot[13], boot[16], boot[21] = 1, 2, 0xF8
        boot[510:] = b"\x55\xaa"
        packed = bytearray(FAT_SECTORS * SECTOR)
        for cluster, value in enumerate(self.table):
            at = cluster * 3 // 2
            both = int.from_bytes(packed[at : at + 2], "little")
            both |= value << 4 if cluster % 2 else value
            packed[at : at + 2] = both.to_bytes(2, "little")
        second = bytearray(packed)
        second[61] ^= 0x10
        body = b"".join(one.ljust(SECTOR, b"\0") for one in self.clusters)
        return bytes(boot + packed + second + root.ljust(ROOT_ENTRIES * 32, b"\0")) + body


def _card(sectors: int, random: Random) -> bytes:
    """A memory card of so many sectors, with folders, files in pieces, and some faults."""
    card = _Card(sectors, random)
    names = [one.upper()[:8] for one in words(60, random) if len(one) > 3]

    def files(count: int) -> bytes:
        made = b""
        for _ in range(count):
            name = (
                f"{names.pop(random.randrange(len(names)))}.{random.choice(('TXT', 'CSV', 'BIN'))}"
            )
            made += card.file(name, random.choice((0, 90, 700, 1500, 3000, 6000)))
        return made

    deep = files(4)
    deep = card.entry("DEEP", 16, card.keep(deep.ljust(SECTOR, b"\0")), 0)
    inner = card.entry(".", 16, 0, 0) + card.entry("..", 16, 0, 0) + files(7) + deep + files(8)
    folder = card.entry("LOGS", 16, card.keep(inner.ljust(2 * SECTOR, b"\0")), 0)
    gone = b"\xe5" + card.file("GONE.TXT", 900)[1:]
    kept = card.file("KEPT.CSV", 5000)
    label = card.entry("CARD", 8, 0, 0)
    return card.image(label + files(5) + gone + folder + kept + files(4))


FORMAT_KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "card": _card,
    "names": _names,
    "replies": _replies,
    "svg": _svg,
}
"""Kinds of files, as inputs.KINDS has them."""
