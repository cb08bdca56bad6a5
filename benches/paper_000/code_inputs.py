"""Inputs from a seed for programs of the seventh drawing: machine code, molecules, meshes."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, sin
from random import Random

WIDE = ("rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi")
NARROW = ("eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi")
BYTES = ("al", "cl", "dl", "bl")
CONDITIONS = (
    *("jo", "jno", "jb", "jnb", "jz", "jnz", "jbe", "jnbe"),
    *("js", "jns", "jp", "jnp", "jl", "jnl", "jle", "jnle"),
)
ARITHMETIC = {1: "add", 9: "or", 33: "and", 41: "sub", 49: "xor", 57: "cmp", 133: "test"}
ADDRESS = 0x401000


@dataclass(frozen=True)
class Instruction:
    """Bytes of x86-64, and what a listing in Intel's syntax says; where it leads to, or None."""

    code: bytes
    text: str
    target: int | None = None


def _branch(at: int, random: Random) -> Instruction:
    kind = random.randrange(4)
    head = {0: b"\xe8", 1: b"\xe9", 2: b"\xeb", 3: b""}[kind]
    name = {0: "call", 1: "jmp", 2: "jmp", 3: ""}[kind]
    if kind == 3:
        condition = random.randrange(16)
        head, name = bytes([0x0F, 0x80 + condition]), CONDITIONS[condition]
    size = 1 if kind == 2 else 4
    way = random.randrange(-100, 100) if size == 1 else 4 * random.randrange(-80, 200)
    target = ADDRESS + at + len(head) + size + way
    code = head + way.to_bytes(size, "little", signed=True)
    return Instruction(code, f"{name} 0x{target:016X}", target)


def _with_memory(random: Random) -> Instruction:
    """A load, a store or an address, of a base, an index and a distance."""
    reg, base = random.randrange(8), random.choice((0, 1, 2, 3, 6, 7))
    far = random.randrange(-128, 128) or 8
    said = f"{'-' if far < 0 else '+'}0x{abs(far):02X}"
    near = far.to_bytes(1, "little", signed=True)
    kind = random.randrange(3)
    if kind == 0:
        code = bytes([0x48, 0x8B, 0x40 | reg << 3 | base]) + near
        return Instruction(code, f"mov {WIDE[reg]}, [{WIDE[base]}{said}]")
    if kind == 1:
        code = bytes([0x89, 0x40 | reg << 3 | base]) + near
        return Instruction(code, f"mov [{WIDE[base]}{said}], {NARROW[reg]}")
    index, scale = random.choice((0, 1, 2, 3, 5, 6, 7)), random.randrange(1, 4)
    code = bytes([0x48, 0x8D, 0x44 | reg << 3, scale << 6 | index << 3 | base]) + near
    text = f"lea {WIDE[reg]}, [{WIDE[base]}+{WIDE[index]}*{1 << scale}{said}]"
    return Instruction(code, text)


def _of_registers(random: Random) -> Instruction:
    a, b, c = (random.randrange(8) for _ in range(3))
    both = 0xC0 | b << 3 | a
    kind = random.randrange(9)
    if kind < 2:
        code, name = random.choice(list(ARITHMETIC.items()))
        return Instruction(bytes([0x48, code, both]), f"{name} {WIDE[a]}, {WIDE[b]}")
    if kind == 2:
        return Instruction(bytes([0x48, 0x89, both]), f"mov {WIDE[a]}, {WIDE[b]}")
    if kind == 3:
        value = random.randrange(1 << 28, 1 << 32)
        return Instruction(
            bytes([0xB8 + a]) + struct.pack("<I", value), f"mov {NARROW[a]}, 0x{value:X}"
        )
    if kind == 4:
        value = random.randrange(16, 128)
        return Instruction(bytes([0x83, 0xC0 | a, value]), f"add {NARROW[a]}, 0x{value:02X}")
    if kind == 5:
        return Instruction(bytes([0xF2, 0x0F, 0x58, 0xC0 | b << 3 | a]), f"addsd xmm{b}, xmm{a}")
    if kind == 6:
        code = bytes([0xC5, 0x80 | (~c & 15) << 3 | 4, 0x58, 0xC0 | b << 3 | a])
        return Instruction(code, f"vaddps ymm{b}, ymm{c}, ymm{a}")
    if kind == 7:
        code = bytes([0x0F, 0xB6, 0xC0 | b << 3 | a & 3])
        return Instruction(code, f"movzx {NARROW[b]}, {BYTES[a & 3]}")
    return Instruction(bytes([0x0F, 0xAF, 0xC0 | b << 3 | a]), f"imul {NARROW[b]}, {NARROW[a]}")


