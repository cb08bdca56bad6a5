"""Bytes on an infrared line by their origin: what the protocols cost beside the file's content.

Each octet has one origin, so the origins add up to all octets of the line.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from cyclescope.wire.infrared.irlap import SUPERVISORY
from cyclescope.wire.infrared.line import FCS_BYTES
from cyclescope.wire.infrared.packets import InfraredPacket

CONTENT = 0x02
"""First octet of a unit of the file-send application that holds content."""
ORIGINS = {
    "payload": "the file's content",
    "file information": "name, size, check and answer of the file-send application",
    "TinyTP": "its header in data, and frames that give credit alone",
    "IrLMP": "its header in data of an application",
    "IrLAP": "flags, address, control and FCS of frames with data of an application",
    "stuffing": "escapes",
    "extra flags": "flags before a frame",
    "acknowledgement": "RR, RNR, REJ and SREJ",
    "discovery": "XID",
    "connection": "SNRM, UA, DISC, DM and other unnumbered frames; connect and disconnect of IrLMP",
    "IAS": "queries, answers and the connection to the information access service",
    "retransmission": "frames with data that were sent before, whole",
    "damaged": "octets that are no whole frame",
}
"""Each origin, and what it holds."""


def bytes_by_origin(packets: Iterable[InfraredPacket]) -> dict[int, Counter[str]]:
    """The octets of each sender by origin; give the packets of a line from its begin on."""
    found: dict[int, Counter[str]] = {}
    for packet, counts in origins_of_packets(packets):
        found.setdefault(packet.frame.sender, Counter()).update(counts)
    return found


def origins_of_packets(
    packets: Iterable[InfraredPacket],
) -> Iterator[tuple[InfraredPacket, Counter[str]]]:
    """Each packet with its octets by origin; give the packets of a line from its begin on."""
    holds: dict[tuple[int, int, int], int] = {}
    for packet in packets:
        yield packet, _origins(packet, holds)


def _origins(packet: InfraredPacket, holds: dict[tuple[int, int, int], int]) -> Counter[str]:
    """The octets of one frame. `holds` has the kind of each connection's unit under way."""
    frame, lap = packet.frame, packet.lap
    total = len(frame.lead) + len(frame.wire)
    if frame.content is None:
        return Counter({"damaged": total})
    if packet.repeated:
        return Counter({"retransmission": total})
    counts = Counter({"extra flags": frame.xbofs, "damaged": frame.strays})
    counts["stuffing"] = frame.escapes
    rest = len(frame.content) + 2 + FCS_BYTES
    lmp = packet.lmp
    if lap is None or (lap.kind == "I" and lmp is None):
        counts["damaged"] += rest
    elif lap.kind in SUPERVISORY:
        counts["acknowledgement"] = rest
    elif lap.kind == "XID":
        counts["discovery"] = rest
    elif lmp is None:
        counts["connection"] = rest
    elif lmp.is_ias:
        counts["IAS"] = rest
    elif lmp.opcode is not None:
        counts["connection"] = rest
    else:
        counts["IrLMP"] = 2
        counts["IrLAP"] = rest - 2 - len(lmp.data)
        counts += _of_data(packet, holds)
    return counts


def _of_data(packet: InfraredPacket, holds: dict[tuple[int, int, int], int]) -> Counter[str]:
    """The octets behind IrLMP's header of data."""
    lmp, ttp = packet.lmp, packet.ttp
    assert lmp is not None
    if ttp is None:
        return Counter({"payload": len(lmp.data)})
    if not ttp.data:
        return Counter({"TinyTP": len(lmp.data)})
    key = packet.frame.sender, lmp.source, lmp.destination
    begins = key not in holds
    kind = holds.setdefault(key, ttp.data[0])
    if not ttp.flag:
        del holds[key]
    content = len(ttp.data) - begins if kind == CONTENT else 0
    return Counter(
        {
            "TinyTP": len(lmp.data) - len(ttp.data),
            "payload": content,
            "file information": len(ttp.data) - content,
        }
    )
