"""`cyclescope errors`: every technique's error against a virtual board's truth, in one table."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Json
from cyclescope.cli.output import print_json, progress, write_file

HUNDRED = "hundred_cycles"
FRAGMENTS = {
    HUNDRED: HUNDRED,
    "sum_of_squares": "sum_of_squares(values, 8)",
    "insertion_sort": None,
}


def command(
    board: Annotated[str, typer.Option(help="A virtual board with flash and SRAM.")] = "lpc2148",
    out: Annotated[Path, typer.Option(help="Folder for the samples of every place.")] = Path(
        "results/time-errors"
    ),
    page: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Default: OUT/time-errors.md.")
    ] = None,
    json: Json = False,
) -> None:
    """Time the example fragments by every technique everywhere; report the error of each."""
    from dataclasses import asdict

    from cyclescope.firmware.boards import FOLDER
    from cyclescope.firmware.fragment.source import FragmentSource
    from cyclescope.results import storage
    from cyclescope.studies.errors import report
    from cyclescope.studies.errors.measure import POINTS, ROUNDS, examine
    from cyclescope.studies.errors.table_one import redo

    examples = FOLDER.parent / "examples" / "fragments"
    sources = {
        name: FragmentSource(examples / f"{name}.c", (), call) for name, call in FRAGMENTS.items()
    }
    with progress(quiet=json) as advance:
        errors = list(examine(board, sources, out, advance))
        exact = redo(board, sources[HUNDRED], False, out / "table-1" / "exact", advance, seeds=(1,))
        analysed = redo(board, sources[HUNDRED], True, out / "table-1" / "analysed", advance)
    conditions = storage.read_manifest(out / errors[0].place.name).conditions
    path = page or out / "time-errors.md"
    write_file(path, report.page(errors, exact, analysed, conditions, ROUNDS, POINTS))
    if json:
        lines = {"exact": exact, "analysed": analysed}
        table = {name: [asdict(line) for line in found] for name, found in lines.items()}
        print_json({"page": str(path), "errors": [asdict(one) for one in errors], **table})
    else:
        print(f"table in {path}, samples in {out}")
