"""`cyclescope estimate`: the cost of a C program on a board, without a run there."""

from dataclasses import replace

import typer

from cyclescope.cli.options import Shown
from cyclescope.cli.output import console, print_json, progress, write_file
from cyclescope.cli.selection import selecting
from cyclescope.firmware.boards import USUAL_WITH_SPACE
from cyclescope.studies.estimate.options import (
    CompiledOptions,
    OutOfEstimate,
    PriceOptions,
    Sources,
    WhereOptions,
)
from cyclescope.target.target import Selection


def command(
    selection: Selection,
    sources: Sources,
    program: CompiledOptions,
    price: PriceOptions,
    where: WhereOptions,
    shown: Shown,
    out: OutOfEstimate = None,
) -> None:
    """Estimate what a C program costs on a board, without a run there.

    The program runs on this machine with counters, on your own inputs. Its counts are priced: its
    own code by the blocks of the target's image, its calls by laws. The exit code is 1 if the
    program ended with another status than 0.
    """
    from cyclescope.studies.estimate import estimating
    from cyclescope.studies.estimate.report import document, page, terminal
    from cyclescope.studies.estimate.ways import laws_of

    with progress(quiet=shown.json) as advance:
        laws = tuple(law for one in price.laws or () for law in laws_of(one))
        asked = estimating.AskedEstimate(
            *program.asked(sources), selection, estimating.ways(price.way), laws, *price.asked()
        )
        asked = replace(asked, seconds=program.limit)
        found = estimating.estimate(asked, advance)
    told = document.document(found)
    if out is not None:
        write_file(out / "estimate.json", document.text(told))
        write_file(out / "report.html", page.page(found))
    if shown.json:
        print_json(told)
    else:
        terminal.show(found, console(), where.tree, where.lines, shown.full)
    if out is not None and not shown.json:
        print(f"figures in {out / 'estimate.json'}, report in {out / 'report.html'}")
    if found.program.run.status:
        raise typer.Exit(1)


command = selecting(
    command,
    {**USUAL_WITH_SPACE, "kernel": "bare"},
    of_image=("board", "kernel", "library", "optimise", "options"),
)
