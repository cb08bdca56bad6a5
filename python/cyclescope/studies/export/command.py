"""`cyclescope export`: the laws of a results folder as code for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Json, OutFile
from cyclescope.cli.output import print_json, working, write_file


def command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of characterize.")],
    to: Annotated[str, typer.Option("--to", metavar="LANGUAGE", help="c, json or python.")],
    out: OutFile = None,
    json: Json = False,
) -> None:
    """Write the laws of cases as functions in cycles.

    A case without a law is listed, and why. Without --out the text goes to standard output.
    """
    from cyclescope.results import storage
    from cyclescope.studies.characterize.analyse import analyse
    from cyclescope.studies.export import export

    exporter = export.find(to)
    with working("analysing", json):
        chosen = export.select(analyse(storage.load(folder)))
        text = exporter.render(chosen)
    if out:
        write_file(out, text)
    if json:
        told = {"omitted": [vars(one) for one in chosen.omitted]}
        where = {"file": str(out)} if out else {"text": text}
        print_json({"folder": str(folder), "functions": len(chosen.functions), **told, **where})
    elif out:
        print(f"{len(chosen.functions)} laws in {out}, {len(chosen.omitted)} cases left out")
    else:
        print(text, end="")
