"""Inputs from a seed for programs of the fifth drawing: commands, halls, images of memories."""

from collections.abc import Callable
from random import Random

from vocabulary import words


def _commands(count: int, random: Random) -> bytes:
    """So many lines for a device's shell; some are comments, some are wrong."""
    names = [one for one in words(60, random) if len(one) > 2]
    known = words(80, random)

    def number() -> str:
        value = random.randrange(-900, 70_000)
        return random.choice((f"{value}", f"{value:#x}", f"{abs(value) % 512:#o}".replace("o", "")))

    lines = []
    for _ in range(count):
        kind = random.choices(range(9), (30, 18, 8, 8, 8, 8, 6, 6, 3))[0]
        several = " ".join(random.sample(known, random.randrange(1, 6)))
        name = random.choice(names)
        line = (
            f"set {name} {several}",
            f"echo {several} ${name} ${random.choice(names)}",
            f"hex {' '.join(number() for _ in range(random.randrange(1, 5)))}",
            "sum " + " ".join(f"{random.uniform(-90, 90):.2f}" for _ in range(3)),
            f"sort {several} {random.choice(known)}",
            f"upper {several} ${name}",
            f"find {random.choice(known)[:2]}",
            f"clear {name}",
            random.choice(("# of the night shift", "", f"{several}", f"set {name}", "hex 12z")),
        )[kind]
        verb, _, rest = line.partition(" ")
        if random.random() < 0.2:
            verb = random.choice((verb.upper(), verb.capitalize()))
        blanks = random.choice((" ", " ", "  ", "\t"))
        lines.append(f"{verb}{blanks}{rest}" + ("  # by hand" if random.random() < 0.1 else ""))
    return "".join(f"{line}\n" for line in lines).encode()


def _hall(side: int, random: Random) -> bytes:
    """A hall of so many places a side, with shelves and boxes, and what drives are asked for."""
    rows = [["."] * side for _ in range(side)]
    for y in range(3, side - 3, 4):
        gaps = random.sample(range(side), side // 12)
        for x in range(1, side - 1):
            if x not in gaps:
                rows[y][x] = "#"
    for _ in range(side * side // 14):
        rows[random.randrange(side)][random.randrange(side)] = "#"
    free = [(x, y) for y in range(side) for x in range(side) if rows[y][x] == "."]
    asked = [(*random.choice(free), *random.choice(free)) for _ in range(8)]
    lines = ["".join(row) for row in rows] + [""]
    lines += [" ".join(map(str, one)) for one in asked]
    return "".join(f"{line}\n" for line in lines).encode()


def _ihex(count: int, random: Random) -> bytes:
    """So many records of Intel HEX at three places of a memory; a few have an error."""

    def record(kind: int, offset: int, data: bytes) -> str:
        body = bytes([len(data), offset >> 8, offset & 255, kind]) + data
        return f":{body.hex().upper()}{-sum(body) & 255:02X}"

    lines, offset = [], 0
    for number in range(count):
        if number % (count // 3 + 1) == 0:
            lines.append(record(4, 0, bytes([8, number % 7])))
            offset = random.randrange(0, 4096, 16)
        data = random.randbytes(random.choice((16, 16, 16, 32, 5)))
        line = record(0, offset, data)
        offset += len(data) + random.choice((0, 0, 0, 0, 24))
        damaged = random.randrange(60)
        if damaged == 0:
            line = line[:20] + ("0" if line[20] != "0" else "1") + line[21:]
        elif damaged == 1:
            line = line[:-4]
        elif damaged == 2:
            line = line.replace(":", ";")
        elif damaged == 3:
            line = line.lower()
        lines.append(line)
    lines += [record(5, 0, bytes([8, 0, 1, 0x31])), record(1, 0, b"")]
    return "".join(f"{line}\r\n" for line in lines).encode()


DEVICE_KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "commands": _commands,
    "hall": _hall,
    "ihex": _ihex,
}
"""Kinds of files, as inputs.KINDS has them."""
