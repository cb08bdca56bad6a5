"""`cyclescope options`: what each option of a kernel adds to each of its calls."""

from collections.abc import Sequence
from typing import Annotated

import typer

from cyclescope.cli.options import CampaignOptions, Destination, Shown
from cyclescope.cli.selection import selecting
from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards, kernel_options
from cyclescope.firmware.boards import USUAL_WITH_SPACE
from cyclescope.studies.characterize.options import measure_options
from cyclescope.studies.configurations.campaign import measure_all
from cyclescope.target.target import Selection

LENGTHS = (10,)
"""Series of a deterministic board repeat themselves: one is enough."""

OptionsAndValues = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME[=VALUE,…]]…", help="Options and values; default: all."),
]


def command(
    selection: Selection,
    campaign: CampaignOptions,
    destination: Destination,
    shown: Shown,
    of: OptionsAndValues = None,
) -> None:
    """Measure what each option of a kernel adds to each call.

    Each option is changed alone. By default the code lies in the lab's own memory: no access waits
    there, so that a difference is the option's own and not of code that moved.
    """
    from cyclescope.studies.configurations.configurations import around

    options = measure_options(campaign, destination, lengths=LENGTHS, explain=False)
    configured = around(_axes(selection, of or ()))
    measure_all(configured, "cyclescope option costs", selection, options, destination, shown)


def _axes(selection: Selection, texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The value that an option has in the base, then the others asked for."""
    from cyclescope.studies.configurations.configurations import OPTION

    lacking = boards.firmware_of(selection.board).lacks_options
    every = kernel_options.of(selection.kernel)
    there = {one.name: one for one in every if one.name not in lacking}
    if not there:
        raise CyclescopeError(
            f"{selection.kernel} declares no options: choose another --kernel",
            code="kernel-has-no-options",
        )
    axes = {}
    for text in texts or there:
        name, _, listed = text.partition("=")
        if name not in there:
            known = ", ".join(there)
            raise CyclescopeError(
                f"there is no option {name} of {selection.kernel}: it has {known}",
                code="no-such-option-to-compare",
            )
        base = str(dict(selection.options).get(name, there[name].values[0]))
        values = listed.split(",") if listed else map(str, there[name].values)
        axes[OPTION + name] = (base, *(value for value in dict.fromkeys(values) if value != base))
    return axes


command = selecting(command, USUAL_WITH_SPACE)
