"""Options of `cyclescope power`."""

from typing import Annotated

import typer

Trigger = Annotated[
    str | None,
    typer.Option("--trigger", metavar="CHANNEL", help="Digital channel that marks the windows."),
]
Above = Annotated[
    float | None,
    typer.Option("--above-ma", metavar="MA", help="Windows: where the current is above."),
]
Supply = Annotated[
    int | None,
    typer.Option("--supply-mv", min=1, help="The supply, where the file has no voltage."),
]
