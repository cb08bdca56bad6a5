"""Judges of the programs of the third drawing, as program_judges has those of the first."""

import hashlib
import re
import struct
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import pairwise
from math import cos, pi, sin
from xml.etree import ElementTree

Files = dict[str, bytes]


def lz4(inputs: Files, files: Files, console: str) -> object:
    """A frame with blocks that are independent of each other, decoded by its published format."""
    packed, plain, at = files["letter.lz4"], bytearray(), 7
    while (size := int.from_bytes(packed[at : at + 4], "little")) & 0x7FFFFFFF:
        block, at = packed[at + 4 : at + 4 + (size & 0x7FFFFFFF)], at + 4 + (size & 0x7FFFFFFF)
        plain += block if size >> 31 else _lz4_block(block)
    return bytes(plain), inputs["letter.txt"]


def _lz4_block(block: bytes) -> bytes:
    found, at = bytearray(), 0

    def length(nibble: int) -> int:
        nonlocal at
        total, more = nibble, nibble == 15
        while more:
            total, more, at = total + block[at], block[at] == 255, at + 1
        return total

    while at < len(block):
        token = block[at]
        at += 1
        literals = length(token >> 4)
        found += block[at : at + literals]
        at += literals
        if at < len(block):
            distance = int.from_bytes(block[at : at + 2], "little")
            at += 2
            for _ in range(4 + length(token & 15)):
                found.append(found[-distance])
    return bytes(found)


FIELD, ORDER = 2**256 - 2**32 - 977, 2**256 - 0x14551231950B75FC4402DA1732FC9BEBF
Point = tuple[int, int] | None
BASE = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def _plus(a: Point, b: Point) -> Point:
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % FIELD == 0:
        return None
    over, under = (3 * a[0] ** 2, 2 * a[1]) if a == b else (b[1] - a[1], b[0] - a[0])
    slope = over * pow(under, -1, FIELD) % FIELD
    x = (slope**2 - a[0] - b[0]) % FIELD
    return x, (slope * (a[0] - x) - a[1]) % FIELD


def _times(factor: int, point: Point) -> Point:
    total: Point = None
    while factor:
        total = _plus(total, point) if factor & 1 else total
        point, factor = _plus(point, point), factor >> 1
    return total


def wallet(inputs: Files, files: Files, console: str) -> object:
    """Signatures by the equations of ECDSA, with whole numbers."""
    public = _times(int.from_bytes(b"a key that nobody should ever use"[:32]), BASE)
    tag, good = hashlib.sha256(b"wallet/line").digest() * 2, []
    for row in files["signed.txt"].splitlines(keepends=True):
        code, _, line = row.partition(b" ")
        serial = bytes.fromhex(code.decode())
        size = serial[3]
        r, s = int.from_bytes(serial[4 : 4 + size]), int.from_bytes(serial[6 + size :])
        digest = int.from_bytes(hashlib.sha256(tag + line).digest())
        back = pow(s, -1, ORDER)
        point = _plus(_times(digest * back % ORDER, BASE), _times(r * back % ORDER, public))
        good.append(point is not None and point[0] % ORDER == r)
    lines = len(inputs["lines.txt"].splitlines())
    return (good, console), ([True] * lines, f"{lines} good, {lines} refused\n")


def telemetry(inputs: Files, files: Files, console: str) -> object:
    root, values = ElementTree.fromstring(inputs["log.xml"]), dict[str, list[float]]()
    for one in root.iter("value"):
        values.setdefault(one.attrib["channel"], []).append(float(one.text or "0"))
    rows = [line.split() for line in files["channels.txt"].decode().splitlines()]
    found = [(row[0], int(row[1]), row[2], row[3]) for row in rows]
    wanted = [
        (name, len(some), f"{min(some):.2f}", f"{max(some):.2f}") for name, some in values.items()
    ]
    means = [float(row[4]) for row in rows]
    near = all(
        abs(mean - sum(some) / len(some)) < 0.006
        for mean, some in zip(means, values.values(), strict=True)
    )
    rounded = [(a, b, round(float(c), 1), round(float(d), 1)) for a, b, c, d in found]
    return (rounded, near), (
        [(a, b, round(float(c), 1), round(float(d), 1)) for a, b, c, d in wanted],
        True,
    )


