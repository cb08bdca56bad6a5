"""`cyclescope schedule`: a set of periodic tasks at every operating point of a board."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Json
from cyclescope.cli.output import console, print_json, write_file


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tasks.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Draw the timeline into this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Schedule a task set exactly: preemptions, deadlines, and the cheapest operating point.

    The exit code is 1 if no operating point is feasible once switches are paid.
    """
    from cyclescope.studies.schedule import report as schedule
    from cyclescope.studies.schedule.analyse import analyse
    from cyclescope.studies.schedule.task_set import read

    found = analyse(read(file))
    if out is not None:
        write_file(out, schedule.drawing(found))
    if json:
        print_json(schedule.document(found))
    else:
        schedule.show(found, console())
    if not any(one.costly.is_feasible for one in found.at):
        raise typer.Exit(1)
