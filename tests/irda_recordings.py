"""Sessions of real devices as their owners published them: irdadump's lines, made frames again.

irdadump prints fields, not octets. `content` makes a frame of a line's fields. The text
of each session says what its lines lack. `fields` reads the same fields off a frame of ours.
"""

import re
from pathlib import Path
from typing import Any

from cyclescope.wire.infrared.irlap import (
    COMMANDS,
    PARAMETERS,
    RESPONSES,
    SLOTS,
    discovery,
    lap_frame,
    negotiation,
)
from cyclescope.wire.infrared.irlmp import CONFIRM, CONNECT, DISCONNECT, lmp_frame

SESSIONS = Path(__file__).parent / "irdadump"
M125 = (SESSIONS / "m125.txt").read_text()
"""A Palm m125 asks a computer with Linux for IrCOMM (ubuntuforums.org, "Grue", 2005-12-01)."""

TREO = (SESSIONS / "treo.txt").read_text()
"""A Treo 300 asks the same of another one (ubuntuforums.org, "CyberCod", 2007-09-02)."""

ERICSSON = (SESSIONS / "ericsson.txt").read_text()
"""A computer with Linux asks an Ericsson phone (T39 or T68) for IrCOMM's parameters. From the notes
on faults of J. Tourrilhes, maintainer of Linux's IrDA. The object's number is ours: no line has it.
"""

PARAMETER_NAMES = {
    0x01: "Baud Rate", 0x82: r"Max T\w+ Time", 0x83: "Data Size", 0x84: "Window Size",
    0x85: "Add BOFS", 0x86: r"Min T\w+ Time", 0x08: "Link Disc",
}  # fmt: skip
OPCODES = {"CONN_CMD": CONNECT, "CONN_RSP": CONFIRM, "DISC": DISCONNECT}
MORE_HINTS = 0x80
ERICSSON_PARAMETERS = bytes.fromhex("000106010102")
"""Service types nine-wire and three-wire, port type parallel, as IrCOMM writes them."""

Fields = dict[str, Any]


def lines(session: str) -> list[tuple[bool, Fields]]:
    """Each line of a session: whether the device sent it ("<"), and its fields."""
    return [("<" in one, line_fields(one)) for one in session.strip().splitlines()]


def line_fields(text: str) -> Fields:
    """The fields of a line of irdadump."""
    kind, command = text.split()[0].split(":")
    found: Fields = {"kind": kind.upper(), "command": command == "cmd"}
    pair = re.search(r"([0-9a-f]{8}) ([<>]) ([0-9a-f]{8})", text)
    if pair:
        ends = [int(pair[1], 16), int(pair[3], 16)]
        source = 1 if pair[2] == "<" else 0
        if kind != "ua" or "QoS" in text:
            found |= {"source": ends[source], "destination": ends[1 - source]}
    if slot := re.search(r"S=(\d+) s=(\d+|\*)(?: (.*) hint=(\w+))?", text):
        found["slots"] = int(slot[1])
        found["slot"] = 0xFF if slot[2] == "*" else int(slot[2])
        if slot[3]:
            found |= {"name": slot[3], "hints": slot[4]}
        return found
    for name in ("pf", "nr", "ns"):
        if value := re.search(rf"{name}=(\d)", text):
            found[name] = int(value[1])
    if address := re.search(r"(?<!-)ca=(?:0x)?(\w+)", text):
        found["address"] = int(address[1], 16) >> 1
    if new := re.search(r"new-ca=(\w+)", text):
        found["connection"] = int(new[1], 16) >> 1
    for identifier, name in PARAMETER_NAMES.items():
        if value := re.search(rf"{name}=(\d+)", text):
            found[PARAMETERS[identifier][0]] = int(value[1])
    if lsaps := re.search(r"slsap=(\w+) dlsap=(\w+) (\w+)", text):
        found |= {"lsaps": (int(lsaps[1], 16), int(lsaps[2], 16)), "opcode": OPCODES.get(lsaps[3])}
    if question := re.search(r'BY_CLASS: "(.*)" "(.*)"', text):
        found["question"] = question.groups()
    elif answer := re.search(r"BY_CLASS: (No such class|Success)", text):
        found["answer"] = 1 if answer[1] == "No such class" else 0
    return found


