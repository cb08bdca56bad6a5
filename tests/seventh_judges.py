"""Judges of the programs of the seventh drawing, as program_judges has those of the first."""

import hashlib
import hmac
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from random import Random
from types import ModuleType
from typing import Any

import numpy as np

Files = dict[str, bytes]
Judge = Callable[[Files, Files, str], object]
WORD = 2**32


def _inputs(name: str) -> ModuleType:
    """A module of the benchmark that makes inputs."""
    return sys.modules[name]


def _random(kind: str, size: int, name: str) -> Random:
    """The generator that an input was made with."""
    return Random(f"2026/{kind}/{size}/{name}")


def _numerical(seed: int) -> Iterator[int]:
    """The generator of Numerical Recipes, whose low bits are dropped."""
    while True:
        seed = (seed * 1664525 + 1013904223) % WORD
        yield seed >> 16


def _maps(a: Any, b: Any) -> Iterator[list[int]]:
    """All ways to number the atoms of a molecule so that it is the other one."""
    if len(a.elements) != len(b.elements) or len(a.bonds) != len(b.bonds):
        return
    near = []
    for one in (a, b):
        sets: list[set[int]] = [set() for _ in one.elements]
        for x, y in one.bonds:
            sets[x].add(y)
            sets[y].add(x)
        near.append(sets)
    colours = []
    for one, sets in zip((a, b), near, strict=True):
        colour = list(one.elements)
        for _ in range(4):
            colour = [
                hashlib.sha1(
                    f"{colour[i]} {sorted(colour[j] for j in sets[i])}".encode()
                ).hexdigest()
                for i in range(len(colour))
            ]
        colours.append(colour)
    if sorted(colours[0]) != sorted(colours[1]):
        return

    def extended(made: list[int]) -> Iterator[list[int]]:
        atom = len(made)
        if atom == len(a.elements):
            yield made
            return
        for to in range(len(b.elements)):
            if colours[1][to] != colours[0][atom] or to in made:
                continue
            if all(
                (before in near[0][atom]) == (made[before] in near[1][to]) for before in range(atom)
            ):
                yield from extended([*made, to])

    yield from extended([])


def isomers(inputs: Files, files: Files, console: str) -> object:
    """Kinds, symmetries and places of equal atoms, by trying all ways."""
    made = _inputs("code_inputs").molecules(60, _random("molecules", 60, "molecules.txt"))[0]
    kinds: list[Any] = []
    said: list[tuple[int, int]] = []
    seen: list[int] = []
    wanted = []
    for number, one in enumerate(made):
        kind = next(
            (k for k, other in enumerate(kinds) if any(True for _ in _maps(one, other))), None
        )
        if kind is None:
            kind = len(kinds)
            kinds.append(one)
            seen.append(0)
            symmetries = list(_maps(one, one))
            orbits = {min(way[atom] for way in symmetries) for atom in range(len(one.elements))}
            said.append((len(symmetries), len(orbits)))
        seen[kind] += 1
        elements = "".join(sorted(one.elements))
        count, places = said[kind]
        wanted.append(f"{number}: {elements} is kind {kind}, {count} symmetries, {places} places")
    found = files["kinds.txt"].decode().splitlines(), console.split("\n")[:2]
    totals = [f"60 molecules, {len(kinds)} kinds", "".join(f"{one} " for one in seen)]
    return found, (wanted, totals)


def _picture(data: bytes) -> np.ndarray:
    head, width, height, _, *_ = data.split(maxsplit=4)
    assert head == b"P6"
    pixels = np.frombuffer(data[-3 * int(width) * int(height) :], np.uint8)
    return pixels.reshape(int(height), int(width), 3).astype(float)


def jp2_pack(inputs: Files, files: Files, console: str) -> object:
    """Marks of the format; the unpacker gives the same picture."""
    packed, plain = files["picture.j2k"], inputs["picture.ppm"]
    size = struct.unpack(">II", packed[8:16])
    whole = sys.modules["benchmark"].host_run("jp2-unpack").files["whole.ppm"]
    found = packed[:4], packed[-2:], size, whole, len(packed) < len(plain)
    return found, (b"\xff\x4f\xff\x51", b"\xff\xd9", (48, 36), plain, True)


