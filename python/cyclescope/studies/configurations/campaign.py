"""Shared by the verbs that measure several configurations as one campaign."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cyclescope.cli.output import conclude, progress
from cyclescope.cli.selection import reselect
from cyclescope.target.target import Selection

if TYPE_CHECKING:
    from cyclescope.studies.characterize.measure import MeasureOptions
    from cyclescope.studies.configurations.configurations import Configured

Axes = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE,…",
        help="Measure each value of each option of this verb with each of the others: "
        "'mam=0,1,2 isa=arm,thumb option:configUSE_QUEUE_SETS=0,1'; may be given again.",
    ),
]
Around = Annotated[
    bool,
    typer.Option(
        "--around",
        help="Of --configurations, the first value of all, and every other one alone.",
    ),
]


def measure_all(
    configured: Sequence["Configured"],
    format_name: Literal["cyclescope configurations", "cyclescope option costs"],
    selection: Selection,
    wishes: "MeasureOptions",
    out: Path | None,
    json: bool,
    full: bool,
) -> None:
    """Measures them into folders of one, then shows them as that folder's result type does."""
    from importlib.metadata import version

    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.configurations.analyse import run
    from cyclescope.studies.configurations.configurations import Campaign

    chosen = [(one, reselect(selection, one.settings)) for one in configured]
    folder = out or Path("results") / f"{format_name.split()[-1]}-{selection.board}"
    campaign = Campaign(
        format=format_name, tool=version("cyclescope"), configurations=tuple(configured)
    )
    with locked(folder):
        with progress(quiet=json) as advance:
            run(campaign, chosen, wishes, folder, advance)
        conclude(folder, json, full)
