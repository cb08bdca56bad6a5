"""The settings of a transfer under FreeRTOS: each proposal changes one of them."""

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from cyclescope.firmware.boards import Value
from cyclescope.record import Record


class ReceivedBy(StrEnum):
    """The one that takes characters from the line."""

    POLL = "poll"
    BYTE = "byte"
    PDC = "pdc"
    FRAME = "frame"


class ReaderLayers(StrEnum):
    """How received characters come to their reader."""

    QUEUE = "queue"
    STREAM = "stream"
    LENT = "lent"
    DIRECT = "direct"


class InterruptEntry(StrEnum):
    """How an interrupt of the line begins."""

    IRQ = "irq"
    FIQ = "fiq"
    CONTEXT = "context"


class RegisterAccess(StrEnum):
    """How the registers of the USART are reached."""

    MEMORY = "memory"
    COPROCESSOR = "coprocessor"


class SentBy(StrEnum):
    """The one that gives the line of a station its characters."""

    PDC = "pdc"
    BYTE = "byte"


class StationRole(StrEnum):
    """The side of a transfer between stations that is counted."""

    RECEIVER = "receiver"
    SENDER = "sender"


class StationLayers(StrEnum):
    """How received octets come to the framer of a station with IrDA."""

    COPIED = "copied"
    LENT = "lent"


class Setting(Record):
    """A transfer of a file, as the images of a comparison differ in it."""

    workload: ClassVar[str]
    """The program of the firmware that the image is built from."""

    receive: ReceivedBy = ReceivedBy.PDC
    entry: InterruptEntry = InterruptEntry.IRQ
    access: RegisterAccess = RegisterAccess.MEMORY

    @property
    def name(self) -> str:
        """A name that no other setting has."""
        raise NotImplementedError

    @property
    def parameters(self) -> tuple[tuple[str, Value], ...]:
        """The settings of the image's build, by name."""
        raise NotImplementedError

    @property
    def deviation(self) -> str | None:
        """The file of boards/ with what no AT91x40 has and this image needs; None for nothing."""
        needed = {
            "fast_interrupt": self.entry is InterruptEntry.FIQ,
            "register_contexts": self.entry is InterruptEntry.CONTEXT,
            "register_io": self.access is RegisterAccess.COPROCESSOR,
            "framing": self.receive is ReceivedBy.FRAME,
        }
        return next((name for name, is_needed in needed.items() if is_needed), None)

    @property
    def variants(self) -> list[str]:
        """Words for how interrupts begin and registers are reached, unless it is the usual way."""
        words = []
        if self.entry is not InterruptEntry.IRQ:
            words.append(str(self.entry))
        if self.access is not RegisterAccess.MEMORY:
            words.append(str(self.access))
        return words

    def differences(self, other: "Setting") -> list[str]:
        """The names of the settings in which two of a kind differ."""
        return [
            name for name in type(self).model_fields if getattr(self, name) != getattr(other, name)
        ]


class StationSetting(Setting):
    """The settings of a station with IrDA.

    `receive`, `send`, `entry` and `access` are of the image's build, the others words of the image.
    `buffer` is in bytes, `time_out` in bits of the line.
    """

    workload = "irda"

    role: StationRole = StationRole.RECEIVER
    send: SentBy = SentBy.PDC
    layers: StationLayers = StationLayers.COPIED
    buffer: Annotated[int, Field(ge=1, le=512)] = 512
    time_out: Annotated[int, Field(ge=4, le=1020, multiple_of=4)] = 32

    @property
    def name(self) -> str:
        """A name that no other setting has."""
        words = ["irda"]
        if self.role is StationRole.SENDER:
            words.append(f"sends by {self.send}")
        if self.receive is not ReceivedBy.PDC:
            words.append(str(self.receive))
        if self.receive is not ReceivedBy.FRAME:
            words.append(str(self.layers))
        if self.receive is ReceivedBy.PDC:
            words += [f"{self.buffer} bytes", f"{self.time_out} bits"]
        return ", ".join((*words, *self.variants))

    @property
    def parameters(self) -> tuple[tuple[str, Value], ...]:
        """Settings of the image's build that are not the usual ones, by name."""
        usual = StationSetting()
        return tuple(
            (name, getattr(self, name))
            for name in ("receive", "send", "entry", "access")
            if getattr(self, name) != getattr(usual, name)
        )


class ImageSetting(Setting):
    """The settings of an image's build; workload.mk of firmware/kernels/freertos/transfer has all.

    `buffer` is in bytes, and `time_out` in bits of the line; 0: the reader looks at each tick.
    """

    workload = "transfer"

    layers: ReaderLayers = ReaderLayers.STREAM
    buffer: int = 64
    time_out: int = 32

    @property
    def parameters(self) -> tuple[tuple[str, Value], ...]:
        """The settings by name, for the build."""
        return tuple((name, getattr(self, name)) for name in type(self).model_fields)

    @property
    def name(self) -> str:
        """A name that no other setting has: what matters to how it receives."""
        words = [str(self.receive)]
        if self.receive is not ReceivedBy.POLL:
            words.append(str(self.layers))
        if self.receive is ReceivedBy.PDC:
            words += [f"{self.buffer} bytes", f"{self.time_out} bits"]
        return ", ".join((*words, *self.variants))


class FileSetting(Record):
    """The file, its packets, and the board's memory: the same for all images of a study."""

    size: Annotated[int, Field(ge=1, le=16_000)] = 1000
    content: str = "text"
    seed: int = 1
    body: Annotated[int, Field(ge=1, le=512)] = 64
    """Bytes of the file in a packet."""
    code: str = "internal"
    rom_waits: int = 3
    ram_waits: int = 1
