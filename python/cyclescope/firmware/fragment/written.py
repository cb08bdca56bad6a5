"""Files that the lab writes for a fragment, for `firmware/Makefile`.

They are the user's file with names for the function in it, the copies of every point
(firmware/include/points.h), and the compiler options of the user's file. Their folder is named by a
hash of all of it, so builds never mix.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import named_folder
from cyclescope.firmware.fragment import compiler_options, iterations
from cyclescope.firmware.fragment.facts import FragmentFacts
from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import (
    CALL_TEXT_MAX,
    OPTIMISATIONS,
    WRAPPER,
    FragmentSource,
    case_name,
    has_initialisation,
    point_name,
    sequence,
)


def write(source: FragmentSource, folder: Path) -> Path:
    """Writes the three files below `folder`, and the facts; returns where they are."""
    try:
        text = source.file.read_bytes()
    except OSError as error:
        raise CyclescopeError(
            f"{source.file} cannot be read: {error.strerror}", code="cannot-read"
        ) from error
    _check(source)
    files = {
        "fragment.c": _fragment(source) + _turns(source),
        "copies.c": _copies(source),
        "options": compiler_options.text(
            source.options, (source.file.resolve().parent, *source.includes)
        ),
        "libraries": "\n".join(f"-l{one}" for one in source.libraries) + "\n",
        "facts.json": facts(source, text).model_dump_json() + "\n",
    }
    return named_folder.filled(folder, "fragment", files)


def facts(source: FragmentSource, text: bytes) -> FragmentFacts:
    """Returns the facts in the conditions about a source whose file holds `text`."""
    return FragmentFacts(
        file=source.file.name,
        sha256=hashlib.sha256(text).hexdigest(),
        call=source.call or "EXECUTE",
        function=source.function,
        executed=source.executed,
        options=(
            *source.options,
            *(f"-I{one.name}" for one in source.includes),
            *(f"-l{one}" for one in source.libraries),
        ),
    )


def _check(source: FragmentSource) -> None:
    if source.optimise not in OPTIMISATIONS:
        raise CyclescopeError(
            f"there is no optimisation {source.optimise}: choose one of {', '.join(OPTIMISATIONS)}",
            code="no-such-optimisation",
        )
    if source.call is not None and source.function is None:
        raise CyclescopeError(
            f"{source.call} is no call: name a function, or write it like f(&state, 3)",
            code="not-a-call",
        )
    if any(mark in str(source.file.resolve()) for mark in '"\\\n'):
        raise CyclescopeError(
            f"{source.file} has a quote or a backslash in its path: rename it", code="quote-in-path"
        )
    compiler_options.check(source.includes, source.defines, source.libraries)
    for point in source.points():
        if min(point.executions, point.initialisations) < 0:
            raise CyclescopeError(
                f"{point} makes no sense: nothing is executed less than 0 times",
                code="negative-executions",
            )
        if point.left and (point.executions != 1 or point.initialisations or point.looped):
            raise CyclescopeError(
                "only one execution, without anything beside it, can be left early",
                code="early-end-needs-one-execution",
            )
        if point.links and (not point.turned or point.links % max(point.executions, 1)):
            raise CyclescopeError(
                "only turned executions are linked, each as often as the next",
                code="linked-executions-must-turn",
            )
        if point.looped and not point.executions:
            raise CyclescopeError(
                "a loop needs at least one execution", code="loop-of-no-execution"
            )
        if point.looped and point.initialisations % point.executions:
            raise CyclescopeError(
                "in a loop every execution has as many initialisations as the next",
                code="loop-of-uneven-initialisations",
            )


def _fragment(source: FragmentSource) -> str:
    """The user's file, and what calls the function in it."""
    lines = [f'#include "{source.file.resolve()}"']
    if call := source.made_call:
        lines += call.named()
        lines += call.checked() if source.direct else call.made(WRAPPER)
        lines += call.captured() if source.loaded else ()
    return "\n".join(lines) + "\n"


def _turns(source: FragmentSource) -> str:
    made = source.made_call
    call = iterations.call_of(made) if made else iterations.LoopedCall(None, (), source.cpp)
    points = {point_name(one): (one, sequence(one)) for one in source.points() if one.turned}
    return iterations.bodies(call, points)


def _copies(source: FragmentSource) -> str:
    initialised = not source.loaded and any(one.initialisations for one in source.points())
    lines = [
        f"/* Written by the lab for {source.file.name}: the points of its plans. */",
        f"#define INITIALISATION {'' if initialised else '__attribute__((weak))'}",
        f'#define EXECUTED __asm__("{source.executed}")',
        f'#include "{"turns.h" if any(one.turned for one in source.points()) else "points.h"}"',
        *(_WITH_ARGUMENTS if source.loaded else ()),
        "#define X fragment_execute();",
        f"#define I fragment_{_initialise(source)}();",
        f"#define W fragment_{'wrapped' if source.loaded else 'execute'}();",
        f"#define L fragment_leave(fragment_{'wrapped' if source.loaded else 'execute'});",
        *(_point(point, source.loaded) for point in source.points() if point != Point(0)),
    ]
    call = (source.call or "EXECUTE")[:CALL_TEXT_MAX].replace("\\", "").replace('"', "'")
    for number, (name, plan) in enumerate(source.plans):
        points = ", ".join(f"point_{point_name(point)}" for point in plan)
        lines.append(
            f"{'TURNED_' * any(point.turned for point in plan)}PLAN(plan_{number}, "
            f'"{case_name(name)}", "{call}", "{source.executed}", '
            f'"{_condition(plan)}", {points})'
        )
    return "\n".join(lines) + "\n"


_WITH_ARGUMENTS = (
    '#include "arguments.h"',
    f'void fragment_wrapped(void) __asm__("{WRAPPER}");',
)


def _initialise(source: FragmentSource) -> str:
    """Returns the function that each initialisation calls."""
    if not source.loaded:
        return "initialise"
    return "initialise_and_load" if has_initialisation(source.file) else "load"


def _point(point: Point, loaded: bool) -> str:
    """If arguments load separately, a point without initialisations loads them in its execution."""
    name = point_name(point)
    if point.turned:
        return f"TURNED_POINT({name})"
    apart = loaded and point.initialisations > 0
    kind, execution = ("POINT_WITH_ARGUMENTS", "X") if apart else ("POINT", "W")
    if point.looped:
        once = "I " * (point.initialisations // point.executions) + execution
        return f"{kind}({name}, LOOP({point.executions}, {once}))"
    if point.left:
        return f"{kind}({name}, L)"
    copies = ["I" if one else execution for one in sequence(point)]
    rows = [" ".join(copies[at : at + 40]) for at in range(0, len(copies), 40)]
    return f"{kind}({name},\n" + "\n".join(rows) + ")"


def _condition(plan: Plan) -> str:
    def span(numbers: Iterable[int]) -> str:
        low, high = min(found := list(numbers)), max(found)
        return str(low) if low == high else f"{low} to {high}"

    executions = span(point.executions for point in plan)
    initialisations = span(point.initialisations for point in plan)
    text = f"{len(plan)} points of {executions} executions"
    return text if initialisations == "0" else f"{text}, {initialisations} initialisations"
