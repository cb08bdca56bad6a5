"""Judges of the programs of the eighth drawing, as program_judges has those of the first."""

import base64
import hashlib
import hmac
import io
import ipaddress
import json
import re
import struct
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from fractions import Fraction
from math import floor, sqrt
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

Files = dict[str, bytes]
Judge = Callable[[Files, Files, str], object]
WORD = 2**32


def _inputs(name: str) -> ModuleType:
    """A module of the benchmark that makes inputs."""
    return sys.modules[name]


def _random(kind: str, size: int, name: str) -> Random:
    """The generator that an input was made with."""
    return Random(f"2026/{kind}/{size}/{name}")


def _lines(data: bytes) -> list[str]:
    return data.decode().splitlines()


def tarball(inputs: Files, files: Files, console: str) -> object:
    """Python's reader of archives lists the same; headers with a wrong sum are left out."""
    packed, at, bad = inputs["parts.tar"], 0, 0
    kept, lines = [], []
    while any(packed[at : at + 512]):
        head = packed[at : at + 512]
        size = int(head[124:135], 8)
        whole = 512 + -(-size // 512) * 512
        try:
            one = tarfile.TarInfo.frombuf(head, "utf-8", "strict")
        except tarfile.HeaderError:
            bad += 1
            lines.append("broken: sum")
        else:
            bits = "".join(
                letter if one.mode >> place & 1 else "-"
                for place, letter in zip(range(8, -1, -1), "rwx" * 3, strict=True)
            )
            kind = "d" if one.isdir() else "l" if one.issym() else "-"
            date = datetime.fromtimestamp(one.mtime, UTC).strftime("%Y-%m-%d %H:%M")
            name = one.name + "/" * one.isdir()
            line = f"{kind}{bits} {one.uname}/{one.gname} {one.size:6} {date} {name}"
            lines.append(line + f" -> {one.linkname}" * one.issym())
            kept.append((name, packed[at + 512 : at + 512 + size]))
        at += whole
    with tarfile.open(fileobj=io.BytesIO(files["again.tar"])) as archive:
        found = [
            (
                one.name + "/" * one.isdir(),
                file.read() if (file := archive.extractfile(one)) else b"",
            )
            if one.isfile()
            else (one.name + "/" * one.isdir(), b"")
            for one in archive
        ]
    total = sum(len(data) for _, data in kept)
    wanted = sorted(kept), lines, f"{len(kept)} entries, {bad} broken, {total} bytes"
    return (found, _lines(files["list.txt"]), console.strip()), wanted


Rows = tuple[tuple[int, ...], ...]


def _left(board: Rows) -> tuple[Rows, int]:
    rows, score = [], 0
    for row in board:
        tiles = [one for one in row if one]
        made: list[int] = []
        while tiles:
            one = tiles.pop(0)
            if tiles and tiles[0] == one and one < 15:
                tiles.pop(0)
                one += 1
                score += 1 << one
            made.append(one)
        rows.append(tuple(made + [0] * (4 - len(made))))
    return tuple(rows), score


def _slid(board: Rows, way: str) -> tuple[Rows, int]:
    """A board is four rows from the top; up and down are turned into left."""
    if way in "UD":
        board = tuple(zip(*board, strict=True))
    if way in "RD":
        board = tuple(row[::-1] for row in board)
    board, score = _left(board)
    if way in "RD":
        board = tuple(row[::-1] for row in board)
    if way in "UD":
        board = tuple(zip(*board, strict=True))
    return board, score


def slide(inputs: Files, files: Files, console: str) -> object:
    """Its moves with its tiles give the board that it shows, and a look ahead of one's own."""
    state = 2026

    def draw(below: int) -> int:
        nonlocal state
        state ^= state << 13 & (WORD - 1)
        state ^= state >> 17
        state ^= state << 5 & (WORD - 1)
        return state % below

    # Nibbles count from the lowest; the last row of the picture has the lowest four.
    def appear(board: Rows) -> Rows:
        cells = [one for row in board for one in row]
        places = [at for at in range(15, -1, -1) if not cells[at]]
        place = places[draw(len(places))]
        cells[place] = 1 if draw(8) else 2
        return tuple(tuple(cells[4 * row : 4 * row + 4]) for row in range(4))

    looks = 0

    def value(board: Rows) -> float:
        nonlocal looks
        looks += 1
        cells = [one for row in board for one in row][::-1]
        rough = sum(abs(cells[i] - cells[i + 1]) for i in range(16) if i % 4 < 3)
        rough += sum(abs(cells[i] - cells[i + 4]) for i in range(12))
        corner = cells.index(max(cells)) in (0, 3, 12, 15)
        return cells.count(0) * 2.75 - rough * 0.5 + 6.25 * corner

    def best(board: Rows, deep: bool) -> float:
        if not deep:
            return value(board)
        most = -1000.0
        for way in "LURD":
            after, score = _slid(board, way)
            if after != board:
                most = max(most, value(after) + score * 0.0625)
        return most

    def expected(board: Rows, deep: bool) -> np.float32:
        cells = [one for row in board for one in row]
        places = [at for at in range(15, -1, -1) if not cells[at]]
        total = np.float32(0)
        for at in places:
            for tile, weight in ((1, 0.875), (2, 0.125)):
                one = [*cells]
                one[at] = tile
                rows = tuple(tuple(one[4 * row : 4 * row + 4]) for row in range(4))
                total += np.float32(weight * best(rows, deep))
        return total / np.float32(len(places)) if places else np.float32(best(board, deep))

    board: Rows = appear(appear(((0,) * 4,) * 4))
    score, moves = 0, ""
    for _ in range(60):
        deep = sum(one == 0 for row in board for one in row) < 4
        choices = []
        for order, way in enumerate("LURD"):
            after, points = _slid(board, way)
            if after != board:
                sure = expected(after, deep) + np.float32(points * 0.0625)
                choices.append((sure, -order, way, after, points))
        if not choices:
            break
        *_, way, board, points = max(choices, key=lambda one: one[:2])
        score += points
        moves += way
        board = appear(board)
    *played, a, b, c, d = _lines(files["game.txt"])
    shown = [[int(one) for one in row.split()] for row in (a, b, c, d)]
    tiles = [[1 << one if one else 0 for one in row] for row in board]
    said = f"{len(moves)} moves, {score} points, {looks} boards seen"
    return ("".join(played), shown, console.strip()), (moves, tiles, said)


def forward(inputs: Files, files: Files, console: str) -> object:
    """The longest prefix that fits, by trying all."""
    routes: dict[Any, tuple[int, int]] = {}
    packets: Counter[int] = Counter()
    volume: Counter[int] = Counter()
    bad = lost = 0
    lines = _lines(inputs["events.txt"])
    for line in lines:
        action, *rest = line.split()
        try:
            if action == "?":
                address = ipaddress.ip_address(rest[0])
            else:
                network = ipaddress.ip_network(rest[0])
        except ValueError:
            bad += 1
            continue
        if action == "+":
            hop, metric = map(int, rest[1:])
            if network not in routes or routes[network][1] >= metric:
                routes[network] = hop, metric
        elif action == "-":
            if routes.pop(network, None) is None:
                bad += 1
        else:
            fits = [one for one in routes if address in one]
            if not fits:
                lost += 1
                continue
            hop = routes[max(fits, key=lambda one: one.prefixlen)][0]
            packets[hop] += 1
            volume[hop] += (len(line) + 1) * 8 % 1500 + 40
    ordered = sorted(routes, key=lambda one: (int(one.network_address), one.prefixlen))
    wanted = [f"{one} via {routes[one][0]} metric {routes[one][1]}" for one in ordered]
    wanted += [f"hop {n}: {packets[n]} packets, {volume[n]} bytes" for n in sorted(packets)]
    said = f"{len(lines)} lines, {bad} bad, {len(routes)} routes, {lost} lost"
    return (_lines(files["routes.txt"]), console.rpartition(",")[0]), (wanted, said)


def beacon(inputs: Files, files: Files, console: str) -> object:
    made = _inputs("radio_inputs").packets(4, _random("afsk", 4, "air.pcm"))
    wanted = []
    for one in made:
        ways = [one.source + ">" + one.to, *one.by]
        if one.by:
            ways[1] += "*"
        wanted.append(",".join(ways) + ":" + one.text)
    good = [line for line, one in zip(wanted, made, strict=True) if not one.broken]
    said = (
        f"{len(inputs['air.pcm']) // 2} samples, {len(good)} frames, {len(made) - len(good)} wrong"
    )
    return (_lines(files["packets.txt"]), console.rpartition(",")[0]), (good, said)


def locate(inputs: Files, files: Files, console: str) -> object:
    """It stays near the way that the robot went."""
    way = _inputs("radio_inputs").drive(32, _random("drive", 32, "drive.txt"))
    offs, numbers = [], []
    for line in _lines(files["places.txt"]):
        number, x, y, degrees = map(int, line.split())
        true_x, true_y, heading, _ = way[number - 1]
        turned = (degrees - np.degrees(heading) + 180) % 360 - 180
        offs.append((sqrt((x / 100 - true_x) ** 2 + (y / 100 - true_y) ** 2), abs(turned)))
        numbers.append(number)
    places, turns = zip(*offs, strict=True)
    good = float(np.mean(places)) < 0.15, max(places) < 0.6, float(np.mean(turns)) < 8
    blind = sum(line.endswith("no data") for *_, line in way)
    wanted = list(range(1, 33))
    said = f"32 steps of 32 lines, {blind} blind"
    return (good, numbers, console.rpartition(",")[0]), ((True, True, True), wanted, said)


class _Wrong(Exception):
    """The reason that a cell shows instead of a number."""


def sheet(inputs: Files, files: Files, console: str) -> object:
    """Python works out the same formulas."""
    made = _inputs("office_inputs").sheet(1, _random("sheet", 1, "cells.txt"))
    columns = "ABCDEFGH"
    known: dict[str, float | str] = {}
    busy: set[str] = set()
    names: dict[str, Callable[..., Any]] = {}

    def fail(why: str) -> float:
        raise _Wrong(why)

    def cell(name: str) -> float:
        one = made.get(name)
        if one is None:
            return 0.0
        if not one.text.startswith("="):
            return fail("#VALUE") if one.python == "word()" else float(one.python)
        if name in known:
            value = known[name]
            return fail(value) if isinstance(value, str) else value
        if name in busy:
            return fail("#CYCLE")
        busy.add(name)
        try:
            known[name] = float(eval(one.python, {"__builtins__": {}}, names))
        except _Wrong as wrong:
            known[name] = str(wrong)
            raise
        finally:
            busy.discard(name)
        return float(known[name])

    def over(name: str, left: int, top: int, right: int, bottom: int) -> float:
        values = []
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                where = f"{columns[column]}{row}"
                if where in made and made[where].python != "word()":
                    values.append(cell(where))
        if name == "AVERAGE" and not values:
            return fail("#DIV/0")
        total = 0.0
        for one in values:
            total += one
        return {
            "SUM": total,
            "AVERAGE": total / max(1, len(values)),
            "MAX": max(values, default=-1e300),
            "MIN": min(values, default=1e300),
            "COUNT": len(values),
        }[name]

    def divide(a: float, b: float) -> float:
        return fail("#DIV/0") if b == 0 else a / b

    def root(a: float) -> float:
        return fail("#NUM") if a < 0 else sqrt(a)

    names |= {"cell": cell, "over": over, "divide": divide, "root": root, "fail": fail}
    names["either"] = lambda condition, yes, no: yes if condition else no
    wanted, wrong = [], 0
    for row in range(1, 41):
        line = []
        for column in columns:
            name = f"{column}{row}"
            if name not in made:
                line.append("")
            elif made[name].python == "word()":
                line.append(made[name].text)
            else:
                try:
                    value = cell(name)
                except _Wrong as why:
                    wrong += 1
                    line.append(str(why))
                    continue
                if abs(value) >= 1e15:
                    line.append("#LARGE")
                    continue
                scaled = value * 100
                cents = floor(abs(Fraction(scaled)) + Fraction(1, 2))
                line.append(f"{'-' * (scaled < 0 and cents > 0)}{cents // 100}.{cents % 100:02}")
        wanted.append("|".join(f"{one:>12}" for one in line))
    formulas = sum(one.text.startswith("=") for one in made.values())
    said = f"{formulas} formulas worked out, {wrong} wrong"
    return (_lines(files["sheet.txt"]), console.rpartition(",")[0]), (wanted, said)


def downlink(inputs: Files, files: Files, console: str) -> object:
    """The text that was sent, but for lost blocks; heard alone it has many mistakes."""
    text, size = _inputs("radio_inputs").message(24), 16
    lost = [int(one) - 1 for one in re.findall(r"block (\d+) is lost", console)]
    wanted = b"".join(
        b"?" * size if n in lost else text[n * size : (n + 1) * size] for n in range(24)
    )
    heard = np.frombuffer(inputs["blocks.bin"], np.int8).reshape(24, 256)[:, :128] < 0
    raw = np.packbits(heard, axis=1).tobytes()
    return (files["text.txt"], len(lost) < 4, raw == text), (wanted, True, False)


def motorway(inputs: Files, files: Files, console: str) -> object:
    """The same motorway without tasks."""
    pieces, cells, cars, seconds = 4, 60, 70, 150
    road: list[dict[int, int]] = [{} for _ in range(pieces)]
    for i in range(cars):
        at = i * pieces * cells // cars
        road[at // cells][at % cells] = 0
    seeds = [2026 + 1000 * n for n in range(pieces)]
    moved, braked = [0] * pieces, [0] * pieces

    def picture(second: int) -> str:
        rows = ("".join(str(one.get(at, ".")) for at in range(cells)) for one in road)
        return f"{second:4d} " + " ".join(rows)

    lines = [picture(0)]
    for second in range(seconds):
        free = [min(one, default=cells) for one in road]
        after: list[dict[int, int]] = [{} for _ in range(pieces)]
        for n in range(pieces):
            front, room = cells, free[(n + 1) % pieces]
            for at in sorted(road[n], reverse=True):
                gap = front - at - 1 + (room if front == cells else 0)
                speed = min(5, road[n][at] + 1)
                braked[n] += speed > gap
                speed = min(speed, gap)
                if speed:
                    seeds[n] = (seeds[n] * 1103515245 + 12345) % WORD
                    speed -= (seeds[n] >> 16 & 0x7FFF) % 5 == 0
                moved[n] += speed
                to = at + speed
                if to >= cells:
                    after[(n + 1) % pieces][to - cells] = speed
                    room = to - cells
                else:
                    after[n][to] = speed
                    front = to
        road = after
        if second % 10 == 9:
            lines.append(picture(second + 1))
    said = [
        f"piece {n}: {len(road[n])} cars, {moved[n]} cells driven, braked {braked[n]} times"
        for n in range(pieces)
    ]
    said.append(f"{cars} cars, {1000 * sum(moved) // cars // seconds} cells in 1,000 seconds")
    return (_lines(files["roads.txt"]), console.splitlines()), (lines, said)


def assemble(inputs: Files, files: Files, console: str) -> object:
    """The words that the generator of the source knows, with the ways of its jumps."""
    made = _inputs("office_inputs").assembly(300, _random("avr", 300, "source.asm"))
    names, at = {"base": 0x60 + 4 * 8}, 0
    for one in made:
        if one.label:
            names[one.label] = at
        at += len(one.words)
    listing, image, mistakes = [], [], 0
    for number, one in enumerate(made, 1):
        codes = list(one.words)
        if one.jump:
            to, place, bits = one.jump
            way = names[to] - len(image) - 1
            assert -(1 << bits - 1) <= way < 1 << bits - 1
            codes = [codes[0] | way % (1 << bits) << place]
        words = [f"{len(image) + n:04x} {code:04x}" for n, code in enumerate(codes)]
        said = [f"line {number}: {one.mistake}"] if one.mistake else []
        mistakes += bool(one.mistake)
        # A rest of the line is said after the word, anything else before it.
        listing += words + said if one.mistake.startswith("more") else said + words
        image += codes
    ordered = sorted(names, key=lambda name: (names[name], name))
    listing += [f"{name:20} {names[name]:6}" for name in ordered]
    found = [line.rstrip() for line in _lines(files["listing.txt"])]
    wanted = listing, struct.pack(f"<{len(image)}H", *image)
    said = f"{len(image)} words, {len(names)} names, {mistakes} mistakes"
    return (found, files["image.bin"], console.strip()), (*wanted, said)


def stock(inputs: Files, files: Files, console: str) -> object:
    parts: dict[str, list[Any]] = {}
    wanted, refused, handled = [], 0, 0
    for line in _lines(inputs["lines.txt"]):
        action, name, *rest = line.split(" ")
        if not rest:
            continue
        handled += 1
        part = parts.setdefault(name, [0, 0.0, []])
        size = 12 if name.startswith("box-") else 1
        number = int(rest[0])
        if action == "in":
            part[1] += number * size * (float(rest[1]) / size)
            part[0] += number * size
            part[2].append(number * size)
        elif number > part[0]:
            refused += 1
            wanted.append(f"! only {part[0]} of {name}")
        else:
            part[1] -= part[1] / part[0] * number
            part[0] -= number
            part[2].append(-number)
    left = [(name, *part) for name, part in parts.items() if part[0] > 0]
    total = 0
    for name, count, worth, moves in sorted(left, key=lambda one: (-one[2], -one[1])):
        cents = floor(worth * 100 + 0.5)
        peak = max(0, *np.cumsum(moves).tolist())
        wanted.append(f"{name} {count} {cents} peak {peak}")
        total += cents
    said = f"{handled} lines, {refused} refused, {total} cents"
    return (_lines(files["report.txt"]), console.strip()), (wanted, said)


P, A, B = 2**160 - 2**31 - 1, -3, 0x1C97BEFC54BD7A8B65ACF89F81D4D4ADC565FA45
BASE = 0x4A96B5688EF573284664698968C38BB913CBFC82, 0x23A628553168947D59DCC912042351377AC5FB32
ORDER = 0x0100000000000000000001F4C8F927AED3CA752257
Point = tuple[int, int] | None
"""Of secp160r1; None is the point at infinity."""


def _added(a: Point, b: Point) -> Point:
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % P == 0:
        return None
    if a == b:
        slope = (3 * a[0] ** 2 + A) * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope**2 - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def _times(number: int, point: Point) -> Point:
    result: Point = None
    while number:
        if number & 1:
            result = _added(result, point)
        point = _added(point, point)
        number >>= 1
    return result


def attest(inputs: Files, files: Files, console: str) -> object:
    """Digests by Python; signatures are checked on the curve with Python's numbers."""
    data = inputs["firmware.bin"]
    parts = [data[at : at + 512] for at in range(0, len(data), 512)]
    found, good = [], []
    key: Point = None
    digest = b""
    for line in _lines(files["report.txt"]):
        kind, text = line.split()
        raw = bytes.fromhex(text)
        halves = int.from_bytes(raw[:20], "big"), int.from_bytes(raw[20:], "big")
        if kind == "key":
            key = halves
            good.append((key[1] ** 2 - key[0] ** 3 - A * key[0] - B) % P == 0)
        elif kind == "digest":
            digest = raw
            found.append(raw)
        else:
            r, s = halves
            z, back = int.from_bytes(digest[:20], "big"), pow(s, -1, ORDER)
            sum_ = _added(_times(z * back % ORDER, BASE), _times(r * back % ORDER, key))
            good.append(sum_ is not None and sum_[0] % ORDER == r)
    wanted = [hashlib.sha256(part).digest() for part in parts]
    return (found, good, console.strip()), (wanted, [True] * 3, "6 parts, 1 good, 1 refused")


def _keystream(key: bytes, start: bytes, size: int) -> bytes:
    """AES in counter mode, by OpenSSL."""
    command = ["openssl", "enc", "-aes-128-ctr", "-K", key.hex(), "-iv", start.hex()]
    return subprocess.run(command, input=bytes(size), capture_output=True, check=True).stdout


def _numerical(seed: int) -> Iterator[int]:
    """The generator of Numerical Recipes, whose low bits are dropped."""
    while True:
        seed = (seed * 1664525 + 1013904223) % WORD
        yield seed >> 16


def _a_law(byte: int) -> int:
    byte ^= 0x55
    step, part = byte >> 4 & 7, byte & 15
    size = (part << 4) + 8 if step == 0 else (part << 4) + 0x108 << step - 1
    return size if byte & 0x80 else -size


def call(inputs: Files, files: Files, console: str) -> object:
    """RFC 3711 by OpenSSL and Python; the line's tricks are played again."""
    draws = _numerical(2026)
    key = bytes(next(draws) % 256 for _ in range(30))
    salt = int.from_bytes(key[16:], "big")

    def derived(label: int, size: int) -> bytes:
        start = ((salt ^ label << 48) << 16).to_bytes(16, "big")
        return _keystream(key[:16], start, size)

    cipher, tagged, salted = derived(0, 16), derived(1, 20), derived(2, 14)
    samples = np.frombuffer(inputs["speech.pcm"], "<i2").astype(int)
    count = len(samples) // 160
    opened, good = [], []
    for number in range(count):
        index = 65520 + number
        one = files["sealed.bin"][182 * number : 182 * (number + 1)]
        start = int.from_bytes(salted, "big") << 16 ^ 0xCAFE0042 << 64 ^ index << 16
        stream = _keystream(cipher, start.to_bytes(16, "big"), 160)
        body = bytes(a ^ b for a, b in zip(one[12:172], stream, strict=True))
        tag = hmac.digest(tagged, one[:172] + (index >> 16).to_bytes(4, "big"), "sha1")[:10]
        head = struct.pack(">HHII", 0x8008, index % 65536, number * 160, 0xCAFE0042)
        loud = samples[160 * number : 160 * (number + 1)]
        near = np.abs(np.array([_a_law(byte) for byte in body]) - loud)
        good.append(
            one[:12] == head and one[172:] == tag and bool((near <= 16 + abs(loud) / 24).all())
        )
        opened.append(struct.pack(">H", index % 65536) + body)
    heard, seen, totals = [], set(), Counter[str]()

    def hear(number: int) -> None:
        if number in seen:
            totals["again"] += 1
        else:
            seen.add(number)
            heard.append(opened[number])

    for number in range(count):
        kind = next(draws) % 8
        if kind == 0:
            totals["lost"] += 1
        elif kind == 1:
            totals["changed"] += 1
            next(draws), next(draws)
        else:
            hear(number)
            if kind == 2:
                totals["repeated"] += 1
                if number:
                    hear(number - 1)
    said = [
        f"{count} sent, {totals['lost']} lost, {totals['changed']} changed, "
        f"{totals['repeated']} repeated",
        f"refused: {totals['changed']} not genuine, {totals['again']} again",
    ]
    found = files["heard.bin"], all(good), console.splitlines()
    return found, (b"".join(heard), True, said)


class _Bits:
    """Bits that are read from their end, as LZFSE does."""

    def __init__(self, data: bytes, spare: int) -> None:
        self.value, self.left = int.from_bytes(data, "little"), 8 * len(data) + spare

    def pull(self, count: int) -> int:
        self.left -= count
        return self.value >> self.left & (1 << count) - 1


def _states(frequencies: list[int], count: int) -> list[tuple[int, int, int]]:
    """The decoder of a finite state entropy: for each state a symbol, bits and what to add."""
    made = []
    for symbol, often in enumerate(frequencies):
        if not often:
            continue
        bits = count.bit_length() - often.bit_length()
        first = (2 * count >> bits) - often
        for at in range(often):
            if at < first:
                made.append((symbol, bits, (often + at << bits) - count))
            else:
                made.append((symbol, bits - 1, at - first << bits - 1))
    return made


_LENGTHS = ([0] * 16 + [2, 3, 5, 8], [*range(16), 16, 20, 28, 60])
_MATCHES = ([0] * 16 + [3, 5, 8, 11], [*range(16), 16, 24, 56, 312])
_DISTANCES = ([one for one in range(16) for _ in range(4)], list[int]())
for _extra in _DISTANCES[0]:
    _last = len(_DISTANCES[1]) - 1
    _DISTANCES[1].append(_DISTANCES[1][-1] + (1 << _DISTANCES[0][_last]) if _last >= 0 else 0)


def _unpacked(data: bytes) -> bytes:
    """LZFSE's blocks of version 2, as its format says."""
    made, at = bytearray(), 0
    while (magic := data[at : at + 4]) != b"bvx$":
        assert magic == b"bvx2"
        one, two, three = struct.unpack_from("<3Q", data, at + 8)
        literals, literal_bytes, matches = (one >> place & 0xFFFFF for place in (0, 20, 40))
        literal_spare, match_spare = (one >> 60 & 7) - 7, (two >> 60 & 7) - 7
        states = [two >> place & 1023 for place in (0, 10, 20, 30)]
        match_bytes, head = two >> 40 & 0xFFFFF, three % WORD
        stream = int.from_bytes(data[at + 32 : at + head], "little")
        often = []
        for _ in range(20 + 20 + 64 + 256):
            low = stream & 31
            if low & 1 == 0:
                size, value = 2, low >> 1 & 1
            elif low & 2 == 0:
                size, value = 3, 2 + (low >> 2 & 1)
            elif low & 4 == 0:
                size, value = 5, 4 + (low >> 3)
            elif low & 8 == 0:
                size, value = 8, 8 + (stream >> 4 & 15)
            else:
                size, value = 14, 24 + (stream >> 4 & 1023)
            often.append(value)
            stream >>= size
        tables = [
            _states(often[first:last], count)
            for first, last, count in ((0, 20, 64), (20, 40, 64), (40, 104, 256), (104, 360, 1024))
        ]
        at += head
        bits = _Bits(data[at : at + literal_bytes], literal_spare)
        text = bytearray()
        for number in range(literals):
            symbol, size, plus = tables[3][states[number % 4]]
            states[number % 4] = plus + bits.pull(size)
            text.append(symbol)
        at += literal_bytes
        bits = _Bits(data[at : at + match_bytes], match_spare)
        now = [three >> place & 1023 for place in (32, 42, 52)]
        used = distance = 0
        for _ in range(matches):
            values = []
            for kind, (extra, base) in enumerate((_LENGTHS, _MATCHES, _DISTANCES)):
                symbol, size, plus = tables[kind][now[kind]]
                now[kind] = plus + bits.pull(size)
                values.append(base[symbol] + bits.pull(extra[symbol]))
            length, match, far = values
            distance = far or distance
            made += text[used : used + length]
            used += length
            for _ in range(match):
                made.append(made[-distance])
        at += match_bytes
    return bytes(made)


def lzfse_pack(inputs: Files, files: Files, console: str) -> object:
    packed, plain = files["letter.lzfse"], inputs["letter.txt"]
    said = f"{len(plain)} to {len(packed)} bytes"
    return (_unpacked(packed), console.partition(",")[0]), (plain, said)


def lzfse_unpack(inputs: Files, files: Files, console: str) -> object:
    plain = sys.modules["benchmark"].programs()["lzfse-pack"].files()["letter.txt"]
    return (files["again.txt"], console.split()[0]), (plain, str(len(plain)))


def reactor(inputs: Files, files: Files, console: str) -> object:
    """Another solver, of SciPy."""
    wanted: list[list[float]] = []
    lines = _lines(inputs["runs.txt"])
    for line in lines:
        feed, inflow, coolant, cooling, seconds = map(float, line.split())

        def change(
            _: float,
            state: Any,
            feed: float = feed,
            inflow: float = inflow,
            coolant: float = coolant,
            cooling: float = cooling,
        ) -> list[float]:
            a, b, c, kelvin = state
            first = 2e8 * np.exp(-62000 / (8.314 * kelvin)) * a
            second = 3e6 * np.exp(-55000 / (8.314 * kelvin)) * b * b
            heat = inflow * (300 - kelvin) + 45 * first + 30 * second - cooling * (kelvin - coolant)
            return [
                inflow * (feed - a) - first,
                first - 2 * second - inflow * b,
                second - inflow * c,
                heat,
            ]

        times = [seconds * n / 5 for n in range(1, 6)]
        solved = solve_ivp(
            change, (0, seconds), [feed, 0, 0, 300], "Radau", times, rtol=1e-8, atol=1e-10
        )
        wanted += [[round(t), *state] for t, state in zip(times, solved.y.T, strict=True)]
    said = _lines(files["course.txt"])
    rows = [[float(one) for one in re.split("[: ]+", line)] for line in said if ":" in line]
    off = np.abs(np.array(rows) - np.array(wanted)).max(axis=0)
    good = bool((off <= [0, 0.003, 0.003, 0.003, 0.3]).all())
    ends = said.count("done"), console.strip()
    return (len(rows), good, *ends), (
        len(wanted),
        True,
        len(lines),
        f"{len(lines)} runs, 0 failed, asked often",
    )


def chiptune(inputs: Files, files: Files, console: str) -> object:
    """Every note has its frequency, by the lag after which it is most like itself."""
    made = _inputs("screen_inputs").tune(10, _random("tune", 10, "tune.txt"))
    samples = np.frombuffer(files["tune.pcm"], "<i2").astype(float)
    at, good, per_frame = 0.0, [], (1789773 // 60) * 16000 / 1789773
    for hertz, _, frames in made:
        part = samples[round(at) + 200 : round(at + frames * per_frame) - 40]
        at += frames * per_frame
        period = 16000 / hertz
        lags = range(round(period * 0.7), round(period * 1.3) + 1)
        alike = [float(np.corrcoef(part[:-lag], part[lag:])[0, 1]) for lag in lags]
        best = lags[int(np.argmax(alike))]
        good.append(abs(best - period) < 0.04 * period + 0.6 and max(alike) > 0.75)
    count = sum(frames for *_, frames in made)
    short = abs(len(samples) - at) < 20
    said = f"{count} frames, {len(samples)} samples"
    return (all(good), short, console.strip()), (True, True, said)


class _Terminal:
    """A terminal of 24 lines and 64 columns, as ECMA-48 has them."""

    rows, columns = 24, 64

    def __init__(self) -> None:
        self.cells = [self.empty() for _ in range(self.rows)]
        self.row = self.column = self.bells = self.gone = 0
        self.full = False
        self.pen: set[str] = set()
        self.top, self.bottom = 0, self.rows
        self.reply, self.title = b"", ""

    def empty(self) -> list[tuple[str, int]]:
        return [(" ", 0)] * self.columns

    def scroll(self, top: int, bottom: int, lines: int) -> None:
        """Up if `lines` are more than none; what leaves the screen at its top is counted."""
        if lines > 0:
            lines = min(lines, bottom - top)
            self.gone += lines * (top == 0 and lines < bottom - top)
            part = self.cells[top + lines : bottom] + [self.empty() for _ in range(lines)]
        else:
            lines = min(-lines, bottom - top)
            part = [self.empty() for _ in range(lines)] + self.cells[top : bottom - lines]
        self.cells[top:bottom] = part

    def feed(self) -> None:
        if self.row == self.bottom - 1:
            self.scroll(self.top, self.bottom, 1)
        elif self.row < self.rows - 1:
            self.row += 1

    def letter(self, one: str) -> None:
        if one in "\r\n\t":
            before = self.row, self.column
            if one == "\r":
                self.column = 0
            elif one == "\n":
                self.feed()
            else:
                self.column = min(self.columns - 1, self.column // 8 * 8 + 8)
            self.full &= before == (self.row, self.column)
            return
        if one == "\a":
            self.bells += 1
            return
        if self.full:
            self.feed()
            self.column, self.full = 0, False
        colour = 8 * any(code[0] == "3" for code in self.pen)
        mark = ("1" in self.pen) + 2 * ("7" in self.pen) + 4 * ("4" in self.pen) + colour
        self.cells[self.row][self.column] = one, mark
        if self.column == self.columns - 1:
            self.full = True
        else:
            self.column += 1

    def command(self, text: str, end: str) -> None:
        numbers = [int(one or 0) for one in text.split(";")]
        count, line = max(1, numbers[0]), self.cells[self.row]
        before = self.row, self.column
        inside = self.top <= self.row < self.bottom
        at = self.column
        if end == "H":
            self.row = max(1, numbers[0]) - 1
            self.column = max(1, numbers[1] if len(numbers) > 1 else 1) - 1
        elif end in "ABCD":
            by_row, by_column = {"A": (-1, 0), "B": (1, 0), "C": (0, 1), "D": (0, -1)}[end]
            self.row = min(self.rows - 1, max(0, self.row + by_row * count))
            self.column = min(self.columns - 1, max(0, self.column + by_column * count))
        elif end == "J":
            self.cells = [self.empty() for _ in range(self.rows)]
        elif end == "K":
            first = 0 if numbers[0] else at
            last = at + 1 if numbers[0] == 1 else self.columns
            line[first:last] = self.empty()[first:last]
        elif end in "LM" and inside:
            self.scroll(self.row, self.bottom, count if end == "M" else -count)
        elif end == "@":
            line[at:] = (self.empty()[:count] + line[at:])[: self.columns - at]
        elif end == "P":
            line[at:] = (line[at + count :] + self.empty())[: self.columns - at]
        elif end == "X":
            line[at : at + count] = self.empty()[: len(line[at : at + count])]
        elif end == "m":
            for one in text.split(";"):
                self.pen = set() if one in ("", "0") else self.pen | {one}
        elif end == "r":
            self.top = max(1, numbers[0]) - 1
            self.bottom = numbers[1] if len(numbers) > 1 else self.rows
        elif end == "n":
            self.reply += f"\x1b[{self.row + 1};{self.column + 1}R".encode()
        self.full &= before == (self.row, self.column)


def screen(inputs: Files, files: Files, console: str) -> object:
    session, one = inputs["session.bin"].decode(), _Terminal()
    for title, numbers, end, letter in re.findall(
        r"(?s)\x1b\]0;(.*?)\x07|\x1b\[([\d;]*)([A-Za-z@])|(.)", session
    ):
        if title:
            one.title = title
        elif end:
            one.command(numbers, end)
        else:
            one.letter(letter)
    wanted = [
        "".join(letter for letter, _ in row)
        + "|"
        + "".join(chr(64 + mark) if mark else "." for _, mark in row)
        for row in one.cells
    ]
    wanted.append(f"said {len(one.reply)} bytes: {one.reply.hex(' ')}")
    said = (
        f"{len(inputs['session.bin'])} bytes, cursor {one.row}, {one.column}, {one.bells} bells, "
        f"{one.gone} lines gone, title {one.title}, drawn: yes"
    )
    return (_lines(files["picture.txt"]), console.strip()), (wanted, said)


def memo(inputs: Files, files: Files, console: str) -> object:
    """The format of QOA, read by Python."""
    packed = files["memo.qoa"]
    magic, count = struct.unpack_from(">4sI", packed)
    plain = np.frombuffer(inputs["speech.pcm"], "<i2").astype(float)
    made: list[int] = []
    at = 8
    while at < len(packed):
        about, size = struct.unpack_from(">IHH", packed, at)[0], 0
        samples, size = struct.unpack_from(">HH", packed, at + 4)
        assert about == 1 << 24 | 8000
        history = list(struct.unpack_from(">4h", packed, at + 8))
        weights = list(struct.unpack_from(">4h", packed, at + 16))
        for place in range(at + 24, at + size, 8):
            slice_ = int.from_bytes(packed[place : place + 8], "big")
            scale = floor((1 + (slice_ >> 60)) ** 2.75 + 0.5)
            for n in range(min(20, samples)):
                part = slice_ >> (57 - 3 * n) & 7
                step = floor(scale * (0.75, 2.5, 4.5, 7)[part >> 1] + 0.5)
                step = -step if part & 1 else step
                guess = sum(a * b for a, b in zip(history, weights, strict=True)) >> 13
                value = max(-32768, min(32767, guess + step))
                weights = [
                    weight + (-(step >> 4) if old < 0 else step >> 4)
                    for weight, old in zip(weights, history, strict=True)
                ]
                history = [*history[1:], value]
                made.append(value)
            samples -= min(20, samples)
        at += size
    again = np.array(made, float)
    ratio = 10 * np.log10((plain**2).sum() / ((plain - again) ** 2).sum())
    found = files["again.pcm"], magic, count, console.rpartition(",")[0], ratio > 20
    near = abs(float(console.split()[-2]) - ratio) < 0.06
    said = f"{len(plain)} samples, {len(packed)} bytes"
    wanted = struct.pack(f"<{len(made)}h", *made), b"qoaf", len(plain), said, True
    return (*found, near), (*wanted, True)


def _patched(source: list[str], hunks: list[str]) -> list[str]:
    """The lines after changes of diff's unified form."""
    made: list[str] = []
    at = 0
    for line in hunks:
        if line.startswith("@@"):
            start, count = re.findall(r"-(\d+)(?:,(\d+))?", line)[0]
            first = int(start) - (count != "0")
            made += source[at:first]
            at = first
        elif line[0] == "+":
            made.append(line[1:])
        else:
            assert source[at] == line[1:]
            if line[0] == " ":
                made.append(line[1:])
            at += 1
    return made + source[at:]


def merge(inputs: Files, files: Files, console: str) -> object:
    """The generator knows the joined text; the changes, applied, give what they came from."""
    base, ours, theirs, joined, conflicts = _inputs("screen_inputs").edits(200)
    _, *parts = re.split(r"(?m)^=== \w+\n", files["changes.txt"].decode())
    pairs = ((base, ours), (base, theirs), (ours, theirs))
    again = [
        _patched(source, part.splitlines()) for (source, _), part in zip(pairs, parts, strict=True)
    ]
    said = console.splitlines()[-1]
    wanted = f"{conflicts} conflicts, {len(files['joined.txt'])} bytes"
    found = _lines(files["joined.txt"]), again, said
    return found, (joined, [ours, theirs, theirs], wanted)


def scene(inputs: Files, files: Files, console: str) -> object:
    """NumPy multiplies the matrices; roundings may differ by one."""
    data = json.loads(inputs["scene.gltf"])
    raw = base64.b64decode(data["buffers"][0]["uri"].partition(",")[2])
    arrays = []
    for one in data["accessors"]:
        view = data["bufferViews"][one["bufferView"]]
        part = raw[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
        kind = "<f4" if one["type"] == "VEC3" else "<u2"
        arrays.append(np.frombuffer(part, kind).astype(float if kind == "<f4" else int))
    wanted: list[tuple[str, list[float]]] = []
    area, triangles = 0.0, 0

    def visit(index: int, before: np.ndarray, depth: int) -> None:
        nonlocal area, triangles
        node = data["nodes"][index]
        if "matrix" in node:
            local = np.array(node["matrix"], float).reshape(4, 4).T
        else:
            x, y, z, w = node.get("rotation", [0, 0, 0, 1])
            turn = np.array(
                [
                    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
                ]
            )
            local = np.eye(4)
            local[:3, :3] = turn * np.array(node.get("scale", [1, 1, 1]))
            local[:3, 3] = node["translation"]
        world = before @ local
        text, numbers = "  " * depth + node["name"] + " at", [*world[:3, 3]]
        if "mesh" in node:
            mesh = data["meshes"][node["mesh"]]
            primitive = mesh["primitives"][0]
            points = arrays[primitive["attributes"]["POSITION"]].reshape(-1, 3)
            placed = points @ world[:3, :3].T + world[:3, 3]
            corners = placed[arrays[primitive["indices"]]]
            text += f", {mesh['name']}, from to"
            numbers += [*corners.min(axis=0), *corners.max(axis=0)]
            a, b, c = corners.reshape(-1, 3, 3).transpose(1, 0, 2)
            area += float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2
            triangles += len(a)
        wanted.append((text, [100 * one for one in numbers]))
        for child in node.get("children", []):
            visit(child, world, depth + 1)

    visit(0, np.eye(4), 0)
    good, texts = [], []
    for line, (_, numbers) in zip(_lines(files["scene.txt"]), wanted, strict=True):
        head, _, rest = line.rpartition(" at ")
        found = [float(one) for one in re.findall(r"(?<!mesh )-?\b\d+", rest)]
        good.append(
            len(found) == len(numbers)
            and all(abs(a - b) <= 1 + 1e-4 * abs(b) for a, b in zip(found, numbers, strict=True))
        )
        mesh = re.findall(r", mesh \d, from", rest)
        texts.append(head + " at" + "".join(mesh) + " to" * bool(mesh))
    said = int(console.split()[-1])
    near = abs(said - area * 10) <= 2 + 1e-4 * area * 10
    head = f"{len(data['nodes'])} nodes, {triangles} triangles"
    return (texts, all(good), near, console.rpartition(",")[0]), (
        [text for text, _ in wanted],
        True,
        True,
        head,
    )


EIGHTH_JUDGES: dict[str, Judge] = {
    "assemble": assemble,
    "beacon": beacon,
    "downlink": downlink,
    "forward": forward,
    "locate": locate,
    "motorway": motorway,
    "sheet": sheet,
    "slide": slide,
    "tarball": tarball,
}
EIGHTH_JUDGES_OF_LIBRARIES: dict[str, Judge] = {
    "attest": attest,
    "call": call,
    "chiptune": chiptune,
    "lzfse-pack": lzfse_pack,
    "lzfse-unpack": lzfse_unpack,
    "memo": memo,
    "merge": merge,
    "reactor": reactor,
    "scene": scene,
    "screen": screen,
    "stock": stock,
}
