"""Targets for `time`: a board or the host with an image of the plans, or a recording of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.fragment.plan import Plan
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.results import storage
from cyclescope.studies.time import cost_kinds
from cyclescope.studies.time.experiment_design import (
    ExperimentDesign,
    MeasuringPlace,
    TimeOptions,
    design_experiment,
)
from cyclescope.studies.time.iterations import with_turns
from cyclescope.studies.time.timed_runs import rounds_of
from cyclescope.target.target import Selection, Target
from cyclescope.targets import open_target
from cyclescope.targets.virtual.board import code_fetches, make_board

RECORDING = "replay:"
HOST = "host"


@dataclass(frozen=True)
class Compiled:
    """Needs of the user's file: -I, -D and -l of a compiler."""

    includes: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()


NOTHING_MORE = Compiled()


@contextmanager
def prepare(
    selection: Selection,
    file: Path | None,
    call: str | None,
    optimise: str,
    options: TimeOptions,
    more: tuple[tuple[str, Plan], ...] = (),
    compiled: Compiled = NOTHING_MORE,
) -> Iterator[tuple[Target, ExperimentDesign]]:
    """Opens the target that is selected, with an image of what is to be measured, and of `more`."""
    if selection.board.startswith(RECORDING):
        if options != TimeOptions():
            raise CyclescopeError(
                "a recording has the techniques, points and rounds that it was measured with: "
                "leave out --technique, --kind, --points, --rounds and --period, or measure again",
                code="recording-has-its-plan",
            )
        if file or call or compiled != NOTHING_MORE or optimise != FragmentSource.optimise:
            raise CyclescopeError(
                "a recording has the fragment that it was measured of: leave out FILE.c, "
                "--function, --call, --optimise, -I, -D and -l, or measure again",
                code="recording-has-its-fragment",
            )
        with open_target(selection) as target:
            yield target, recorded(Path(selection.board.removeprefix(RECORDING)))
    else:
        source = source_of(file, call, optimise, selection.board != HOST, compiled)
        place = place_of(selection)
        design = design_experiment(source, place, options)
        planned = replace(source, plans=(*design.plans, *more))
        with open_target(replace(selection, fragment=planned)) as target:
            if target.conditions().resolution_cycles and not place.coarse:
                design = design_experiment(source, replace(place, coarse=True), options)
            yield target, settle(target, design, options)


def source_of(
    file: Path | None, call: str | None, optimise: str, loads: bool, compiled: Compiled
) -> FragmentSource:
    """The fragment of a file, without plans. Raises CyclescopeError if there is no file."""
    if file is None:
        raise CyclescopeError(
            "which file? Give one in C: cyclescope time FILE.c --function f", code="no-file-to-time"
        )
    return FragmentSource(
        file=file,
        plans=(),
        call=call,
        optimise=optimise,
        loads=loads,
        includes=compiled.includes,
        defines=compiled.defines,
        libraries=compiled.libraries,
    )


def settle(target: Target, design: ExperimentDesign, options: TimeOptions) -> ExperimentDesign:
    """Completes the experiment design with facts of the built and running target: whether results
    go into arguments, and how often turned points must go round."""
    fragment = cost_kinds.answered(design.fragment, target.fed_argument(), options.by_name)
    plans = tuple(with_turns(target, plan) for plan in fragment.plans)
    return replace(design, fragment=fragment.model_copy(update={"plans": plans}))


def place_of(selection: Selection) -> MeasuringPlace:
    """Returns the facts of the selected target, as far as they are known before it is built."""
    if selection.board == HOST:
        return MeasuringPlace(noisy=True, overlaps=True)
    return MeasuringPlace(
        noisy=False,
        coarse=selection.analyser_hz is not None,
        fetches=code_fetches(make_board(selection.board), str(selection.value("code"))),
    )


def recorded(folder: Path) -> ExperimentDesign:
    """How the results in a folder were measured."""
    results = storage.load(folder)
    fragment = results.manifest.fragment
    if fragment is None:
        raise CyclescopeError(
            f"{folder} holds the calls of a kernel, not a fragment", code="results-hold-no-fragment"
        )
    points = {plan.case: len(plan.points) for plan in fragment.plans}
    rounds = {rounds_of(run, points[run.case.name]) for run in results.runs}
    return ExperimentDesign(fragment, max(rounds, default=1))
