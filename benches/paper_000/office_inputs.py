"""Inputs from a seed for programs of the eighth drawing: archives, sheets and sources."""

import io
import struct
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from vocabulary import words


def _tar(count: int, random: Random) -> bytes:
    """An archive of files, folders and links; one in nine is broken."""
    known = words(400, random)
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for number in range(count):
            depth = 9 if number % 11 == 5 else random.randrange(4)
            path = "/".join(random.choice(known) * (3 if depth == 9 else 1) for _ in range(depth))
            name = f"{path}/{random.choice(known)}{number}" if path else f"{number}.txt"
            one = tarfile.TarInfo(name[-200:].lstrip("/"))
            one.mtime = random.randrange(200_000_000, 2_000_000_000)
            one.mode = random.choice((0o644, 0o600, 0o755, 0o4755 & 0o777, 0o440))
            one.uname, one.gname = random.choice(("root", "build", "lab")), "staff"
            kind = random.random()
            if kind < 0.1:
                one.type = tarfile.DIRTYPE
                archive.addfile(one)
            elif kind < 0.2:
                one.type, one.linkname = tarfile.SYMTYPE, random.choice(known)
                archive.addfile(one)
            else:
                data = " ".join(random.choices(known, k=random.randrange(300))).encode()
                one.size = len(data)
                archive.addfile(one, io.BytesIO(data))
    packed = bytearray(stream.getvalue())
    at, number = 0, 0
    while at < len(packed) and any(packed[at : at + 512]):
        size = int(packed[at + 124 : at + 135], 8)
        if number % 9 == 4:
            packed[at + 3] ^= 1
        at += 512 + (size + 511) // 512 * 512
        number += 1
    return bytes(packed[: at + 1024])


COLUMNS, ROWS = "ABCDEFGH", 40


@dataclass(frozen=True)
class Cell:
    """A cell of a sheet: its text, and what it depends on as Python has it."""

    text: str
    python: str


def sheet(count: int, random: Random) -> dict[str, Cell]:
    """Cells by name: numbers, words and formulas, some of them wrong; `count` is unused."""
    del count
    made: dict[str, Cell] = {}

    def term(row: int, column: int, depth: int) -> tuple[str, str]:
        kind = random.randrange(9)
        if depth == 0 or kind < 3:
            if random.random() < 0.3:
                number = random.choice(("2", "0.5", "3.25", "10", "7"))
                return number, number
            near = random.randrange(row, min(ROWS, row + 9) + 1)
            name = f"{random.choice(COLUMNS[: column + 1])}{near}"
            return name, f"cell('{name}')"
        if kind < 6:
            sign = random.choice("+-*/")
            a, pa = term(row, column, depth - 1)
            b, pb = term(row, column, depth - 1)
            return (
                f"({a} {sign} {b})",
                f"divide({pa}, {pb})" if sign == "/" else f"({pa} {sign} {pb})",
            )
        if kind == 6:
            bottom = min(ROWS, row + random.randrange(6))
            left = random.randrange(column + 1)
            name = random.choice(("SUM", "AVERAGE", "MAX", "MIN", "COUNT"))
            where = f"{COLUMNS[left]}{row}:{COLUMNS[column]}{bottom}"
            return f"{name}({where})", f"over('{name}', {left}, {row}, {column}, {bottom})"
        if kind == 7:
            a, pa = term(row, column, depth - 1)
            b, pb = term(row, column, depth - 1)
            c, pc = term(row, column, depth - 1)
            sign = random.choice("<>")
            return f"IF({a} {sign} {b}, {c}, {a})", f"either({pa} {sign} {pb}, {pc}, {pa})"
        a, pa = term(row, column, depth - 1)
        return f"SQRT({a})", f"root({pa})"

    for row in range(1, ROWS + 1):
        for column, letter in enumerate(COLUMNS):
            kind = random.random()
            name = f"{letter}{row}"
            if kind < 0.06:
                continue
            if kind < 0.14:
                word = random.choice(("total", "rate", "n/a", "see below"))
                made[name] = Cell(word, "word()")
            elif kind < 0.4 or row > ROWS - 4:
                number = f"{random.randrange(-2000, 9000) / 100:.2f}"
                made[name] = Cell(number, number)
            else:
                text, python = term(row + 1, column, 2)
                made[name] = Cell(f"= {text}", python)
    for a, b in (("C9", "D9"), ("D9", "C9"), ("H40", "H40")):
        made[a] = Cell(f"={b} + 1", f"cell('{b}') + 1")
    made["B12"] = Cell("=SUN(A1)", "fail('#NAME')")
    made["E17"] = Cell("=A1 +", "fail('#SYNTAX')")
    made["F21"] = Cell("=A99", "fail('#REF')")
    return made


def _sheet(count: int, random: Random) -> bytes:
    made = sheet(count, random)
    names = list(made)
    random.shuffle(names)
    return "".join(f"{name} {made[name].text}\n" for name in names).encode()


@dataclass(frozen=True)
class Line:
    """A line of assembly; the words that it makes, or the mistake, for its place in `labels`."""

    text: str
    words: tuple[int, ...] = ()
    label: str = ""
    jump: tuple[str, int, int] | None = None
    """Name of where it goes to, first bit of the distance, and its bits."""
    mistake: str = ""