def jp2_unpack(inputs: Files, files: Files, console: str) -> object:
    plain = sys.modules["benchmark"].programs()["jp2-pack"].files()["picture.ppm"]
    half = _picture(plain).reshape(18, 2, 24, 2, 3).mean(axis=(1, 3))
    off = float(np.abs(_picture(files["half.ppm"]) - half).mean())
    return (files["whole.ppm"], off < 14), (plain, True)


def jingle(inputs: Files, files: Files, console: str) -> object:
    """Every note has its frequency, by the lag after which it is most like itself."""
    wave = files["jingle.wav"]
    samples = np.frombuffer(wave[44:], "<i2").astype(float)
    at, good = 0, []
    for line in inputs["score.txt"].decode().splitlines():
        _, hertz, frames = map(int, line.split())
        part = samples[at + 16 : at + frames]
        at += frames
        period = 16000 / hertz
        lags = range(round(period * 0.7), round(period * 1.3) + 1)
        alike = [float(np.corrcoef(part[:-lag], part[lag:])[0, 1]) for lag in lags]
        best = lags[int(np.argmax(alike))]
        good.append(abs(best - period) < 0.04 * period + 0.6 and max(alike) > 0.9)
    found = (
        all(good),
        len(good),
        wave[:4],
        struct.unpack("<I", wave[40:44])[0] // 2,
        console.strip(),
    )
    return found, (True, 6, b"RIFF", at, f"{at} frames")


def listing(inputs: Files, files: Files, console: str) -> object:
    made = _inputs("code_inputs").instructions(500, _random("x86", 500, "code.bin"))
    at, wanted, lengths = 0x401000, [], [0] * 16
    for one in made:
        wanted.append(f"{at:x}: {one.text}")
        lengths[len(one.code)] += one.text != "(bad)"
        at += len(one.code)
    wanted += [f"to {one:x}" for one in sorted({one.target for one in made if one.target})]
    bad = sum(one.text == "(bad)" for one in made)
    counts = " ".join(map(str, lengths[1:]))
    said = f"{len(made) - bad} instructions, {bad} bad, lengths {counts}"
    return (files["listing.txt"].decode().splitlines(), console.strip()), (wanted, said)


