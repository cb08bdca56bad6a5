"""`cyclescope show`: the table of a results folder, from the folder alone."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.output import Clustering, Json, console, print_json


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A results folder.")],
    clustering: Clustering = "",
    json: Json = False,
) -> None:
    """Show the table of a results folder. The exit code is 1 if a figure must not be used."""
    from cyclescope.results import result_type

    found = result_type.of(folder).analyse(folder)
    if clustering:
        found = found.by_clustering(clustering)
    if json:
        print_json({"folder": str(folder), **found.document()})
    else:
        found.show(console())
    if found.problems:
        raise typer.Exit(1)
