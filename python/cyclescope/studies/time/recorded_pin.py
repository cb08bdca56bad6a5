"""Fills a results folder with the times of a recording, for the same techniques as anywhere."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cyclescope.recordings.program_recording import Pulses, Reference, read_program
from cyclescope.recordings.read import read_channels
from cyclescope.results import Results, Run, TimedPlan, reject, storage, tabulate
from cyclescope.studies.time import timed_runs
from cyclescope.studies.time.pin_program import COUNTS_HZ, PinProgram
from cyclescope.studies.time.processes import estimate
from cyclescope.studies.time.technique import find_fragment_technique
from cyclescope.target.case import Case
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Findings
from cyclescope.target.series import RawSamples, Series


def keep_recording(
    program: PinProgram, files: Sequence[Path], folder: Path, discard: bool
) -> Results:
    """Reads recordings of the program and writes its times into a results folder.

    One has both pins, or several have one each. Raises CyclescopeError if one cannot be read, or if
    they are not of the program.
    """
    channels = {
        name if len(files) == 1 else f"{file} ({name})": edges
        for file in files
        for name, edges in read_channels(file).items()
    }
    reference, pulses = read_program(channels, program.pulses, " with ".join(map(str, files)))
    conditions = program.conditions.model_copy(
        update={"machine": _recorder(files, reference, pulses)}
    )
    writer = storage.Writer.begin(
        folder,
        [conditions],
        program.fragment.chosen,
        program.cases,
        [plan.case for plan in program.fragment.plans],
        replace=discard,
        fragment=program.fragment,
    )
    begin = 0
    for case, plan in zip(program.cases, program.fragment.plans, strict=True):
        end = begin + len(plan.points)
        run = _run(case, plan, conditions, pulses.lengths_s[:, begin:end])
        writer.add([(run, None)])
        begin = end
    writer.finish()
    return storage.load(folder)


def _recorder(files: Sequence[Path], reference: Reference, pulses: Pulses) -> dict[str, str]:
    """The instrument by its recording, for the conditions."""
    return {
        "recording": ", ".join(file.name for file in files),
        "clock": f"{reference.clock_ppm:+.2f} ± {2 * reference.deviation_ppm:.2f} ppm against the "
        f"board's, by {reference.seconds} seconds",
        "input": "inverts" if pulses.inverted else "does not invert",
        "repetitions": f"{len(pulses.lengths_s):,} whole, {pulses.left_out:,} pulses left out",
    }


def _run(
    case: Case, plan: TimedPlan, conditions: Conditions, lengths_s: NDArray[np.float64]
) -> Run:
    """All rounds of a plan as one series; the technique's rejected measurements are marked."""
    counts = np.round(lengths_s.ravel() * COUNTS_HZ).astype(np.uint32)
    nothing = np.zeros_like(counts)
    samples = RawSamples(nothing, counts, np.zeros(len(counts), np.bool_))
    run = Run(
        layout=conditions.layout,
        case=case,
        parameter=None,
        samples=tabulate(case, None, [Series(len(counts), "call", samples)]),
        cycles_per_count=conditions.cycles_per_count,
        findings=Findings(),
    )
    technique = find_fragment_technique(str(plan.technique))
    estimated = estimate(technique, timed_runs.observed(run, plan, conditions))
    if estimated.rule is None:
        return run
    marks = pa.chunked_array([estimated.rejected.ravel()])
    return replace(run, samples=reject(run.samples, marks, estimated.rule))
