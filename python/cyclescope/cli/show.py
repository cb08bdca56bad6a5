"""`cyclescope show`: the table of a results folder, from the folder alone."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli._output import Json, console, print_json


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A results folder.")],
    json: Json = False,
) -> None:
    """Show the table of a results folder. The exit code is 1 if a figure must not be used."""
    from cyclescope import storage
    from cyclescope.reports import structured, terminal
    from cyclescope.studies.characterize import analyse

    found = analyse(storage.load(folder))
    if json:
        print_json({"folder": str(folder), **structured.document(found)})
    else:
        terminal.show(found, console())
    if found.problems:
        raise typer.Exit(1)
