"""Fragment sources: what a user wants timed, and the C that the lab writes for it.

Three things are written for `firmware/Makefile`: the user's file with what names the function in
it, the copies of every point (firmware/include/points.h), and the options the user's file is
compiled with. Their folder is named by a hash of all of it, so builds never mix.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cyclescope import fragment_turns
from cyclescope.conditions import FragmentFacts
from cyclescope.errors import CyclescopeError
from cyclescope.fragment import Plan, Point

OPTIMISATIONS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Og")
CALL_TEXT_MAX = 60
"""Longest text of a call that is told over the wire; the rest of it is cut off."""
PATIENCE_S = 60.0
FIRST_PATIENCE_S = 5.0
"""For the very first measurement, which shows whether the fragment returns at all."""


@dataclass(frozen=True)
class FragmentSource:
    """A file of C with the fragment, and the plans whose points are to be in the image.

    `call` is a function's name, or a call with its arguments; None if the file has EXECUTE
    (firmware/include/fragment.h). A measurement series that takes longer than `patience_s` of the
    target's time is given up, the very first measurement after 5 s already.
    """

    file: Path
    plans: tuple[tuple[str, Plan], ...]
    call: str | None = None
    optimise: str = "-O2"
    patience_s: float = PATIENCE_S

    @property
    def function(self) -> str | None:
        """The function that the call names.

        >>> FragmentSource(Path("sum.c"), (), "add(3, 4)").function
        'add'
        """
        found = re.match(r"\s*([A-Za-z_]\w*)\s*(\(|$)", self.call or "")
        return found[1] if found else None

    @property
    def direct(self) -> bool:
        """Whether the copies call that function itself: it needs no arguments."""
        return bool(re.fullmatch(r"\s*\w+\s*(\(\s*\))?\s*;?\s*", self.call or ""))

    @property
    def executed(self) -> str:
        """The symbol that each copy of an execution calls."""
        return self.function if self.direct and self.function else "fragment_execute"

    @property
    def options(self) -> tuple[str, ...]:
        """How the user's file is compiled, beyond how the harness is."""
        return (
            "-std=gnu17",
            self.optimise,
            "-falign-functions=64",
            "-Werror=implicit-function-declaration",
        )

    def points(self) -> tuple[Point, ...]:
        """All points of all plans, each once."""
        return tuple(dict.fromkeys(point for _, plan in self.plans for point in plan))


def case_name(plan: str) -> str:
    """The case that a plan is."""
    return f"fragment.{plan}"


def point_name(point: Point) -> str:
    """What a point is called in the image; its probes are `fragment.<name>.start` and `.stop`.

    >>> point_name(Point(3, 9)), point_name(Point(100, looped=True))
    ('n3_m9', 'n100_loop')
    """
    initialisations = f"_m{point.initialisations}" if point.initialisations else ""
    links = f"_k{point.links}" if point.links else ""
    manner = "_loop" if point.looped else "_left" if point.left else ""
    turned = "_turned" if point.turned else ""
    return f"n{point.executions}{initialisations}{links}{manner}{turned}"


def sequence(point: Point) -> list[bool]:
    """The copies of a point in order: whether each is an initialisation.

    Each execution comes after its share of the initialisations, the first ones after one more where
    they do not go round.

    >>> ["EI"[one] for one in sequence(Point(2, 3))]
    ['I', 'I', 'E', 'I', 'E']
    """
    if not point.executions:
        return [True] * point.initialisations
    share, more = divmod(point.initialisations, point.executions)
    copies: list[bool] = []
    for execution in range(point.executions):
        copies += [True] * (share + (execution < more)) + [False]
    return copies


def until_executed(plan: Plan) -> int:
    """How many measurements of a plan it takes until something has been executed."""
    return next((number for number, point in enumerate(plan, 1) if point.executions), len(plan))


def write(source: FragmentSource, folder: Path) -> Path:
    """Writes the three files below `folder`, and the facts; returns where they are."""
    try:
        text = source.file.read_bytes()
    except OSError as error:
        raise CyclescopeError(f"{source.file} cannot be read: {error.strerror}") from error
    _check(source)
    files = {
        "fragment.c": _fragment(source) + _turns(source),
        "copies.c": _copies(source),
        "options": _options(source),
        "facts.json": facts(source, text).model_dump_json() + "\n",
    }
    digest = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()
    home = folder / f"fragment-{digest[:16]}"
    home.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if not (home / name).exists():
            (home / f"{name}.part").write_text(content)
            (home / f"{name}.part").rename(home / name)
    return home


