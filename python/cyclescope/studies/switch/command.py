"""`cyclescope switch`: what a context switch costs, in time and energy, in three ways."""

from pathlib import Path
from typing import TYPE_CHECKING

from cyclescope.cli.options import Jobs, Out, Shown
from cyclescope.cli.output import conclude, progress
from cyclescope.cli.selection import selecting
from cyclescope.studies.schedule.command import command as schedule
from cyclescope.studies.switch.options import RigOptions, SwitchOptions, Tasks
from cyclescope.target.target import Selection

if TYPE_CHECKING:
    from cyclescope.studies.switch.plan import SwitchCampaign
    from cyclescope.studies.switch.results import SwitchResults

RESULTS = Path("results/switch")
SETTINGS = ("code", "mam", "romwaits", "ramwaits")
"""Settings of boards that are options: memory and its speed. The points choose the clock."""


def command(
    selection: Selection,
    switches: SwitchOptions,
    rig: RigOptions,
    shown: Shown,
    jobs: Jobs = 1,
    out: Out = None,
    tasks: Tasks = None,
) -> None:
    """Find the cost of a context switch in three ways.

    Analytically, by simulation, by direct measurement. Writes the results and a report, in place of
    those that it left in the folder. The exit code is 1 if the ways contradict each other.
    """
    if tasks is not None:
        schedule(tasks, out, json=shown.json)
        return
    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.switch.plan import planned
    from cyclescope.studies.switch.results import require_own, save

    folder = out or RESULTS
    campaign = planned(selection, switches, rig)
    with locked(folder):
        require_own(folder)
        save(folder, _measure(campaign, jobs, shown.json))
        conclude(folder, shown)


def _measure(campaign: "SwitchCampaign", jobs: int | None, quiet: bool) -> "SwitchResults":
    """Measures each kernel at each point, in so many processes."""
    from concurrent.futures import as_completed

    from cyclescope.campaign import executors
    from cyclescope.studies.switch.measure import gather, measure

    plans = campaign.plans
    with progress(quiet) as advance, executors.local(jobs or executors.cores()) as executor:
        advance(0, len(plans), "building and loading the firmware")
        waiting = [executor.submit(measure, *plan) for plan in plans]
        for done, _ in enumerate(as_completed(waiting), 1):
            advance(done, len(plans), "")
        figures = [one.result() for one in waiting]
    return gather(figures, campaign.characters, campaign.rig.seed, campaign.rig, campaign.work)


command = selecting(command, of_image=("board",), of_board=SETTINGS)
