"""Packets of an infrared line: the frames in order, with the fields of every layer."""

from collections.abc import Iterable
from dataclasses import dataclass

from cyclescope.wire.infrared import irlap, irlmp
from cyclescope.wire.infrared.irlap import Discovery, LapFrame, MalformedFrame, Negotiation
from cyclescope.wire.infrared.irlmp import IasAnswer, IasQuery, LmpFrame, TtpFrame
from cyclescope.wire.infrared.line import LineFrame

SEQUENCE = 8


@dataclass
class InfraredPacket:
    """A frame and its layers; a layer that it has not is None.

    `fault` says what is malformed. `repeated` is True of an I frame that was sent before.
    """

    frame: LineFrame
    lap: LapFrame | None = None
    discovery: Discovery | None = None
    negotiation: Negotiation | None = None
    lmp: LmpFrame | None = None
    query: IasQuery | None = None
    answer: IasAnswer | None = None
    ttp: TtpFrame | None = None
    repeated: bool = False
    fault: str = ""


class Dissector:
    """Reads frames in order, and keeps the facts of earlier ones that later ones need.

    TinyTP is recognised as others recognise it: IAS has named the LSAP. `tinytp` adds LSAPs by
    (sender, LSAP), for lines without such a query.
    """

    def __init__(self, tinytp: Iterable[tuple[int, int]] = ()) -> None:
        self._tinytp = set(tinytp)
        self._next: dict[int, int] = {}
        self._asked: dict[int, IasQuery] = {}
        self._pieces: dict[int, bytes] = {}

    def packet(self, frame: LineFrame) -> InfraredPacket:
        """The next frame with its fields."""
        found = InfraredPacket(frame)
        if frame.content is None:
            return found
        try:
            found.lap = irlap.lap_frame(frame.content)
            self._read(found, found.lap)
        except MalformedFrame as error:
            found.fault = str(error)
        return found

    def _read(self, found: InfraredPacket, lap: LapFrame) -> None:
        if lap.kind == "XID":
            found.discovery = irlap.discovery(lap.information)
        elif lap.kind in ("SNRM", "UA"):
            self._next.clear()
            if lap.information:
                found.negotiation = irlap.negotiation(lap)
        elif lap.kind == "I" and lap.ns is not None:
            found.repeated = self._is_repeated(found.frame.sender, lap.ns)
            found.lmp = irlmp.lmp_frame(lap.information)
            if found.lmp.is_ias:
                self._read_ias(found, found.lmp)
            elif found.lmp.opcode != irlmp.DISCONNECT and self._is_tinytp(found, found.lmp):
                found.ttp = irlmp.ttp_frame(found.lmp)

    def _is_repeated(self, sender: int, ns: int) -> bool:
        """A window is below 8 frames, so the next number is that of a new frame alone."""
        if ns != self._next.get(sender, 0):
            return True
        self._next[sender] = (ns + 1) % SEQUENCE
        return False

    def _read_ias(self, found: InfraredPacket, lmp: LmpFrame) -> None:
        sender = found.frame.sender
        if lmp.opcode is not None:
            self._pieces.pop(sender, None)
        whole = b"" if lmp.opcode is not None else self._joined(sender, lmp.data)
        if not whole:
            return
        if lmp.destination == irlmp.IAS_LSAP:
            found.query = irlmp.ias_query(whole)
            self._asked[sender] = found.query
            return
        found.answer = irlmp.ias_answer(whole)
        asked = next((one for other, one in self._asked.items() if other != sender), None)
        if asked and asked.attribute == irlmp.TINYTP_ATTRIBUTE:
            lsaps = (value for _, _, value in found.answer.values if isinstance(value, int))
            self._tinytp |= {(sender, lsap) for lsap in lsaps}

    def _joined(self, sender: int, data: bytes) -> bytes:
        """A question or answer of one or several frames, at its last frame; else empty."""
        if not data or data[0] & irlmp.IAS_ACKNOWLEDGE:
            return b""
        whole = self._pieces.pop(sender, data[:1]) + data[1:]
        if data[0] & irlmp.IAS_LAST:
            return whole
        self._pieces[sender] = whole
        return b""

    def _is_tinytp(self, found: InfraredPacket, lmp: LmpFrame) -> bool:
        sender = found.frame.sender
        return (sender, lmp.source) in self._tinytp or any(
            other != sender and lsap == lmp.destination for other, lsap in self._tinytp
        )


def packets(frames: Iterable[LineFrame]) -> list[InfraredPacket]:
    """The packets of a line from its begin on."""
    dissector = Dissector()
    return [dissector.packet(one) for one in frames]
