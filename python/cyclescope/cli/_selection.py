"""The options that choose what is measured, shared by the verbs that open a target."""

from enum import StrEnum
from typing import Annotated

import typer


class Code(StrEnum):
    """Where the code lies."""

    FLASH = "flash"
    SRAM = "sram"
    LAB = "lab"


class Isa(StrEnum):
    """The instruction set that the firmware is compiled to."""

    ARM = "arm"
    THUMB = "thumb"


class Timer(StrEnum):
    """What the firmware reads the time from."""

    MEASUREMENT = "measurement"
    TIMER1 = "timer1"


BoardOption = Annotated[
    str, typer.Option("--board", help="A board's name, or replay:FOLDER for a recording.")
]
KernelOption = Annotated[str, typer.Option("--kernel", help="The kernel under test.")]
CodeOption = Annotated[Code, typer.Option("--code", help="Memory that holds the code.")]
IsaOption = Annotated[Isa, typer.Option("--isa", help="Instruction set of the firmware.")]
MamOption = Annotated[
    int | None,
    typer.Option("--mam", min=0, max=2, help="Flash accelerator: 0 off, 1 partial, 2 full."),
]
TimerOption = Annotated[Timer, typer.Option("--timer", help="The timer behind the probes.")]
