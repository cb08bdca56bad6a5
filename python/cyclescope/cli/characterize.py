"""`cyclescope characterize`: time a kernel's calls on a board, keep the samples, show the table."""

import dataclasses
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli._output import Json, console, print_json, progress, write_file
from cyclescope.cli._selection import require_energy, selecting
from cyclescope.conditions import Conditions
from cyclescope.layouts import MOST, offsets_bytes
from cyclescope.target import Selection

REPORT = "report.html"


@selecting
def command(
    selection: Selection,
    case: Annotated[str, typer.Option(help="Cases to time, as a GLOB.")] = "*",
    out: Annotated[
        Path | None, typer.Option(help="Results folder; default: results/CONDITIONS.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Discard the results in the folder first.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep finished runs in the folder, make the others.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes that measure; default: one for each core.")
    ] = None,
    layouts: Annotated[
        int, typer.Option(min=1, max=MOST, help="Link the code at so many offsets, time each.")
    ] = 1,
    seed: Annotated[
        int, typer.Option(help="What the offsets are drawn with; 0 bytes is first.")
    ] = 1,
    energy: Annotated[
        bool,
        typer.Option("--energy", help="Meter the energy of each call too, on a virtual board."),
    ] = False,
    json: Json = False,
) -> None:
    """Time a kernel's calls on a board; write samples, manifest and report.

    Results of the same conditions in the folder are completed: the cases asked for are timed again,
    with --resume only as far as they are not finished. Results of other conditions are refused.
    The exit code is 1 if a figure must not be used.
    """
    if replace and resume:
        raise typer.BadParameter("--replace discards what --resume keeps: choose one")
    from cyclescope import executors, technique
    from cyclescope.campaign import Plan, collect
    from cyclescope.reports import html, structured, terminal
    from cyclescope.studies.characterize import analyse
    from cyclescope.studies.explain import explain_missing
    from cyclescope.target import Capability
    from cyclescope.targets import open_target

    with progress(quiet=json) as advance:
        count, notes = jobs or executors.cores(), []
        with ExitStack() as stack:
            targets = []
            for done, offset in enumerate(offsets_bytes(layouts, seed)):
                advance(done, layouts, "building and loading the firmware")
                chosen = dataclasses.replace(selection, offset_bytes=offset, energy=energy)
                targets.append(stack.enter_context(open_target(chosen)))
            require_energy(targets[0], energy)
            folder = out or Path("results") / _folder_name(targets[0].conditions())
            drawn = seed if layouts > 1 else None
            plan = Plan(case, layout_seed=drawn, replace=replace, resume=resume)
            executor = stack.enter_context(executors.local(count))
            using = technique.find("direct")
            results = collect(targets, using, plan, folder, advance, executor, count)
            if Capability.EXACT_TRUTH in targets[0].capabilities:
                advance(0, 0, "explaining where the cycles go")
                timed = [one for one in results.manifest.cases if results.of_case(one.name)]
                notes = explain_missing(targets[0], timed, folder, executor)
    found = analyse(results)
    report = folder / REPORT
    write_file(report, html.render(found, results))
    if json:
        print_json({"folder": str(folder), "report": str(report), **structured.document(found)})
    else:
        terminal.show(found, console())
        for note in notes:
            print(note)
        print(f"results in {folder}, report in {report}")
    if found.problems:
        raise typer.Exit(1)


def _folder_name(conditions: Conditions) -> str:
    settings = [f"{name}{value}" for name, value in conditions.memory.items()]
    parts = [conditions.board, conditions.kernel, conditions.code, conditions.isa, *settings]
    parts += ["energy"] if conditions.energy else []
    return "-".join([*parts, conditions.timer, conditions.image_sha256[:8]]).replace(" ", "")
