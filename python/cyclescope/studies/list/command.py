"""`cyclescope list`: the boards, kernels, options of a kernel and cases there are."""

from typing import Annotated

import typer

from cyclescope.cli.options import Full, Json
from cyclescope.cli.output import print_json, width
from cyclescope.cli.selection import selecting
from cyclescope.errors import WrongUsage, shortened
from cyclescope.target.target import Selection

WHAT = ("boards", "kernels", "options", "cases")
What = Annotated[
    str,
    typer.Argument(
        metavar="WHAT",
        help=f"{', '.join(WHAT[:-1])} or {WHAT[-1]}.",
        autocompletion=lambda: list(WHAT),
    ),
]


@selecting
def command(selection: Selection, what: What, full: Full = False, json: Json = False) -> None:
    """List the boards, the kernels, a kernel's options or cases."""
    from cyclescope.studies.list import entries, report

    if what == "boards":
        found = entries.list_boards()
        lines = report.boards(found)
    elif what == "kernels":
        found = entries.list_kernels()
        lines = report.kernels(found)
    elif what == "options":
        found = entries.list_options(selection.kernel, selection.board)
        lines = report.options(found)
    elif what == "cases":
        found = entries.list_cases(selection)
        lines = report.cases(found)
    else:
        raise WrongUsage(f"there is no list of {shortened(what)}: choose one of {', '.join(WHAT)}")
    if json:
        print_json(found)
    else:
        report.show(lines, full or what == "boards", width())
