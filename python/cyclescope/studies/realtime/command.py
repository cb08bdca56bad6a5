"""`cyclescope realtime`: a kernel's real-time figures under mixed load, as scores."""

from contextlib import ExitStack
from math import isinf
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import (
    Full,
    Json,
    Out,
    Replace,
    Resume,
    refuse_both,
)
from cyclescope.cli.output import conclude, progress
from cyclescope.cli.selection import selecting
from cyclescope.studies.realtime.target import Indicator, LoadKind, Placement
from cyclescope.target.target import Selection

SAMPLES = 500
REPLICATES = 8
LOADS = [50]
MOST_TASKS = 0xFFFF  # what a request can say (docs/reference/wire.md)


@selecting
def command(
    selection: Selection,
    indicator: Annotated[
        list[Indicator] | None,
        typer.Option(help="Measure this indicator; may be given again. Default: all."),
    ] = None,
    load: Annotated[
        list[int] | None,
        typer.Option(
            min=0,
            max=100,
            metavar="LEVEL",
            help="Percent of the processor that background threads or interrupts are to take, 0 "
            "for none; may be given again. Default: 50.",
        ),
    ] = None,
    load_kind: Annotated[
        LoadKind, typer.Option(help="Kind of load: calls of the kernel, as in the paper, …")
    ] = LoadKind.CALLS,
    tasks: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MOST_TASKS,
            help="Extra tasks; with --determinism the most, default all that fit.",
        ),
    ] = None,
    placement: Annotated[
        Placement, typer.Option(help="State of the extra tasks.")
    ] = Placement.READY_EQUAL,
    determinism: Annotated[
        bool, typer.Option("--determinism", help="Measure over the number of tasks, as Figure 9.")
    ] = False,
    samples: Annotated[
        int | None, typer.Option(min=1, help=f"Samples of each replicate; default: {SAMPLES}.")
    ] = None,
    replicates: Annotated[
        int,
        typer.Option(min=1, max=1000, help="Times that each run is repeated, with fresh seeds."),
    ] = REPLICATES,
    time: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="SECONDS", help="Length of each replicate on the target's clock."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=1, max=1 << 30, help="Seed of the random moments.")] = 1,
    out: Out = None,
    replace: Replace = False,
    resume: Resume = False,
    full: Full = False,
    json: Json = False,
) -> None:
    """Measure switching, preemption, interrupt response and semaphore shuffling under load.

    Writes samples, manifest and report. The exit code is 1 if a figure is missing that was asked
    for, or must not be used.
    """
    refuse_both(replace, resume)
    if determinism and load_kind is not LoadKind.CALLS:
        raise typer.BadParameter("--determinism is of the load by calls: leave out --load-kind")
    if time is not None and time <= 0:
        raise typer.BadParameter("--time 0 leaves no samples: give more than 0 seconds")
    if time is not None and isinf(time):
        raise typer.BadParameter("--time has no end: give seconds, and Ctrl-C keeps what there is")
    from cyclescope.results.folder_lock import locked
    from cyclescope.results.names import folder_name
    from cyclescope.studies.realtime.campaign import (
        Bounds,
        RealtimePlan,
        alike,
        available,
        collect,
        curves,
    )
    from cyclescope.studies.realtime.targets import open_realtime

    bounds = Bounds(SAMPLES if samples is None and time is None else samples, time)
    levels = dict.fromkeys(load or LOADS)
    with ExitStack() as until_shown:
        with progress(quiet=json) as advance:
            advance(0, 0, "building and loading the firmware")
            with open_realtime(selection) as target:
                folder = out or Path("results") / folder_name(
                    target.conditions(), before=["realtime"], with_timer=False
                )
                until_shown.enter_context(locked(folder))
                wanted = available(target, indicator or ())
                trials = [
                    one
                    for level in levels
                    for one in (
                        curves(target, wanted, level, tasks)
                        if determinism
                        else alike(wanted, level, tasks, placement, load_kind)
                    )
                ]
                planned = tuple(dict.fromkeys(trials))
                plan = RealtimePlan(planned, bounds, seed, replicates, replace, resume)
                collect(target, plan, folder, advance)
        conclude(folder, json, full)