def instructions(count: int, random: Random) -> list[Instruction]:
    """So many instructions; a few bytes between them are none."""
    short = {0x90: "nop", 0xC3: "ret", 0xC9: "leave", 0x06: "(bad)", 0xCC: "int3"}
    short |= {0x50 + n: f"push {name}" for n, name in enumerate(WIDE)}
    short |= {0x58 + n: f"pop {name}" for n, name in enumerate(WIDE)}
    made: list[Instruction] = []
    at = 0
    for _ in range(count):
        kind = random.choices(range(4), (3, 5, 8, 3))[0]
        if kind == 0:
            one = _branch(at, random)
        elif kind == 3:
            code, text = random.choice(list(short.items()))
            one = Instruction(bytes([code]), text)
        else:
            one = (_with_memory, _of_registers)[kind - 1](random)
        made.append(one)
        at += len(one.code)
    return made


def _x86(count: int, random: Random) -> bytes:
    return b"".join(one.code for one in instructions(count, random))


@dataclass(frozen=True)
class Molecule:
    """Elements of its atoms, and its bonds."""

    elements: str
    bonds: frozenset[tuple[int, int]]


def molecules(count: int, random: Random) -> tuple[list[Molecule], list[int]]:
    """So many molecules, each one of a dozen with its atoms in another order, and which one."""
    basic = []
    for _ in range(12):
        atoms = random.randrange(8, 19)
        bonds, used = set(), [0] * atoms
        for atom in range(1, atoms):
            to = random.choice([one for one in range(atom) if used[one] < 3])
            bonds.add((to, atom))
            used[atom] += 1
            used[to] += 1
        for _ in range(random.randrange(3)):
            a, b = sorted(random.sample(range(atoms), 2))
            if used[a] < 4 and used[b] < 4:
                bonds.add((a, b))
        elements = "".join(random.choices("CNO", (8, 1, 1), k=atoms))
        basic.append(Molecule(elements, frozenset(bonds)))
    made, which = [], []
    for _ in range(count):
        which.append(random.randrange(len(basic)))
        one = basic[which[-1]]
        order = list(range(len(one.elements)))
        random.shuffle(order)
        elements = [""] * len(order)
        for old, new in enumerate(order):
            elements[new] = one.elements[old]
        bonds = {(order[a], order[b]) for a, b in one.bonds}
        made.append(Molecule("".join(elements), frozenset(bonds)))
    return made, which


def _molecules(count: int, random: Random) -> bytes:
    lines = []
    for one in molecules(count, random)[0]:
        bonds = sorted(one.bonds)
        random.shuffle(bonds)
        lines.append(f"{one.elements} {' '.join(f'{a}-{b}' for a, b in bonds)} ;")
    return "".join(f"{line}\n" for line in lines).encode()


def _mesh(side: int, random: Random) -> bytes:
    """A wavy ground of so many points a side; its map is mirrored in the middle."""
    high, phase = random.uniform(0.2, 0.3), random.uniform(0, 1)
    lines = [f"{side * side} {2 * (side - 1) ** 2} 3"]
    for row in range(side):
        for column in range(side):
            x, y = column / (side - 1), row / (side - 1)
            z = high * sin(3 * x + phase) * cos(2 * y)
            slope_x = 3 * high * cos(3 * x + phase) * cos(2 * y)
            slope_y = -2 * high * sin(3 * x + phase) * sin(2 * y)
            long = (slope_x**2 + slope_y**2 + 1) ** 0.5
            normal = (-slope_x / long, -slope_y / long, 1 / long)
            numbers = (x, y, z, *normal, abs(x - 0.5), y)
            lines.append(" ".join(f"{one:.5f}" for one in numbers))
    for row in range(side - 1):
        for column in range(side - 1):
            a = row * side + column
            lines += [f"{a} {a + 1} {a + side}", f"{a + 1} {a + side + 1} {a + side}"]
    return "".join(f"{line}\n" for line in lines).encode()


