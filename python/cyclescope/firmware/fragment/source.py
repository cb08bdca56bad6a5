"""Fragment sources: the user's C, the call in it that is timed, and the points of the plans."""

import re
from dataclasses import dataclass
from pathlib import Path

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.fragment.call import UserCall, function_of, needs_no_arguments
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
    execution (firmware/arch/arm/arguments.h), and copies call the function. Otherwise copies call a
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


def has_initialisation(file: Path) -> bool:
    """Whether the file has a part that each execution needs before it (fragment.h)."""
    try:
        text = file.read_text(errors="replace")
    except OSError as error:
        raise CyclescopeError(
            f"{file} cannot be read: {error.strerror}", code="cannot-read"
        ) from None
    return re.search(r"^\s*INITIALISE\b", text, re.MULTILINE) is not None
