"""Targets, one file each: a module here offers `open_target(Selection) -> Target`."""

from cyclescope import plugins
from cyclescope.studies.realtime.target import RealtimeTarget
from cyclescope.target.target import Selection, Target


def open_target(selection: Selection) -> Target:
    """Opens the target that has the board: `NAME` is a virtual board or the host, `MEMBER:REST`
    names its member of this folder first (`replay:results/lpc2148`)."""
    import cyclescope.targets as folder

    member, separator, _ = selection.board.partition(":")
    named = separator or member == "host"
    module = plugins.load(folder, member if named else "virtual")
    target = module.open_target(selection)
    if not isinstance(target, Target):
        raise TypeError(f"{module.__name__}.open_target did not return a Target")
    return target


def open_realtime(selection: Selection) -> RealtimeTarget:
    """Opens a target for real-time figures: the host, or a virtual board."""
    import cyclescope.studies.realtime.targets as folder

    on_host = selection.board == "host" or selection.kernel == "posix"
    module = plugins.load(folder, "host" if on_host else "virtual")
    target = module.open_target(selection)
    if not isinstance(target, RealtimeTarget):
        raise TypeError(f"{module.__name__}.open_target did not return a RealtimeTarget")
    return target
