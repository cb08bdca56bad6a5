"""`cyclescope errors`: every technique's error against a virtual board's truth, in one table."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Json, Out, VirtualBoardOption
from cyclescope.cli.output import print_json, progress, write_file
from cyclescope.firmware import boards

RESULTS = Path("results/time-errors")
HUNDRED = "hundred_cycles"
FRAGMENTS = {
    HUNDRED: HUNDRED,
    "sum_of_squares": "sum_of_squares(values, 8)",
    "insertion_sort": None,
}

Page = Annotated[
    Path | None,
    typer.Option("--page", metavar="FILE.md", help="The table; default: OUT/time-errors.md."),
]


def command(
    board: VirtualBoardOption = boards.USUAL,
    out: Out = None,
    page: Page = None,
    json: Json = False,
) -> None:
    """Report the error of every technique, in every kind of memory.

    The example fragments are timed, and compared with the board's truth.
    """
    from dataclasses import asdict

    from cyclescope.firmware.boards import FOLDER
    from cyclescope.firmware.fragment.source import FragmentSource
    from cyclescope.results import storage
    from cyclescope.studies.errors import report
    from cyclescope.studies.errors.measure import POINTS, ROUNDS, examine, steady_memory
    from cyclescope.studies.errors.table_one import redo

    examples = FOLDER.parent / "examples" / "fragments"
    sources = {
        name: FragmentSource(examples / f"{name}.c", (), call) for name, call in FRAGMENTS.items()
    }
    folder = out or RESULTS
    table_one = folder / "table-1"
    with progress(quiet=json) as advance:
        errors = list(examine(board, sources, folder, advance))
        exact = redo(board, sources[HUNDRED], False, table_one / "exact", advance, seeds=(1,))
        analysed = redo(board, sources[HUNDRED], True, table_one / "analysed", advance)
    conditions = storage.read_manifest(folder / errors[0].place.name).conditions
    path = page or folder / "time-errors.md"
    labels, steady = boards.firmware_of(board).settings["timer"].labels, steady_memory(board).name
    found = (errors, exact, conditions, ROUNDS, POINTS, labels, steady)
    write_file(path, report.page(*found))
    if json:
        lines = {"exact": exact, "analysed": analysed}
        table = {name: [asdict(line) for line in found] for name, found in lines.items()}
        print_json({"page": str(path), "errors": report.document(errors), **table})
    else:
        print(f"table in {path}, samples in {folder}")
