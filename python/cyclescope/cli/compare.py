"""`cyclescope compare`: two results folders of one kind beside each other."""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli._output import Json, console, print_json
from cyclescope.errors import CyclescopeError


def command(
    first: Annotated[Path, typer.Argument(metavar="A", help="A results folder.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another one of the same kind.")],
    json: Json = False,
) -> None:
    """Compare two results folders, and say what keeps them from being compared."""
    from cyclescope import kind

    kinds = kind.of(first), kind.of(second)
    if kinds[0] is not kinds[1]:
        raise CyclescopeError(
            f"{first} holds {kinds[0].format} and {second} {kinds[1].format}: only two of a kind "
            "can be compared"
        )
    found = kinds[0].compare(first, second)
    if json:
        print_json({"first": str(first), "second": str(second), **found.document()})
    else:
        found.show(console())
    if found.problems:
        raise typer.Exit(1)
