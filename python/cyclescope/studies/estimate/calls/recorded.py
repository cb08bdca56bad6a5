"""A recorded call and what it is charged: the seam of the groups."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

WORD = 4


@dataclass(frozen=True)
class RecordedCall:
    """A call with one combination of its values (docs/reference/sources.md), by their names."""

    callee: str
    values: Mapping[str, int]
    literal: tuple[int, ...] = ()
    """Arguments that are constants or string literals, counted from 0."""
    arrays: tuple[int, ...] = ()
    """Arguments that are the beginning of an array, a structure or a string literal."""
    level: str = "O2"
    """The optimisation of the program's files."""
    isa: str = "arm"

    def __getitem__(self, name: str) -> int:
        """The value of that name; 0 if the call did not record it."""
        return self.values.get(name, 0)

    def is_aligned(self, *arguments: int) -> bool:
        """Whether all of these arguments point to words on the target."""
        return not any(self.beside(at) for at in arguments)

    def beside(self, argument: int) -> int:
        """How many bytes behind a word an argument points to on the target."""
        if argument in self.arrays and self.level != "Os":
            return 0
        return self[f"a{argument}"] % WORD


@dataclass(frozen=True)
class Charge:
    """A part of a call's time: so many times the law of a case at x.

    `fallback` says why this case stands for the call, if it is not of its condition. `cycles` are
    there where they are known without a law.
    """

    case: str
    x: int | None = None
    weight: float = 1.0
    fallback: str | None = None
    cycles: float | None = None


Rule = Callable[[RecordedCall], Sequence[Charge]]
"""How a call is charged; no charges where the compiler leaves nothing of it.

A module of `groups/` offers its own by callee, as `RULES`.
"""
