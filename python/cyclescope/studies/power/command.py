"""`cyclescope power`: the energy of the windows in a recorded measurement."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Json
from cyclescope.cli.output import console, print_json


def command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="CSV or JLS, exported by an instrument.")
    ],
    trigger: Annotated[
        str | None, typer.Option(metavar="CHANNEL", help="Digital channel that marks the windows.")
    ] = None,
    above_ma: Annotated[
        float | None,
        typer.Option(metavar="MA", help="Windows: where the current is above."),
    ] = None,
    supply_mv: Annotated[
        int | None, typer.Option(min=1, help="The supply, where the file has no voltage.")
    ] = None,
    json: Json = False,
) -> None:
    """Integrate a recorded measurement over the windows that a trigger marks.

    Reads JLS and CSV files of Joulescope, and CSV files of Nordic PPK2 (docs/how-to/power.md).
    """
    from cyclescope.studies.power import files, windows
    from cyclescope.studies.power import report as power

    taken = files.read(file, supply_mv)
    found = windows.find(taken, windows.trigger_of(taken, trigger, above_ma))
    if json:
        print_json(power.document(taken, found))
    else:
        power.show(taken, found, console())
