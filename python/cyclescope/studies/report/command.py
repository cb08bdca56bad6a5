"""`cyclescope report`: a results folder as one self-contained HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Clustering, Json, ResultsFolder
from cyclescope.cli.output import REPORT, print_json, write_file


def command(
    folder: ResultsFolder,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Default: DIR/report.html.")
    ] = None,
    clustering: Clustering = "",
    json: Json = False,
) -> None:
    """Write the HTML report of a results folder."""
    from cyclescope.results import result_type

    found = result_type.of(folder).analyse(folder)
    page = (found.by_clustering(clustering) if clustering else found).page()
    path = out or folder / REPORT
    write_file(path, page)
    if json:
        print_json({"folder": str(folder), "report": str(path)})
    else:
        print(f"report in {path}")