def facts(source: FragmentSource, text: bytes) -> FragmentFacts:
    """What the conditions say about a source whose file holds `text`."""
    return FragmentFacts(
        file=source.file.name,
        sha256=hashlib.sha256(text).hexdigest(),
        call=source.call or "EXECUTE",
        function=source.function,
        executed=source.executed,
        options=source.options,
    )


def _check(source: FragmentSource) -> None:
    if source.optimise not in OPTIMISATIONS:
        raise CyclescopeError(
            f"there is no optimisation {source.optimise}: choose one of {', '.join(OPTIMISATIONS)}"
        )
    if source.call is not None and source.function is None:
        raise CyclescopeError(
            f"{source.call} is no call: name a function, or write it like f(&state, 3)"
        )
    if any(mark in str(source.file.resolve()) for mark in '"\\\n'):
        raise CyclescopeError(f"{source.file} has a quote or a backslash in its path: rename it")
    for point in source.points():
        if min(point.executions, point.initialisations) < 0:
            raise CyclescopeError(f"{point} makes no sense: nothing is executed less than 0 times")
        if point.left and (point.executions != 1 or point.initialisations or point.looped):
            raise CyclescopeError(
                "only one execution, without anything beside it, can be left early"
            )
        if point.links and (not point.turned or point.links % max(point.executions, 1)):
            raise CyclescopeError("only turned executions are linked, each as often as the next")
        if point.looped and not point.executions:
            raise CyclescopeError("a loop needs at least one execution")
        if point.looped and point.initialisations % point.executions:
            raise CyclescopeError(
                "in a loop every execution has as many initialisations as the next"
            )


def _fragment(source: FragmentSource) -> str:
    """The user's file, and what calls the function in it. Where the function is known the compiler
    is told another name for it, so that it cannot look inside."""
    lines = [f'#include "{source.file.resolve()}"']
    if source.function and source.direct:
        lines += [
            "#undef main",
            '#line 1 "--call"',
            '#pragma GCC diagnostic error "-Waggregate-return"',
            f"void fragment_check(void); void fragment_check(void) {{ {source.function}(); }}",
        ]
    elif source.function:
        name = source.function
        lines += [
            "#undef main",
            '#line 1 "--call"',
            f'extern __typeof__({name}) fragment_callee __asm__("{name}");',
            f"#define {name} fragment_callee",
            "void fragment_execute(void);",
            "__attribute__((noipa, aligned(64))) void fragment_execute(void) "
            f"{{ {(source.call or '').rstrip().rstrip(';')}; }}",
        ]
    return "\n".join(lines) + "\n"


def _turns(source: FragmentSource) -> str:
    call = fragment_turns.call_of(source.function, source.call)
    points = {point_name(one): (one, sequence(one)) for one in source.points() if one.turned}
    return fragment_turns.bodies(call, points)


def _options(source: FragmentSource) -> str:
    """As gcc reads them from a file. The names of the user's folders stay out of the image, and a
    main that the file may have out of the way."""
    quoted = str(source.file.resolve().parent).replace("\\", "\\\\").replace('"', '\\"')
    return "\n".join(
        [*source.options, "-Dmain=main_of_fragment", f'"-ffile-prefix-map={quoted}=fragment"', ""]
    )


def _copies(source: FragmentSource) -> str:
    initialised = any(point.initialisations for point in source.points())
    lines = [
        f"/* Written by the lab for {source.file.name}: the points of its plans. */",
        f"#define INITIALISATION {'' if initialised else '__attribute__((weak))'}",
        f'#define EXECUTED __asm__("{source.executed}")',
        f'#include "{"turns.h" if any(one.turned for one in source.points()) else "points.h"}"',
        "#define X fragment_execute();",
        "#define I fragment_initialise();",
        "#define L fragment_leave(fragment_execute);",
        *(_point(point) for point in source.points() if point != Point(0)),
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


def _point(point: Point) -> str:
    name = point_name(point)
    if point.turned:
        return f"TURNED_POINT({name})"
    if point.looped:
        once = "I " * (point.initialisations // point.executions) + "X"
        return f"POINT({name}, LOOP({point.executions}, {once}))"
    if point.left:
        return f"POINT({name}, L)"
    copies = ["XI"[one] for one in sequence(point)]
    rows = [" ".join(copies[at : at + 40]) for at in range(0, len(copies), 40)]
    return f"POINT({name},\n" + "\n".join(rows) + ")"


def _condition(plan: Plan) -> str:
    def span(numbers: Iterable[int]) -> str:
        low, high = min(found := list(numbers)), max(found)
        return str(low) if low == high else f"{low} to {high}"

    executions = span(point.executions for point in plan)
    initialisations = span(point.initialisations for point in plan)
    text = f"{len(plan)} points of {executions} executions"
    return text if initialisations == "0" else f"{text}, {initialisations} initialisations"
