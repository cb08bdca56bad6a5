"""`cyclescope peripheral`: what a serial line costs its processor under Linux without MMU."""

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Destination, Shown
from cyclescope.cli.output import conclude, progress
from cyclescope.cli.selection import selecting
from cyclescope.errors import CyclescopeError
from cyclescope.studies.peripheral.options import (
    ClassOptions,
    FileOptions,
    MatrixOptions,
    settings,
)
from cyclescope.target.target import Selection

BOARD = "at91x40"
WAITS = {"romwaits": 3, "ramwaits": 1}
"""Settings of the board that are options, and their usual values."""
RESULTS = Path("results/peripheral")

AnalysisNames = Annotated[
    list[str] | None,
    typer.Option(
        "--analysis", metavar="NAME", help="An analysis; may be given again. Default: all."
    ),
]


def command(
    selection: Selection,
    matrix: MatrixOptions,
    file: FileOptions,
    destination: Destination,
    shown: Shown,
    functions: ClassOptions,
    analysis: AnalysisNames = None,
) -> None:
    """Measure what transfers over a serial line cost a processor.

    Debian's G-Kermit moves files between this machine and Linux on a virtual AT91x40. Over
    infrared, IrDA moves them between two boards. Each transfer is recorded once; analyses run on
    exact replays. Needs make linux.
    """
    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.peripheral.analyses.rules import read_rules
    from cyclescope.studies.peripheral.analysis import chosen
    from cyclescope.studies.peripheral.campaign import PeripheralPlan, collect

    if selection.board != BOARD:
        raise CyclescopeError(
            f"Linux is built for the {BOARD} alone: leave --board out",
            code="board-without-linux",
        )
    waits = WAITS | {name: int(value) for name, value in selection.settings.items()}
    rules = read_rules(functions.classes, charge_callers=not functions.own_libraries)
    plan = PeripheralPlan(
        settings(matrix, file, waits["romwaits"], waits["ramwaits"]),
        {name: one.ruled(rules) for name, one in chosen(analysis or ()).items()},
        destination.replace,
        destination.resume,
    )
    folder = destination.out or RESULTS
    with ExitStack() as until_shown:
        until_shown.enter_context(locked(folder))
        with progress(quiet=shown.json) as advance:
            collect(plan, folder, advance)
        conclude(folder, shown)


command = selecting(command, {"board": BOARD}, of_image=("board",), of_board=tuple(WAITS))
