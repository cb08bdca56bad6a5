"""`cyclescope characterize`: time a kernel's calls on a board, keep the samples, show the table."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cyclescope.cli.options import CampaignOptions, Destination, Shown
from cyclescope.cli.output import (
    REPORT,
    print_json,
    print_wrapped,
    progress,
    show,
    write_file,
)
from cyclescope.cli.selection import selecting
from cyclescope.studies.characterize.options import CallOptions, measure_options
from cyclescope.studies.configurations.campaign import ConfigurationOptions, measure_all
from cyclescope.target.target import Selection

if TYPE_CHECKING:
    from cyclescope.results import Results
    from cyclescope.studies.characterize.measure import Measurement, MeasureOptions
    from cyclescope.studies.characterize.result_type import CharacterizationAnalysis

NAMED = 5
"""So many cases that failed are named."""


@selecting
def command(
    selection: Selection,
    campaign: CampaignOptions,
    calls: CallOptions,
    configurations: ConfigurationOptions,
    destination: Destination,
    shown: Shown,
) -> None:
    """Time a kernel's calls on a board; write samples and a report.

    Results of the same conditions in the folder are completed: the cases asked for are timed again,
    with --resume only as far as they are not finished. Results of other conditions are refused.
    A case that fails is reported, and the others are measured; --resume tries it again.
    With --configurations, each is a results folder of its own in the one folder, and the table
    has their ratios to the first. The exit code is 1 if a figure must not be used.
    """
    options = measure_options(campaign, destination, **calls.measured())
    if chosen := configurations.chosen():
        measure_all(chosen, "cyclescope configurations", selection, options, destination, shown)
        return
    measured, found = _measure(selection, options, destination, shown.json)
    _print(measured, found, shown)
    _print_failures(measured.results)
    if found.problems:
        raise typer.Exit(1)


def _measure(
    selection: Selection, options: "MeasureOptions", destination: Destination, quiet: bool
) -> "tuple[Measurement, CharacterizationAnalysis]":
    """Times the cases into the folder and writes its report."""
    from cyclescope.results.names import folder_name
    from cyclescope.studies.characterize.measure import measuring
    from cyclescope.studies.characterize.result_type import CharacterizationAnalysis
    from cyclescope.target.conditions import Conditions

    def folder(conditions: Conditions) -> Path:
        return destination.out or Path("results") / folder_name(conditions, with_timer=True)

    with (
        progress(quiet) as advance,
        measuring(selection, options, folder, advance) as measured,
    ):
        advance(0, 0, "analysing")
        found = CharacterizationAnalysis(measured.results, measured.executor, measured.jobs)
        write_file(measured.results.folder / REPORT, found.page())
    return measured, found


def _print(measured: "Measurement", found: "CharacterizationAnalysis", shown: Shown) -> None:
    folder = measured.results.folder
    if shown.json:
        where = {"folder": str(folder), "report": str(folder / REPORT)}
        print_json({**where, **found.document()})
        return
    show(found, shown.full)
    for note in measured.notes:
        print_wrapped(note)
    print_wrapped(f"results in {folder}, report in {folder / REPORT}")


def _print_failures(results: "Results") -> None:
    """One sentence on standard error, if runs failed."""
    if not (failed := results.manifest.failed):
        return
    names = list(dict.fromkeys(one.case for one in failed))
    listed = ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
    runs = f"{len(failed)} run{'s' if len(failed) > 1 else ''}"
    print(
        f"cyclescope: {runs} of {len(names)} case{'s' if len(names) > 1 else ''} failed "
        f"({listed}); {len(results.manifest.runs)} are kept in {results.folder}, --resume tries "
        "the failed ones again",
        file=sys.stderr,
    )
