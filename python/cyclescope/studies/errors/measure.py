"""The study of errors: every technique against the truth of a virtual board, in many places.

Moreno and Fischmeister, table 1 and figure 7, in places that they did not have. The board's file
says in which memories: without waits, and behind an accelerator, where executions are not alike.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.board_firmware import ErrorMemory
from cyclescope.firmware.fragment.source import FragmentSource, case_name
from cyclescope.results import TimedPlan
from cyclescope.studies.errors.findings import BY_ONE, ErrorPlace, Errors
from cyclescope.studies.time.analyse import analyse
from cyclescope.studies.time.experiment_design import (
    ALL,
    ExperimentDesign,
    TimeOptions,
    design_experiment,
)
from cyclescope.studies.time.findings import FragmentStudy
from cyclescope.studies.time.measure import measure
from cyclescope.studies.time.targets import place_of
from cyclescope.studies.time.technique import find_fragment_technique
from cyclescope.target.target import Selection
from cyclescope.targets import open_target
from cyclescope.targets.virtual.board import code_fetches, make_board

POINTS, ROUNDS = 10, 5


def memories(board: str) -> tuple[ErrorMemory, ...]:
    """The memories that the board's file names; refuses a board that names none."""
    return boards.require(boards.firmware_of(board).error_memory, board, "error_memory")


def steady_memory(board: str) -> ErrorMemory:
    """The first of them where every fetch takes the same, whatever the settings."""
    made = make_board(board)
    for one in memories(board):
        if code_fetches(made, str(one.settings.get("code"))).line_bytes is None:
            return one
    raise CyclescopeError(
        f"{board} has no memory without lines for table 1: add one to [firmware] error_memory",
        code="no-steady-memory",
    )


def places(board: str, fragments: Sequence[str]) -> list[ErrorPlace]:
    """Every combination of fragment, instruction set, memory and timer, fragment by fragment."""
    there, settings = memories(board), boards.firmware_of(board).settings
    isas, timers = (tuple(map(str, settings[name].values)) for name in ("isa", "timer"))
    return [
        ErrorPlace(fragment, isa, memory, timer)
        for fragment in fragments
        for isa in isas
        for memory in there
        for timer in timers
    ]


def examine(
    board: str,
    fragments: dict[str, FragmentSource],
    folder: Path,
    progress: Callable[[int, int, str], None] = lambda done, total, what: None,
) -> Iterator[Errors]:
    """Measures every fragment in every place; the samples of each stay in a folder of their own."""
    todo = places(board, tuple(fragments))
    for done, place in enumerate(todo):
        progress(done, len(todo), place.name)
        yield examine_place(board, place, fragments[place.fragment], folder / place.name)


def examine_place(board: str, place: ErrorPlace, source: FragmentSource, folder: Path) -> Errors:
    """Measures one fragment in one place into a folder."""
    selection = Selection(
        board=board,
        kernel="bare",
        settings={"isa": place.isa, "timer": place.timer, **place.memory.settings},
    )
    options = TimeOptions((ALL,), POINTS, ROUNDS)
    design = _with_line_by_one(design_experiment(source, place_of(selection), options))
    source = replace(source, plans=design.plans)
    with open_target(replace(selection, fragment=source)) as target:
        found = analyse(measure(target, design, folder, discard=True))
    return _errors(place, found)


def _with_line_by_one(design: ExperimentDesign) -> ExperimentDesign:
    fragment = design.fragment
    if not any(plan.technique == "straight_line" for plan in fragment.plans):
        return design
    points = find_fragment_technique("straight_line").plan(POINTS)
    plan = TimedPlan(technique="straight_line", case=case_name(BY_ONE), points=points)
    plans = (*fragment.plans, plan)
    return replace(design, fragment=fragment.model_copy(update={"plans": plans}))


def _errors(place: ErrorPlace, found: FragmentStudy) -> Errors:
    assert found.truth is not None and found.steps is not None
    plans = [plan for plan in found.fragment.plans if plan.technique]
    figures = dict(zip((plan.name for plan in plans), found.techniques, strict=True))
    shortest = next(iter(figures.values()))
    return Errors(
        place=place,
        truth=found.truth.execution,
        least=found.truth.least,
        most=found.truth.most,
        period=found.steps.period,
        biases={name: one.bias for name, one in figures.items() if one.bias is not None},
        overhead=min(shortest.overhead or (0.0,)),
    )
