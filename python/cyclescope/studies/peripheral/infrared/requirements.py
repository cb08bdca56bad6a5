"""Refusals of settings that an infrared line, or a station with FreeRTOS, does not have."""

from collections.abc import Sequence

from cyclescope.errors import CyclescopeError
from cyclescope.studies.peripheral.choices import (
    FRAME_BYTES,
    LAP_BAUDS,
    TURNAROUNDS_MS,
    LineDriver,
    LineType,
)

FREERTOS_FILE_BYTES, FREERTOS_BUFFER_BYTES = 16_384, 512
"""STATION_FILE_OCTETS and LINE_BUFFER_OCTETS of the image."""


def require_infrared(frame: int, baud: int, turnaround_ms: float) -> None:
    """Raises CyclescopeError for a value that IrLAP cannot negotiate."""
    if frame not in FRAME_BYTES:
        raise CyclescopeError(
            f"infrared frames of {frame} bytes are not to be had: choose one of: "
            f"{', '.join(map(str, FRAME_BYTES))}",
            code="no-such-frame",
        )
    if turnaround_ms not in TURNAROUNDS_MS:
        raise CyclescopeError(
            f"a turnaround of {turnaround_ms:g} ms is not to be had: choose one of: "
            f"{', '.join(f'{one:g}' for one in TURNAROUNDS_MS)}",
            code="no-such-turnaround",
        )
    if baud not in LAP_BAUDS:
        raise CyclescopeError(
            f"an infrared line of {baud:,} baud is not to be had: choose one of: "
            f"{', '.join(map(str, LAP_BAUDS))}",
            code="no-such-infrared-baud",
        )


def require_freertos(
    lines: Sequence[LineType],
    drivers: Sequence[LineDriver],
    sizes: Sequence[int],
    receive_buffer: int,
) -> None:
    """Raises CyclescopeError for a transfer that a station with FreeRTOS cannot make."""
    if LineType.SERIAL in lines:
        raise CyclescopeError(
            "FreeRTOS has no G-Kermit for a serial line: add --line infrared",
            code="freertos-without-serial-line",
        )
    if LineDriver.PDC_RECEIVE in drivers:
        raise CyclescopeError(
            "the driver of FreeRTOS sends by the PDC if it receives by it: choose --driver pdc, "
            "pdc-send or pio",
            code="freertos-driver-has-no-choice",
        )
    if receive_buffer > FREERTOS_BUFFER_BYTES:
        raise CyclescopeError(
            f"the driver of FreeRTOS has buffers of at most {FREERTOS_BUFFER_BYTES} bytes: choose "
            "a smaller --receive-buffer",
            code="freertos-buffer-too-large",
        )
    if max(sizes) > FREERTOS_FILE_BYTES:
        raise CyclescopeError(
            f"a station with FreeRTOS holds at most {FREERTOS_FILE_BYTES:,} bytes of a file: "
            "choose a smaller --size",
            code="freertos-file-too-large",
        )
