"""Inputs from a seed, as devices in the field get them: frames, sentences, samples, pages."""

import struct
from collections.abc import Callable
from math import cos, pi, sin
from random import Random

from vocabulary import words


def _sentence(body: str, random: Random, damaged: float = 0.02) -> str:
    """A sentence of NMEA 0183 with its sum; a few have a wrong character."""
    total = 0
    for letter in body:
        total ^= ord(letter)
    line = f"${body}*{total:02X}"
    if random.random() < damaged:
        at = random.randrange(1, len(body))
        line = line[:at] + random.choice("0123456789") + line[at + 1 :]
    return line + "\r\n"


def _nmea(count: int, random: Random) -> bytes:
    """So many seconds of a receiver of satellites: four sentences each."""
    latitude, longitude, course, knots = 48.1, 11.5, 40.0, 12.0
    lines = []
    for second in range(count):
        course += random.uniform(-6, 6)
        knots = max(0.0, min(30.0, knots + random.uniform(-1, 1)))
        way = knots * 0.514444 / 111_195
        latitude += way * cos(course * pi / 180)
        longitude += way * sin(course * pi / 180) / cos(latitude * pi / 180)
        clock = f"{9 + second // 3600:02}{second // 60 % 60:02}{second % 60:02}.00"
        north = f"{int(latitude):02}{latitude % 1 * 60:07.4f},N"
        east = f"{int(longitude):03}{longitude % 1 * 60:07.4f},E"
        fixed = int(random.random() > 0.03)
        height = 519 + random.uniform(-4, 4)
        used = random.randrange(5, 12)
        hdop = random.uniform(0.7, 2.2)
        lines += [
            f"GPGGA,{clock},{north},{east},{fixed},{used:02},{hdop:.1f},{height:.1f},M,47.6,M,,",
            f"GPRMC,{clock},{'VA'[fixed]},{north},{east},{knots:.2f},{course % 360:.1f},010126,,",
            f"GPVTG,{course % 360:.1f},T,,M,{knots:.2f},N,{knots * 1.852:.2f},K",
        ]
        if second % 4 == 0:
            seen = [
                f"{random.randrange(1, 33):02},{random.randrange(90):02},"
                f"{random.randrange(360):03},{random.randrange(15, 50):02}"
                for _ in range(8)
            ]
            lines += [f"GPGSV,2,{part + 1},08,{','.join(seen[4 * part :][:4])}" for part in (0, 1)]
    return "".join(_sentence(one, random) for one in lines).encode()


def _crc16(data: bytes) -> bytes:
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xA001 if crc & 1 else 0)
    return crc.to_bytes(2, "little")


def _modbus(count: int, random: Random) -> bytes:
    """So many frames of a master to slaves 16 to 18, each behind its length; some are broken."""
    found = bytearray()
    for _ in range(count):
        function = random.choices((1, 3, 5, 6, 15, 16, 23, 43), (4, 8, 3, 4, 2, 4, 2, 1))[0]
        first = random.randrange(0, 140 if function in (3, 6, 16, 23) else 270)
        number = random.randrange(1, 24)
        pdu = struct.pack(">BH", function, first)
        if function == 5:
            pdu += random.choice((b"\xff\x00", b"\x00\x00", b"\x12\x34"))
        elif function == 6:
            pdu += random.randbytes(2)
        else:
            pdu += struct.pack(">H", number)
        if function == 15:
            size = (number + 7) // 8
            pdu += bytes([size]) + random.randbytes(size)
        elif function == 16:
            pdu += bytes([2 * number]) + random.randbytes(2 * number)
        elif function == 23:
            pdu += struct.pack(">HHB", random.randrange(100), number, 2 * number)
            pdu += random.randbytes(2 * number)
        frame = bytearray(bytes([random.choices((0, 16, 17, 18), (1, 1, 12, 1))[0]]) + pdu)
        frame += _crc16(frame)
        if random.random() < 0.04:
            frame[random.randrange(len(frame))] ^= 1 << random.randrange(8)
        found += bytes([len(frame)]) + frame
    return bytes(found)


