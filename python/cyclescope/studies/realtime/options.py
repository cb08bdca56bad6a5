"""Options of `cyclescope realtime`."""

from dataclasses import dataclass
from math import isinf
from typing import Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.cli.options import MomentSeed
from cyclescope.errors import WrongUsage
from cyclescope.studies.realtime.indicators import BackgroundState, Indicator, LoadKind

SAMPLES = 500
REPLICATES = 8
LOADS = [50]
MOST_TASKS = 0xFFFF  # what a request can say (docs/reference/wire.md)


@dataclass(frozen=True)
class TrialOptions(OptionGroup):
    """The trials: indicators, their load, and the tasks among which they are measured."""

    indicator: Annotated[
        list[Indicator] | None,
        typer.Option(
            "--indicator",
            metavar="INDICATOR",
            help=f"{', '.join(Indicator)}; may be given again. Default: all.",
        ),
    ] = None
    load: Annotated[
        list[int] | None,
        typer.Option(
            "--load",
            min=0,
            max=100,
            metavar="LEVEL",
            help="Percent of the processor that background threads or interrupts are to take, 0 "
            "for none; may be given again. Default: 50.",
        ),
    ] = None
    load_kind: Annotated[
        LoadKind,
        typer.Option(
            "--load-kind",
            metavar="KIND",
            help=f"Kind of load: {', '.join(LoadKind)}. Calls of the kernel are the paper's.",
        ),
    ] = LoadKind.CALLS
    tasks: Annotated[
        int | None,
        typer.Option(
            "--tasks",
            min=0,
            max=MOST_TASKS,
            help="Extra tasks; with --determinism the most, default all that fit.",
        ),
    ] = None
    placement: Annotated[
        BackgroundState,
        typer.Option(
            "--placement",
            metavar="STATE",
            help=f"State of the extra tasks: {', '.join(BackgroundState)}.",
        ),
    ] = BackgroundState.READY_EQUAL
    determinism: Annotated[
        bool,
        typer.Option("--determinism", help="Measure over the number of tasks, as Figure 9."),
    ] = False

    def __post_init__(self) -> None:
        if self.determinism and self.load_kind is not LoadKind.CALLS:
            raise WrongUsage("--determinism is of the load by calls: leave out --load-kind")

    @property
    def loads(self) -> list[int]:
        """The load levels in per cent, each once."""
        return list(dict.fromkeys(self.load or LOADS))


@dataclass(frozen=True)
class ExtentOptions(OptionGroup):
    """The extent of each trial."""

    samples: Annotated[
        int | None,
        typer.Option("--samples", min=1, help=f"Samples of each replicate; default: {SAMPLES}."),
    ] = None
    replicates: Annotated[
        int,
        typer.Option(
            "--replicates",
            min=1,
            max=1000,
            help="Times that each run is repeated, with fresh seeds.",
        ),
    ] = REPLICATES
    time: Annotated[
        float | None,
        typer.Option(
            "--time",
            min=0,
            metavar="SECONDS",
            help="Length of each replicate on the target's clock.",
        ),
    ] = None
    seed: MomentSeed = 1

    def __post_init__(self) -> None:
        if self.time is not None and self.time <= 0:
            raise WrongUsage("--time 0 leaves no samples: give more than 0 seconds")
        if self.time is not None and isinf(self.time):
            raise WrongUsage("--time has no end: give seconds, and Ctrl-C keeps what there is")

    @property
    def samples_wanted(self) -> int | None:
        """Samples of each replicate; None where time alone bounds it."""
        return SAMPLES if self.samples is None and self.time is None else self.samples
