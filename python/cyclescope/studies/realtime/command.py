"""`cyclescope realtime`: a kernel's real-time figures under mixed load, as scores."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from cyclescope.cli.options import Destination, Shown
from cyclescope.cli.output import conclude, progress
from cyclescope.cli.selection import selecting
from cyclescope.studies.realtime.options import ExtentOptions, TrialOptions
from cyclescope.target.target import Selection

if TYPE_CHECKING:
    from cyclescope.studies.realtime.results import Trial
    from cyclescope.studies.realtime.target import RealtimeTarget


@selecting
def command(
    selection: Selection,
    wanted: TrialOptions,
    extent: ExtentOptions,
    destination: Destination,
    shown: Shown,
) -> None:
    """Measure the real-time figures of a kernel under load.

    Task switching, preemption, interrupt response and semaphore shuffling. Writes samples,
    manifest and report. The exit code is 1 if a figure is missing that was asked for, or must not
    be used.
    """
    from cyclescope.results.folder_lock import locked
    from cyclescope.results.names import folder_name
    from cyclescope.studies.realtime.campaign import Bounds, RealtimePlan, collect
    from cyclescope.studies.realtime.targets import open_realtime

    bounds = Bounds(extent.samples_wanted, extent.time)
    with ExitStack() as until_shown:
        with progress(quiet=shown.json) as advance:
            advance(0, 0, "building and loading the firmware")
            with open_realtime(selection) as target:
                named = folder_name(target.conditions(), before=["realtime"], with_timer=False)
                folder = destination.out or Path("results") / named
                until_shown.enter_context(locked(folder))
                trials = _trials(target, wanted)
                plan = RealtimePlan(
                    trials,
                    bounds,
                    extent.seed,
                    extent.replicates,
                    destination.replace,
                    destination.resume,
                )
                collect(target, plan, folder, advance)
        conclude(folder, shown)


def _trials(target: "RealtimeTarget", wanted: TrialOptions) -> "tuple[Trial, ...]":
    """Each indicator at each load, or over the number of tasks."""
    from cyclescope.studies.realtime.campaign import alike, available, curves

    indicators = available(target, wanted.indicator or ())
    found: list[Trial] = []
    for level in wanted.loads:
        if wanted.determinism:
            found += curves(target, indicators, level, wanted.tasks)
        else:
            found += alike(indicators, level, wanted.tasks, wanted.placement, wanted.load_kind)
    return tuple(dict.fromkeys(found))
