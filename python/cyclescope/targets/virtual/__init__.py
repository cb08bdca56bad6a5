"""Virtual boards (`--board NAME`): all that knows the engine."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cyclescope.target.target import Selection, Target


def open_target(selection: "Selection") -> "Target":
    """Opens a virtual board; see `target.open_virtual_board`."""
    from cyclescope.targets.virtual import target  # only who opens one pays for loading it

    return target.open_virtual_board(selection)
