"""`cyclescope explain`: where the cycles of one call go, by function and by kind."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cyclescope.cli.options import Energy, OutOfExplanations, OverheadChoice, OverheadOption, Shown
from cyclescope.cli.output import console, print_json, progress
from cyclescope.cli.selection import selecting
from cyclescope.target.target import Selection

if TYPE_CHECKING:
    from cyclescope.progress import Progress
    from cyclescope.studies.explain.explanation import Explanation
    from cyclescope.target.target import Target

CasesToExplain = Annotated[
    list[str], typer.Argument(metavar="CASE…", help="Cases to explain, by name or GLOB.")
]
Parameter = Annotated[
    int | None,
    typer.Option("--parameter", help="The value of x; without it every value the case has."),
]
Disassembly = Annotated[
    bool, typer.Option("--disassembly", help="List every instruction with its cycles.")
]


@selecting
def command(
    selection: Selection,
    shown: Shown,
    case: CasesToExplain,
    parameter: Parameter = None,
    disassembly: Disassembly = False,
    out: OutOfExplanations = None,
    energy: Energy = False,
    overhead: OverheadOption = OverheadChoice.CALL,
) -> None:
    """Show where the cycles of a call go, from one exact run."""
    from cyclescope.studies.characterize.measure import require_energy
    from cyclescope.studies.explain.report.summary import summarise
    from cyclescope.studies.explain.report.terminal import show_all
    from cyclescope.targets import open_target

    with progress(quiet=shown.json) as advance:
        advance(0, 0, "building and loading the firmware")
        with open_target(dataclasses.replace(selection, energy=energy)) as target:
            require_energy(target, energy)
            conditions = target.conditions()
            cases = {one.name: one for one in target.cases()}
            by_pair = overhead is OverheadChoice.PAIR
            found = _explain(target, case, parameter, by_pair, out, advance)
    if shown.json:
        documents = [one.model_dump(mode="json") for one in found]
        print_json({"conditions": conditions.model_dump(mode="json"), "explanations": documents})
    elif shown.full or disassembly:
        show_all(found, cases, conditions, console(), disassembly)
    else:
        summarise(found, cases, conditions, console())


def _explain(
    target: "Target",
    cases: list[str],
    parameter: int | None,
    by_pair: bool,
    out: Path | None,
    advance: "Progress",
) -> "list[Explanation]":
    """Each case at each value; the explanations are saved into `out`."""
    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.explain import explanation
    from cyclescope.studies.explain.measure import explain, find

    found: list[Explanation] = []
    todo = find(target, cases, parameter)
    for done, (case, value) in enumerate(todo):
        advance(done, len(todo), case.name)
        found.append(explain(target, case, value, by_pair))
        if out is not None:
            with locked(out):
                explanation.save(out, found[-1])
    return found
