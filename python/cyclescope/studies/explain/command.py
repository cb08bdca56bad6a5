"""`cyclescope explain`: where the cycles of one call go, by function and by kind."""

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from cyclescope.cli.options import Energy, Full, Json, OverheadChoice, OverheadOption
from cyclescope.cli.output import console, print_json, progress
from cyclescope.cli.selection import selecting
from cyclescope.target.target import Selection


@selecting
def command(
    selection: Selection,
    case: Annotated[
        list[str], typer.Argument(metavar="CASE…", help="Cases to explain, by name or GLOB.")
    ],
    parameter: Annotated[
        int | None, typer.Option(help="The value of x; without it every value the case has.")
    ] = None,
    disassembly: Annotated[
        bool, typer.Option("--disassembly", help="List every instruction with its cycles.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Results folder that is to hold the explanations.")
    ] = None,
    energy: Energy = False,
    overhead: OverheadOption = OverheadChoice.CALL,
    full: Full = False,
    json: Json = False,
) -> None:
    """Show where the cycles of a call go, from one exact run on a virtual board."""
    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.characterize.measure import require_energy
    from cyclescope.studies.explain import explanation
    from cyclescope.studies.explain.explanation import Explanation
    from cyclescope.studies.explain.measure import explain, find
    from cyclescope.studies.explain.report.summary import summarise
    from cyclescope.studies.explain.report.terminal import show_all
    from cyclescope.targets import open_target

    found: list[Explanation] = []
    with progress(quiet=json) as advance:
        advance(0, 0, "building and loading the firmware")
        with open_target(dataclasses.replace(selection, energy=energy)) as target:
            require_energy(target, energy)
            conditions = target.conditions()
            cases = {one.name: one for one in target.cases()}
            todo = find(target, case, parameter)
            for done, (one, value) in enumerate(todo):
                advance(done, len(todo), one.name)
                found.append(explain(target, one, value, overhead is OverheadChoice.PAIR))
                if out is not None:
                    with locked(out):
                        explanation.save(out, found[-1])
    if json:
        documents = [one.model_dump(mode="json") for one in found]
        print_json({"conditions": conditions.model_dump(mode="json"), "explanations": documents})
        return
    if full or disassembly:
        show_all(found, cases, conditions, console(), disassembly)
    else:
        summarise(found, cases, conditions, console())
