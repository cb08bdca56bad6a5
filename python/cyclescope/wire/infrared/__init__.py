"""An infrared line: its frames, their fields, what each octet is for (docs/reference/irda.md)."""

from cyclescope.wire.infrared.line import LineFrame, SentOctet, fcs, frames, wrapped
from cyclescope.wire.infrared.origins import ORIGINS, bytes_by_origin, origins_of_packets
from cyclescope.wire.infrared.packets import Dissector, InfraredPacket, packets
from cyclescope.wire.infrared.pcap import write_pcap

__all__ = [
    "ORIGINS",
    "Dissector",
    "InfraredPacket",
    "LineFrame",
    "SentOctet",
    "bytes_by_origin",
    "fcs",
    "frames",
    "origins_of_packets",
    "packets",
    "wrapped",
    "write_pcap",
]
