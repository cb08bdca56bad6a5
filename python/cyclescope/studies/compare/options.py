"""Options of `cyclescope compare`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup
from cyclescope.cli.options import Cases


@dataclass(frozen=True)
class CompareOptions(OptionGroup):
    """The cases that are compared, and the rules for them."""

    case: Cases = None
    unit: Annotated[
        str, typer.Option("--in", metavar="UNIT", help="Compare times in cycles or in us.")
    ] = "cycles"
    why: Annotated[
        bool, typer.Option("--why", help="Explain each difference by function and kind of cycle.")
    ] = False
    pairs: Annotated[
        Path | None,
        typer.Option(
            "--pairs",
            metavar="FILE.toml",
            help="Which calls of two kernels do the same; default: the lab's own table.",
        ),
    ] = None
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-if",
            metavar="RULE",
            help="slower:5%, slower:20cycles, slower:2us, faster:…, form or missing: exit with 3 "
            "if a case breaks it. Of transfers also more and more:5%. May be given several times.",
        ),
    ] = None


@dataclass(frozen=True)
class Pages(OptionGroup):
    """Files for what was found; None: not written."""

    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE.html", help="Write a page with a picture."),
    ] = None
    markdown: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FILE.md", help="Write a comment for a change."),
    ] = None
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE.xml", help="Write the verdicts of --fail-if."),
    ] = None
