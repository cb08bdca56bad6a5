"""`cyclescope time`: what one execution of a piece of C takes, free of what measuring adds."""

import dataclasses
from collections.abc import Callable
from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cyclescope.cli.options import Full, Json, Out, Replace
from cyclescope.cli.output import conclude, progress
from cyclescope.cli.selection import selecting
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.fragment.plan import CostKind
from cyclescope.target.conditions import Conditions
from cyclescope.target.target import Selection, Target

if TYPE_CHECKING:
    from cyclescope.studies.blocks.record import BlockMeasurements

KERNEL = "bare"
HOST = "host"
TIMER_OF_HOST = "clock_gettime"


class BlockModel(StrEnum):
    """Parts of a fragment that have a time."""

    BLOCKS = "blocks"
    EDGES = "edges"


def command(
    selection: Selection,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE.c", help="C with the fragment; not needed for a recording."),
    ] = None,
    function: Annotated[
        str | None, typer.Option("--function", help="Time this function; it takes no arguments.")
    ] = None,
    call: Annotated[
        str | None, typer.Option("--call", help='Time this call: "f(&state, 3)".')
    ] = None,
    technique: Annotated[
        list[str] | None,
        typer.Option(help="A technique, `all`, or `auto`: what suits the board. May be repeated."),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="How often every point of a plan is measured.")
    ] = None,
    points: Annotated[
        int | None, typer.Option(min=1, help="Different numbers of executions that are measured.")
    ] = None,
    period: Annotated[
        int | None, typer.Option(min=1, help="Unrolled executions come in multiples of this.")
    ] = None,
    kind: Annotated[
        CostKind | None,
        typer.Option(
            help="On the host, what one more call adds to calls that wait for each other's "
            "results, or that need not. Default: both, as far as the call has them."
        ),
    ] = None,
    optimise: Annotated[str, typer.Option(help="How the fragment is compiled.")] = "-O2",
    include: Annotated[
        list[Path] | None,
        typer.Option("-I", "--include", metavar="DIR", help="A folder of files it includes."),
    ] = None,
    define: Annotated[
        list[str] | None,
        typer.Option("-D", "--define", metavar="NAME[=VALUE]", help="A macro for its compiler."),
    ] = None,
    library: Annotated[
        list[str] | None,
        typer.Option("-l", "--library", metavar="NAME", help="A library it is linked with."),
    ] = None,
    analyser: Annotated[
        int | None,
        typer.Option(metavar="HZ", help="Sample rate of the logic analyser behind --timer pin."),
    ] = None,
    blocks: Annotated[
        bool, typer.Option("--blocks", help="Time each basic block of its code as well.")
    ] = False,
    model: Annotated[
        BlockModel | None,
        typer.Option(
            help="With --blocks: a time for each block, or for each way out of one (the default "
            "where code is fetched in lines that a memory keeps)."
        ),
    ] = None,
    inputs: Annotated[
        int | None,
        typer.Option(min=2, help="With --blocks: how many rounds of PREPARE; default: 100."),
    ] = None,
    out: Out = None,
    replace: Replace = False,
    full: Full = False,
    json: Json = False,
) -> None:
    """Time a piece of C: one execution, free of systematic error, and how sure that is.

    The fragment is a function (--function, --call), or what the file says with EXECUTE and its
    companions (firmware/include/fragment.h). Samples, manifest and report are written.
    """
    if function and call:
        raise typer.BadParameter("--function and --call both say what is executed: choose one")
    board = selection.board
    if board == HOST and {"code", "isa"} & selection.settings.keys():
        raise typer.BadParameter("--code and --isa choose on boards: leave them out on the host")
    if (model or inputs) and not blocks:
        raise typer.BadParameter("--model and --inputs are about blocks: add --blocks")
    from cyclescope.results.folder_lock import locked
    from cyclescope.studies.blocks import record
    from cyclescope.studies.blocks.measure import PLANS
    from cyclescope.studies.time.experiment_design import AUTO, TimeOptions
    from cyclescope.studies.time.measure import measure
    from cyclescope.studies.time.targets import Compiled, prepare

    selection = dataclasses.replace(selection, analyser_hz=analyser)
    if board == HOST and "timer" not in selection.settings:
        selection = selection.having({"timer": TIMER_OF_HOST})
    wishes = TimeOptions(tuple(technique or (AUTO,)), points, rounds, period, kind)
    with ExitStack() as until_shown:
        with progress(quiet=json) as advance:
            advance(0, 0, "building and loading the fragment")
            more = PLANS if blocks else ()
            compiled = Compiled(tuple(include or ()), tuple(define or ()), tuple(library or ()))
            opened = prepare(selection, file, function or call, optimise, wishes, more, compiled)
            with opened as (target, arrangement):
                folder = out or Path("results") / _fragment_folder_name(target.conditions())
                until_shown.enter_context(locked(folder))
                measured = _blocks(target, model, inputs, advance) if blocks else None
                measure(target, arrangement, folder, replace, advance)
                if measured:
                    record.save(folder, measured)
        conclude(folder, json, full)


command = selecting(command, {"kernel": KERNEL}, of_image=("board",))


def _blocks(
    target: Target,
    model: BlockModel | None,
    inputs: int | None,
    advance: Callable[[int, int, str], None],
) -> "BlockMeasurements":
    """First of all: code that cannot be followed is refused before anything is measured."""
    from cyclescope.studies.blocks.measure import ROUNDS, measure
    from cyclescope.studies.blocks.model import suitable_model

    return measure(
        target,
        model.value if model else suitable_model(target.conditions()),
        inputs or ROUNDS,
        advance=lambda what: advance(0, 0, f"blocks: {what}"),
    )


def _fragment_folder_name(conditions: Conditions) -> str:
    facts = conditions.fragment
    if facts is None:
        raise CyclescopeError("this target times no fragment", code="target-times-no-fragment")
    what = (facts.function or Path(facts.file).stem).replace("::", ".")
    from cyclescope.results.names import folder_name

    return folder_name(conditions, before=["time", what], with_kernel=False, with_timer=True)
