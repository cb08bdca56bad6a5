"""Options of `cyclescope switch`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.cli.options import Kernels, RigSeed

KERNELS = ["bare", "freertos"]
OPERATIONS = [4, 16, 32]
MOST_OPERATIONS, MOST_CHARACTERS = 64, 64
MOST_OF_OWN = 65_535


@dataclass(frozen=True)
class SwitchOptions(OptionGroup):
    """The switches that are measured: kernels, operating points, tasks and instants."""

    kernel: Kernels = None
    point: Annotated[
        list[str] | None,
        typer.Option(
            "--point",
            metavar="NAME|MHZ",
            help="An operating point of the board; may be given again. Default: all.",
        ),
    ] = None
    operations: Annotated[
        list[int] | None,
        typer.Option(
            "--operations",
            min=0,
            max=MOST_OF_OWN,
            help=f"Multiply-accumulate operations, at most {MOST_OPERATIONS} (--work: what your "
            f"task is called with, at most {MOST_OF_OWN}); may be given again. Default: 4, 16, 32.",
        ),
    ] = None
    characters: Annotated[
        int,
        typer.Option("--characters", min=3, max=MOST_CHARACTERS, help="Characters to transmit."),
    ] = 3
    instants: Annotated[
        int,
        typer.Option(
            "--instants", min=1, help="Switches at random instants for each direct measurement."
        ),
    ] = 11
    sweep: Annotated[
        int,
        typer.Option(
            "--sweep",
            min=0,
            metavar="STEPS",
            help="Instants over a character's time; 0: no sweep.",
        ),
    ] = 24
    work: Annotated[
        Path | None,
        typer.Option(
            "--work",
            metavar="FILE.c",
            help="Your own tasks: a C file with uint32_t preempting_task(uint32_t operations) and, "
            "if you like, void preempted_task(void) (docs/explanation/switch.md).",
        ),
    ] = None


@dataclass(frozen=True)
class RigOptions(OptionGroup):
    """The simulated rig, and the seed of all that is random."""

    adc_rate: Annotated[
        int,
        typer.Option("--adc-rate", min=1_000, metavar="HZ", help="Samples of the rig per second."),
    ] = 1_000_000
    noise: Annotated[
        float,
        typer.Option("--noise", min=0, metavar="LSB", help="Noise of the rig's channels, rms."),
    ] = 1.0
    repeats: Annotated[
        int,
        typer.Option("--repeats", min=10, help="Windows that the rig measures for one figure."),
    ] = 100
    seed: RigSeed = 1


Tasks = Annotated[
    Path | None,
    typer.Option(
        "--tasks",
        metavar="FILE.toml",
        help="Nothing is measured: schedule this set of tasks, switches paid (`schedule`), and "
        "draw the timeline into the SVG file --out.",
    ),
]
