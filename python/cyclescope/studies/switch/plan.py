"""Plans of `cyclescope switch`: one for each kernel at each operating point."""

import dataclasses
import hashlib
from dataclasses import dataclass

from cyclescope import input_files
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.boards import OperatingPoint
from cyclescope.studies.switch.measure import SwitchPlan
from cyclescope.studies.switch.options import (
    KERNELS,
    MOST_OPERATIONS,
    OPERATIONS,
    RigOptions,
    SwitchOptions,
)
from cyclescope.studies.switch.points import at_clock, choose
from cyclescope.studies.switch.results import UserWork
from cyclescope.studies.switch.rig import RigSettings
from cyclescope.target.target import Selection


@dataclass(frozen=True)
class SwitchCampaign:
    """Selections with their points and plans, and what they share."""

    plans: tuple[tuple[Selection, OperatingPoint, SwitchPlan], ...]
    characters: int
    rig: RigSettings
    work: UserWork | None


def planned(selection: Selection, switches: SwitchOptions, rig: RigOptions) -> SwitchCampaign:
    """The campaign that the options ask for; the fastest point alone has a sweep."""
    settings = RigSettings(
        rate_hz=rig.adc_rate, noise_lsb=rig.noise, repeats=rig.repeats, seed=rig.seed
    )
    points = choose(selection.board, switches.point or ())
    operations = tuple(sorted(set(switches.operations or OPERATIONS)))
    work = _user_work(switches, operations[-1])

    def plan(point: OperatingPoint) -> SwitchPlan:
        steps = switches.sweep if point == points[-1] else 0
        return SwitchPlan(
            operations, switches.characters, switches.instants, steps, rig.seed, settings
        )

    def at(kernel: str, point: OperatingPoint) -> Selection:
        return dataclasses.replace(
            at_clock(selection, point.core_hz), kernel=kernel, work=switches.work
        )

    kernels = dict.fromkeys(switches.kernel or KERNELS)
    plans = tuple((at(kernel, one), one, plan(one)) for kernel in kernels for one in points)
    return SwitchCampaign(plans, switches.characters, settings, work)


def _user_work(switches: SwitchOptions, most_operations: int) -> UserWork | None:
    """The user's own tasks; without them the operations have a bound."""
    if switches.work is not None:
        sha256 = hashlib.sha256(input_files.read_there(switches.work)).hexdigest()
        return UserWork(file=switches.work.name, sha256=sha256)
    if most_operations > MOST_OPERATIONS:
        raise CyclescopeError(
            f"there are at most {MOST_OPERATIONS} multiply-accumulate operations: give fewer "
            "--operations, or tasks of your own (--work)",
            code="too-many-operations",
        )
    return None