def markdown(inputs: Files, files: Files, console: str) -> object:
    """Heads, blocks of code, and all words in their order, without what marks them."""
    text, page = inputs["manual.md"].decode(), files["manual.html"].decode()
    body = page[page.index("<h1") :]
    shown = re.findall(r"\w+", re.sub("<[^>]*>|&[a-z]+;", " ", body))
    bare = re.sub(r"\]\([^)]*\)|```c?|^1\. ", " ", text, flags=re.MULTILINE)
    heads = len(re.findall("^#", text, re.MULTILINE))
    return (
        (len(re.findall("<h[1-6]", body)), body.count("<pre>"), shown),
        (heads, text.count("```c"), re.findall(r"\w+", bare)),
    )


def track(inputs: Files, files: Files, console: str) -> object:
    wanted = []
    for line in inputs["receiver.nmea"].decode().splitlines():
        body, _, given = line[1:].partition("*")
        if reduce(lambda total, one: total ^ one, body.encode()) != int(given, 16):
            continue
        field = body.split(",")
        if field[0].endswith("GGA") and field[6] != "0":
            degrees = [int(x[:-7]) + float(x[-7:]) / 60 for x in (field[2], field[4])]
            wanted.append([*(round(1e6 * x) for x in degrees), round(10 * float(field[9]))])
    rows = [line.split() for line in files["track.txt"].decode().splitlines()]
    return [[int(x) for x in row[1:4]] for row in rows], wanted


def _crc16(data: bytes) -> int:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0xA001 * (crc & 1)
    return crc


