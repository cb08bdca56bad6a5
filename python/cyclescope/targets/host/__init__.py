"""The host as a target (`--board host`): the same firmware in a process of this machine.

Without a kernel it times fragments (fragments.py), with `--kernel posix` the system's own calls
(cases.py). The process is pinned to a CPU; the conditions record its other permissions.
"""

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import build
from cyclescope.firmware.configuration import Configuration
from cyclescope.target.target import Selection, Target
from cyclescope.targets.host.cases import KERNEL, HostCases
from cyclescope.targets.host.conditions import BOARD, choose_timer, require_settings
from cyclescope.targets.host.fragments import HostFragments


def open_target(selection: Selection) -> Target:
    """Builds the program that is asked for and starts it."""
    _require_sense(selection)
    source = selection.fragment
    configuration = Configuration(
        board=BOARD,
        kernel=selection.kernel,
        settings={"timer": choose_timer(selection.settings.get("timer"))},
        cases=selection.cases,
        library=selection.library,
        fragment=source,
    )
    built = build.build(configuration)
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
            "on the host fragments are timed without a kernel: use cyclescope time FILE",
            code="host-fragment-needs-no-kernel",
        )
    if not selection.fragment and selection.kernel != KERNEL:
        raise CyclescopeError(
            f"the host has the calls of Linux, not of {selection.kernel}: use --kernel {KERNEL}, "
            "or time code of your own with cyclescope time FILE",
            code="host-has-no-such-kernel",
        )
    require_settings(selection)
    if selection.options or selection.optimise != Selection.optimise:
        raise CyclescopeError(
            "the host's kernel is built already: leave --optimise and --option out",
            code="host-kernel-is-built",
        )
