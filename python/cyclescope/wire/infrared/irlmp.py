"""IrLMP, its information access service (IAS) and TinyTP, in the information of I frames."""

from dataclasses import dataclass

from cyclescope.wire.infrared.irlap import Cut, MalformedFrame

IAS_LSAP = 0
CONNECT, CONFIRM, DISCONNECT = 0x01, 0x81, 0x02
ACCESS, ACCESS_CONFIRM = 0x03, 0x83
OPCODES = {
    CONNECT: "connect", CONFIRM: "confirm", DISCONNECT: "disconnect",
    ACCESS: "access mode", ACCESS_CONFIRM: "access mode confirm",
}  # fmt: skip
GET_VALUE_BY_CLASS = 4
IAS_LAST, IAS_ACKNOWLEDGE = 0x80, 0x40
"""Bits of a frame's first octet, above the operation."""
TINYTP_ATTRIBUTE = b"IrDA:TinyTP:LsapSel"
MISSING, INTEGER, OCTETS, STRING = range(4)


@dataclass(frozen=True)
class LmpFrame:
    """The IrLMP fields of an I frame. `opcode` is None for data, `reason` is of a disconnect."""

    destination: int
    source: int
    opcode: int | None
    reason: int | None
    data: bytes

    @property
    def is_ias(self) -> bool:
        """True if one end is the information access service."""
        return IAS_LSAP in (self.destination, self.source)


@dataclass(frozen=True)
class IasQuery:
    """GetValueByClass."""

    class_name: bytes
    attribute: bytes


@dataclass(frozen=True)
class IasAnswer:
    """The answer: return code and (object, type, value) of each value."""

    code: int
    values: tuple[tuple[int, int, int | bytes], ...]


@dataclass(frozen=True)
class TtpFrame:
    """A TinyTP unit. `flag` is P of a connect (parameters follow), M of data (more segments)."""

    connects: bool
    flag: bool
    credit: int
    max_sdu_bytes: int | None
    data: bytes


def lmp_frame(information: bytes) -> LmpFrame:
    """The IrLMP fields of an I frame's information."""
    cut = Cut(information)
    destination, source = cut.take(2)
    if not destination & 0x80:
        return LmpFrame(destination, source & 0x7F, None, None, cut.rest)
    opcode, reason = cut.octet(), None
    if opcode not in OPCODES:
        raise MalformedFrame(f"opcode 0x{opcode:02X} of IrLMP")
    if opcode in (CONNECT, CONFIRM):
        if cut.rest:
            cut.take(1)
    elif opcode == DISCONNECT:
        reason = cut.octet()
    else:
        cut.take(2)
    return LmpFrame(destination & 0x7F, source & 0x7F, opcode, reason, cut.rest)


def ias_query(data: bytes) -> IasQuery:
    """A query to the information access service."""
    cut = Cut(data)
    if cut.octet() & 0x3F != GET_VALUE_BY_CLASS:
        raise MalformedFrame("a query that is not GetValueByClass")
    return IasQuery(cut.counted(), cut.counted())


def ias_answer(data: bytes) -> IasAnswer:
    """An answer of the information access service."""
    cut = Cut(data)
    if cut.octet() & 0x3F != GET_VALUE_BY_CLASS:
        raise MalformedFrame("an answer that is not to GetValueByClass")
    code = cut.octet()
    values = []
    for _ in range(_number(cut, 2) if code == 0 else 0):
        one, kind = _number(cut, 2), cut.octet()
        values.append((one, kind, _ias_value(cut, kind)))
    return IasAnswer(code, tuple(values))


def ttp_frame(frame: LmpFrame) -> TtpFrame:
    """The TinyTP fields of a connect, a confirm or data."""
    cut = Cut(frame.data)
    head = cut.octet()
    flag, credit = bool(head & 0x80), head & 0x7F
    connects, size = frame.opcode is not None, None
    if connects and flag:
        parameters = Cut(cut.counted())
        while parameters.rest:
            identifier, value = parameters.octet(), parameters.counted()
            if identifier == 1:
                size = int.from_bytes(value, "big")
    return TtpFrame(connects, flag, credit, size, cut.rest)


def _ias_value(cut: Cut, kind: int) -> int | bytes:
    if kind == MISSING:
        return b""
    if kind == INTEGER:
        return int.from_bytes(cut.take(4), "big", signed=True)
    if kind == OCTETS:
        return cut.take(_number(cut, 2))
    if kind == STRING:
        cut.take(1)  # the character set
        return cut.counted()
    raise MalformedFrame(f"type {kind} of a value of IAS")


def _number(cut: Cut, octets: int) -> int:
    return int.from_bytes(cut.take(octets), "big")