_TWO = {"adc": 0x1C, "add": 0x0C, "and": 0x20, "cp": 0x14, "cpc": 0x04, "eor": 0x24}
_TWO |= {"mov": 0x2C, "mul": 0x9C, "or": 0x28, "sbc": 0x08, "sub": 0x18}
_IMMEDIATE = {"andi": 7, "cpi": 3, "ldi": 14, "ori": 6, "sbci": 4, "subi": 5}
_ONE = {"asr": 0x9405, "com": 0x9400, "dec": 0x940A, "inc": 0x9403, "lsr": 0x9406, "neg": 0x9401}
_ONE |= {"pop": 0x900F, "push": 0x920F, "ror": 0x9407, "swap": 0x9402}
_NONE = {"cli": 0x94F8, "nop": 0, "ret": 0x9508, "reti": 0x9518, "sei": 0x9478, "sleep": 0x9588}
_BRANCH = {"brcc": 0xF400, "brcs": 0xF000, "breq": 0xF001, "brmi": 0xF002, "brne": 0xF401}
_POINTERS = {"X": 0x100C, "X+": 0x100D, "-X": 0x100E, "Y": 0x8008, "Y+": 0x1009, "-Y": 0x100A}
_POINTERS |= {"Z": 0x8000, "Z+": 0x1001, "-Z": 0x1002}


def assembly(count: int, random: Random) -> list[Line]:
    """So many lines for an AVR, with labels, data and mistakes."""
    known = [f"{word}_{number}" for number, word in enumerate(words(count // 4, random))]
    lines = [Line("; made from a seed"), Line(".equ base = 0x60 + 4 * 8"), Line("")]
    free = list(known)
    random.shuffle(free)
    placed: list[str] = []

    def expression(limit: int) -> tuple[str, int]:
        value = random.randrange(limit)
        return random.choice(
            (
                (str(value), value),
                (hex(value), value),
                (f"0b{value:b}", value),
                (f"(base - 128 + {value}) & {limit - 1}", value),
                (f"{value >> 2} * 4 + {value & 3}", value),
                (f"lo8({value | 0x1200 if limit == 256 else value})", value),
            )
        )

    for number in range(count):
        label = ""
        if number % 5 == 0 and free:
            label = free.pop()
            placed.append(label)
        kind = random.randrange(12)
        d, r = random.randrange(32), random.randrange(32)
        line = Line("")
        if kind < 2:
            name = random.choice(list(_TWO))
            code = _TWO[name] << 8 | d << 4 | r & 15 | (r & 16) << 5
            line = Line(f"{name} r{d}, r{r}", (code,))
        elif kind < 4:
            name, (text, k) = random.choice(list(_IMMEDIATE)), expression(256)
            code = _IMMEDIATE[name] << 12 | (d & 15) << 4 | k & 15 | (k & 0xF0) << 4
            line = Line(f"{name} r{16 + (d & 15)}, {text}", (code,))
        elif kind == 4:
            name = random.choice(list(_ONE))
            line = Line(f"{name} r{d}", (_ONE[name] | d << 4,))
        elif kind == 5:
            name = random.choice(list(_NONE))
            line = Line(name, (_NONE[name],))
        elif kind == 6 and placed:
            name = random.choice(list(_BRANCH))
            line = Line(f"{name} {placed[-1]}", (_BRANCH[name],), jump=(placed[-1], 3, 7))
        elif kind == 7 and free and placed:
            name, code = random.choice((("rjmp", 0xC000), ("rcall", 0xD000)))
            to = random.choice((free[-1], random.choice(placed)))
            line = Line(f"{name} {to}", (code,), jump=(to, 0, 12))
        elif kind == 8:
            text, k = expression(64)
            if random.random() < 0.5:
                line = Line(f"in r{d}, {text}", (0xB000 | d << 4 | k & 15 | (k & 48) << 5,))
            else:
                line = Line(f"out {text}, r{d}", (0xB800 | d << 4 | k & 15 | (k & 48) << 5,))
        elif kind == 9:
            name = random.choice(list(_POINTERS))
            code = _POINTERS[name]
            if random.random() < 0.5:
                code = (0x8000 if code & 0x8000 else 0x9000) | d << 4 | code & 15
                line = Line(f"ld r{d}, {name}", (code,))
            else:
                code = (0x8200 if code & 0x8000 else 0x9200) | d << 4 | code & 15
                line = Line(f"st {name}, r{d}", (code,))
        elif kind == 10 and number % 4 == 0:
            word = random.choice(known)[:9]
            data = [*word.encode(), *random.choices(range(256), k=random.randrange(4)), 0]
            rest = "".join(f", {one}" for one in data[len(word) :])
            packed = bytes(data) + bytes(len(data) % 2)
            line = Line(f'.db "{word}"{rest}', struct.unpack(f"<{len(packed) // 2}H", packed))
        elif kind == 11 and number % 6 == 0:
            text, mistake, code = random.choice(
                (
                    (f"addd r{d}, r{r}", "addd is no instruction", ()),
                    (f"push r{d}, 1", "more than expected: , 1", (0x920F | d << 4,)),
                    ("ldi r16, 300", "300 is not from -128 to 255", (0xE800,)),
                    (f"ldi r{d & 15}, 1", f"{d & 15} is not from 16 to 31", (0xE001,)),
                    ("ldi r17, cost", "cost is not known", (0xE010,)),
                )
            )
            line = Line(text, code, mistake=mistake)
        else:
            value = random.getrandbits(16)
            line = Line(f".dw {value}, hi8({value})", (value, value >> 8))
        text = f"{label + ':':24}{line.text}" if label else f"    {line.text}"
        if random.random() < 0.2:
            text += "  ; " + random.choice(("why?", "see the sheet", "carry stays"))
        lines.append(Line(text, line.words, label, line.jump, line.mistake))
    return lines + [Line(f"{name}:", label=name) for name in free]


def _assembly(count: int, random: Random) -> bytes:
    return "".join(f"{one.text}\n" for one in assembly(count, random)).encode()


OFFICE_KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "tar": _tar,
    "sheet": _sheet,
    "avr": _assembly,
}
