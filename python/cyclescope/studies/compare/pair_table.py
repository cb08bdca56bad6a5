"""Tables of pairs: which calls of two operating systems do the same (pairs/*.toml).

A table names two kernels. Each pair names a case of either, what both do, and what differs. Each
case stands in at most one pair, so each pair counts once in every mean. Users give their own with
`compare --pairs FILE`.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, model_validator

from cyclescope import input_files
from cyclescope.errors import CyclescopeError
from cyclescope.record import Record
from cyclescope.target.case import matches

PAGE = "docs/how-to/compare-systems.md"
SHIPPED = files(__package__).joinpath("pairs")


class TablePair(Record):
    """Two cases, by kernel in `cases`, that do the same: `does` says what.

    `nearly` says what differs all the same; without it they are alike. `x` says what the parameter
    of both is, `load` the same where x counts objects of the system. `at` has the x, by kernel, at
    which a case with a parameter stands for the pair.
    """

    function_class: str = Field(alias="class", min_length=1)
    does: str = Field(min_length=1)
    nearly: str | None = None
    x: str | None = None
    load: str | None = None
    at: dict[str, int] = Field(default_factory=dict)
    cases: dict[str, str]

    @model_validator(mode="before")
    @classmethod
    def _gather_cases(cls, data: Any) -> Any:
        """Keys that are no fields are kernels."""
        if not isinstance(data, dict):
            return data
        own = {"class", "does", "nearly", "x", "load", "at"}
        cases = {key: str(value) for key, value in data.items() if key not in own}
        return {**{key: value for key, value in data.items() if key in own}, "cases": cases}

    @model_validator(mode="after")
    def _check_parameter(self) -> "TablePair":
        if sum(map(bool, (self.x, self.load, self.at))) > 1:
            raise ValueError("a pair has one of x, load and at")
        return self


class TableUnmatched(Record):
    """Cases of one system, by GLOBs, that have no counterpart, and why."""

    system: str
    cases: tuple[str, ...] = Field(min_length=1)
    reason: str = Field(min_length=1)


class PairTable(Record):
    """Pairs of two kernels, and the cases of either that have none."""

    systems: tuple[str, str]
    pairs: tuple[TablePair, ...] = Field(min_length=1)
    unmatched: tuple[TableUnmatched, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> "PairTable":
        if self.systems[0] == self.systems[1]:
            raise ValueError("systems names one kernel twice")
        for pair in self.pairs:
            if set(pair.cases) != set(self.systems):
                keys = ", ".join(pair.cases) or "nothing"
                wanted = " and ".join(self.systems)
                raise ValueError(f"the pair that {pair.does} names {keys} instead of {wanted}")
            if not set(pair.at) <= set(self.systems):
                raise ValueError(f"the pair that {pair.does} has an at of another kernel")
        for system in self.systems:
            self._check_system(system)
        return self

    def _check_system(self, system: str) -> None:
        counts = Counter(pair.cases[system] for pair in self.pairs)
        for name, count in counts.items():
            if count > 1:
                raise ValueError(f"{name} of {system} is in {count} pairs")
            if self.reason(system, name):
                raise ValueError(f"{name} of {system} is in a pair and among the unmatched")

    def fits(self, kernels: Iterable[str]) -> bool:
        """Whether it is of these two kernels, in either order."""
        return set(self.systems) == set(kernels)

    def reason(self, system: str, name: str) -> str | None:
        """Why a case has no counterpart, if the table says so."""
        reasons = (
            one.reason
            for one in self.unmatched
            if one.system == system and matches(name, one.cases)
        )
        return next(reasons, None)


def shipped(kernels: Sequence[str]) -> PairTable | None:
    """The lab's own table of two kernels, in either order, if it has one."""
    for name in ("-".join(kernels), "-".join(reversed(kernels))):
        found = SHIPPED.joinpath(f"{name}.toml")
        if found.is_file():
            return _parsed(found.read_bytes(), found.name)
    return None


def read(path: Path, kernels: Sequence[str]) -> PairTable:
    """A user's table. Raises CyclescopeError if it is none, or is of other kernels."""
    table = _parsed(input_files.read_there(path), str(path))
    if not table.fits(kernels):
        raise CyclescopeError(
            f"{path} pairs {' with '.join(table.systems)}, and the results are of "
            f"{' and '.join(kernels)}",
            code="pairs-of-other-kernels",
        )
    return table


def _parsed(content: bytes, name: str) -> PairTable:
    try:
        return PairTable.model_validate(tomllib.loads(content.decode()))
    except UnicodeDecodeError:
        raise _wrong(name, "it is not text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise _wrong(name, str(error)) from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        text = first["msg"].removeprefix("Value error, ")
        raise _wrong(name, f"{place}: {text}" if place else text) from None


def _wrong(name: str, why: str) -> CyclescopeError:
    return CyclescopeError(
        f"{name} is not a table of pairs: {why} ({PAGE})", code="not-a-table-of-pairs"
    )
