"""Judges of the programs of the fourth drawing, as program_judges has those of the first."""

import re
from collections import Counter
from collections.abc import Callable
from decimal import Decimal, localcontext
from math import gcd

Files = dict[str, bytes]
PRIME = 2**255 - 19


def store(inputs: Files, files: Files, console: str) -> object:
    """How often each word came, of which the store keeps 13 letters."""
    words = re.findall("[a-z]+", inputs["letter.txt"].decode().lower())
    wanted = sorted(Counter(word[:13] for word in words).items())
    rows = [line.split() for line in files["listing.txt"].decode().splitlines()]
    return [(word, int(times)) for word, times in rows], wanted


def sudoku(inputs: Files, files: Files, console: str) -> object:
    """Every row, column and box of a solution has nine digits, and all that were given stand."""
    good = []
    solved = files["solved.txt"].decode().splitlines()
    for given, found in zip(inputs["puzzles.txt"].decode().splitlines(), solved, strict=True):
        if found == "none":
            good.append(_clashes(given))
            continue
        units = [{found[9 * n + k] for k in range(9)} for n in range(9)]
        units += [{found[n + 9 * k] for k in range(9)} for n in range(9)]
        units += [
            {found[at + 9 * row + column] for row in range(3) for column in range(3)}
            for at in (0, 3, 6, 27, 30, 33, 54, 57, 60)
        ]
        kept = all(a in ("0", b) for a, b in zip(given, found, strict=True))
        good.append(kept and all(unit == set("123456789") for unit in units))
    return good, [True] * len(solved)


def _clashes(given: str) -> bool:
    lines = [given[n::9] for n in range(9)] + [given[9 * n : 9 * n + 9] for n in range(9)]
    digits = [line.replace("0", "") for line in lines]
    return any(len(set(one)) < len(one) for one in digits)


def forth(inputs: Files, files: Files, console: str) -> object:
    primes = sum(all(n % d for d in range(2, n)) for n in range(2, 1000))
    pairs = sum(gcd(a, b) == 1 for a in range(1, 40) for b in range(1, 40))
    longest, seed, total = 0, 1463534242, 0
    for start in range(1, 120):
        n, steps = start, 0
        while n != 1:
            n, steps = 3 * n + 1 if n % 2 else n // 2, steps + 1
        longest = max(longest, steps)
    for _ in range(300):
        seed ^= seed << 13 & 0xFFFFFFFF
        seed ^= seed >> 17
        seed ^= seed << 5 & 0xFFFFFFFF
        total += seed & 255
    return [int(one) for one in console.split()], [primes, 610, pairs, longest, total]


def constants(inputs: Files, files: Files, console: str) -> object:
    """Python's decimal numbers give those that they can."""
    found = dict(line.rsplit(maxsplit=1) for line in console.splitlines())
    with localcontext(prec=230):
        wanted = {f"root {n}": Decimal(n).sqrt() for n in range(2, 30, 3)}
        wanted |= {"e": Decimal(1).exp(), "ln 2": Decimal(2).ln()}
        far = [abs(Decimal(found[name]) - one) for name, one in wanted.items()]
        return max(far) < Decimal(10) ** -180, True


def agree(inputs: Files, files: Files, console: str) -> object:
    """The ladder of RFC 7748, section 5, with whole numbers."""
    secret = int.from_bytes(
        bytes.fromhex("77076d0a7318a57d3c16c17251b26645c6c2f6c929b1d0a5e1f2039485a6b7c8"), "little"
    )
    secret = secret & ~(1 << 255) & ~7 | 1 << 254
    points = ("09" + 62 * "0", "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    wanted = [
        _ladder(secret, int.from_bytes(bytes.fromhex(one), "little")).to_bytes(32, "little").hex()
        for one in points
    ]
    return console.split(), wanted


def _ladder(secret: int, u: int) -> int:
    """By affine differences: X and Z of n times and of n + 1 times the point."""
    x2, z2, x3, z3 = 1, 0, u, 1
    for bit in range(254, -1, -1):
        if secret >> bit & 1:
            x2, z2, x3, z3 = x3, z3, x2, z2
        plus, minus = x2 + z2, x2 - z2
        across, along = (x3 - z3) * plus, (x3 + z3) * minus
        x3, z3 = (across + along) ** 2 % PRIME, u * (across - along) ** 2 % PRIME
        difference = plus**2 - minus**2
        x2, z2 = (plus * minus) ** 2 % PRIME, difference * (plus**2 + 121665 * difference) % PRIME
        if secret >> bit & 1:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return x2 * pow(z2, -1, PRIME) % PRIME


FOURTH_JUDGES: dict[str, Callable[[Files, Files, str], object]] = {
    "store": store,
    "sudoku": sudoku,
    "forth": forth,
}
FOURTH_JUDGES_OF_LIBRARIES: dict[str, Callable[[Files, Files, str], object]] = {
    "constants": constants,
    "agree": agree,
}
