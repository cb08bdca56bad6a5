"""Results of a counted run: how often each region ran in each context."""

from collections import Counter
from functools import cached_property
from typing import Any

from cyclescope.record import Record


class SourceSpan(Record):
    """A part of a file from a line and column up to, not including, another."""

    file: str
    begin: tuple[int, int]
    end: tuple[int, int]


class SourceRegion(Record):
    """A piece of source that executes equally often; `spans` leave out those of its children."""

    id: int
    function: int
    kind: str
    parent: int | None
    spans: tuple[SourceSpan, ...]
    expanded: tuple[tuple[int, int], ...]
    """The bytes [begin, end) of its spans in the text of its unit."""
    condition: SourceSpan | None = None
    """Where the condition stands by which it executes, if an `if` or `?:` has one."""
    sense: str = ""
    """When that holds (senses.py)."""
    decided: tuple[int, int] = (0, 0)
    """The bytes [begin, end) of the condition in the text of its unit."""


class SourceFunction(Record):
    """A function of the program; a static one is named by its unit too."""

    id: int
    name: str
    unit: int
    file: str
    line: int
    regions: tuple[int, ...]


class SourceCall(Record):
    """A call. `parameters` name what it records, if it leaves the program (library_calls.py)."""

    id: int
    region: int
    callee: str
    """The function's name; nothing where a pointer is called."""
    parameters: tuple[str, ...]
    file: str
    line: int
    column: int
    literal: tuple[int, ...] = ()
    """Arguments that are constants or string literals, counted from 0."""
    arrays: tuple[int, ...] = ()
    """Arguments that are string literals or the beginning of an array: compilers align it."""
    expanded: int = 0
    """Where it begins in the text of its unit."""


class SourceOperands(Record):
    """An operator that multiplies or divides integers, or one of floating point (`real add` …).

    `constant` is an operand that is a literal integer.
    """

    id: int
    region: int
    operation: str
    width: str
    constant: int | None
    file: str
    line: int
    column: int
    expanded: int = 0
    """Where it begins in the text of its unit."""


class InlinedCopy(Record):
    """A call of a function in itself, or in a copy of one, in whose place a compiler put code.

    `within` is the copy that holds the call, 0 where the function `function` itself does. `entered`
    is the copy that it leads to, counted from 1. That is the same one where a call became a jump.
    """

    within: int
    function: int
    call: int
    callee: int
    entered: int


class CallContext(Record):
    """A function reached by one chain of calls; recursion stays in the context it returns to.

    Where copies were given to the run, those of a recursive function have contexts of their own.
    """

    id: int
    parent: int | None
    call: int | None
    function: int


class SourceCounts(Record):
    """Regions, contexts and how often each region ran in each context: {(context, region): n}."""

    warnings: tuple[str, ...]
    """Declarations whose width on this machine is not the target's."""
    files: tuple[str, ...]
    texts: tuple[str, ...]
    """Each unit after the preprocessor, without system headers; a letter is a byte."""
    functions: tuple[SourceFunction, ...]
    regions: tuple[SourceRegion, ...]
    calls: tuple[SourceCall, ...]
    operands: tuple[SourceOperands, ...]
    contexts: tuple[CallContext, ...]
    copies: tuple[InlinedCopy, ...] = ()
    """The run was given these."""
    merged: bool
    """Whether there were too many contexts, so that some hold more than one chain of calls."""
    counted: tuple[tuple[int, int, int], ...]
    """Context, region, times; pairs that never ran are left out."""

    parameters: tuple[tuple[int, int, tuple[int, ...], int], ...]
    """Context, call, the values of the call's parameters, and how often it had them."""
    magnitudes: tuple[tuple[int, int, int, int], ...]
    """Context, operands, their magnitude, and how often they had it.

    Of a multiplication it is 4·a + b, the factors' significant bytes less one. Of a division it is
    the quotient's significant bits. Divisors that are powers of two have numbers of their own
    (operand_edits.py). In floating point it is 1 where an operand is zero, else 0; of a
    quotient it is the significant bits, 0 if it is zero.
    """

    operations: tuple[tuple[int, str, str, str, int], ...]
    """Region, kind, type, access, and how many of them one execution of the region has."""

    @cached_property
    def executed(self) -> Counter[tuple[str, str, str]]:
        """How many operations of each kind, type and access were executed."""
        executed = Counter[tuple[str, str, str]]()
        for region, kind, type_, access, number in self.operations:
            executed[kind, type_, access] += number * self.totals[region]
        return executed

    @cached_property
    def runs(self) -> dict[tuple[int, int], int]:
        """How often each region ran in each context."""
        return {(context, region): times for context, region, times in self.counted}

    @cached_property
    def totals(self) -> Counter[int]:
        """How often each region ran in all contexts."""
        totals = Counter[int]({region.id: 0 for region in self.regions})
        for _, region, times in self.counted:
            totals[region] += times
        return totals

    def never_run(self) -> list[SourceRegion]:
        """The regions that no execution reached."""
        return [region for region in self.regions if not self.totals[region.id]]

    def as_json(self) -> dict[str, Any]:
        """The same as plain values, for JSON; `SourceCounts.model_validate` reads it back."""
        return self.model_dump(mode="json")


def with_runs(places: SourceCounts, runs: SourceCounts) -> SourceCounts:
    """The places of one description with the runs of another of the same program."""
    names = ("contexts", "copies", "merged", "counted", "parameters", "magnitudes")
    return places.model_copy(update={name: getattr(runs, name) for name in names})
