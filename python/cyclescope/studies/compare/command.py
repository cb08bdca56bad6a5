"""`cyclescope compare`: two results folders of one kind beside each other.

The exit code is 3 if a rule of --fail-if is broken, 1 if a figure must not be used.
"""

from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Cases, Full, Json
from cyclescope.cli.output import print_json, show, write_file
from cyclescope.errors import CyclescopeError


def command(
    first: Annotated[Path, typer.Argument(metavar="A", help="A results folder.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another one of the same kind.")],
    case: Cases = None,
    unit: Annotated[
        str, typer.Option("--in", metavar="UNIT", help="Compare times in cycles or in us.")
    ] = "cycles",
    why: Annotated[
        bool, typer.Option("--why", help="Explain each difference by function and kind of cycle.")
    ] = False,
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="slower:5%, slower:20cycles, slower:2us, faster:…, form or missing: exit with 3 "
            "if a case breaks it. May be given several times.",
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write a page with a picture.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE.md", help="Write a comment for a change.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE.xml", help="Write the verdicts of --fail-if.")
    ] = None,
    full: Full = False,
    json: Json = False,
) -> None:
    """Compare two results folders: conditions that differ first, then what is slower in B.

    The exit code is 3 if a rule of --fail-if is broken, 1 if a figure must not be used.
    """
    from cyclescope.results import result_type
    from cyclescope.results.result_type import Asked

    kinds = result_type.of(first), result_type.of(second)
    if kinds[0] is not kinds[1]:
        raise CyclescopeError(
            f"{first} holds {kinds[0].format} and {second} {kinds[1].format}: only two of a kind "
            "can be compared",
            code="results-of-two-kinds",
        )
    asked = Asked(tuple(case) if case else "*", unit, why, tuple(fail_if or ()))
    found = kinds[0].compare(first, second, asked)
    for path, made in ((report, found.page), (markdown, found.markdown), (junit, found.junit)):
        if path is not None:
            write_file(path, made())
    if json:
        print_json({"first": str(first), "second": str(second), **found.document()})
    else:
        print(f"A  {first}\nB  {second}\n")
        show(found, full)
    if code := found.exit_code or int(bool(found.problems)):
        raise typer.Exit(code)
