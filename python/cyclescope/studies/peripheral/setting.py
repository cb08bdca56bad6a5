"""The setting of a transfer: everything that decides its cycles, but for the built Linux."""

import hashlib
from typing import Annotated

from pydantic import Field

from cyclescope.record import Record
from cyclescope.studies.peripheral import content
from cyclescope.studies.peripheral.choices import (
    MOST_PDC_BYTES,
    MOST_TIME_OUT_BITS,
    Direction,
    LineDriver,
    LineType,
    SystemType,
)
from cyclescope.studies.peripheral.content import Content


class TransferSetting(Record):
    """A transfer: file, driver, direction, line, and options of the protocol on both sides.

    The direction is that of the analysed board: a download is received there.
    """

    driver: LineDriver = LineDriver.PDC
    direction: Direction = Direction.DOWNLOAD
    size: Annotated[int, Field(ge=1, le=16_000_000)] = 1000
    content: Content = Content.TEXT
    seed: int = 1
    errors: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Probability that a bit on the line flips."""
    error_seed: int = 1
    baud: int = 115_200
    packet: Annotated[int, Field(ge=40, le=9000)] = 94
    streaming: bool = False
    time_out: Annotated[int, Field(ge=0, le=MOST_TIME_OUT_BITS)] = 30
    """Bit periods of silence after which the driver takes what the PDC has received. With 0 it
    looks at ticks of its timer."""
    receive_buffer: Annotated[int, Field(ge=1, le=MOST_PDC_BYTES)] = 512
    """Bytes of each of the driver's two buffers for the PDC to receive into."""
    rom_waits: Annotated[int, Field(ge=0, le=8)] = 3
    ram_waits: Annotated[int, Field(ge=0, le=8)] = 1
    line: LineType = LineType.SERIAL
    frame: Annotated[int, Field(ge=64, le=2048)] = 64
    """Bytes of data that a frame of an infrared line has at most: one of FRAME_BYTES."""
    window: Annotated[int, Field(ge=1, le=7)] = 7
    """Frames of an infrared line without an acknowledgement, at most."""
    turnaround: Annotated[float, Field(ge=0, le=10)] = 10.0
    """Milliseconds that each station of an infrared line asks the other to wait before it answers:
    one of TURNAROUNDS_MS."""
    offset: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Microseconds by which the other board of an infrared line is switched on later."""
    system: SystemType = SystemType.LINUX

    @property
    def name(self) -> str:
        """A name that no other setting has, for files and for people."""
        words = [self.driver, self.direction, f"{self.size}", self.content]
        for name, field in type(self).model_fields.items():
            value = getattr(self, name)
            if name not in ("driver", "direction", "size", "content") and value != field.default:
                words.append(f"{name.replace('_', '-')}-{value}".lower())
        return "_".join(words)

    @property
    def sha256(self) -> str:
        """Of the file, in hexadecimal digits."""
        return hashlib.sha256(self.file()).hexdigest()

    def file(self) -> bytes:
        """The file's content."""
        return content.make(self.content, self.size, self.seed)
