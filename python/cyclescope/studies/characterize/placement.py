"""Which layouts are alike to a case. The functions that its call executes lie in the same order,
each at the same place of its flash line."""

from collections.abc import Iterable, Mapping, Sequence

from cyclescope.target.layouts import LINE_BYTES

Addresses = Mapping[str, int]
"""Of the symbols of an image."""


def alike(
    case: str, functions: Sequence[str], layouts: Sequence[tuple[int, Addresses]]
) -> tuple[int, ...]:
    """For each layout, of which number and symbols are given, the first that is like it to a call
    that executes these functions."""
    # Code between the probes: the function that makes the call, and all it leads to.
    names = [f"probe.{case}.real.start", *functions]
    first: dict[object, int] = {}
    return tuple(first.setdefault(_places(names, there), number) for number, there in layouts)


def _places(names: Iterable[str], there: Addresses) -> object:
    placed = sorted((there[name], name) for name in names if name in there)
    return tuple((name, address % LINE_BYTES) for address, name in placed)