def content(one: Fields) -> bytes:
    """A frame with these fields."""
    kind, command = str(one["kind"]), bool(one["command"])
    controls = {name: value for value, name in (COMMANDS if command else RESPONSES).items()}
    if kind == "XID":
        hints = bytes.fromhex(str(one.get("hints", "")))
        hints += b"\0" if hints and hints[0] & MORE_HINTS else b""  # the character set
        info = b"\x01" + _ends(one) + bytes((SLOTS.index(one["slots"]), one["slot"], 0))
        return bytes((0xFE | command, controls[kind] | 0x10)) + info + hints + _text(one, "name")
    head = bytes((int(str(one["address"])) << 1 | command,))
    if kind in ("I", "RR"):
        final, nr, ns = (int(str(one.get(name, 0))) for name in ("pf", "nr", "ns"))
        control = nr << 5 | final << 4 | (ns << 1 if kind == "I" else 1)
        return head + bytes((control,)) + (_packet(one) if kind == "I" else b"")
    info = _ends(one) if "source" in one else b""
    if "connection" in one:
        info += bytes((int(str(one["connection"])) << 1,))
    for identifier, (name, meanings) in PARAMETERS.items():
        if name in one:
            largest = meanings.index(one[name])
            info += bytes((identifier, 1, (2 << largest) - 1))
    return head + bytes((controls[kind] | 0x10,)) + info


def _ends(one: Fields) -> bytes:
    ends = (int(str(one[name])) for name in ("source", "destination"))
    return b"".join(end.to_bytes(4, "little") for end in ends)


def _text(one: Fields, name: str) -> bytes:
    return str(one[name]).encode() if name in one else b""


def _packet(one: Fields) -> bytes:
    source, destination = one["lsaps"]
    if one["opcode"] is not None:
        return bytes((0x80 | destination, source, int(str(one["opcode"])), 0))
    if "question" in one:
        names = b"".join(bytes((len(name),)) + name.encode() for name in one["question"])
        return bytes((destination, source, 0x84)) + names
    value = b"\0\x01\0\x01\x02\0\x06" + ERICSSON_PARAMETERS
    return bytes((destination, source, 0x84, int(str(one["answer"])))) + value


def fields(frame: bytes) -> Fields:
    """The fields of a frame of ours, as irdadump names them."""
    lap = lap_frame(frame)
    found: Fields = {"kind": lap.kind, "command": lap.command}
    if lap.kind == "XID":
        xid = discovery(lap.information)
        found |= {"source": xid.source, "destination": xid.destination, "slots": xid.slots}
        found["slot"] = xid.slot
        if xid.hints:
            found |= {"name": xid.nickname.decode(), "hints": (xid.hints + b"\0")[:2].hex()}
        return found
    found |= {"address": lap.address, "pf": int(lap.poll_final)}
    found |= {name: value for name, value in (("nr", lap.nr), ("ns", lap.ns)) if value is not None}
    if lap.kind in ("SNRM", "UA") and lap.information:
        setup = negotiation(lap)
        found |= {"source": setup.source, "destination": setup.destination}
        found |= {name: values[-1] for name, values in setup.values().items()}
        if setup.connection is not None:
            found["connection"] = setup.connection
    if lap.kind == "I":
        lmp = lmp_frame(lap.information)
        found |= {"lsaps": (lmp.source, lmp.destination), "opcode": lmp.opcode}
        if lmp.opcode is None and lmp.destination == 0:
            first = lmp.data[2 : 2 + lmp.data[1]]
            found["question"] = (first.decode(), lmp.data[3 + len(first) :].decode())
        elif lmp.opcode is None:
            found["answer"] = lmp.data[1]
    return found
