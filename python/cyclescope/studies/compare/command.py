"""`cyclescope compare`: two results folders of one kind beside each other.

The exit code is 3 if a rule of --fail-if is broken, 1 if a figure must not be used.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cyclescope.cli.option_groups import grouped
from cyclescope.cli.options import Shown
from cyclescope.cli.output import print_json, show, working, write_file
from cyclescope.errors import CyclescopeError
from cyclescope.studies.compare.options import CompareOptions, Pages

if TYPE_CHECKING:
    from cyclescope.results.result_type import Comparative

First = Annotated[Path, typer.Argument(metavar="A", help="A results folder.")]
Second = Annotated[Path, typer.Argument(metavar="B", help="Another one of the same kind.")]


@grouped
def command(
    first: First, second: Second, options: CompareOptions, pages: Pages, shown: Shown
) -> None:
    """Compare two results folders: what is slower in the second.

    Conditions that differ come first. The exit code is 3 if a rule of --fail-if is broken, 1
    if a figure must not be used.
    """
    with working("comparing", shown.json):
        found = _compared(first, second, options)
        pairs = ((pages.report, found.page), (pages.markdown, found.markdown))
        for path, make in (*pairs, (pages.junit, found.junit)):
            if path is not None:
                write_file(path, make())
    if shown.json:
        print_json({"first": str(first), "second": str(second), **found.document()})
    else:
        print(f"A  {first}\nB  {second}\n")
        show(found, shown.full)
    if code := found.exit_code or int(bool(found.problems)):
        raise typer.Exit(code)


def _compared(first: Path, second: Path, options: CompareOptions) -> "Comparative":
    from cyclescope.results import result_type
    from cyclescope.results.result_type import Asked

    types = result_type.of(first), result_type.of(second)
    if types[0] is not types[1]:
        raise CyclescopeError(
            f"{first} holds {types[0].format} and {second} {types[1].format}: only two of a kind "
            "can be compared",
            code="results-of-two-kinds",
        )
    cases = tuple(options.case) if options.case else "*"
    asked = Asked(cases, options.unit, options.why, tuple(options.fail_if or ()), options.pairs)
    return types[0].compare(first, second, asked)
