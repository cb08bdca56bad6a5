"""`cyclescope schedule`: a set of periodic tasks at every operating point of a board."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Json, OutFile
from cyclescope.cli.output import console, print_json, working, write_file


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tasks.")],
    out: OutFile = None,
    json: Json = False,
) -> None:
    """Schedule a task set at each operating point of a board.

    Exactly: preemptions, deadlines, and the cheapest point that meets them all. With --out the
    timeline is drawn into an SVG file. The exit code is 1 if no operating point is feasible once
    switches are paid.
    """
    from cyclescope.studies.schedule import report
    from cyclescope.studies.schedule.analyse import analyse
    from cyclescope.studies.schedule.task_set import read

    with working("timing switches", json):
        found = analyse(read(file))
    if out is not None:
        write_file(out, report.drawing(found))
    if json:
        print_json(report.document(found))
    else:
        report.show(found, console())
    if not any(one.costly.is_feasible for one in found.at):
        raise typer.Exit(1)