def _frames(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        yield data[at + 1 : at + 1 + data[at]]
        at += 1 + data[at]


def modbus(inputs: Files, files: Files, console: str) -> object:
    """Registers by a dictionary: reads of them must give what was written last.

    A frame that writes and reads has written when its read is refused.
    """
    registers, answers, agreed = dict[int, int](), _frames(files["slave.bin"]), True
    for frame in _frames(inputs["master.bin"]):
        if _crc16(frame) or frame[0] not in (0, 17):
            continue
        answer = next(answers) if frame[0] else b""
        agreed &= not frame[0] or (_crc16(answer) == 0 and answer[0] == 17)
        kind, first, second = struct.unpack(">BHH", frame[1:6])
        refused = bool(frame[0]) and answer[1] & 0x80 != 0
        if refused and kind != 23:
            continue
        if kind == 6 and first < 128:
            registers[first] = second
        if kind in (16, 23):
            at, count, begin = (first, second, 7) if kind == 16 else (*_pair(frame[6:10]), 11)
            if at + count > 128:
                continue
            for number, (value,) in enumerate(struct.iter_unpack(">H", frame[begin:-2])):
                registers[at + number] = value
        if kind in (3, 23) and frame[0] and not refused:
            words = [value for (value,) in struct.iter_unpack(">H", answer[3:-2])]
            agreed &= words == [registers.get(first + i, 0) for i in range(second)]
    return (agreed, list(answers)), (True, [])


def _pair(data: bytes) -> tuple[int, int]:
    return int.from_bytes(data[:2]), int.from_bytes(data[2:])


BANDS = ((120, 0.7, 4), (350, 1.0, -3), (900, 1.2, 5), (1800, 1.4, -6), (3000, 0.9, 3))


def equaliser(inputs: Files, files: Files, console: str) -> object:
    """The same sections in the first direct form, in double: within a few steps."""
    signal = [float(x) for (x,) in struct.iter_unpack("<h", inputs["speech.pcm"])]
    for middle_hz, quality, gain_db in BANDS:
        a, w = 10 ** (gain_db / 40), 2 * pi * middle_hz / 8000
        alpha = sin(w) / (2 * quality)
        x1 = x2 = y1 = y2 = 0.0
        for i, x in enumerate(signal):
            y = (1 + alpha * a) * x - 2 * cos(w) * (x1 - y1) + (1 - alpha * a) * x2
            y = (y - (1 - alpha / a) * y2) / (1 + alpha / a)
            x1, x2, y1, y2, signal[i] = x, x1, y, y1, y
    found = [x for (x,) in struct.iter_unpack("<h", files["equalised.pcm"])]
    return max(abs(x - y / 2) for x, y in zip(found, signal, strict=True)) < 3, True


def protect(inputs: Files, files: Files, console: str) -> object:
    """Each block is a multiple of the generator: it is zero at sixteen powers."""
    power = [1]
    for _ in range(254):
        power.append(power[-1] << 1 ^ 0x11D * (power[-1] >> 7))
    place = {one: i for i, one in enumerate(power)}
    code, text, zeros = files["letter.rs"], inputs["letter.txt"], True
    for begin in range(0, len(code), 255):
        for root in range(16):
            total = 0
            for one in code[begin : begin + 255]:
                total = (power[(place[total] + root) % 255] if total else 0) ^ one
            zeros &= total == 0
    data = b"".join(code[begin : begin + 239] for begin in range(0, len(code), 255))
    return (zeros, data[: len(text)]), (True, text)


def repair(inputs: Files, files: Files, console: str) -> object:
    code, found = inputs["letter.rs"], files["letter.txt"]
    blocks = len(code) // 255
    wrong = sum(
        code[255 * i : 255 * i + 239] != found[239 * i : 239 * i + 239] for i in range(blocks)
    )
    lost = int(re.findall(r"(\d+) lost", console)[0])
    return (wrong <= lost, lost < blocks // 5), (True, True)


def lru(inputs: Files, files: Files, console: str) -> object:
    kept, hits, misses, evictions = OrderedDict[str, int](), 0, 0, 0
    for line in inputs["uses.txt"].decode().splitlines():
        name, _, action = line.partition(" ")
        if action == "d":
            kept.pop(name, None)
            continue
        if name in kept:
            hits += 1
            kept[name] += 1
        else:
            misses += 1
            if len(kept) == 64:
                kept.popitem(last=False)
                evictions += 1
            kept[name] = 0
        kept.move_to_end(name)
    rows = [line.split()[:2] for line in files["kept.txt"].decode().splitlines()]
    said = f"{hits} hits, {misses} misses, {evictions} evictions"
    return (rows, console[: len(said)]), (
        [[name, str(count)] for name, count in reversed(kept.items())],
        said,
    )


def external_sort(inputs: Files, files: Files, console: str) -> object:
    found = list(struct.iter_unpack("<IHh8s", files["sorted.bin"]))
    wanted = list(struct.iter_unpack("<IHh8s", inputs["records.bin"]))
    keys = [(key, sensor, note) for key, sensor, _, note in found]
    return (keys, sorted(found)), (sorted(keys), sorted(wanted))


def gateway(inputs: Files, files: Files, console: str) -> object:
    data, at, wanted = inputs["stream.bin"], 0, []
    while (at := data.find(b"\x7e", at)) >= 0:
        kind, length = data[at + 1 : at + 3]
        if length > 46:
            at += 3
            continue
        payload, given = data[at + 3 : at + 3 + length], data[at + 3 + length : at + 5 + length]
        low = high = 0
        for byte in payload:
            low = (low + byte) % 255
            high = (high + low) % 255
        values = _deltas(payload) if kind & 1 else [x for (x,) in struct.iter_unpack("<h", payload)]
        bad = given != bytes((low, high))
        wanted.append(" ".join([str(len(wanted)), *(["bad"] if bad else map(str, values))]))
        at += 5 + length
    return files["values.txt"].decode().splitlines(), wanted


def _deltas(payload: bytes) -> list[int]:
    value = part = shift = 0
    found = []
    for byte in payload:
        part |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            value += part >> 1 if part % 2 == 0 else -(part >> 1) - 1
            found.append(value)
            part = shift = 0
    return found


def plan(inputs: Files, files: Files, console: str) -> object:
    """Moves follow each other in time, and their ticks are all that it says."""
    rows = [re.findall(r"-?\d+", line) for line in files["moves.txt"].decode().splitlines()]
    moves, ticks = (int(one) for one in re.findall(r"(\d+) moves in (\d+)", console)[0])
    order = [int(row[4]) for row in rows]
    spent = sum(int(row[5]) for row in rows)
    pauses = 1000 * inputs["plate.gcode"].count(b"G4 ")
    return (len(rows), order, spent + pauses), (moves, sorted(order), ticks)


def elevator(inputs: Files, files: Files, console: str) -> object:
    """The lift moves by one floor at a time, and its doors open only where it stands."""
    rows = [line.split(maxsplit=2) for line in files["log.txt"].decode().splitlines()]
    changes = [row[2].split(",")[0].split(" to ") for row in rows if " to " in row[2]]
    followed = all(a[1] == b[0] for a, b in pairwise(changes))
    ticks = sum(
        int(line.split()[1])
        for line in inputs["calls.txt"].decode().splitlines()
        if line.startswith("tick")
    )
    told = [int(one) for one in re.findall(r"in (\d+) ticks, \d+ waited, (\d+) ch", console)[0]]
    return (followed, told), (True, [ticks, len(changes)])


def http(inputs: Files, files: Files, console: str) -> object:
    """Each request of the file has an answer, and bodies are what was put there last."""
    stored = {"/": "index", "/led": "", "/relay": "", "/temperature": ""}
    stored |= {"/config/network": "", "/config/name": ""}
    wanted, text = [], inputs["requests.bin"].decode()
    for head, body in _http(text):
        method, path, _ = head.split("\r\n")[0].split(" ")
        path = path.split("?")[0]
        if path not in stored:
            wanted.append((404, ""))
        elif method == "GET":
            wanted.append((200, stored[path]))
        elif method == "DELETE":
            wanted.append((405, ""))
        elif len(body) >= 48:
            wanted.append((413, ""))
        else:
            stored[path] = body
            wanted.append((204, ""))
    answers = re.findall(
        r"HTTP/1.1 (\d+) [\w ]+\r\n(?:[\w-]+: \w+\r\n)+\r\n([^\r]*?)(?=HTTP/1|$)",
        files["answers.bin"].decode(),
    )
    return [(int(status), said) for status, said in answers], wanted


def _http(text: str) -> Iterator[tuple[str, str]]:
    """Heads and bodies; a line that is no request is left out."""
    while text:
        line = text.split("\r\n", 1)[0]
        if "\x01" in line:
            text = text[len(line) + 2 :]
            continue
        head, _, text = text.partition("\r\n\r\n")
        size = int((re.findall(r"Content-Length: (\d+)", head) or ["0"])[0])
        yield head, text[:size]
        text = text[size:]


def resample(inputs: Files, files: Files, console: str) -> object:
    """Straight lines between samples, one sample late; rounded."""
    signal = [x for (x,) in struct.iter_unpack("<h", inputs["speech.pcm"])]
    found = [x for (x,) in struct.iter_unpack("<h", files["faster.pcm"])]
    off = []
    for number, one in enumerate(found[3:-3], 3):
        whole, part = divmod(number * 8000 / 11025 - 1, 1)
        before, after = signal[int(whole)], signal[int(whole) + 1]
        off.append(abs(before + part * (after - before) - one))
    return (max(off) < 0.51, abs(len(found) - len(signal) * 11025 / 8000) < 2), (True, True)


def keys(inputs: Files, files: Files, console: str) -> object:
    rows = [line.split() for line in files["keys.txt"].decode().splitlines()]
    said = ["differed" if int(row[0]) % 3 == 2 else "agreed" for row in rows]
    found = [row[1][:6] if row[1].startswith("agreed") else "differed" for row in rows]
    return (found, len(rows)), (said, 5)


THIRD_JUDGES: dict[str, Callable[[Files, Files, str], object]] = {
    "track": track,
    "modbus": modbus,
    "equalise-floating": equaliser,
    "equalise-fixed": equaliser,
    "protect": protect,
    "repair": repair,
    "lru": lru,
    "external-sort": external_sort,
    "gateway": gateway,
    "plan": plan,
    "elevator": elevator,
}
THIRD_JUDGES_OF_LIBRARIES: dict[str, Callable[[Files, Files, str], object]] = {
    "lz4-pack": lz4,
    "wallet": wallet,
    "telemetry": telemetry,
    "markdown": markdown,
    "http": http,
    "resample": resample,
    "key-exchange": keys,
}
