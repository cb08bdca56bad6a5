"""Cases as the target describes them: a call under a condition, perhaps with a parameter."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any

from pydantic import Field, model_validator

from cyclescope.errors import CyclescopeError
from cyclescope.record import Record
from cyclescope.target.layouts import ends_and_middle

SERIES_LENGTHS = (10, 25, 50, 75, 100)
"""Lengths of the five series (Brandolese and Fornaciari, section 2.2)."""


class Domain(Record):
    """The x that a call takes: from `first` to `last`, both included, every `step`th integer."""

    first: int
    last: int
    step: int = Field(default=1, ge=1)

    @property
    def all(self) -> range:
        return range(self.first, self.last + 1, self.step)

    @property
    def size(self) -> int:
        """How many x there are."""
        return len(self.all)

    def takes(self, x: int) -> bool:
        return x in self.all

    def __str__(self) -> str:
        every = f" by {self.step}" if self.step > 1 else ""
        return f"{self.first} to {self.last}{every}"


class Parameter(Record):
    """The numerical parameter x of a case: the values it may have, and those at which whole series
    are timed.

    Results of older versions have no domain; it reaches from the least to the greatest value then.
    """

    name: str
    unit: str
    values: tuple[int, ...] = Field(min_length=1)
    domain: Domain = Domain(first=0, last=0)

    @model_validator(mode="before")
    @classmethod
    def _of_older(cls, data: Any) -> Any:
        if isinstance(data, dict) and "domain" not in data and data.get("values"):
            values = data["values"]
            return {**data, "domain": {"first": min(values), "last": max(values)}}
        return data


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

    def takes(self, x: int) -> bool:
        """Whether the call can be made with this x."""
        return self.parameter is not None and self.parameter.domain.takes(x)

    def at(self, values: Iterable[int]) -> "Case":
        """The same case, timed by whole series at these x too, as far as it takes them."""
        more = set(filter(self.takes, values))
        if self.parameter is None or more <= set(self.parameter.values):
            return self
        wanted = {*self.parameter.values, *more}
        parameter = self.parameter.model_copy(update={"values": tuple(sorted(wanted))})
        return self.model_copy(update={"parameter": parameter})


_MOST_NAMED = 10


Patterns = str | Sequence[str]
"""A GLOB, or several."""


def matches(name: str, patterns: Patterns) -> bool:
    """Whether a case has a name that was asked for."""
    return any(fnmatchcase(name, one) for one in _all(patterns))


def matching(catalogue: Sequence[Case], patterns: Patterns) -> list[Case]:
    """The cases whose names match a GLOB; refuses one that matches none, and two of one name."""
    _require_distinct(catalogue)
    for pattern in _all(patterns):
        if not any(matches(case.name, pattern) for case in catalogue):
            raise CyclescopeError(
                f"no case matches {pattern!r}; there are: {_some(catalogue)}", code="no-such-case"
            )
    return [case for case in catalogue if matches(case.name, patterns)]


def _all(patterns: Patterns) -> Sequence[str]:
    return (patterns,) if isinstance(patterns, str) else patterns


def _require_distinct(catalogue: Sequence[Case]) -> None:
    """No figure may stand for another case of the same name."""
    classes: dict[str, str] = {}
    for case in catalogue:
        if case.name in classes:
            where = f"{classes[case.name] or 'one class'} and {case.function_class or 'another'}"
            raise CyclescopeError(
                f"two cases are called {case.name}, of the classes {where}: rename one and build "
                "the target's firmware again",
                code="two-cases-of-one-name",
            )
        classes[case.name] = case.function_class


def _some(catalogue: Sequence[Case]) -> str:
    names = [case.name for case in catalogue[:_MOST_NAMED]]
    if len(catalogue) > _MOST_NAMED:
        names.append(f"… ({len(catalogue)} cases; cyclescope list cases names all)")
    return ", ".join(names) or "none"


def taken(cases: Iterable[Case]) -> str:
    """The x that these cases take, as text."""
    domains = dict.fromkeys(str(one.parameter.domain) for one in cases if one.parameter)
    return ", ".join(domains) or "none: it has no parameter"
