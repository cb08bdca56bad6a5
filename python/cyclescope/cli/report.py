"""`cyclescope report`: a results folder as one self-contained HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli._output import Json, print_json, write_file


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A results folder.")],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Default: DIR/report.html.")
    ] = None,
    json: Json = False,
) -> None:
    """Write the HTML report of a results folder."""
    from cyclescope import storage
    from cyclescope.reports import html
    from cyclescope.studies.characterize import analyse

    results = storage.load(folder)
    path = out or folder / "report.html"
    write_file(path, html.render(analyse(results), results))
    if json:
        print_json({"folder": str(folder), "report": str(path)})
    else:
        print(f"report in {path}")
