"""Fragment sources: what a user wants timed, and the C that the lab writes for it.

The lab writes three things for `firmware/Makefile`. They are the user's file with names for the
function in it, the copies of every point (firmware/include/points.h), and the compiler options of
the user's file. Their folder is named by a hash of all of it, so builds never mix.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.fragment import compiler_options, iterations
from cyclescope.firmware.fragment.call import UserCall, function_of, needs_no_arguments
from cyclescope.firmware.fragment.facts import FragmentFacts
from cyclescope.firmware.fragment.plan import Plan, Point

OPTIMISATIONS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Og")
CALL_TEXT_MAX = 60
"""Longest text of a call that goes over the wire; the rest of it is cut off."""
CPP = (".cpp", ".cc", ".cxx", ".c++", ".C")
CPP_OPTIONS = (
    "-xc++",
    "-std=gnu++17",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
)
WRAPPER = "fragment_execute"
"""The function that copies call instead of the user's: EXECUTE, or a call with its arguments."""
PATIENCE_S = 60.0
FIRST_PATIENCE_S = 5.0
"""For the very first measurement, which shows whether the fragment returns at all."""


@dataclass(frozen=True)
class FragmentSource:
    """A file of C with the fragment, and the plans whose points are to be in the image.

    `call` is a function's name, or a call with its arguments; None if the file has EXECUTE
    (firmware/include/fragment.h). If `loads`, the target loads arguments by itself before each
    execution (boards/lpc2148/arguments.h), and copies call the function. Otherwise copies call a
    function that loads the arguments and goes on to the user's. `includes`, `defines` and
    `libraries` are as a compiler's -I, -D and -l have them. A measurement series that takes longer
    than `patience_s` of the target's time is given up, the very first measurement after 5 s
    already.
    """

    file: Path
    plans: tuple[tuple[str, Plan], ...]
    call: str | None = None
    optimise: str = "-O2"
    patience_s: float = PATIENCE_S
    loads: bool = False
    includes: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()

    @property
    def function(self) -> str | None:
        """The function that the call names."""
        return function_of(self.call or "")

    @property
    def direct(self) -> bool:
        """Whether the copies call that function itself: it needs no arguments."""
        return needs_no_arguments(self.call or "")

    @property
    def loaded(self) -> bool:
        """Whether the arguments of the call are loaded before each execution, apart from it."""
        return self.loads and self.function is not None and not self.direct

    @property
    def executed(self) -> str:
        """The symbol that each copy of an execution calls."""
        made = self.made_call if self.direct or self.loaded else None
        return made.symbol if made else WRAPPER

    @property
    def cpp(self) -> bool:
        """Whether the file is C++."""
        return self.file.suffix in CPP

    @property
    def made_call(self) -> UserCall | None:
        """The call that each copy makes, or None if the file has an EXECUTE part instead of a named
        function."""
        if self.function is None:
            return None
        return UserCall(self.call or "", self.function, self.cpp)

    @property
    def options(self) -> tuple[str, ...]:
        """How the user's file is compiled, beyond how the harness is."""
        return (*self._language, *(f"-D{one}" for one in self.defines))

    @property
    def _language(self) -> tuple[str, ...]:
        if self.cpp:
            return (*CPP_OPTIONS, self.optimise, "-falign-functions=64")
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
    """Returns a point's name in the image; its probes are `fragment.<name>.start` and `.stop`.

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
    digest = hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()
    home = folder / f"fragment-{digest[:16]}"
    home.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        if not (home / name).exists():
            (home / f"{name}.part").write_text(content)
            (home / f"{name}.part").rename(home / name)
    return home


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


def has_initialisation(file: Path) -> bool:
    """Whether the file has a part that each execution needs before it (fragment.h)."""
    try:
        text = file.read_text(errors="replace")
    except OSError as error:
        raise CyclescopeError(
            f"{file} cannot be read: {error.strerror}", code="cannot-read"
        ) from None
    return re.search(r"^\s*INITIALISE\b", text, re.MULTILINE) is not None


def _condition(plan: Plan) -> str:
    def span(numbers: Iterable[int]) -> str:
        low, high = min(found := list(numbers)), max(found)
        return str(low) if low == high else f"{low} to {high}"

    executions = span(point.executions for point in plan)
    initialisations = span(point.initialisations for point in plan)
    text = f"{len(plan)} points of {executions} executions"
    return text if initialisations == "0" else f"{text}, {initialisations} initialisations"
