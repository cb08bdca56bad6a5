"""The estimated cost of a program: its own code, its calls, and how sure both are."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import hypot

SWITCH = "switch"
"""A passage of a kernel that ends in another task."""


@dataclass(frozen=True)
class Amount:
    """A figure in cycles and its 90 % interval."""

    cycles: float
    low_cycles: float
    high_cycles: float


@dataclass(frozen=True)
class OwnPart:
    """Cycles of the program's own code in a region, and of what the compiler calls for it.

    They are of the whole run. Contexts share them by the executions of the region in each.
    """

    region: int
    """`SourceRegion.id`"""
    file: str
    line: int
    cycles: float
    energy_uj: float | None = None


@dataclass(frozen=True)
class PricedCall:
    """Calls at one place in one context, in one condition."""

    context: int
    """`CallContext.id`"""
    call: int
    """`SourceCall.id`"""
    callee: str
    case: str | None
    """The case whose law prices it, if there is one."""
    x: int | None
    """The parameter of the law."""
    times: int
    cycles_each: float
    low_each: float
    high_each: float
    energy_uj_each: float | None = None
    fallback: str | None = None
    """How it is priced without a law."""
    passage: str | None = None
    """Of a kernel: what is no call, such as idle time, or that another task goes on."""

    @property
    def name(self) -> str:
        """The name for readers: the function, and the kernel's part in it."""
        if self.passage is None:
            return self.callee
        return f"{self.callee}, switch" if self.passage == SWITCH else self.passage

    @property
    def cycles(self) -> float:
        return self.times * self.cycles_each


@dataclass(frozen=True)
class Unpriced:
    """Calls of one function that no law prices, and what they were taken for."""

    callee: str
    fallback: str
    times: int
    cycles: float


@dataclass(frozen=True)
class ProgramEstimate:
    """The cost of a program, priced in one way: `source`, `blocks` or `run`.

    `own_low` and `own_high` bound the true cycles of its own code, as parts of the estimated ones.
    `calls_off` is how far training programs' calls were off, as a part; laws add what they have.
    """

    way: str
    own: tuple[OwnPart, ...]
    calls: tuple[PricedCall, ...] = ()
    own_low: float = 1.0
    own_high: float = 1.0
    calls_off: float = 0.0

    @cached_property
    def cycles_without_calls(self) -> float:
        return sum(part.cycles for part in self.own)

    @cached_property
    def cycles_of_calls(self) -> float:
        return sum(call.cycles for call in self.calls)

    @property
    def cycles(self) -> float:
        return self.cycles_without_calls + self.cycles_of_calls

    @property
    def share_of_calls(self) -> float:
        """The part of all cycles that is spent in calls."""
        return self.cycles_of_calls / self.cycles if self.cycles else 0.0

    @cached_property
    def energy_uj(self) -> float | None:
        """None if a part has none."""
        own = [part.energy_uj for part in self.own]
        each = [(call.times, call.energy_uj_each) for call in self.calls]
        if None in own or any(energy is None for _, energy in each):
            return None
        return sum(one or 0.0 for one in own) + sum(times * (one or 0.0) for times, one in each)

    @property
    def energy_of_calls_uj(self) -> float | None:
        """None if the whole has none."""
        if self.energy_uj is None:
            return None
        return sum(one.times * (one.energy_uj_each or 0.0) for one in self.calls)

    @cached_property
    def unpriced(self) -> tuple[Unpriced, ...]:
        """The calls without a law, by function; those that cost most come first."""
        found: dict[tuple[str, str], list[PricedCall]] = defaultdict(list)
        for call in self.calls:
            if call.fallback is not None:
                found[call.name, call.fallback].append(call)
        listed = (
            Unpriced(callee, fallback, sum(one.times for one in calls), _cycles(calls))
            for (callee, fallback), calls in found.items()
        )
        return tuple(sorted(listed, key=lambda one: (-one.cycles, one.callee)))

    @cached_property
    def off_of_laws(self) -> tuple[float, float]:
        """Cycles below and above the estimate that the laws' intervals come to.

        A law errs alike in all calls of its case: their deviations are added. Those of cases do not
        depend on each other.
        """
        below, above = list[float](), list[float]()
        by_case: dict[tuple[str, str | None], list[PricedCall]] = defaultdict(list)
        for call in self.calls:
            by_case[call.callee, call.case].append(call)
        for calls in by_case.values():
            below.append(sum(one.times * (one.cycles_each - one.low_each) for one in calls))
            above.append(sum(one.times * (one.high_each - one.cycles_each) for one in calls))
        return hypot(*below), hypot(*above)

    @property
    def interval(self) -> Amount:
        """All cycles with their 90 % interval."""
        return interval(
            self.cycles_without_calls,
            self.cycles_of_calls,
            (self.own_low, self.own_high),
            self.calls_off,
            self.off_of_laws,
        )


def interval(
    own_cycles: float,
    calls_cycles: float,
    own_bounds: tuple[float, float],
    calls_off: float,
    off_of_laws: tuple[float, float],
) -> Amount:
    """The 90 % interval of own code and calls together.

    The deviations of own code, of the way calls are counted, and of laws do not depend on each
    other: their squares are added.
    """
    low, high = own_bounds
    counted, whole = calls_off * calls_cycles, own_cycles + calls_cycles
    below = hypot(own_cycles * (1 - low), counted, off_of_laws[0])
    above = hypot(own_cycles * (high - 1), counted, off_of_laws[1])
    return Amount(whole, max(whole - below, 0.0), whole + above)


def _cycles(calls: Iterable[PricedCall]) -> float:
    return sum(one.cycles for one in calls)