def _inertial(count: int, random: Random) -> bytes:
    """So many samples at 200 Hz: gyroscope at 2,000 degrees/s, accelerometer at 8 g, 16 bits."""
    roll, pitch, samples = 0.0, 0.0, []
    for number in range(count):
        t = number / 200
        rates = [40 * sin(0.7 * t), 25 * sin(1.1 * t + 1), 15 * sin(0.3 * t)]
        roll += rates[0] / 200
        pitch += rates[1] / 200
        r, p = roll * pi / 180, pitch * pi / 180
        shake = 0.6 if number % 500 > 470 else 0.0
        gravity = [-sin(p), sin(r) * cos(p), cos(r) * cos(p)]
        values = [16.4 * (one + random.gauss(0.4, 0.3)) for one in rates]
        values += [4096 * (one + random.gauss(0, 0.01 + shake)) for one in gravity]
        samples.append([max(-32768, min(32767, round(one))) for one in values])
    return b"".join(struct.pack("<6h", *one) for one in samples)


def _gcode(count: int, random: Random) -> bytes:
    """So many lines for a machine with three axes: travels, cuts, arcs, a few lines of settings."""
    lines, x, y = ["; plate", "G21", "G90", "G0 Z2 F480"], 20.0, 20.0
    for number in range(count):
        kind = random.randrange(12)
        feed = f" F{random.randrange(600, 4800, 60)}" if random.random() < 0.3 else ""
        if kind == 0:
            x, y = random.uniform(10, 60), random.uniform(10, 60)
            lines.append(f"N{number} G0 X{x:.2f} Y{y:.2f}")
        elif kind == 1:
            lines.append(f"G1 Z{random.uniform(-0.4, 0.4):.2f} (depth)")
        elif kind < 4:
            radius = random.uniform(1, 4)
            angle = random.uniform(0.3, 3)
            x1 = x + radius * (cos(angle) - 1)
            y1 = y + radius * sin(angle)
            lines.append(f"G3 X{x1:.3f} Y{y1:.3f} I{-radius:.3f} J0{feed}")
            x, y = x1, y1
        elif kind == 4 and number % 5 == 0:
            lines.append(random.choice(["G4 P200", "M3 S9000", "g91", "G90", "?status"]))
            if lines[-1] == "g91":
                lines += ["G1 X0.5 Y-0.5", "G90"]
                x, y = x + 0.5, y - 0.5
        else:
            x = max(0.0, x + random.uniform(-6, 6))
            y = max(0.0, y + random.uniform(-6, 6))
            lines.append(f"G1 X{x:.3f} Y{y:.3f}{feed}")
    return "".join(f"{line}\n" for line in lines).encode()


def _uses(count: int, random: Random) -> bytes:
    """So many uses of names: most of few names, some with a change, a few that are deleted."""
    names = words(220, random)
    random.shuffle(names)
    weights = [1 / (rank + 3) for rank in range(len(names))]
    chosen = random.choices(names, weights, k=count)
    actions = random.choices(["", " w", " d"], (85, 12, 3), k=count)
    return "".join(f"{a}{b}\n" for a, b in zip(chosen, actions, strict=True)).encode()


def _records(count: int, random: Random) -> bytes:
    """So many records of 16 bytes: time, sensor, value, a note."""
    notes = [one.encode()[:7] for one in words(30, random)]
    return b"".join(
        struct.pack(
            "<IHh8s",
            random.randrange(1 << 20),
            random.randrange(40),
            random.randrange(-3000, 3000),
            random.choice(notes),
        )
        for _ in range(count)
    )


def _calls(count: int, random: Random) -> bytes:
    """So many events of a lift with 12 floors: time that passes, calls, loads, a few faults."""
    lines = []
    for _ in range(count):
        kind = random.choices(("tick", "call", "load", "obstacle", "alarm"), (40, 40, 12, 6, 2))[0]
        if kind == "tick":
            lines.append(f"tick {random.randrange(1, 16)}")
        elif kind == "call":
            lines.append(f"call {random.choices(range(12), [5] + [1] * 11)[0]}")
        elif kind == "load":
            lines.append(f"load {random.choice((75, 150, 300, 640, 0))}")
        elif kind == "obstacle":
            lines.append(f"obstacle {random.randrange(1, 4)}")
        else:
            lines += [f"alarm {random.randrange(10)}", "tick 3", "reset"]
    return "".join(f"{line}\n" for line in lines).encode()


