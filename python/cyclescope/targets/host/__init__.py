"""The host as a target (`--board host`): the same firmware in a process of this machine.

Without a kernel it times fragments (fragments.py), with `--kernel posix` the system's own calls
(cases.py). The process is pinned to a CPU; the conditions record its other permissions.
"""

import platform

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import build as firmware
from cyclescope.firmware.build import Configuration
from cyclescope.target.target import Selection, Target
from cyclescope.targets.host.cases import KERNEL, HostCases
from cyclescope.targets.host.conditions import BOARD, choose_timer
from cyclescope.targets.host.fragments import HostFragments


def open_target(selection: Selection) -> Target:
    """Builds the program that is asked for and starts it."""
    _require_sense(selection)
    source = selection.fragment
    configuration = Configuration(
        board=BOARD,
        kernel=selection.kernel,
        code="ram",
        isa=platform.machine(),
        timer=choose_timer(selection.timer),
        cases=selection.cases,
        library=selection.library,
        fragment=source,
    )
    built = firmware.build(configuration)
    if source is None:
        return HostCases(built)
    target = HostFragments(built, source)
    try:
        target.try_out()
    except CyclescopeError:
        target.close()
        raise
    return target


def _require_sense(selection: Selection) -> None:
    if selection.fragment and selection.kernel != "bare":
        raise CyclescopeError(
            "on the host fragments are timed without a kernel: use cyclescope time FILE"
        )
    if not selection.fragment and selection.kernel != KERNEL:
        raise CyclescopeError(
            f"the host has the calls of Linux, not of {selection.kernel}: use --kernel {KERNEL}, "
            "or time code of your own with cyclescope time FILE"
        )
    if selection.mam is not None or selection.mamtim is not None or selection.layout:
        raise CyclescopeError("the host has no MAM and no layouts: leave those options out")
    if (selection.code, selection.isa) != (Selection.code, Selection.isa) or (
        selection.clock_mhz,
        selection.vpbdiv,
    ) != (Selection.clock_mhz, Selection.vpbdiv):
        raise CyclescopeError(
            "the host's memory, instruction set and clock are as they are: leave --code, --isa, "
            "--clock and --vpbdiv out"
        )
    if selection.options or selection.optimise != Selection.optimise:
        raise CyclescopeError(
            "the host's kernel is built already: leave --optimise and --option out"
        )
