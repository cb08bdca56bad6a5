"""Options of `cyclescope time`."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.cli.options import Define, Include
from cyclescope.errors import WrongUsage
from cyclescope.firmware.fragment.cost_kind import CostKind

if TYPE_CHECKING:
    from cyclescope.studies.time.experiment_design import TimeOptions
    from cyclescope.studies.time.targets import Compiled


@dataclass(frozen=True)
class FragmentOptions(OptionGroup):
    """The fragment: where its C is, what is called, how it is compiled."""

    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.c", help="C with the fragment; not needed for a recording."),
    ] = None
    function: Annotated[
        str | None, typer.Option("--function", help="Time this function; it takes no arguments.")
    ] = None
    call: Annotated[str | None, typer.Option("--call", help='Time this call: "f(&state, 3)".')] = (
        None
    )
    optimise: Annotated[str, typer.Option("--optimise", help="How the fragment is compiled.")] = (
        "-O2"
    )
    include: Include = None
    define: Define = None
    library: Annotated[
        list[str] | None,
        typer.Option("-l", "--library", metavar="NAME", help="A library it is linked with."),
    ] = None

    def __post_init__(self) -> None:
        if self.function and self.call:
            raise WrongUsage("--function and --call both say what is executed: choose one")

    @property
    def executed(self) -> str | None:
        """The function or call; None if the file says it."""
        return self.function or self.call

    def compiled(self) -> "Compiled":
        """Needs of the file: what its compiler is given."""
        from cyclescope.studies.time.targets import Compiled

        return Compiled(
            tuple(self.include or ()), tuple(self.define or ()), tuple(self.library or ())
        )


@dataclass(frozen=True)
class DesignOptions(OptionGroup):
    """The experiment design: techniques, points and rounds."""

    technique: Annotated[
        list[str] | None,
        typer.Option(
            "--technique",
            help="A technique, `all`, or `auto`: what suits the board. May be repeated.",
        ),
    ] = None
    rounds: Annotated[
        int | None,
        typer.Option("--rounds", min=1, help="How often every point of a plan is measured."),
    ] = None
    points: Annotated[
        int | None,
        typer.Option("--points", min=1, help="Different numbers of executions that are measured."),
    ] = None
    period: Annotated[
        int | None,
        typer.Option("--period", min=1, help="Unrolled executions come in multiples of this."),
    ] = None
    kind: Annotated[
        CostKind | None,
        typer.Option(
            "--kind",
            help="On the host, what one more call adds to calls that wait for each other's "
            "results, or that need not. Default: both, as far as the call has them.",
        ),
    ] = None
    analyser: Annotated[
        int | None,
        typer.Option(
            "--analyser",
            metavar="HZ",
            help="Sample rate of the logic analyser behind --timer pin.",
        ),
    ] = None

    def chosen(self) -> "TimeOptions":
        """The user's choice of an experiment design."""
        from cyclescope.studies.time.experiment_design import AUTO, TimeOptions

        techniques = tuple(self.technique or (AUTO,))
        return TimeOptions(techniques, self.points, self.rounds, self.period, self.kind)


@dataclass(frozen=True)
class RecordingOptions(OptionGroup):
    """A recording of a pin in place of a board that the lab talks to (docs/how-to/record.md)."""

    program: Annotated[
        Path | None,
        typer.Option(
            "--program",
            metavar="FOLDER",
            help="Write the program that toggles the pin; with --recording: the one that ran.",
        ),
    ] = None
    recording: Annotated[
        list[Path] | None,
        typer.Option(
            "--recording",
            metavar="FILE",
            help="Time by a recording of the pin: .wav, .vcd or .csv; needs --program. Twice if "
            "pin and reference were recorded one after the other.",
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.recording and not self.program:
            raise WrongUsage(
                "--recording needs the folder of the program that ran: add --program FOLDER"
            )


class BlockModel(StrEnum):
    """Parts of a fragment that have a time."""

    BLOCKS = "blocks"
    EDGES = "edges"


@dataclass(frozen=True)
class BlockOptions(OptionGroup):
    """Whether the fragment's blocks are timed, and how."""

    blocks: Annotated[
        bool, typer.Option("--blocks", help="Time each basic block of its code as well.")
    ] = False
    model: Annotated[
        BlockModel | None,
        typer.Option(
            "--model",
            help="With --blocks: a time for each block, or for each way out of one (the default "
            "where code is fetched in lines that a memory keeps).",
        ),
    ] = None
    inputs: Annotated[
        int | None,
        typer.Option(
            "--inputs", min=2, help="With --blocks: how many rounds of PREPARE; default: 100."
        ),
    ] = None

    def __post_init__(self) -> None:
        if (self.model or self.inputs) and not self.blocks:
            raise WrongUsage("--model and --inputs are about blocks: add --blocks")
