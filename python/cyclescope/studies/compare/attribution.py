"""Why a call takes another time: two explanations beside each other, by function and by kind.

A function is one of the source: copies that the compiler made of it (`f.constprop.0`, `f.part.0`)
count as the function. One that was inlined on one side has its cycles there in the function it went
into, and stands here as found on the other side only.
"""

from dataclasses import dataclass

from cyclescope.studies.explain.explanation import KINDS, Explanation, FunctionCost, Spent


@dataclass(frozen=True)
class FunctionShare:
    """Cycles of one function and its number of entries; None where it does not execute."""

    name: str
    first: Spent | None
    second: Spent | None
    entries: tuple[int, int]

    @property
    def difference(self) -> Spent:
        """second - first by kind, in core cycles."""
        return less(self.second or Spent(), self.first or Spent())


@dataclass(frozen=True)
class Attribution:
    """The difference of one call in parts: of functions, of the empty call, and beside the calls.

    Core cycles, second less first. The functions add up to `call`, and call less `empty_call` plus
    `beside` is `net`, the difference of what was measured of this very call.
    """

    case: str
    parameter: int | None
    functions: tuple[FunctionShare, ...]
    spent: Spent
    call: int
    empty_call: int
    beside: int
    net: int
    by_pair: bool = False


def attribute(first: Explanation, second: Explanation) -> Attribution:
    """Returns the difference by function, the greatest first."""
    sides = _by_source(first), _by_source(second)
    shares = [
        FunctionShare(
            name=name,
            first=_spent(sides[0].get(name)),
            second=_spent(sides[1].get(name)),
            entries=(_entries(sides[0].get(name)), _entries(sides[1].get(name))),
        )
        for name in dict.fromkeys([*sides[0], *sides[1]])
    ]
    return Attribution(
        case=first.case,
        parameter=first.parameter,
        functions=tuple(sorted(shares, key=lambda one: -abs(one.difference.total))),
        spent=less(second.spent, first.spent),
        call=second.call_cycles - first.call_cycles,
        empty_call=second.empty_call_cycles - first.empty_call_cycles,
        beside=second.beside_cycles - first.beside_cycles,
        net=second.net_cycles - first.net_cycles,
        by_pair=first.by_pair,
    )


def less(one: Spent, other: Spent) -> Spent:
    """one - other by kind.

    >>> less(Spent(instructions=5), Spent(fetch_stalls=2)).total
    3
    """
    return Spent(**{kind: getattr(one, kind) - getattr(other, kind) for kind in KINDS})


def source_name(symbol: str) -> str:
    """The function of the source that a symbol is, or is a copy of.

    >>> source_name("prvUnlockQueue.isra.0"), source_name("xTaskCreate")
    ('prvUnlockQueue', 'xTaskCreate')
    """
    return symbol.partition(".")[0] or symbol


def _by_source(one: Explanation) -> dict[str, list[FunctionCost]]:
    found: dict[str, list[FunctionCost]] = {}
    for function in one.functions:
        found.setdefault(source_name(function.name), []).append(function)
    return found


def _spent(functions: list[FunctionCost] | None) -> Spent | None:
    return sum((one.spent for one in functions), Spent()) if functions else None


def _entries(functions: list[FunctionCost] | None) -> int:
    return sum(one.entries for one in functions or [])
