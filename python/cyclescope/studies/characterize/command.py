"""`cyclescope characterize`: time a kernel's calls on a board, keep the samples, show the table."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cyclescope.cli.options import (
    ALL,
    Cases,
    Energy,
    Full,
    Jobs,
    Json,
    Layouts,
    LayoutSeed,
    Out,
    OverheadChoice,
    OverheadOption,
    Replace,
    Resume,
    refuse_both,
)
from cyclescope.cli.output import REPORT, print_json, progress, show, write_file
from cyclescope.cli.selection import selecting
from cyclescope.studies.configurations.campaign import Around, Axes, measure_all
from cyclescope.target.target import Selection

if TYPE_CHECKING:
    from cyclescope.results import Failed

NAMED = 5
"""So many cases that failed are named."""


@selecting
def command(
    selection: Selection,
    case: Cases = None,
    at: Annotated[
        str, typer.Option(metavar="X,…", help="Time the cases that take them at these x too.")
    ] = "",
    configurations: Axes = None,
    around: Around = False,
    out: Out = None,
    replace: Replace = False,
    resume: Resume = False,
    jobs: Jobs = None,
    layouts: Layouts = None,
    seed: LayoutSeed = 1,
    energy: Energy = False,
    overhead: OverheadOption = OverheadChoice.CALL,
    full: Full = False,
    json: Json = False,
) -> None:
    """Time a kernel's calls on a board; write samples, manifest and report.

    Results of the same conditions in the folder are completed: the cases asked for are timed again,
    with --resume only as far as they are not finished. Results of other conditions are refused.
    A case that fails is reported, and the others are measured; --resume tries it again.
    With --configurations, each is a results folder of its own in the one folder, and the table
    has their ratios to the first. The exit code is 1 if a figure must not be used.
    """
    refuse_both(replace, resume)
    from cyclescope.results.names import folder_name
    from cyclescope.studies.characterize.measure import MeasureOptions, measuring
    from cyclescope.studies.characterize.result_type import CharacterizationAnalysis
    from cyclescope.studies.configurations import configurations as sets

    wishes = MeasureOptions(case or ALL, _integers(at), layouts=layouts, seed=seed, energy=energy,
                    replace=replace, resume=resume, jobs=jobs,
                    by_pair=overhead is OverheadChoice.PAIR)  # fmt: skip
    if configurations:
        axes = sets.parse(configurations)
        configured = sets.around(axes) if around else sets.every(axes)
        measure_all(configured, sets.FORMAT_NAME, selection, wishes, out, json, full)
        return
    if around:
        raise typer.BadParameter("--around says how --configurations are combined: give them too")
    with progress(quiet=json) as advance:
        campaign = measuring(
            selection,
            wishes,
            lambda under: out or Path("results") / folder_name(under, with_timer=True),
            advance,
        )
        with campaign as measured:
            results = measured.results
            advance(0, 0, "analysing")
            found = CharacterizationAnalysis(results, measured.executor, measured.jobs)
            report = results.folder / REPORT
            write_file(report, found.page())
    if json:
        print_json({"folder": str(results.folder), "report": str(report), **found.document()})
    else:
        show(found, full)
        for note in measured.notes:
            print(note)
        print(f"results in {results.folder}, report in {report}")
    if failed := results.manifest.failed:
        whole = len(results.manifest.runs)
        print(closing(failed, whole, results.folder), file=sys.stderr)
    if found.problems:
        raise typer.Exit(1)


def _integers(listed: str) -> tuple[int, ...]:
    try:
        return tuple(int(one) for one in listed.split(",")) if listed else ()
    except ValueError:
        raise typer.BadParameter(f"--at takes integers with commas between: {listed}") from None


def closing(failed: Sequence["Failed"], whole: int, folder: Path) -> str:
    """The last sentence of a campaign in which runs failed."""
    names = list(dict.fromkeys(one.case for one in failed))
    shown = ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
    runs = f"{len(failed)} run{'s' if len(failed) > 1 else ''}"
    return (
        f"cyclescope: {runs} of {len(names)} case{'s' if len(names) > 1 else ''} failed ({shown}); "
        f"{whole} are kept in {folder}, --resume tries the failed ones again"
    )