def handsfree(inputs: Files, files: Files, console: str) -> object:
    """The echo is ten times weaker once it was learnt; who speaks nearby is heard."""
    count = len(inputs["both.pcm"]) // 4
    _, near, heard = _inputs("code_inputs").room(count, _random("room", count, "both.pcm"))
    clean = np.frombuffer(files["near.pcm"], "<i2").astype(float)
    echo = np.array(heard[count // 4 : count // 2], float)
    left = clean[count // 4 : count // 2]
    speaks = slice(count // 2 + 200, 3 * count // 4)
    alike = max(
        float(np.corrcoef(clean[speaks], np.roll(np.array(near, float), lag)[speaks])[0, 1])
        for lag in range(-4, 5)
    )
    share = float(np.sum(left**2) / np.sum(echo**2))
    return (share < 0.1, alike > 0.9, len(clean)), (True, True, count)


def denoise(inputs: Files, files: Files, console: str) -> object:
    """The fan alone is much weaker when it was learnt; the voice stays as it was."""
    before, after = (
        np.frombuffer(one, "<i2").astype(float) for one in (inputs["voice.pcm"], files["clean.pcm"])
    )
    count = len(before)
    fan = slice(count // 2 - 1000, count // 2 - 160)
    share = float(np.sum(after[fan] ** 2) / np.sum(before[fan] ** 2))
    later = slice(count // 2, count - 200)
    alike = max(
        float(np.corrcoef(before[later], np.roll(after, -lag)[later])[0, 1]) for lag in range(161)
    )
    said = [int(one) for one in re.findall(r": (\d+) of", console)]
    near = min(said) < 300 and len(said) == count // 80 // 20
    return (share < 0.2, alike > 0.95, near), (True, True, True)


def tangents(inputs: Files, files: Files, console: str) -> object:
    """Near to the slope of the ground along its map; the sign says where that is mirrored."""
    lines = inputs["mesh.txt"].decode().splitlines()
    count, faces, _ = map(int, lines[0].split())
    corners = np.array([line.split() for line in lines[1 : count + 1]], float)
    triples = [list(map(int, line.split())) for line in lines[count + 1 :]]
    good = []
    for line, triple in zip(files["tangents.txt"].decode().splitlines(), triples, strict=True):
        _, *numbers = line.split()
        tangent, sign = np.array(numbers[:3], float) / 100, int(numbers[3])
        way = 1 if corners[triple, 0].mean() > 0.5 else -1
        normal = corners[triple[0], 3:6]
        slope = way * np.array([1, 0, -normal[0] / normal[2]])
        slope /= np.linalg.norm(slope)
        good.append(float(tangent @ slope) > 0.97 and sign == way and abs(tangent @ normal) < 0.03)
    return (all(good), len(good), int(console.split()[0])), (True, faces, faces)


def peers(inputs: Files, files: Files, console: str) -> object:
    size = len(inputs["letter.txt"])
    received, pieces, states, *_ = map(int, re.findall(r"\d+", console))
    sent, lost, doubled = map(int, re.findall(r"\d+", console.splitlines()[1]))
    fair = 0 < lost < sent // 4 and 0 < doubled < sent and 0 < states <= pieces + 1
    found = files["again.txt"], received, pieces, fair, "out of order" in console
    return found, (inputs["letter.txt"], size, -(-size // 700), True, False)


def unlock(inputs: Files, files: Files, console: str) -> object:
    word = inputs["words.txt"].split()[0]
    wanted = [
        f"{n} {hashlib.scrypt(word, salt=b'drawer %d' % n, n=128, r=4, p=1, dklen=32).hex()}"
        for n in range(4)
    ]
    return (files["keys.txt"].decode().splitlines(), console.strip()), (wanted, "drawer 2 opens")


def backup(inputs: Files, files: Files, console: str) -> object:
    """OpenSSL has the cipher, Python the tag."""
    plain, kept = inputs["letter.txt"], files["letter.kept"]
    salt, body, tag = kept[:8], kept[8:-32], kept[-32:]
    keys = hashlib.pbkdf2_hmac("sha256", b"open sesame", salt, 24, 64)
    options = ["-d", "-K", keys[:32].hex(), "-iv", (salt + bytes(8)).hex()]
    done = subprocess.run(
        ["openssl", "enc", "-camellia-256-ctr", *options], input=body, capture_output=True
    )
    check = 0
    for byte in plain:
        check = (check * 31 + byte) % WORD
    said = f"{check:08x}, {check:08x}, as it was, refused"
    wanted = plain, hmac.digest(keys[32:], body, "sha256"), said
    return (done.stdout, tag, console.strip()), wanted


def rota(inputs: Files, files: Files, console: str) -> object:
    """All teams, by trying them."""
    made = _inputs("code_inputs").days(6, _random("days", 6, "people.txt"))
    wanted, teams = [], 0
    for number, one in enumerate(made):
        friends = [
            {b for b in range(len(one.worth)) if (min(a, b), max(a, b)) in one.pairs}
            for a in range(len(one.worth))
        ]
        found: list[tuple[int, tuple[int, ...]]] = []

        def grow(
            team: tuple[int, ...], left: set[int], friends=friends, one=one, found=found
        ) -> None:  # type: ignore[no-untyped-def]
            if team:
                found.append((sum(one.worth[who] for who in team), team))
            for who in sorted(left):
                grow((*team, who), {other for other in left & friends[who] if other > who})

        grow((), set(range(len(one.worth))))
        most = max(found)[0]
        best = [(worth, team) for worth, team in found if worth >= most - 2]
        teams += len(best)
        lines = sorted(f"{' '.join(map(str, team))} = {worth}" for worth, team in best)
        wanted.append([f"day {number + 1}: {most}", *lines])
    said = [
        part.splitlines() for part in re.split(r"(?m)^(?=day)", files["teams.txt"].decode())[1:]
    ]
    said = [[head, *sorted(rest)] for head, *rest in said]
    return (said, console.strip()), (wanted, f"6 days, {teams} teams")


def conveyor(inputs: Files, files: Files, console: str) -> object:
    """Every parcel is moved once, to its chute; parcels of an arm stay in order but for express."""
    draws, wanted = _numerical(2026), []
    totals = [[0, 0, 0] for _ in range(5)]
    for number in range(240):
        chute, fragile, express, grams = (next(draws) % below for below in (5, 6, 8, 9000))
        next(draws)
        words = f"{number} to {chute}, {grams + 100} g"
        words += ", fragile" * (fragile == 0) + ", express" * (express == 0)
        wanted.append(words)
        totals[chute] = [
            a + b for a, b in zip(totals[chute], (1, fragile == 0, grams + 100), strict=True)
        ]
    lines = [f"chute {n}: {a} parcels, {b} fragile, {c} g" for n, (a, b, c) in enumerate(totals)]
    arms = [sum(totals[n][0] for n in chutes) for chutes in ((0, 2, 4), (1, 3))]
    lines.append(f"arms: {arms[0]} and {arms[1]}, chutes full: yes")
    found = files["report.txt"].decode().splitlines()
    ordered = [
        [int(line.split()[0]) for line in found if "express" not in line and f"to {n}," in line]
        for n in range(5)
    ]
    orderly = all(one == sorted(one) for one in ordered)
    return (sorted(found), console.splitlines(), orderly), (sorted(wanted), lines, True)


def _ansi(seed: int) -> Iterator[int]:
    """The generator that the standard of C has as an example."""
    while True:
        seed = (seed * 1103515245 + 12345) % WORD
        yield seed >> 16 & 0x7FFF


def probes(inputs: Files, files: Files, console: str) -> object:
    """The lines of each probe, with the median of its last five temperatures."""
    asked, transfers, said, wanted = 120, 0, [], []
    for n in range(4):
        draws, last, refused, wrong = _ansi(2026 + 77 * n), [], 0, 0
        lines = []
        for _ in range(asked):
            if next(draws) % 16 == 0:
                refused += 1
                continue
            kelvin = 293 * 16 + n * 20 + next(draws) % 40 - 20
            if next(draws) % 20 == 0:
                kelvin += 900
            pascals, humidity = 101000 + next(draws) % 600, 400 + next(draws) % 50
            if next(draws) % 25 == 0:
                wrong += 1
                continue
            last.append(kelvin)
            if len(last) >= 5:
                celsius = sorted(last[-5:])[2] - 273 * 16 - 2
                lines.append(
                    f"{n} {celsius // 16}.{celsius % 16 * 100 // 16:02} C {pascals} Pa {humidity}"
                )
        wanted.append(lines)
        said.append(f"probe {n}: {asked} reads, {refused} refused, {wrong} wrong, {len(last)} kept")
        transfers += asked
        asked -= refused
    found = files["samples.txt"].decode().splitlines()
    by_probe = [[line for line in found if line[0] == str(n)] for n in range(4)]
    return (by_probe, console.splitlines()), (wanted, [*said, f"{transfers} transfers"])


def batch(inputs: Files, files: Files, console: str) -> object:
    made = _inputs("machine_inputs").sources(40, _random("pcode", 40, "sources.txt"))
    wanted, wrong = [], 0
    for one in made:
        if isinstance(one.result, str):
            before, _, mistake = one.result.rpartition("|")
            wanted.append(f"{one.name}:{before} mistake: {mistake}")
            wrong += 1
        else:
            wanted.append(f"{one.name}:{''.join(f' {value}' for value in one.result)}")
    found = files["results.txt"].decode().splitlines(), console.rpartition(",")[0]
    return found, (wanted, f"40 programs, {wrong} wrong")


def arcade(inputs: Files, files: Files, console: str) -> object:
    """The memory after the game: sorted numbers, multiples, products, a sum."""
    tape, memory, parts, at = inputs["game.bin"], files["memory.bin"], {}, 0
    while at < len(tape):
        place, size = struct.unpack_from("<HH", tape, at)
        parts[place] = tape[at + 4 : at + 4 + size]
        at += 4 + size
    numbers = sorted(parts[0x300])
    composite = bytes(n > 2 and any(n % d == 0 for d in range(2, n)) for n in range(256))
    left, right = parts[0x500][:64], parts[0x500][64:]
    products = [a * b for a, b in zip(left, right, strict=True)]
    found = (
        list(memory[:64]),
        memory[0x100:0x200],
        [
            low | high << 8
            for low, high in zip(memory[0x300:0x340], memory[0x340:0x380], strict=True)
        ],
        memory[0x400] | memory[0x401] << 8,
        console.split()[-1],
    )
    total = sum(numbers)
    return found, (numbers, composite, products, total, f"{total >> 8:02x}")


TRANSFERS = ("control", "isochronous", "bulk", "interrupt")


def _descriptors(raw: bytes) -> tuple[list[str], str, list[int]]:
    """Lines for a device, what is wrong with it, and its endpoints, milliamps, bytes a second."""
    strings: list[str] = []
    at = 0
    while at + 2 <= len(raw) and raw[at] >= 2:
        if raw[at + 1] == 3 and at + raw[at] <= len(raw):
            strings.append(raw[at + 2 : at + raw[at]].decode("utf-16-le", "replace"))
        at += raw[at]

    def named(index: int) -> str:
        return strings[index - 1] if 0 < index <= len(strings) else "-"

    lines, sums, at = [], [0, 0, 0], 0
    while at < len(raw):
        size, kind = raw[at], raw[at + 1] if at + 1 < len(raw) else 0
        one = raw[at : at + size]
        if size < 2 or len(one) < size:
            return lines, "end", sums
        if kind == 1:
            usb, group, vendor, product, release, *names = struct.unpack("<2xHB3xHHHBBBx", one)
            version = f"usb {usb >> 8:x}.{usb & 255:02x} class {group:02x}"
            shown = f"release {release >> 8:x}.{release & 255:02x} {' / '.join(map(named, names))}"
            lines.append(f"{vendor:04x}:{product:04x} {version} {shown}")
        elif kind == 2:
            sums[1] = max(sums[1], 2 * one[8])
            power = ", own power" * bool(one[7] & 64) + ", wakes" * bool(one[7] & 32)
            lines.append(f"  configuration {one[5]}: {2 * one[8]} mA{power}")
        elif kind == 4:
            groups = f"{one[5]:02x}.{one[6]:02x}.{one[7]:02x}"
            lines.append(f"    interface {one[2]}.{one[3]} class {groups} {named(one[8])}")
        elif kind == 5:
            address, transfer, packet, every = struct.unpack("<2xBBHB", one)
            size_b, more = packet & 2047, (packet >> 11 & 3) + 1
            sums[0] += 1
            if transfer & 1:
                sums[2] += size_b * more * 1000 // every
            way = f"{'in' if address & 128 else 'out'} {address & 15} {TRANSFERS[transfer & 3]}"
            lines.append(f"      {way} {more}*{size_b} every {every}")
        at += size
    return lines, "", sums


def enumerate_devices(inputs: Files, files: Files, console: str) -> object:
    data, at, wanted, devices, bad, sums = inputs["devices.bin"], 0, [], 0, 0, [0, 0, 0]
    while at < len(data):
        size = int.from_bytes(data[at : at + 2], "little")
        lines, wrong, of_device = _descriptors(data[at + 2 : at + 2 + size])
        wanted += [*lines, *([f"  wrong: {wrong}"] if wrong else [])]
        devices += 1
        bad += bool(wrong)
        if not wrong:
            sums = [a + b for a, b in zip(sums, of_device, strict=True)]
        at += 2 + size
    counted = f"{sums[0]} endpoints, {sums[1]} mA, {sums[2]} bytes a second"
    said = f"{devices} devices, {bad} wrong, {counted}"
    return (files["devices.txt"].decode().splitlines(), console.strip()), (wanted, said)


KEYS = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")


def sequencer(inputs: Files, files: Files, console: str) -> object:
    """Times within three milliseconds of those of the score."""
    notes, tempi = _inputs("machine_inputs").song(400, _random("midi", 400, "song.mid"))

    def milliseconds(tick: int) -> float:
        ends = [at for at, _ in tempi[1:]] + [10**9]
        parts = [
            max(0, min(tick, end) - at) * tempo / 96_000
            for (at, tempo), end in zip(tempi, ends, strict=True)
        ]
        return sum(parts)

    wanted = sorted(
        (one.channel, one.at, one.key, one.loud * 90 // 127, one.ticks) for one in notes
    )
    pattern = re.compile(r" *(\d+) +(\d+) ch(\d+) +p(\d+) +([A-G]#?)(\d+) +v(\d+) bend 0")
    found = []
    for line in files["events.txt"].decode().splitlines()[1:]:
        one = pattern.fullmatch(line)
        assert one, line
        start, last, channel, program, key, octave, loud = one.groups()
        number = KEYS.index(key) + 12 * (int(octave) + 1)
        found.append((int(channel), int(start), number, int(loud), int(last), int(program)))
    left, good = list(found), []
    for channel, tick, key, loud, ticks in wanted:
        start, end = milliseconds(tick), milliseconds(tick + ticks)
        match = [
            one
            for one in left
            if (one[0], one[2], one[3], one[5]) == (channel, key, loud, 10 + channel)
            and abs(one[1] - start) < 3
            and abs(one[4] - (end - start)) < 3
        ]
        good.append(bool(match))
        if match:
            left.remove(match[0])
    counted = f" {len(notes)} notes" in console and " 0 lost" in console
    return (all(good), left, counted), (True, [], True)


def gauge(inputs: Files, files: Files, console: str) -> object:
    """The charge within four hundredths of what it was, after five minutes; the energy exactly."""
    lines, charges = _inputs("machine_inputs").battery(1500, _random("pack", 1500, "pack.txt"))
    energy, wrong, seconds, wanted = 0, 0, 0, {}
    for line, charge in zip(lines, charges, strict=True):
        numbers = line.split()
        if len(numbers) < 5 or "?" in line:
            wrong += 1
            continue
        seconds += 1
        energy += sum(int(numbers[0]) * int(one) for one in numbers[1:])
        wanted[seconds] = charge
    off = []
    for row in files["charge.txt"].decode().splitlines():
        at, *cells = row.replace("*", " ").split()
        if int(at) > 300:
            off += [
                abs(float(one) / 100 - true)
                for one, true in zip(cells, wanted[int(at)], strict=True)
            ]
    first = console.splitlines()[0]
    thousandths = abs(energy) // 1000 * (1 if energy >= 0 else -1)
    said = f"{seconds} s, {wrong} lines wrong, {thousandths} mWs"
    return (max(off) < 0.04, len(off) > 100, first), (True, True, said)


PEERS = ("pump", "valve station", "office", "gauge 7")
STATES = ("up", "down", "slow", "unknown peer")


def blackout(inputs: Files, files: Files, console: str) -> object:
    """The lines that a ring of 2,048 bytes keeps until each failure."""
    draws, pulses, events, lost, failures, lines = _numerical(2026), 0, 0, 0, 0, []
    ring: list[tuple[int, str]] = []

    def keep(size: int, text: str) -> None:
        nonlocal lost
        while sum(one for one, _ in ring) + size + 2 > 2048:
            ring.pop(0)
            lost += 1
        ring.append((size + 2, text))

    while events < 1200:
        events += 1
        a, b, c, kind = (next(draws) % below for below in (4, 4, 3000, 7))
        peer, state = PEERS[a], STATES[b]
        if kind == 0:
            keep(8, f"boot {c}, reset cause 0x{c << 4:04X}")
        elif kind < 3:
            keep(9, f"level of tank {'ABCD'[a]} is {c - 400}, limit 3200")
        elif kind == 3:
            keep(2 + len(peer + state), f"link to {peer}: {state}")
        elif kind == 4:
            keep(16, f"motor {a} at {c - 1500} of 1500, status 0x{c << b:04X}")
        elif kind == 5:
            keep(6 + len(peer + state), f'user {peer} says "{state}" ({-c})')
        else:
            pulses += c**3
            keep(8, f"meter at {pulses} pulses")
        low = 900 * (next(draws) % 60 == 0)
        millivolts = 2700 + next(draws) % 900 - low
        keep(4, f"supply at {millivolts} mV")
        if millivolts < 2700:
            failures += 1
            lines += [f"-- failure at {millivolts} mV, {lost} lost", *(text for _, text in ring)]
            ring.clear()
    left = sum(one for one, _ in ring)
    counted = f"{len(lines) - failures} lines, {lost} lost, {left} left"
    said = f"{events} events, {failures} failures, {counted}"
    kept = len(files["log.bin"])
    return (
        (files["log.txt"].decode().splitlines(), console.strip(), kept),
        (lines, said, 2048 * failures),
    )


SEVENTH_JUDGES: dict[str, Judge] = {
    "arcade": arcade,
    "batch": batch,
    "blackout": blackout,
    "conveyor": conveyor,
    "enumerate": enumerate_devices,
    "gauge": gauge,
    "probes": probes,
    "sequencer": sequencer,
}
SEVENTH_JUDGES_OF_LIBRARIES: dict[str, Judge] = {
    "backup": backup,
    "denoise": denoise,
    "handsfree": handsfree,
    "isomers": isomers,
    "jingle": jingle,
    "jp2-pack": jp2_pack,
    "jp2-unpack": jp2_unpack,
    "listing": listing,
    "peers": peers,
    "rota": rota,
    "tangents": tangents,
    "unlock": unlock,
}
