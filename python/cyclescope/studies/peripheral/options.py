"""Options of `cyclescope peripheral`."""

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.errors import CyclescopeError
from cyclescope.studies.peripheral.choices import (
    FRAME_BYTES,
    MOST_PDC_BYTES,
    MOST_TIME_OUT_BITS,
    TURNAROUNDS_MS,
    Direction,
    LineDriver,
    LineType,
    SystemType,
)
from cyclescope.studies.peripheral.content import Content
from cyclescope.studies.peripheral.infrared.requirements import require_freertos, require_infrared

if TYPE_CHECKING:  # records, which take long to load
    from cyclescope.studies.peripheral.setting import TransferSetting

SIZES = (100, 250, 500, 1000, 2000, 4000, 8000, 16_000)
"""The paper's range, 100 to 16,000 bytes."""
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
    turnaround: Annotated[
        float,
        typer.Option(
            "--turnaround",
            metavar="MS",
            help="Infrared: pause that a station asks of the other before an answer: "
            f"{', '.join(f'{one:g}' for one in TURNAROUNDS_MS[:-1])} or {TURNAROUNDS_MS[-1]:g}.",
        ),
    ] = 10.0
    offset: Annotated[
        int,
        typer.Option(
            "--offset",
            min=0,
            max=1_000_000,
            metavar="US",
            help="Infrared: the other board is switched on so many microseconds later.",
        ),
    ] = 0
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


OPTIONS_OF_LINES = {
    LineType.SERIAL: ("packet", "streaming"),
    LineType.INFRARED: ("frame", "window", "turnaround", "offset"),
}


def _refuse_options(line: LineType, file: FileOptions) -> None:
    """Raises CyclescopeError if an option of this line alone was given."""
    for name in OPTIONS_OF_LINES[line]:
        if getattr(file, name) != getattr(FileOptions, name):
            raise CyclescopeError(
                f"--{name} is of {line} lines, and no transfer has one: leave it out, or add "
                f"--line {line}",
                code="option-of-another-line",
            )


def settings(
    matrix: MatrixOptions, file: FileOptions, rom_waits: int, ram_waits: int
) -> "tuple[TransferSetting, ...]":
    """Every transfer of the matrix.

    Raises CyclescopeError for a value that a line or the boards' system does not have.
    """
    from cyclescope.studies.peripheral.setting import TransferSetting

    lines = matrix.line or [LineType.SERIAL]
    for line in set(LineType) - set(lines):
        _refuse_options(line, file)
    if LineType.INFRARED in lines:
        require_infrared(file.frame, file.baud, file.turnaround)
    drivers = matrix.driver or [LineDriver.PDC, LineDriver.PIO]
    if file.system is SystemType.FREERTOS:
        drivers = matrix.driver or [LineDriver.PDC]
        require_freertos(lines, drivers, matrix.size or SIZES, file.receive_buffer)
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
            turnaround=file.turnaround,
            offset=file.offset,
            system=file.system,
            rom_waits=rom_waits,
            ram_waits=ram_waits,
        )
        for line, direction, driver, errors, size in every
    ]
    return tuple(dict.fromkeys(found))
