"""Targets, one file each: a module here offers `open_target(Selection) -> Target`."""

from typing import TYPE_CHECKING

from cyclescope import plugins

if TYPE_CHECKING:  # a virtual board can be had without a target, and loads faster
    from cyclescope.target.target import Selection, Target


def open_target(selection: "Selection") -> "Target":
    """Opens the target of the selected board.

    `host` opens the plugin `host`, `PLUGIN:REST` the plugin named (`replay:results/lpc2148`). Every
    other board is virtual.
    """
    from cyclescope.target.target import Target

    member, separator, _ = selection.board.partition(":")
    named = separator or member == "host"
    module = plugins.load("cyclescope.targets", member if named else "virtual")
    target = module.open_target(selection)
    if not isinstance(target, Target):
        raise TypeError(f"{module.__name__}.open_target did not return a Target")
    return target
