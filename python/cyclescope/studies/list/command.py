"""`cyclescope list`: the boards, kernels, options of a kernel and cases there are."""

from enum import StrEnum
from typing import Annotated

import typer

from cyclescope.cli.options import Full, Json
from cyclescope.cli.output import console, print_json
from cyclescope.cli.selection import selecting
from cyclescope.target.target import Selection


class What(StrEnum):
    """Things that can be listed."""

    BOARDS = "boards"
    KERNELS = "kernels"
    OPTIONS = "options"
    CASES = "cases"


@selecting
def command(
    selection: Selection,
    what: Annotated[What, typer.Argument(help="The list to show.")],
    full: Full = False,
    json: Json = False,
) -> None:
    """List the boards, the kernels, a kernel's options or cases."""
    from cyclescope.studies.list import entries, report

    if what is What.BOARDS:
        found = entries.boards()
        lines = report.boards(found)
    elif what is What.KERNELS:
        found = entries.kernels()
        lines = report.kernels(found)
    elif what is What.OPTIONS:
        found = entries.options(selection.kernel)
        lines = report.options(found)
    else:
        found = entries.cases(selection)
        lines = report.cases(found)
    if json:
        print_json(found)
    else:
        report.show(lines, full, console())
