"""Inputs from a seed for programs of the eighth drawing: sessions, tunes, stocks and changes."""

import base64
import json
import struct
from collections.abc import Callable
from random import Random
from typing import Any

from vocabulary import words

ROWS, COLUMNS = 24, 64


def _session(count: int, random: Random) -> bytes:
    """The output of a device for a terminal: text and so many commands."""
    known = words(300, random)
    out: list[str] = ["\x1b]0;lab 7\x07"]

    def text(letters: int) -> str:
        line = " ".join(random.choices(known, k=12))[:letters]
        return line.replace("q", "é").replace("z", "→")

    for number in range(count):
        kind = random.randrange(16)
        row, column = random.randrange(1, ROWS + 1), random.randrange(1, COLUMNS - 20)
        if kind < 4:
            out.append(f"\x1b[{row};{column}H{text(random.randrange(4, 18))}")
        elif kind < 6:
            out.append(f"\x1b[{row};1H{text(random.randrange(20, 60))}\r\n")
        elif kind == 6:
            out.append(f"\x1b[{row};{column}H\x1b[{random.choice(('', '0', '1', '2'))}K")
        elif kind == 7:
            out.append(f"\x1b[{row};1H\x1b[{random.randrange(1, 4)}{random.choice('LM')}")
        elif kind == 8:
            out.append(f"\x1b[{row};{column}H\x1b[{random.randrange(1, 6)}{random.choice('@PX')}")
        elif kind < 12:
            codes = random.sample(("1", "4", "7", "31", "32", "36"), k=random.randrange(1, 3))
            out.append(f"\x1b[{';'.join(codes)}m{text(random.randrange(3, 9))}\x1b[0m")
        elif kind == 12:
            top = random.randrange(1, 8)
            bottom = random.randrange(12, ROWS + 1)
            out.append(f"\x1b[{top};{bottom}r\x1b[{bottom};1H" + "\n" * random.randrange(1, 3))
            out.append(f"{text(9)}\x1b[r\x1b[1;1H")
        elif kind == 13:
            out.append(f"\x1b[{random.randrange(1, 4)}{random.choice('ABCD')}{text(2)}")
        elif kind == 14:
            out.append("\r\t\t*" if number % 3 else "\x07")
        elif number % 40 == 39:
            out.append("\x1b[2J")
        else:
            out.append(f"\x1b[{ROWS};1H\r\n{text(30)}")
    out.append("\x1b[3;5H\x1b[6n")
    return "".join(out).encode()


def tune(count: int, random: Random) -> list[tuple[int, int, int]]:
    """Notes of the first voice: Hertz, kind of wave and frames."""
    scale = (220, 247, 262, 294, 330, 349, 392, 440, 494, 523)
    return [
        (random.choice(scale), random.randrange(4), random.randrange(7, 12)) for _ in range(count)
    ]


def _tune(count: int, random: Random) -> bytes:
    lines = []
    for number, (hertz, duty, frames) in enumerate(tune(count, random)):
        lines.append(f"pulse 0 {hertz} 2500 {duty}")
        if number % 3 == 2:
            lines.append(f"pulse 1 {2 * hertz} 300 2")
        if number % 3 == 0:
            lines.append("pulse 1 0 0 0")
        if number % 4 == 1:
            lines.append("hit 500")
        lines.append(f"wait {frames}")
    return "".join(f"{line}\n" for line in lines).encode()


def _conditions(count: int, random: Random) -> bytes:
    """Runs of a reactor: feed, inflow, coolant, cooling, seconds."""
    lines = (
        f"{random.uniform(0.8, 1.6):.3f} {random.uniform(0.002, 0.01):.4f} "
        f"{random.uniform(285, 305):.1f} {random.uniform(0.005, 0.02):.4f} "
        f"{random.choice((600, 900))}"
        for _ in range(count)
    )
    return "".join(f"{line}\n" for line in lines).encode()


def _stock(count: int, random: Random) -> bytes:
    """Parts that come and go; more may go than there are."""
    names = [*words(18, random), "box-nails", "box-screws", "box-clips"]
    lines = []
    for _ in range(count):
        name = random.choice(names)
        if random.random() < 0.55:
            price = random.randrange(1, 64) / 8
            lines.append(f"in {name} {random.randrange(1, 9) * 4} {price}")
        elif random.random() < 0.95:
            lines.append(f"out {name} {random.randrange(1, 20)}")
        else:
            lines.append("# " + name)
    return "".join(f"{line}\n" for line in lines).encode()


