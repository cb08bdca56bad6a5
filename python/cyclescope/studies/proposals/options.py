"""Options of `cyclescope proposals`."""

from dataclasses import dataclass
from typing import Annotated

import typer

from cyclescope.cli.option_groups import OptionGroup


@dataclass(frozen=True)
class ProposalOptions(OptionGroup):
    """Which comparisons, and the file."""

    proposal: Annotated[
        list[str] | None,
        typer.Option(
            "--proposal",
            metavar="NAME",
            help="A comparison, such as layers-pdc or buffer; may be given again. Default: all.",
        ),
    ] = None
    file_bytes: Annotated[
        int,
        typer.Option("--file-bytes", min=1, max=16_000, help="Bytes of the file that is moved."),
    ] = 1000
    body: Annotated[
        int,
        typer.Option("--body", min=1, max=512, help="Bytes of the file in each packet."),
    ] = 64
