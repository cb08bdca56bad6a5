"""Options of `cyclescope peripheral`."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.errors import CyclescopeError
from cyclescope.studies.peripheral.content import Content
from cyclescope.studies.peripheral.setting import (
    FRAME_BYTES,
    LAP_BAUDS,
    MOST_PDC_BYTES,
    MOST_TIME_OUT_BITS,
    Direction,
    LineDriver,
    LineType,
    SystemType,
    TransferSetting,
)

SIZES = (100, 250, 500, 1000, 2000, 4000, 8000, 16_000)
"""The paper's range, 100 to 16,000 bytes."""
FREERTOS_FILE_BYTES = 16_384
"""STATION_FILE_OCTETS of the image."""
BAUDS = (1200, 2400, 4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400)


@dataclass(frozen=True)
class MatrixOptions(OptionGroup):
    """The matrix: each line and driver with each direction, size and rate of errors."""

    line: Annotated[
        list[LineType] | None,
        typer.Option(
            "--line",
            metavar="LINE",
            help="serial (G-Kermit on this machine), or infrared (IrDA, a second board); may be "
            "given again. Default: serial.",
        ),
    ] = None
    driver: Annotated[
        list[LineDriver] | None,
        typer.Option(
            "--driver",
            metavar="DRIVER",
            help=f"How the board's line is driven: {', '.join(LineDriver)}; may be given again. "
            "Default: pdc and pio.",
        ),
    ] = None
    direction: Annotated[
        list[Direction] | None,
        typer.Option(
            "--direction",
            metavar="WAY",
            help="download (to the board) or upload; may be given again. Default: download.",
        ),
    ] = None
    size: Annotated[
        list[int] | None,
        typer.Option(
            "--size",
            min=1,
            max=16_000_000,
            metavar="BYTES",
            help="Bytes of the file; may be given again. Default: 100 to 16,000, as in the paper.",
        ),
    ] = None
    errors: Annotated[
        list[float] | None,
        typer.Option(
            "--errors",
            min=0,
            max=0.5,
            metavar="RATE",
            help="Share of the line's bits that flip; may be given again. Default: 0.",
        ),
    ] = None


@dataclass(frozen=True)
class FileOptions(OptionGroup):
    """The file, the line, and the options of its protocol."""

    content: Annotated[
        Content, typer.Option("--content", metavar="KIND", help="text, or random bytes.")
    ] = Content.TEXT
    file_seed: Annotated[
        int, typer.Option("--file-seed", min=0, help="Seed of the file's content.")
    ] = 1
    error_seed: Annotated[
        int, typer.Option("--error-seed", min=0, help="Seed of the line's errors.")
    ] = 1
    baud: Annotated[int, typer.Option("--baud", help="Speed of the line.")] = 115_200
    packet: Annotated[
        int,
        typer.Option("--packet", min=40, max=9000, help="Characters of the longest packet."),
    ] = 94
    frame: Annotated[
        int,
        typer.Option(
            "--frame",
            metavar="BYTES",
            help="Infrared: data of a frame, at most: "
            f"{', '.join(map(str, FRAME_BYTES[:-1]))} or {FRAME_BYTES[-1]}.",
        ),
    ] = 64
    window: Annotated[
        int,
        typer.Option(
            "--window",
            min=1,
            max=7,
            metavar="FRAMES",
            help="Infrared: frames without an acknowledgement, at most.",
        ),
    ] = 7
    system: Annotated[
        SystemType,
        typer.Option(
            "--system",
            metavar="NAME",
            help="linux; infrared: freertos, too, with the same stack.",
        ),
    ] = SystemType.LINUX
    streaming: Annotated[
        bool,
        typer.Option(
            "--streaming",
            help="Let G-Kermit send data without waiting for answers; it offers that for packets "
            "above 94 characters.",
        ),
    ] = False
    time_out: Annotated[
        int,
        typer.Option(
            "--time-out",
            min=0,
            max=MOST_TIME_OUT_BITS,
            metavar="BITS",
            help="Silence after which the driver takes what the PDC received, in bit periods; "
            "the USART counts them by 4. With 0 the driver looks at ticks of its timer.",
        ),
    ] = 30
    receive_buffer: Annotated[
        int,
        typer.Option(
            "--receive-buffer",
            min=1,
            max=MOST_PDC_BYTES,
            metavar="BYTES",
            help="Size of each of the two buffers into which the PDC receives.",
        ),
    ] = 512