def edits(count: int) -> tuple[list[str], list[str], list[str], list[str], int]:
    """A text, two changes of it, both joined, and how often they contradict each other."""
    random = Random(f"edits {count}")
    known = words(500, random)

    def fresh(number: int) -> str:
        return f"{number} " + " ".join(random.sample(known, random.randrange(3, 9)))

    base = [fresh(number) for number in range(count)]
    ours, theirs, joined = list[str](), list[str](), list[str]()
    at = conflicts = 0
    while at < count:
        calm = random.randrange(5, 12)
        for texts in (ours, theirs, joined):
            texts += base[at : at + calm]
        at += calm
        if at >= count:
            break
        size = random.randrange(1, 4)
        old = base[at : at + size]
        at += size
        kind = random.randrange(8)
        new = [fresh(1000 + 10 * at + n) for n in range(random.randrange(4))]
        if kind < 3:
            ours += new
            theirs += old
            joined += new
        elif kind < 6:
            ours += old
            theirs += new
            joined += new
        elif kind == 6:
            for texts in (ours, theirs, joined):
                texts += new
        else:
            other = [fresh(5000 + 10 * at + n) for n in range(2)]
            new = new or [fresh(9000 + at)]
            ours += new
            theirs += other
            joined += ["<<<<<<< ours", *new, "=======", *other, ">>>>>>> theirs"]
            conflicts += 1
    return base, ours, theirs, joined, conflicts


def _edit(which: int) -> Callable[[int, Random], bytes]:
    def made(count: int, random: Random) -> bytes:
        del random
        lines = edits(count)[which]
        assert isinstance(lines, list)
        return "".join(f"{line}\n" for line in lines).encode()

    return made


def scene(count: int, random: Random) -> dict[str, Any]:
    """A scene of so many nodes in glTF, with three meshes in one buffer of base64."""
    data = b""
    views: list[dict[str, Any]] = []
    accessors: list[dict[str, Any]] = []
    meshes = []
    for number in range(3):
        points = [
            [round(random.uniform(-2, 2), 2) for _ in range(3)] for _ in range(8 + 4 * number)
        ]
        corners = [random.randrange(len(points)) for _ in range(3 * (6 + 5 * number))]
        for part, kind, component in (
            (b"".join(struct.pack("<3f", *point) for point in points), "VEC3", 5126),
            (struct.pack(f"<{len(corners)}H", *corners), "SCALAR", 5123),
        ):
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
            accessors.append(
                {
                    "bufferView": len(views) - 1,
                    "componentType": component,
                    "count": len(points) if kind == "VEC3" else len(corners),
                    "type": kind,
                }
            )
            data += part + bytes(-len(part) % 4)
        attributes = {"POSITION": len(accessors) - 2}
        primitive = {"attributes": attributes, "indices": len(accessors) - 1}
        meshes.append({"name": f"mesh {number}", "primitives": [primitive]})
    nodes: list[dict[str, Any]] = []
    for number in range(count):
        node: dict[str, Any] = {"name": f'node "{number}"'}
        if number % 4 == 3:
            turn = random.choice(((1, 0, 0, 1), (0, 1, -1, 0), (2, 0, 0, 0.5)))
            a, b, c, d = turn
            node["matrix"] = [
                a,
                b,
                0,
                0,
                c,
                d,
                0,
                0,
                0,
                0,
                1,
                0,
                round(random.random(), 3),
                2,
                0,
                1,
            ]
        else:
            node["translation"] = [round(random.uniform(-5, 5), 3) for _ in range(3)]
            if number % 3:
                x, y, z = (random.uniform(-0.5, 0.5) for _ in range(3))
                w = (1 - x * x - y * y - z * z) ** 0.5
                node["rotation"] = [round(one, 6) for one in (x, y, z, w)]
            if number % 2:
                node["scale"] = [1.5, 1, 0.75]
        if number % 3 == 1:
            node["mesh"] = number // 3 % 3
        nodes.append(node)
        if number:
            nodes[random.randrange(number)].setdefault("children", []).append(number)
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": nodes,
        "meshes": meshes,
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"uri": uri, "byteLength": len(data)}],
    }


def _scene(count: int, random: Random) -> bytes:
    return json.dumps(scene(count, random), indent=1).encode()


SCREEN_KINDS: dict[str, Callable[[int, Random], bytes]] = {
    "session": _session,
    "tune": _tune,
    "conditions": _conditions,
    "stock": _stock,
    "gltf": _scene,
    "edits-base": _edit(0),
    "edits-ours": _edit(1),
    "edits-theirs": _edit(2),
}