def _fletcher(data: bytes) -> bytes:
    low = high = 0
    for byte in data:
        low = (low + byte) % 255
        high = (high + low) % 255
    return bytes((low, high))


def _stream(count: int, random: Random) -> bytes:
    """So many frames for gateway/gateway.c, with a little noise between them."""
    found = bytearray()
    for _ in range(count):
        kind = random.randrange(4)
        if kind & 1:
            payload = bytearray()
            while len(payload) < random.randrange(10, 40):
                step = round(random.gauss(0, 90))
                code = 2 * step if step >= 0 else -2 * step - 1
                while code > 0x7F:
                    payload.append(code & 0x7F | 0x80)
                    code >>= 7
                payload.append(code)
        else:
            payload = bytearray(random.randbytes(2 * random.randrange(2, 22)))
        frame = bytes([0x7E, kind, len(payload)]) + payload + _fletcher(payload)
        if random.random() < 0.05:
            at = random.randrange(3, len(frame))
            frame = frame[:at] + bytes([frame[at] ^ 0x10]) + frame[at + 1 :]
        found += bytes(random.randrange(3)) + frame
    return bytes(found)


def _telemetry(count: int, random: Random) -> bytes:
    """So many samples of telemetry as XML, with events, comments and entities."""
    channels = [
        (name, random.choice(("V", "A", "degC", "bar", "rpm"))) for name in words(14, random)
    ]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<!DOCTYPE log [", "]>", "<log>"]
    for number in range(count):
        lines.append(f'  <sample number="{number}" time="{number * 250}">')
        for name, unit in random.sample(channels, 4):
            value = f"{random.uniform(-50, 400):.{random.randrange(1, 4)}f}"
            lines.append(f'    <value channel="{name}" unit="{unit}">{value}</value>')
        if random.random() < 0.15:
            kind = random.choice(("alarm", "notice", "limit &lt; 5 &amp; falling"))
            lines.append(f"    <event>{kind} {' '.join(words(3, random))}</event>")
        if random.random() < 0.05:
            lines.append(f"    <!-- {' '.join(words(5, random))} -->")
        lines.append("  </sample>" if random.random() < 0.9 else "    <idle/></sample>")
    return "".join(f"{line}\n" for line in [*lines, "</log>"]).encode()


def _manual(count: int, random: Random) -> bytes:
    """So many blocks of a manual in Markdown."""
    known = words(300, random)

    def span() -> str:
        text = " ".join(random.choices(known, k=random.randrange(1, 4)))
        kind = random.randrange(16)
        marks = {0: "**", 1: "*", 2: "`", 3: "~~", 4: "***"}
        if kind in marks:
            return f"{marks[kind]}{text}{marks[kind]}"
        if kind == 5:
            return f'[{text}](http://{random.choice(known)}.org "{random.choice(known)}")'
        return f'"{text}"' if kind == 6 else text

    def line() -> str:
        return " ".join(span() for _ in range(random.randrange(4, 8)))

    blocks = ["# " + random.choice(known).capitalize()]
    for _ in range(count):
        kind = random.randrange(9)
        if kind == 0:
            blocks.append(f"{'#' * random.randrange(2, 5)} {' '.join(random.sample(known, 3))}")
        elif kind == 1:
            items = random.randrange(2, 6)
            blocks.append("\n".join(f"{random.choice(('*', '1.'))} {line()}" for _ in range(items)))
        elif kind == 2:
            body = "\n".join(f"{one} = {random.randrange(99)};" for one in random.sample(known, 4))
            blocks.append(f"```c\n{body}\n```")
        elif kind == 3:
            rows = [" | ".join(random.sample(known, 3)) for _ in range(4)]
            blocks.append("\n".join([rows[0], "---|:-:|--:", *rows[1:]]))
        elif kind == 4:
            blocks.append("> " + "\n> ".join(line() for _ in range(2)))
        else:
            blocks.append("\n".join(line() for _ in range(random.randrange(2, 5))))
    return ("\n\n".join(blocks) + "\n").encode()


