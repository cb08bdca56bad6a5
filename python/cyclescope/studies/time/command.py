"""`cyclescope time`: what one execution of a piece of C takes, free of what measuring adds."""

import dataclasses
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from cyclescope.cli.options import Out, Replace, Shown
from cyclescope.cli.output import conclude, print_json, progress
from cyclescope.cli.selection import selecting
from cyclescope.errors import CyclescopeError, WrongUsage
from cyclescope.studies.time.options import (
    BlockOptions,
    DesignOptions,
    FragmentOptions,
    RecordingOptions,
)
from cyclescope.target.target import Selection, Target

if TYPE_CHECKING:
    from cyclescope.progress import Progress
    from cyclescope.studies.blocks.record import BlockMeasurements
    from cyclescope.studies.time.experiment_design import ExperimentDesign
    from cyclescope.target.conditions import Conditions

KERNEL = "bare"
HOST = "host"
TIMER_OF_HOST = "clock_gettime"


def command(
    selection: Selection,
    fragment: FragmentOptions,
    design: DesignOptions,
    blocks: BlockOptions,
    recorded: RecordingOptions,
    shown: Shown,
    out: Out = None,
    replace: Replace = False,
) -> None:
    """Time a piece of C: one execution, free of systematic error.

    And how sure that is. The fragment is a function (--function, --call), or what the file says
    with EXECUTE and its companions (firmware/include/fragment.h). Samples, manifest and report are
    written. With --program a program is written for a board whose pin is recorded; --recording
    reads such a recording.
    """
    if recorded.recording and recorded.program:
        return _read_recording(recorded.recording, recorded.program, shown, out, replace)
    if recorded.program:
        return _write_program(selection, fragment, design, recorded.program, shown)
    selection = _timed_selection(selection, design.analyser)
    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.blocks import record
    from cyclescope.studies.time.measure import measure

    with ExitStack() as until_shown:
        with progress(quiet=shown.json) as advance:
            advance(0, 0, "building and loading the fragment")
            opened = _prepared(selection, fragment, design, blocks)
            with opened as (target, planned):
                folder = out or Path("results") / _folder_name(target.conditions())
                until_shown.enter_context(locked(folder))
                measured = _blocks(target, blocks, advance) if blocks.blocks else None
                measure(target, planned, folder, replace, advance)
                if measured:
                    record.save(folder, measured)
        conclude(folder, shown)


def _read_recording(
    recordings: Sequence[Path], program: Path, shown: Shown, out: Path | None, replace: bool
) -> None:
    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.time.pin_program import read_description
    from cyclescope.studies.time.recorded_pin import keep_recording

    described = read_description(program)
    folder = out or Path("results") / _folder_name(described.conditions)
    with locked(folder):
        keep_recording(described, recordings, folder, replace)
        conclude(folder, shown)


def _write_program(
    selection: Selection,
    fragment: FragmentOptions,
    design: DesignOptions,
    folder: Path,
    shown: Shown,
) -> None:
    from cyclescope.studies.time.pin_program import HEX, IMAGE, write_program
    from cyclescope.studies.time.targets import source_of

    source = source_of(
        fragment.file, fragment.executed, fragment.optimise, False, fragment.compiled()
    )
    written = write_program(selection, source, design.chosen(), folder)
    if shown.json:
        print_json({"folder": str(folder), **written.model_dump(mode="json")})
        return
    print(
        f"{folder / HEX} and {folder / IMAGE} are the program: {written.pulses} pulses of "
        f"{written.pin} in each repetition, a second of {written.reference} beside them. Flash it, "
        f"record both pins from reset on, then: cyclescope time --program {folder} --recording FILE"
    )


def _prepared(
    selection: Selection, fragment: FragmentOptions, design: DesignOptions, blocks: BlockOptions
) -> AbstractContextManager["tuple[Target, ExperimentDesign]"]:
    """The target with an image of the fragment, and what is measured of it."""
    from cyclescope.studies.blocks.measure import PLANS
    from cyclescope.studies.time.targets import prepare

    return prepare(
        selection,
        fragment.file,
        fragment.executed,
        fragment.optimise,
        design.chosen(),
        PLANS if blocks.blocks else (),
        fragment.compiled(),
    )


def _timed_selection(selection: Selection, analyser_hz: int | None) -> Selection:
    """The selection with what is behind its timer; refuses options of boards on the host."""
    if selection.board == HOST:
        if {"code", "isa"} & selection.settings.keys():
            raise WrongUsage("--code and --isa choose on boards: leave them out on the host")
        if "timer" not in selection.settings:
            selection = selection.having({"timer": TIMER_OF_HOST})
    return dataclasses.replace(selection, analyser_hz=analyser_hz)


def _blocks(target: Target, chosen: BlockOptions, advance: "Progress") -> "BlockMeasurements":
    """First of all: code that cannot be followed is refused before anything is measured."""
    from cyclescope.studies.blocks.measure import ROUNDS, measure
    from cyclescope.studies.blocks.model import suitable_model

    return measure(
        target,
        chosen.model.value if chosen.model else suitable_model(target.conditions()),
        chosen.inputs or ROUNDS,
        advance=lambda what: advance(0, 0, f"blocks: {what}"),
    )


def _folder_name(conditions: "Conditions") -> str:
    facts = conditions.fragment
    if facts is None:
        raise CyclescopeError("this target times no fragment", code="target-times-no-fragment")
    what = (facts.function or Path(facts.file).stem).replace("::", ".")
    from cyclescope.results.names import folder_name

    return folder_name(conditions, before=["time", what], with_kernel=False, with_timer=True)


command = selecting(command, {"kernel": KERNEL}, of_image=("board",))
