"""IrLAP: address, control, discovery and negotiation of a frame's content."""

from collections.abc import Mapping
from dataclasses import dataclass

POLL_FINAL = 0x10
COMMANDS = {0x83: "SNRM", 0x43: "DISC", 0x03: "UI", 0x2F: "XID", 0xE3: "TEST"}
RESPONSES = {
    0x83: "RNRM", 0x63: "UA", 0x87: "FRMR", 0x0F: "DM", 0x43: "RD", 0x03: "UI", 0xAF: "XID",
    0xE3: "TEST",
}  # fmt: skip
SUPERVISORY = ("RR", "RNR", "REJ", "SREJ")
SLOTS = (1, 6, 8, 16)
PARAMETERS: Mapping[int, tuple[str, tuple[int, ...]]] = {
    0x01: ("baud", (2400, 9600, 19200, 38400, 57600, 115200, 576000, 1152000, 4000000)),
    0x82: ("maximum turnaround ms", (500, 250, 100, 50)),
    0x83: ("data bytes", (64, 128, 256, 512, 1024, 2048)),
    0x84: ("window frames", (1, 2, 3, 4, 5, 6, 7)),
    0x85: ("additional flags at 115200", (48, 24, 12, 5, 3, 2, 1, 0)),
    0x86: ("minimum turnaround us", (10000, 5000, 1000, 500, 100, 50, 10, 0)),
    0x08: ("disconnect s", (3, 8, 12, 16, 20, 25, 30, 40)),
}
"""Name and value of each bit of a negotiation parameter, by its identifier."""


class MalformedFrame(ValueError):
    """A frame is shorter than its fields, or a field has a value that does not exist."""


@dataclass(frozen=True)
class LapFrame:
    """The fields of every IrLAP frame. `nr` and `ns` are None where the kind has none."""

    address: int
    command: bool
    kind: str
    poll_final: bool
    nr: int | None
    ns: int | None
    information: bytes


@dataclass(frozen=True)
class Discovery:
    """The information of an XID frame. `slot` is 0xFF in the last command."""

    source: int
    destination: int
    slots: int
    conflict: bool
    slot: int
    version: int
    hints: bytes
    charset: int | None
    nickname: bytes


@dataclass(frozen=True)
class Negotiation:
    """The information of SNRM and UA; `connection` is the address that SNRM assigns."""

    source: int
    destination: int
    connection: int | None
    parameters: tuple[tuple[int, bytes], ...]

    def values(self) -> dict[str, tuple[int, ...]]:
        """The values that each parameter offers, by its name in PARAMETERS."""
        found = {}
        for identifier, value in self.parameters:
            if identifier in PARAMETERS:
                name, meanings = PARAMETERS[identifier]
                bits = int.from_bytes(value, "little")
                found[name] = tuple(one for at, one in enumerate(meanings) if bits >> at & 1)
        return found


class Cut:
    """Takes octets off information, in order."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def take(self, count: int) -> bytes:
        """The next `count` octets; refuses if there are fewer."""
        if len(self.rest) < count:
            raise MalformedFrame(f"{count} octets wanted, {len(self.rest)} left")
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def octet(self) -> int:
        """The next octet."""
        return self.take(1)[0]

    def counted(self) -> bytes:
        """The octets behind a length of one octet."""
        return self.take(self.octet())

    def device(self) -> int:
        """A device address."""
        return int.from_bytes(self.take(4), "little")


def lap_frame(content: bytes) -> LapFrame:
    """The IrLAP fields of a frame's content."""
    cut = Cut(content)
    head, control = cut.take(2)
    address, command, final = head >> 1, bool(head & 1), bool(control & POLL_FINAL)
    nr: int | None = None
    ns: int | None = None
    if control & 1 == 0:
        kind, nr, ns = "I", control >> 5, control >> 1 & 7
    elif control & 3 == 1:
        kind, nr = SUPERVISORY[control >> 2 & 3], control >> 5
    else:
        known = COMMANDS if command else RESPONSES
        kind = known.get(control & ~POLL_FINAL, "")
        if not kind:
            raise MalformedFrame(f"control 0x{control:02X} is of no known frame")
    return LapFrame(address, command, kind, final, nr, ns, cut.rest)


def discovery(information: bytes) -> Discovery:
    """The fields of an XID frame."""
    cut = Cut(information)
    if cut.octet() != 1:
        raise MalformedFrame("an XID frame is not of format 1")
    source, destination = cut.device(), cut.device()
    flags, slot, version = cut.take(3)
    hints = b""
    while cut.rest and (not hints or hints[-1] & 0x80):
        hints += cut.take(1)
    charset = cut.octet() if cut.rest else None
    return Discovery(
        source,
        destination,
        SLOTS[flags & 3],
        bool(flags & 4),
        slot,
        version,
        hints,
        charset,
        cut.rest,
    )


def negotiation(frame: LapFrame) -> Negotiation:
    """The fields of an SNRM command or UA response that has information."""
    cut = Cut(frame.information)
    source, destination = cut.device(), cut.device()
    connection = cut.octet() >> 1 if frame.kind == "SNRM" else None
    parameters = []
    while cut.rest:
        identifier = cut.octet()
        parameters.append((identifier, cut.counted()))
    return Negotiation(source, destination, connection, tuple(parameters))