@dataclass(frozen=True)
class ClassOptions(OptionGroup):
    """The classes of functions in the analyses."""

    classes: Annotated[
        Path | None,
        typer.Option(
            "--classes",
            metavar="FILE",
            help="Rules that give functions their classes (docs/reference/peripheral.md). Default: "
            "the study's.",
        ),
    ] = None
    own_libraries: Annotated[
        bool,
        typer.Option(
            "--own-libraries",
            help="Count functions of libraries for themselves, not their callers.",
        ),
    ] = False


def settings(
    matrix: MatrixOptions, file: FileOptions, rom_waits: int, ram_waits: int
) -> tuple[TransferSetting, ...]:
    """Every transfer of the matrix.

    Raises CyclescopeError for a speed that the line does not have, or another size of frames.
    """
    lines = matrix.line or [LineType.SERIAL]
    if LineType.INFRARED in lines:
        _require_infrared(file)
    drivers = matrix.driver or [LineDriver.PDC, LineDriver.PIO]
    if file.system is SystemType.FREERTOS:
        drivers = matrix.driver or [LineDriver.PDC]
        _require_freertos(lines, drivers, matrix.size or SIZES, file)
    if file.baud not in BAUDS:
        raise CyclescopeError(
            f"a line of {file.baud:,} baud is not to be had: choose one of: "
            f"{', '.join(map(str, BAUDS))}",
            code="no-such-baud",
        )
    every = product(
        lines,
        matrix.direction or [Direction.DOWNLOAD],
        drivers,
        matrix.errors or [0.0],
        matrix.size or SIZES,
    )
    found = [
        TransferSetting(
            driver=driver,
            direction=direction,
            size=size,
            content=file.content,
            seed=file.file_seed,
            errors=errors,
            error_seed=file.error_seed,
            baud=file.baud,
            packet=file.packet,
            streaming=file.streaming,
            time_out=file.time_out,
            receive_buffer=file.receive_buffer,
            line=line,
            frame=file.frame,
            window=file.window,
            system=file.system,
            rom_waits=rom_waits,
            ram_waits=ram_waits,
        )
        for line, direction, driver, errors, size in every
    ]
    return tuple(dict.fromkeys(found))


def _require_freertos(
    lines: Sequence[LineType], drivers: Sequence[LineDriver], sizes: Sequence[int],
    file: FileOptions,
) -> None:  # fmt: skip
    if LineType.SERIAL in lines:
        raise CyclescopeError(
            "FreeRTOS has no G-Kermit for a serial line: add --line infrared",
            code="freertos-without-serial-line",
        )
    driver = (drivers, file.time_out, file.receive_buffer)
    if driver != ([LineDriver.PDC], FileOptions.time_out, FileOptions.receive_buffer):
        raise CyclescopeError(
            "the driver of FreeRTOS uses the PDC with its own buffers and time-out: leave "
            "--driver, --time-out and --receive-buffer out",
            code="freertos-driver-has-no-choice",
        )
    if max(sizes) > FREERTOS_FILE_BYTES:
        raise CyclescopeError(
            f"a station with FreeRTOS holds at most {FREERTOS_FILE_BYTES:,} bytes of a file: "
            "choose a smaller --size",
            code="freertos-file-too-large",
        )


def _require_infrared(file: FileOptions) -> None:
    if file.frame not in FRAME_BYTES:
        raise CyclescopeError(
            f"infrared frames of {file.frame} bytes are not to be had: choose one of: "
            f"{', '.join(map(str, FRAME_BYTES))}",
            code="no-such-frame",
        )
    if file.baud not in LAP_BAUDS:
        raise CyclescopeError(
            f"an infrared line of {file.baud:,} baud is not to be had: choose one of: "
            f"{', '.join(map(str, LAP_BAUDS))}",
            code="no-such-infrared-baud",
        )