def _http(count: int, random: Random) -> bytes:
    """So many requests of HTTP to a small device, some of them wrong."""
    paths = ("/", "/led", "/relay", "/temperature", "/config/network", "/config/name", "/favicon")
    found = []
    for _ in range(count):
        method = random.choices(("GET", "PUT", "DELETE"), (10, 5, 1))[0]
        query = f"?{random.choice(words(6, random))}=1" if random.random() < 0.2 else ""
        lines = [f"{method} {random.choice(paths)}{query} HTTP/1.1", "Host: 192.168.0.17"]
        lines += random.sample(
            [
                "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/128.0",
                "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
                "Accept-Language: en-GB,en;q=0.5",
                "Accept-Encoding: gzip, deflate",
                f"Cookie: session={random.getrandbits(64):x}; theme=dark",
                "Connection: close" if random.random() < 0.3 else "Connection: keep-alive",
            ],
            random.randrange(1, 6),
        )
        body = ""
        if method == "PUT":
            body = " ".join(words(random.randrange(1, 9), random))
            lines.append(f"Content-Length: {len(body)}")
        if random.random() < 0.04:
            lines[0] = lines[0].replace(" HTTP", "\x01HTTP")
            lines, body = lines[:1], ""
        end = "" if len(lines) == 1 else "\r\n"
        found.append("".join(f"{line}\r\n" for line in lines) + end + body)
    return "".join(found).encode()


def _gif(size: int, random: Random) -> bytes:
    """A moving picture of so many points a side: four frames with discs on bands, in 16 colours."""
    palette = bytes(random.randrange(256) for _ in range(48))
    found = b"GIF89a" + struct.pack("<HHBBB", size, size, 0xF3, 0, 0) + palette
    discs = [[random.uniform(0, size), random.uniform(0, size), size / 6] for _ in range(5)]
    for _ in range(4):
        for disc in discs:
            disc[0] += random.uniform(-3, 3)
            disc[1] += random.uniform(-3, 3)
        points = bytearray()
        for y in range(size):
            for x in range(size):
                inside = [
                    n for n, (a, b, r) in enumerate(discs) if (x - a) ** 2 + (y - b) ** 2 < r * r
                ]
                points.append(1 + inside[0] if inside else 8 + (x + 2 * y) // 7 % 8)
        found += b"\x21\xf9\x04\x04\x0a\x00\x00\x00"
        found += b"\x2c" + struct.pack("<HHHHB", 0, 0, size, size, 0) + b"\x04"
        packed = _lzw(bytes(points))
        for at in range(0, len(packed), 255):
            piece = packed[at : at + 255]
            found += bytes([len(piece)]) + piece
        found += b"\x00"
    return found + b"\x3b"


def _lzw(points: bytes) -> bytes:
    """The codes of a GIF with 16 colours, from five bits a code upwards."""
    codes, width, bits, count = {bytes([n]): n for n in range(16)}, 5, 0, 0
    found, known = bytearray(), b""

    def put(code: int) -> None:
        nonlocal bits, count
        bits |= code << count
        count += width
        while count >= 8:
            found.append(bits & 255)
            bits >>= 8
            count -= 8

    put(16)
    following = 18
    for point in points:
        longer = known + bytes([point])
        if longer in codes:
            known = longer
            continue
        put(codes[known])
        codes[longer] = following
        if following == 1 << width:
            width += 1
        following += 1
        known = bytes([point])
        if following == 4096:
            put(codes[known])
            put(16)
            codes, width, following, known = {bytes([n]): n for n in range(16)}, 5, 18, b""
    if known:
        put(codes[known])
    put(17)
    if count:
        found.append(bits)
    return bytes(found)


FIELD_KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "calls": _calls,
    "gcode": _gcode,
    "gif": _gif,
    "http": _http,
    "inertial": _inertial,
    "manual": _manual,
    "modbus": _modbus,
    "nmea": _nmea,
    "records": _records,
    "stream": _stream,
    "telemetry": _telemetry,
    "uses": _uses,
}
"""Kinds of files, as inputs.KINDS has them."""
