"""A look into the calls of a series on a virtual board: every cycle, and every interrupt mask."""

from collections.abc import Sequence

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.probes import Sites
from cyclescope.target.target import CallProfile, InterruptsOff, Truth
from cyclescope.targets.virtual.board import Board


def look_inside(board: Board, sites: Sites) -> None:
    """Starts recording what `take_profiles` needs, beside what is recorded already."""
    board.profile(sites.start, sites.entry, sites.returned)
    board.watch_interrupts(sites.start, sites.entry, sites.returned)


def take_profiles(board: Board, truths: Sequence[Truth]) -> list[CallProfile]:
    """Returns the profiles of the calls since `look_inside`, whose times are in `truths`."""
    calls, interrupts = board.take_profiles(), board.take_interrupts_off()
    times = [truth.call for truth in truths]
    if times != [call.cycles for call in calls] or times != [off["cycles"] for off in interrupts]:
        raise CyclescopeError(
            "the calls seen from inside last other times than seen from outside: the engine is at "
            "fault, please report it",
            code="calls-inside-unlike-outside",
        )
    profiles = []
    for truth, call, off in zip(truths, calls, interrupts, strict=True):
        kept = InterruptsOff(
            longest_cycles=off["longest_cycles"],
            begin=off["begin"],
            end=off["end"],
            entered_off=off["entered_off"],
            returned_off=off["returned_off"],
        )
        profiles.append(CallProfile(truth, call.lines, kept))
    return profiles
