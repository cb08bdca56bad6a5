"""The proposals as ablations: of the images of one, each differs from its base by one setting."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from cyclescope.errors import CyclescopeError
from cyclescope.studies.proposals.setting import (
    ImageSetting,
    InterruptEntry,
    ReaderLayers,
    ReceivedBy,
    RegisterAccess,
    SentBy,
    Setting,
    StationLayers,
    StationRole,
    StationSetting,
)

Kind = TypeVar("Kind", bound=Setting)

PAPER_BUFFER = 16
"""The paper's driver used so many bytes of its 256."""
BUFFERS = (4, 8, 16, 32, 48, 64, 96, 128, 192, 256)
TIME_OUTS = (8, 16, 32, 64, 128, 256)
GRID_BUFFERS = (16, 32, 64, 128, 256)
STATION_BUFFERS = (16, 32, 64, 128, 256, 512)
STATION_TIME_OUTS = (8, 32, 64, 120)


@dataclass(frozen=True)
class Ablation:
    """One comparison: the base, and the images that change one setting of it; of a grid, two."""

    key: str
    title: str
    asked: str
    base: Setting
    others: tuple[Setting, ...]
    changes: int = 1

    @property
    def images(self) -> tuple[Setting, ...]:
        """The base, and the others."""
        return (self.base, *self.others)


def changed(base: Kind, **values: object) -> Kind:
    """The same setting with other values."""
    return base.model_copy(update=values)


def each(base: Kind, name: str, values: Iterable[object]) -> tuple[Kind, ...]:
    """The base with each of the values of a setting that it does not have itself."""
    return tuple(changed(base, **{name: one}) for one in values if one != getattr(base, name))


def supported(base: Kind) -> tuple[Kind, ...]:
    """The base with each support by the processor. A handler that calls the kernel is no FIQ."""
    entries = [InterruptEntry.CONTEXT]
    if base.receive is ReceivedBy.BYTE:
        entries.insert(0, InterruptEntry.FIQ)
    return (
        *each(base, "entry", entries),
        changed(base, access=RegisterAccess.COPROCESSOR),
    )


def grid(key: str, title: str, asked: str, base: Kind) -> Ablation:
    """The comparison of every buffer with every time-out."""
    images = (
        changed(base, buffer=buffer, time_out=time_out)
        for buffer in GRID_BUFFERS
        for time_out in TIME_OUTS
    )
    return Ablation(key, title, asked, base, tuple(one for one in images if one != base), changes=2)


PDC = ImageSetting()
BYTE = changed(PDC, receive=ReceivedBy.BYTE)
LENT = changed(PDC, layers=ReaderLayers.LENT)
SMALL = changed(LENT, buffer=PAPER_BUFFER)
LARGE = changed(LENT, buffer=256)
RING = changed(BYTE, layers=ReaderLayers.LENT)
STATION = StationSetting()
LENT_STATION = changed(STATION, layers=StationLayers.LENT)
SMALL_STATION = changed(LENT_STATION, buffer=PAPER_BUFFER)
BYTE_STATION = changed(LENT_STATION, receive=ReceivedBy.BYTE)
SENDING = changed(BYTE_STATION, role=StationRole.SENDER, send=SentBy.BYTE)
LAYERS = (ReaderLayers.QUEUE, ReaderLayers.LENT, ReaderLayers.DIRECT)

ABLATIONS = (
    Ablation(
        "layers-pdc",
        "Across software layers, PDC",
        "What do copies between driver and reader cost, if the PDC receives?",
        PDC,
        each(PDC, "layers", LAYERS),
    ),
    Ablation(
        "layers-byte",
        "Across software layers, an interrupt for each byte",
        "What do they cost, if each byte interrupts?",
        BYTE,
        each(BYTE, "layers", LAYERS),
    ),
    Ablation(
        "processor-byte",
        "Support by the processor, an interrupt for each byte",
        "What does a poll cost? What do banked registers, contexts and register-mapped I/O save?",
        RING,
        (changed(RING, receive=ReceivedBy.POLL), *supported(RING)),
    ),
    Ablation(
        "processor-pdc",
        "Support by the processor, PDC",
        "What do contexts and register-mapped I/O save where an interrupt serves a buffer?",
        SMALL,
        supported(SMALL),
    ),
    Ablation(
        "buffer",
        "Repartition: the buffer of the PDC",
        "How does the load follow the granularity?",
        SMALL,
        each(SMALL, "buffer", BUFFERS),
    ),
    Ablation(
        "time-out",
        "Repartition: the receiver's time-out",
        "What does a longer pause cost or save? 0: the reader looks at ticks of 10 ms.",
        LARGE,
        each(LARGE, "time_out", (*TIME_OUTS, 0)),
    ),
    grid(
        "granularity",
        "Repartition: buffers and time-outs",
        "How does the load follow both?",
        SMALL,
    ),
    Ablation(
        "framing",
        "Repartition: stuffing and check",
        "What does a USART save that knows frames?",
        LARGE,
        (changed(LARGE, receive=ReceivedBy.FRAME),),
    ),
    Ablation(
        "infrared-layers",
        "Infrared, across software layers",
        "What does the copy between the PDC's buffer and the framer of IrDA cost?",
        STATION,
        (LENT_STATION,),
    ),
    Ablation(
        "infrared-processor-byte",
        "Infrared, support by the processor, an interrupt for each octet",
        "What do a poll, banked registers, contexts and register-mapped I/O cost or save?",
        BYTE_STATION,
        (changed(BYTE_STATION, receive=ReceivedBy.POLL), *supported(BYTE_STATION)),
    ),
    Ablation(
        "infrared-processor-sending",
        "Infrared, support by the processor, the sender",
        "What do they save where each octet that is sent interrupts?",
        SENDING,
        (changed(SENDING, send=SentBy.PDC), *supported(SENDING)),
    ),
    Ablation(
        "infrared-processor-pdc",
        "Infrared, support by the processor, PDC",
        "What do contexts and register-mapped I/O save where an interrupt serves a buffer?",
        SMALL_STATION,
        supported(SMALL_STATION),
    ),
    Ablation(
        "infrared-buffer",
        "Infrared, repartition: the buffer of the PDC",
        "How does the load of IrDA follow the granularity?",
        SMALL_STATION,
        each(SMALL_STATION, "buffer", STATION_BUFFERS),
    ),
    Ablation(
        "infrared-time-out",
        "Infrared, repartition: the receiver's time-out",
        "What does a longer pause cost or save where frames follow each other?",
        LENT_STATION,
        each(LENT_STATION, "time_out", STATION_TIME_OUTS),
    ),
    grid(
        "infrared-granularity",
        "Infrared, repartition: buffers and time-outs",
        "How does the load of IrDA follow both?",
        SMALL_STATION,
    ),
    Ablation(
        "infrared-framing",
        "Infrared, repartition: stuffing and check",
        "What does a USART save that knows the frames of IrDA?",
        LENT_STATION,
        (changed(LENT_STATION, receive=ReceivedBy.FRAME),),
    ),
)


def chosen(keys: list[str] | None) -> tuple[Ablation, ...]:
    """The ablations of these keys; all if there is none. Raises CyclescopeError for others."""
    known = {one.key: one for one in ABLATIONS}
    for key in keys or ():
        if key not in known:
            raise CyclescopeError(
                f"there is no proposal {key}: choose one of: {', '.join(known)}",
                code="no-such-proposal",
            )
    return tuple(one for one in ABLATIONS if not keys or one.key in keys)
