"""Latency and throughput: the techniques of each, and the one that answers."""

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.fragment.cost_kind import CostKind
from cyclescope.firmware.fragment.iterations import call_of
from cyclescope.firmware.fragment.source import FragmentSource
from cyclescope.results import TimedFragment
from cyclescope.studies.time.technique import FragmentTechnique, find_fragment_technique

LATENCY = "dependent_line"
NO_LATENCY = (
    "there is no latency to be found: the result of a call must go into an argument of the next. "
    "Write the call with its arguments in C, --call 'f(3)'. One of them must be of the result's "
    "kind (whole numbers and pointers are one kind, double and float two others). Or choose "
    "--kind throughput"
)
IN_ORDER = (
    "latency and throughput differ where calls overlap, and this board executes one after the "
    f"other: leave out --kind and {LATENCY}"
)
REASON = "each call waits for the result of the one before"


def may_wait(source: FragmentSource) -> bool:
    """Whether calls can perhaps be made to wait for each other; the compiler knows for sure."""
    made = source.made_call
    return made is not None and not made.cpp and bool(call_of(made).arguments)


def enough(points: int) -> bool:
    """Whether a latency can be found from so many points."""
    return points >= find_fragment_technique(LATENCY).least_points


def refuse_kinds(techniques: list[FragmentTechnique], kind: CostKind | None) -> None:
    """Where calls do not overlap there is but one time."""
    if kind or any(one.kind is CostKind.LATENCY for one in techniques):
        raise CyclescopeError(IN_ORDER, code="core-executes-in-order")


def of_kinds(
    techniques: list[FragmentTechnique], able: bool, kind: CostKind | None, by_name: bool
) -> list[FragmentTechnique]:
    """The techniques of the requested kind; without a request of both kinds, if the call is
    `able` to have both."""
    named = any(one.kind is CostKind.LATENCY for one in techniques)
    latency = find_fragment_technique(LATENCY)
    if (named or kind is CostKind.LATENCY) and not able:
        raise CyclescopeError(NO_LATENCY, code="no-latency")
    if named and kind is CostKind.THROUGHPUT:
        raise CyclescopeError(
            f"{LATENCY} measures a latency: leave it or --kind throughput out",
            code="technique-measures-latency",
        )
    if kind is CostKind.LATENCY:
        return [latency]
    if able and not by_name and kind is None:
        return [*techniques, latency]
    return techniques


def answered(fragment: TimedFragment, fed: int | None, by_name: bool) -> TimedFragment:
    """Techniques to measure, and the one that answers, once the compiler has named the argument
    that takes the result. The latency answers where there is one, unless techniques were asked for
    by name."""
    others = tuple(plan for plan in fragment.plans if plan.technique != LATENCY)
    if len(others) == len(fragment.plans):
        return fragment
    if fed is None:
        if by_name or not others:
            raise CyclescopeError(NO_LATENCY, code="no-latency")
        return fragment.model_copy(update={"plans": others})
    if by_name and fragment.chosen != LATENCY:
        return fragment
    reason = f"{REASON}, through argument {fed}"
    return fragment.model_copy(update={"chosen": LATENCY, "reason": reason})
