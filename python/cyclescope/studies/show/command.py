"""`cyclescope show`: the table of a results folder, from the folder alone."""

import typer

from cyclescope.cli.options import Clustering, Full, Json, ResultsFolder
from cyclescope.cli.output import print_json, show, working


def command(
    folder: ResultsFolder,
    clustering: Clustering = "",
    full: Full = False,
    json: Json = False,
) -> None:
    """Show the table of a results folder.

    The exit code is 1 if a figure must not be used.
    """
    from cyclescope.results import result_type

    with working("analysing", json):
        found = result_type.of(folder).analyse(folder)
        if clustering:
            found = found.by_clustering(clustering)
    if json:
        print_json({"folder": str(folder), **found.document()})
    else:
        show(found, full)
    if found.problems:
        raise typer.Exit(1)
