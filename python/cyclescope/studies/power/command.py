"""`cyclescope power`: the energy of the windows in a recorded measurement."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Json
from cyclescope.cli.output import console, print_json
from cyclescope.studies.power.options import Above, Supply, Trigger


def command(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="CSV or JLS, exported by an instrument.")
    ],
    trigger: Trigger = None,
    above_ma: Above = None,
    supply_mv: Supply = None,
    json: Json = False,
) -> None:
    """Integrate a recorded current over the windows of a trigger.

    Reads JLS and CSV files of Joulescope, and CSV files of Nordic PPK2 (docs/how-to/power.md).
    """
    from cyclescope.studies.power import files, report, windows

    taken = files.read(file, supply_mv)
    found = windows.find(taken, windows.trigger_of(taken, trigger, above_ma))
    if json:
        print_json(report.document(taken, found))
    else:
        report.show(taken, found, console())
