"""Targets for real-time figures, one file each: `open_target(Selection) -> RealtimeTarget`."""

from cyclescope import plugins
from cyclescope.studies.realtime.target import RealtimeTarget
from cyclescope.target.target import Selection


def open_realtime(selection: Selection) -> RealtimeTarget:
    """Opens a target for real-time figures: the host, or a virtual board."""
    on_host = selection.board == "host"
    module = plugins.load("cyclescope.studies.realtime.targets", "host" if on_host else "virtual")
    target = module.open_target(selection)
    if not isinstance(target, RealtimeTarget):
        raise TypeError(f"{module.__name__}.open_target did not return a RealtimeTarget")
    return target
