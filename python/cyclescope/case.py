"""Cases as the target describes them: a call under a condition, perhaps with a parameter."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from pydantic import Field

from cyclescope.errors import CyclescopeError
from cyclescope.layouts import ends_and_middle
from cyclescope.record import Record

SERIES_LENGTHS = (10, 25, 50, 75, 100)
"""Lengths of the five series (Brandolese and Fornaciari, section 2.2)."""


class Parameter(Record):
    """The numerical parameter x of a swept case."""

    name: str
    unit: str
    values: tuple[int, ...] = Field(min_length=1)


class Case(Record):
    """One call under one condition.

    `call` is the call as its source has it, `callee` the symbol it enters. `library` is "kernel",
    "C" or "POSIX", `function_class` the file that declares the case, which holds calls of one kind
    (empty in older results). With `load` the case makes as many objects as the series is long, so
    that the series' length is the load. With `switches` control moves to another task inside the
    call, and the probe that stops the timer is there.
    """

    name: str = Field(min_length=1)
    call: str
    callee: str = ""
    condition: str
    library: str = "kernel"
    function_class: str = ""
    parameter: Parameter | None = None
    load: bool = False
    switches: bool = False

    @property
    def function(self) -> str:
        """The call without its arguments.

        >>> Case(name="take", call="xSemaphoreTake(semaphore, 0)", condition="full").function
        'xSemaphoreTake'
        """
        return self.call.partition("(")[0].strip()

    def values(self, layout: int = 0) -> tuple[int | None, ...]:
        """The parameter values to measure; a single None for a case without a parameter.

        In layouts other than the plain link the ends and the middle one.
        """
        values: tuple[int | None, ...] = self.parameter.values if self.parameter else (None,)
        return ends_and_middle(values) if layout else values


_MOST_NAMED = 10


def matching(catalogue: Sequence[Case], pattern: str) -> list[Case]:
    """The cases whose names match the GLOB; refuses one that matches none."""
    chosen = [case for case in catalogue if fnmatchcase(case.name, pattern)]
    if chosen:
        return chosen
    names = [case.name for case in catalogue[:_MOST_NAMED]]
    if len(catalogue) > _MOST_NAMED:
        names.append(f"… ({len(catalogue)} cases; cyclescope list cases names all)")
    raise CyclescopeError(f"no case matches {pattern!r}; there are: {', '.join(names)}")
