"""Shared by the verbs that measure several configurations as one campaign."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.cli.options import Destination, Shown
from cyclescope.cli.output import conclude, progress
from cyclescope.cli.selection import reselect
from cyclescope.errors import WrongUsage
from cyclescope.target.target import Selection

if TYPE_CHECKING:
    from cyclescope.studies.characterize.measure import MeasureOptions
    from cyclescope.studies.configurations.configurations import Configured


@dataclass(frozen=True)
class ConfigurationOptions(OptionGroup):
    """The configurations of one campaign."""

    configurations: Annotated[
        list[str] | None,
        typer.Option(
            "--configurations",
            metavar="KEY=VALUE,…",
            help="Measure each value of each option of this verb with each of the others: "
            "'isa=arm,thumb option:configUSE_QUEUE_SETS=0,1'; may be given again.",
        ),
    ] = None
    around: Annotated[
        bool,
        typer.Option(
            "--around",
            help="Of --configurations, the first value of all, and every other one alone.",
        ),
    ] = False

    def __post_init__(self) -> None:
        if self.around and not self.configurations:
            raise WrongUsage("--around says how --configurations are combined: give them too")

    def chosen(self) -> "Sequence[Configured]":
        """The configurations that the options name; none without --configurations."""
        from cyclescope.studies.configurations.configurations import around, every, parse

        if not self.configurations:
            return ()
        axes = parse(self.configurations)
        return around(axes) if self.around else every(axes)


def measure_all(
    configured: "Sequence[Configured]",
    format_name: Literal["cyclescope configurations", "cyclescope option costs"],
    selection: Selection,
    options: "MeasureOptions",
    destination: Destination,
    shown: Shown,
) -> None:
    """Measures them into folders of one, then shows them as that folder's result type does."""
    from importlib.metadata import version

    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.configurations.analyse import run
    from cyclescope.studies.configurations.configurations import Campaign

    chosen = [(one, reselect(selection, one.settings)) for one in configured]
    folder = destination.out or Path("results") / f"{format_name.split()[-1]}-{selection.board}"
    campaign = Campaign(
        format=format_name, tool=version("cyclescope"), configurations=tuple(configured)
    )
    with locked(folder):
        with progress(quiet=shown.json) as advance:
            run(campaign, chosen, options, folder, advance)
        conclude(folder, shown)
