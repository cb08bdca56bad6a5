"""The options that several verbs have, each declared once."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.target.layouts import MOST, USUAL

Clustering = Annotated[
    str,
    typer.Option(
        help="Find clusters so: peaks, paper or paper_literal (docs/explanation/laws.md)."
    ),
]
Full = Annotated[bool, typer.Option("--full", help="Print everything, not only 40 lines of it.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, errors too, and no progress.")]

Cases = Annotated[
    list[str] | None,
    typer.Option("--case", metavar="GLOB", help="Cases; may be given again. Default: all."),
]

Out = Annotated[
    Path | None, typer.Option(help="Results folder; default: one of results/, by its conditions.")
]
Replace = Annotated[
    bool, typer.Option("--replace", help="Discard the results in the folder first.")
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Keep finished runs in the folder, make the others.")
]
Layouts = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=MOST,
        help="Time so many links of the code, every function in another place in each; by "
        f"default {USUAL} where the flash makes that matter, else the plain link alone.",
    ),
]
LayoutSeed = Annotated[
    int,
    typer.Option("--seed", help="Seed of the layouts; the plain link is the first."),
]
Energy = Annotated[
    bool,
    typer.Option("--energy", help="Meter the energy of each call too, on a virtual board."),
]
ResultsFolder = Annotated[Path, typer.Argument(metavar="DIR", help="A results folder.")]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="Processes that measure; default: one for each core.")
]


class OverheadChoice(StrEnum):
    """The overhead that is subtracted from each timed call."""

    CALL = "call"
    PAIR = "pair"


OverheadOption = Annotated[
    OverheadChoice,
    typer.Option(
        help="Subtract from each call the time of an empty call, or of a start/stop pair of the "
        "timer with no call between; the pair leaves arguments, jump and return in."
    ),
]

ALL = ["*"]
"""The cases of a verb that is given none."""


def refuse_both(replace: bool, resume: bool) -> None:
    """Refuses what contradicts itself."""
    if replace and resume:
        raise typer.BadParameter("--replace discards what --resume keeps: choose one")
