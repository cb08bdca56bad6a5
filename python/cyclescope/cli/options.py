"""Options that several verbs have, each declared once; those of one verb lie in its question.

A name with several meanings has a declaration for each. `--out` is a folder or a file, `--seed`
draws layouts or moments, `--board` is any target or a virtual board, `--kernel` is one or several.
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.errors import WrongUsage
from cyclescope.target.layouts import MOST, USUAL

# The choice of what is measured.

BoardOption = Annotated[
    str,
    typer.Option(
        "--board",
        help="A board's name, the path of its board.toml, or replay:FOLDER for a recording.",
    ),
]
VirtualBoardOption = Annotated[
    str,
    typer.Option("--board", help="A virtual board: its name, or the path of its board.toml."),
]
KernelOption = Annotated[str, typer.Option("--kernel", help="The kernel under test.")]
Kernels = Annotated[
    list[str] | None,
    typer.Option(
        "--kernel",
        metavar="KERNEL",
        help="A kernel, or bare; may be given again. Default: bare and freertos.",
    ),
]
ClassOption = Annotated[
    str,
    typer.Option(
        "--class", help="Build the cases of one class only, into an image that is smaller."
    ),
]
LibraryOption = Annotated[
    str,
    typer.Option(
        "--library", help="The C library, such as newlib-nano or picolibc; the board has a list."
    ),
]


class Optimise(StrEnum):
    """How the compiler optimises what is timed."""

    O0 = "O0"
    O1 = "O1"
    O2 = "O2"
    O3 = "O3"
    OS = "Os"
    OG = "Og"


OptimiseOption = Annotated[
    Optimise,
    typer.Option(
        "--optimise", help="How kernel and libraries are compiled; cases and harness: O2 always."
    ),
]
Include = Annotated[
    list[Path] | None,
    typer.Option("-I", "--include", metavar="DIR", help="A folder of files that are included."),
]
Define = Annotated[
    list[str] | None,
    typer.Option("-D", "--define", metavar="NAME[=VALUE]", help="A macro for the compiler."),
]
KernelOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="An option of the kernel, of `cyclescope list options`; may be given again.",
    ),
]
Cases = Annotated[
    list[str] | None,
    typer.Option("--case", metavar="GLOB", help="Cases; may be given again. Default: all."),
]
ALL = ["*"]
"""The cases of a verb that is given none."""

# How it is measured.

Layouts = Annotated[
    int | None,
    typer.Option(
        "--layouts",
        min=1,
        max=MOST,
        help="Time so many links of the code, every function in another place in each; by "
        f"default {USUAL} where the flash makes that matter, else the plain link alone.",
    ),
]
LayoutSeed = Annotated[
    int, typer.Option("--seed", help="Seed of the layouts; the plain link is the first.")
]
MomentSeed = Annotated[
    int, typer.Option("--seed", min=1, max=1 << 30, help="Seed of the random moments.")
]
RigSeed = Annotated[
    int, typer.Option("--seed", min=0, help="Seed of the switches' instants, and of the rig.")
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        min=1,
        help="Processes that measure; where no default is shown, one for each core.",
    ),
]
Energy = Annotated[bool, typer.Option("--energy", help="Meter the energy too, on a virtual board.")]


class OverheadChoice(StrEnum):
    """The overhead that is subtracted from each timed call."""

    CALL = "call"
    PAIR = "pair"


OverheadOption = Annotated[
    OverheadChoice,
    typer.Option(
        "--overhead",
        help="Subtract from each call the time of an empty call, or of a start/stop pair of the "
        "timer with no call between. The pair leaves arguments, jump and return in.",
    ),
]

# Where results are.

ResultsFolder = Annotated[Path, typer.Argument(metavar="DIR", help="A results folder.")]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out", help="Results folder; by default one in results/, named by what is measured."
    ),
]
OutOfExplanations = Annotated[
    Path | None,
    typer.Option("--out", help="Results folder that is to hold the explanations; default: none."),
]
OutFile = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="File that is written; see above.")
]
Replace = Annotated[
    bool, typer.Option("--replace", help="Discard the results in the folder first.")
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Keep finished runs in the folder, make the others.")
]


@dataclass(frozen=True)
class Destination(OptionGroup):
    """The folder of results, and what happens to those that are there."""

    out: Out = None
    replace: Replace = False
    resume: Resume = False

    def __post_init__(self) -> None:
        if self.replace and self.resume:
            raise WrongUsage("--replace discards what --resume keeps: choose one")


# How they are shown.

Clustering = Annotated[
    str,
    typer.Option(
        "--clustering",
        help="Find clusters so: peaks, paper or paper_literal (docs/explanation/laws.md).",
    ),
]
Full = Annotated[bool, typer.Option("--full", help="Print everything, not only 40 lines of it.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, errors too, and no progress.")]


@dataclass(frozen=True)
class Shown(OptionGroup):
    """How a verb prints what it found."""

    full: Full = False
    json: Json = False


@dataclass(frozen=True)
class CampaignOptions(OptionGroup):
    """A campaign over a kernel's cases: which, and in which places."""

    case: Cases = None
    jobs: Jobs = None
    layouts: Layouts = None
    seed: LayoutSeed = 1
