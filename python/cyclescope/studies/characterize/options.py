"""Options of verbs that time a kernel's cases."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.cli.options import (
    ALL,
    CampaignOptions,
    Destination,
    Energy,
    OverheadChoice,
    OverheadOption,
)
from cyclescope.errors import WrongUsage

if TYPE_CHECKING:
    from cyclescope.studies.characterize.measure import MeasureOptions


@dataclass(frozen=True)
class CallOptions(OptionGroup):
    """Values, meters and overhead of each call of a case."""

    at: Annotated[
        str,
        typer.Option("--at", metavar="X,…", help="Time the cases that take them at these x too."),
    ] = ""
    energy: Energy = False
    overhead: OverheadOption = OverheadChoice.CALL

    def measured(self) -> dict[str, Any]:
        """The same, as fields of `MeasureOptions`."""
        return {
            "at": _integers(self.at),
            "energy": self.energy,
            "by_pair": self.overhead is OverheadChoice.PAIR,
        }


def _integers(listed: str) -> tuple[int, ...]:
    try:
        return tuple(int(one) for one in listed.split(",")) if listed else ()
    except ValueError:
        raise WrongUsage(f"--at takes integers with commas between: {listed}") from None


def measure_options(
    campaign: CampaignOptions, destination: Destination, **others: Any
) -> "MeasureOptions":
    """What to measure, from the options of a verb; `others` are further fields."""
    from cyclescope.studies.characterize.measure import MeasureOptions

    return MeasureOptions(
        case=campaign.case or ALL,
        layouts=campaign.layouts,
        seed=campaign.seed,
        jobs=campaign.jobs,
        replace=destination.replace,
        resume=destination.resume,
        **others,
    )
