"""Choices for the setting of a transfer: lines, drivers, systems, and bounds of its numbers."""

from enum import StrEnum

MOST_TIME_OUT_BITS = 255 * 4
"""US_RTOR has 8 bits and counts units of 4 bit periods."""
MOST_PDC_BYTES = 65_535
"""US_RCR has 16 bits."""
LAP_BAUDS = (9600, 19_200, 38_400, 57_600, 115_200)
"""Speeds of IrDA's SIR; a connection begins at the first."""
FRAME_BYTES = (64, 128, 256, 512, 1024, 2048)
"""Data of an IrLAP frame, at most."""
TURNAROUNDS_MS = (10.0, 5.0, 1.0, 0.5, 0.1, 0.05, 0.01, 0.0)
"""Pauses that a station may ask of the other before it answers."""


class LineDriver(StrEnum):
    """How the driver of the board's line moves its bytes."""

    PIO = "pio"
    PDC = "pdc"
    PDC_RECEIVE = "pdc-receive"
    PDC_SEND = "pdc-send"

    @property
    def receives_by_pdc(self) -> bool:
        """Whether received bytes go to memory by the PDC."""
        return self in (LineDriver.PDC, LineDriver.PDC_RECEIVE)

    @property
    def sends_by_pdc(self) -> bool:
        """Whether bytes to send come from memory by the PDC."""
        return self in (LineDriver.PDC, LineDriver.PDC_SEND)


class Direction(StrEnum):
    """Which way the file goes: to the board, or from it."""

    DOWNLOAD = "download"
    UPLOAD = "upload"


class LineType(StrEnum):
    """The link between the board and the other side, with the protocol on it.

    Serial: two wires, and G-Kermit on this machine. Infrared: one half-duplex medium, IrDA, and a
    second board of the same kind.
    """

    SERIAL = "serial"
    INFRARED = "infrared"


class SystemType(StrEnum):
    """The system of the boards of an infrared line. A serial line has Linux alone."""

    LINUX = "linux"
    FREERTOS = "freertos"
