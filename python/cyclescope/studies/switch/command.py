"""`cyclescope switch`: what a context switch costs, in time and energy, in three ways."""

import dataclasses
import hashlib
from concurrent.futures import as_completed
from pathlib import Path
from typing import Annotated

import typer

from cyclescope import input_files
from cyclescope.cli.options import Full, Json
from cyclescope.cli.output import conclude, progress
from cyclescope.cli.selection import selecting
from cyclescope.errors import CyclescopeError
from cyclescope.studies.schedule.command import command as schedule
from cyclescope.target.target import Selection

RESULTS = Path("results/switch")
KERNELS = ["bare", "freertos"]
OPERATIONS = [4, 16, 32]
MOST_OPERATIONS, MOST_CHARACTERS = 64, 64
MOST_OF_OWN = 65_535


def command(
    selection: Selection,
    kernel: Annotated[
        list[str] | None,
        typer.Option(help="A kernel, or bare; may be given again. Default: bare and freertos."),
    ] = None,
    point: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME|MHZ",
            help="An operating point of the board; may be given again. Default: all.",
        ),
    ] = None,
    operations: Annotated[
        list[int] | None,
        typer.Option(
            min=0,
            max=MOST_OF_OWN,
            help=f"Multiply-accumulate operations, at most {MOST_OPERATIONS} (--work: what your "
            f"task is called with, at most {MOST_OF_OWN}); may be given again. Default: 4, 16, 32.",
        ),
    ] = None,
    characters: Annotated[
        int, typer.Option(min=3, max=MOST_CHARACTERS, help="Characters to transmit.")
    ] = 3,
    instants: Annotated[
        int, typer.Option(min=1, help="Switches at random instants for each direct measurement.")
    ] = 11,
    sweep: Annotated[
        int,
        typer.Option(min=0, metavar="STEPS", help="Instants over a character's time; 0: no sweep."),
    ] = 24,
    work: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.c",
            help="Your own tasks: a C file with uint32_t preempting_task(uint32_t operations) and, "
            "if you like, void preempted_task(void) (docs/explanation/switch.md).",
        ),
    ] = None,
    adc_rate: Annotated[
        int, typer.Option(min=1_000, metavar="HZ", help="Samples of the rig per second.")
    ] = 1_000_000,
    noise: Annotated[
        float, typer.Option(min=0, metavar="LSB", help="Noise of the rig's channels, rms.")
    ] = 1.0,
    repeats: Annotated[
        int, typer.Option(min=10, help="Windows that the rig measures for one figure.")
    ] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Of instants, and of the rig.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that measure.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Results folder (results/switch); what `switch` left there is replaced. "
            "With --tasks: draw the timeline into this .svg file.",
            show_default=False,
        ),
    ] = None,
    tasks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.toml",
            help="Nothing is measured: schedule this set of tasks, switches paid (`schedule`).",
        ),
    ] = None,
    full: Full = False,
    json: Json = False,
) -> None:
    """Find the cost of a context switch: analytically, by simulation, by direct measurement.

    Writes the results and a report. The exit code is 1 if the ways contradict each other.
    """
    if tasks is not None:
        schedule(tasks, out, json=json)
        return
    folder = out or RESULTS
    from cyclescope.campaign import executors
    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.switch.measure import SwitchPlan, gather, measure
    from cyclescope.studies.switch.points import choose
    from cyclescope.studies.switch.results import UserWork, save
    from cyclescope.studies.switch.rig import RigSettings

    rig = RigSettings(rate_hz=adc_rate, noise_lsb=noise, repeats=repeats, seed=seed)
    points = choose(selection.board, point or ())
    wanted = tuple(sorted(set(operations or OPERATIONS)))
    own = None
    if work is not None:
        sha256 = hashlib.sha256(input_files.read_there(work)).hexdigest()
        own = UserWork(file=work.name, sha256=sha256)
    elif wanted[-1] > MOST_OPERATIONS:
        raise CyclescopeError(
            f"there are at most {MOST_OPERATIONS} multiply-accumulate operations: give fewer "
            "--operations, or tasks of your own (--work)",
            code="too-many-operations",
        )
    fastest = points[-1]
    plans = [
        (
            dataclasses.replace(
                selection.having({"clock": at.core_hz // 1_000_000}), kernel=one, work=work
            ),
            at,
            SwitchPlan(wanted, characters, instants, sweep if at == fastest else 0, seed, rig),
        )
        for one in dict.fromkeys(kernel or KERNELS)
        for at in points
    ]
    with locked(folder):
        _check(folder)
        with progress(quiet=json) as advance, executors.local(jobs) as executor:
            advance(0, len(plans), "building and loading the firmware")
            waiting = [executor.submit(measure, *plan) for plan in plans]
            for done, _ in enumerate(as_completed(waiting), 1):
                advance(done, len(plans), "")
            save(folder, gather([one.result() for one in waiting], characters, seed, rig, own))
        conclude(folder, json, full)


command = selecting(command, of_image=("board",), of_board=("code", "mam"))


def _check(folder: Path) -> None:
    """Refuses a folder whose content is something else, before anything is measured."""
    from cyclescope.results import files
    from cyclescope.results.folder_lock import holds_anything
    from cyclescope.studies.switch.results import FORMAT_NAME

    if not holds_anything(folder):
        return
    files.require_kind(folder, FORMAT_NAME)
    if files.content(folder).get("format") != FORMAT_NAME:
        raise CyclescopeError(
            f"{folder} holds other results: choose another --out",
            code="folder-of-other-switch-results",
        )
