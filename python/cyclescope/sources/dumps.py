"""Dumps of counted programs, as runtime/counting.c writes them."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

HEAD = struct.Struct("<7Q")
"""Number, parent, call in the parent, function, counters, merged, tuples."""
TUPLE = struct.Struct("<Q6qQ")
"""The call, its values, and how often it had them."""
NONE = 2**64 - 1


@dataclass(frozen=True)
class DumpedContext:
    """A context with its counters; calls count from its function's first."""

    number: int
    parent: int | None
    call: int | None
    function: int
    merged: bool
    counters: tuple[int, ...]
    tuples: tuple[tuple[int, tuple[int, ...], int], ...]
    """Calls, values of their parameters, and how often."""


def read(dump: bytes) -> Iterator[DumpedContext]:
    """The contexts of a dump, each after its parent."""
    offset = 0
    while offset < len(dump):
        number, parent, call, function, counters, merged, tuples = HEAD.unpack_from(dump, offset)
        offset += HEAD.size
        counted = struct.unpack_from(f"<{counters}Q", dump, offset)
        offset += 8 * counters
        found = [TUPLE.unpack_from(dump, offset + at * TUPLE.size) for at in range(tuples)]
        offset += tuples * TUPLE.size
        yield DumpedContext(
            number=number,
            parent=None if parent == NONE else parent,
            call=None if call == NONE else call,
            function=function,
            merged=bool(merged),
            counters=counted,
            tuples=tuple((one[0], one[1:-1], one[-1]) for one in found),
        )