def _score(count: int, random: Random) -> bytes:
    """So many notes for each of three voices: voice, frequency in Hz, frames of sound."""
    notes = [(n % 3, round(440 * 2 ** (random.randrange(0, 14) / 12))) for n in range(3 * count)]
    return "".join(
        f"{voice} {hertz} {random.randrange(110, 170)}\n" for voice, hertz in notes
    ).encode()


def room(count: int, random: Random) -> tuple[list[int], list[int], list[int]]:
    """So many samples of a loudspeaker, of one who speaks nearby, and of both at the microphone."""
    taps = [random.gauss(0, 1) * 0.93**n for n in range(70)]
    loud = sum(abs(one) for one in taps)
    far, near, heard, state = [], [], [], 0.0
    for n in range(count):
        state = 0.6 * state + random.gauss(0, 1800) * (1 + 0.5 * sin(2 * pi * n / 900))
        far.append(max(-32768, min(32767, round(state))))
        speaks = count // 2 < n < 3 * count // 4
        near.append(round(1200 * sin(2 * pi * n / 23) * sin(pi * n / 700)) if speaks else 0)
        back = sum(tap * far[n - d] for d, tap in enumerate(taps) if d <= n) / loud
        mixed = 2.2 * back + near[-1] + random.gauss(0, 3)
        heard.append(max(-32768, min(32767, round(mixed))))
    return far, near, heard


def _room(count: int, random: Random) -> bytes:
    far, _, heard = room(count, random)
    return b"".join(struct.pack("<hh", *both) for both in zip(far, heard, strict=True))


def _voice(count: int, random: Random) -> bytes:
    """So many samples of a fan, and vowels over it with pauses between them."""
    made, fan = [], 0.0
    for n in range(count):
        fan = 0.7 * fan + random.gauss(0, 220)
        speaks = n > count // 2 and n // 1000 % 3 != 0
        loud = 5000 * sin(pi * (n % 1000) / 1000) if speaks else 0
        at = 2 * pi * 140 * n / 8000
        vowel = loud * (sin(at) + 0.6 * sin(4 * at) + 0.3 * sin(9 * at)) / 1.9
        made.append(max(-32768, min(32767, round(vowel + fan))))
    return struct.pack(f"<{count}h", *made)


@dataclass(frozen=True)
class Day:
    """The worth of people, and who gets on with whom."""

    worth: tuple[int, ...]
    pairs: frozenset[tuple[int, int]]


def days(count: int, random: Random) -> list[Day]:
    """So many days with 24 to 32 people, of whom six in ten pairs get on."""
    made = []
    for _ in range(count):
        people = random.randrange(24, 33)
        worth = tuple(random.randrange(1, 30) for _ in range(people))
        pairs = {(a, b) for b in range(people) for a in range(b) if random.random() < 0.6}
        made.append(Day(worth, frozenset(pairs)))
    return made


def _days(count: int, random: Random) -> bytes:
    lines = [
        f"{len(one.worth)} {' '.join(map(str, one.worth))} "
        f"{' '.join(f'{a}-{b}' for a, b in sorted(one.pairs))} ;"
        for one in days(count, random)
    ]
    return "".join(f"{line}\n" for line in lines).encode()


CODE_KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "days": _days,
    "mesh": _mesh,
    "molecules": _molecules,
    "room": _room,
    "score": _score,
    "voice": _voice,
    "x86": _x86,
}
"""Kinds of files, as inputs.KINDS has them."""
