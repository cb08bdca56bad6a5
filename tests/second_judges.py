"""Judges of the programs of the second drawing, as program_judges has those of the first."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from math import comb, factorial

Files = dict[str, bytes]


def match(inputs: Files, files: Files, console: str) -> object:
    lines = inputs["letter.txt"].decode().split("\n")
    wanted = [
        f"{number}:{line}"
        for one in inputs["patterns.txt"].decode().splitlines()
        for number, line in enumerate(lines, 1)
        if re.search(one, line)
    ]
    return files["found.txt"].decode().splitlines(), wanted


def symbols(inputs: Files, files: Files, console: str) -> object:
    places: dict[str, list[int]] = {}
    for number, line in enumerate(inputs["letter.txt"].decode().lower().split("\n"), 1):
        for word in re.findall("[a-z]+", line):
            places.setdefault(word, []).append(number)
    found = [re.split("[ :]+", one) for one in files["index.txt"].decode().splitlines()]
    return found, [
        [word, str(len(lines)), *map(str, lines)] for word, lines in sorted(places.items())
    ]


def suffixes(inputs: Files, files: Files, console: str) -> object:
    text = inputs["letter.txt"]
    order = sorted(range(len(text)), key=lambda begin: text[begin:])
    return files["turned.txt"], bytes(text[begin - 1] for begin in order)


def naturals(inputs: Files, files: Files, console: str) -> object:
    a, b = 0, 1
    wanted = {("binomial", 300): comb(300, 150), ("factorial", 300): factorial(300)}
    for number in range(1, 151):
        a, b = b, a + b
        if number % 25 == 0:
            wanted["factorial", number] = factorial(number)
            wanted["fibonacci", number + 1] = b
    found = re.findall(r"(\w+)\((\d+)\) = (\d+)", files["numbers.txt"].decode())
    return {(name, int(number)): int(value) for name, number, value in found}, wanted


def machine(inputs: Files, files: Files, console: str) -> object:
    primes = [one for one in range(2, 3900) if all(one % d for d in range(2, int(one**0.5) + 1))]
    found = [int(one) for one in files["printed.txt"].split()]
    wanted = [one for one in primes if one % 17 == 0 or one % 10 == 7]
    return found[:-1], wanted


def calendar(inputs: Files, files: Files, console: str) -> object:
    """Days of the columns of January to March, which stand on their weekday; and Easter."""
    text = files["years.txt"].decode()
    found = re.findall(r"Easter: (\d+ \w+)", text)
    days = []
    for year in range(2024, 2031):
        lines = text.split(f"{year}\n", 1)[1].splitlines()[2:8]
        for month in (1, 2, 3):
            column = 24 * (month - 1)
            for row, line in enumerate(lines):
                for weekday in range(7):
                    cell = line[column + 3 * weekday : column + 3 * weekday + 3].strip()
                    if cell:
                        days.append((year, month, int(cell), row, weekday))
    one, wanted = date(2024, 1, 1), []
    while one.year < 2031:
        if one.month < 4:
            row = (one.day - 1 + one.replace(day=1).weekday()) // 7
            wanted.append((one.year, one.month, one.day, row, one.weekday()))
        one += timedelta(days=1)
    easters = ["31 Mar", "20 Apr", "5 Apr", "28 Mar", "16 Apr", "1 Apr", "21 Apr"]
    return (found, sorted(days)), (easters, sorted(wanted))


def lisp(inputs: Files, files: Files, console: str) -> object:
    found = files["answers.txt"].decode().splitlines()
    values = " ".join(map(str, sorted(one * 37 % 101 for one in range(1, 45))))
    wanted = [
        str(sum(one * one for one in range(1, 40))),
        f"({values})",
        "error: division by zero",
        "error: unknown name",
        "(2 3 5 7 11 13 17 19 23 29 31 37 41 43 47 53 59 61 67 71 73 79 83 89)",
        str(2**6 - 1),
    ]
    return [one for one in wanted if one in found], wanted


def fill(inputs: Files, files: Files, console: str) -> object:
    lines = files["pages.txt"].decode().replace("\f", "").splitlines()
    told = [one for one in lines if not re.match(r"Part \d\d +page|\s*\d*$", one)]
    words = " ".join(told).split()
    return (words, max(map(len, lines))), (inputs["letter.txt"].decode().split(), 60)


def framing(inputs: Files, files: Files, console: str) -> object:
    """Each good frame is a piece of the input, in order; a disturbed one is left out whole."""
    sent, got, at, number, lost = inputs["speech.pcm"], files["received.pcm"], 0, 0, 0
    begin = 0
    while begin < len(sent):
        length = min(1 + number * 7 % 96, len(sent) - begin)
        if got[at : at + length] == sent[begin : begin + length]:
            at += length
        else:
            lost += 1
        begin, number = begin + length, number + 1
    good = int(re.findall(r"(\d+) good", console)[0])
    return (at, number - lost), (len(got), good)


JUDGES: dict[str, Callable[[Files, Files, str], object]] = {
    "match": match,
    "symbols": symbols,
    "suffixes": suffixes,
    "naturals": naturals,
    "machine": machine,
    "calendar": calendar,
    "lisp": lisp,
    "fill": fill,
    "framing": framing,
}
