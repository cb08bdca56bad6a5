"""Experiment design: which techniques measure a fragment, by which plans, and why these.

docs/explanation/techniques.md says what speaks for each technique; the report names the choice made
here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.fragment.cost_kind import CostKind
from cyclescope.firmware.fragment.plan import Plan, Point, turned
from cyclescope.firmware.fragment.source import FragmentSource, case_name, has_initialisation
from cyclescope.results import TimedFragment, TimedPlan
from cyclescope.studies.time import cost_kinds
from cyclescope.studies.time.technique import (
    FragmentTechnique,
    find_fragment_technique,
    fragment_techniques,
)
from cyclescope.target.code_fetches import CodeFetches

AUTO = "auto"
ALL = "all"

STEPS = "steps"
MOST_STEPS = 12
MOST_COPIES = 50_000

POINTS_QUIET, ROUNDS_QUIET = 10, 10
ROUNDS_COARSE = 50
POINTS_NOISY, ROUNDS_NOISY = 20, 200
STRIDE = 4
"""By so many calls the points of overlapping calls differ. A line of the instruction cache holds a
dozen or fewer. Where the code goes on in the next one it may cost a cycle. So the longest points
must have several."""
PROCESSES = 10
"""Where a new process is a new try: caches, branch predictors and pages begin anew in each."""


IN_NO_LINES = CodeFetches()


@dataclass(frozen=True)
class MeasuringPlace:
    """Facts that decide about techniques. Is the clock noisy, or what runs beside it? Does the
    clock count more coarsely than the core? How is code fetched? Does the core execute calls
    overlapped, out of their order? Is the clock a recording of a pin?"""

    noisy: bool
    coarse: bool = False
    fetches: CodeFetches = IN_NO_LINES
    overlaps: bool = False
    recorded: bool = False


@dataclass(frozen=True)
class TimeOptions:
    """A user's choice; None leaves it to the place."""

    techniques: tuple[str, ...] = (AUTO,)
    points: int | None = None
    rounds: int | None = None
    period: int | None = None
    kind: CostKind | None = None

    @property
    def by_name(self) -> bool:
        """Whether techniques were asked for by name."""
        return self.techniques not in ((AUTO,), (ALL,))


@dataclass(frozen=True)
class ExperimentDesign:
    """The plans, as they go into the results, and how often each is executed: rounds of all
    processes together."""

    fragment: TimedFragment
    rounds: int

    @property
    def plans(self) -> tuple[tuple[str, Plan], ...]:
        """Names and plans, as they go into the image."""
        return tuple((plan.name, plan.points) for plan in self.fragment.plans)


def design_experiment(
    source: FragmentSource, place: MeasuringPlace, options: TimeOptions
) -> ExperimentDesign:
    """The plans of the requested techniques; in a quiet place one more, for the steps of T(N)."""
    initialised = source.loaded or has_initialisation(source.file)
    period = options.period or place.fetches.calls_of_line
    points = options.points or (POINTS_NOISY if place.noisy else POINTS_QUIET)
    suitable, reason = choose(place, initialised, period, source.loaded)
    chosen = suitable
    if options.by_name and chosen not in options.techniques:
        chosen, reason = options.techniques[0], "it was asked for"
    requested = _requested(options.techniques, suitable, initialised, source.loaded)
    if place.overlaps:
        able = cost_kinds.may_wait(source) and not initialised
        asked = options.kind is not None or options.by_name
        able = able and (asked or cost_kinds.enough(points))
        requested = cost_kinds.of_kinds(requested, able, options.kind, options.by_name)
    else:
        cost_kinds.refuse_kinds(requested, options.kind)
    if chosen not in [one.name for one in requested]:
        chosen, reason = requested[0].name, cost_kinds.REASON
    _require_points(requested, points)
    plans = [
        _plan(technique.name, technique.name, _points(technique, points, period, place))
        for technique in requested
    ]
    _require_room(plans)
    if not place.noisy:
        steps = tuple(
            Point(count, count if initialised else 0) for count in range(1, MOST_STEPS + 1)
        )
        plans.append(_plan(STEPS, None, steps))
    rounds = options.rounds or rounds_for(place)
    processes = min(PROCESSES, rounds) if place.overlaps else 1
    return ExperimentDesign(
        TimedFragment(
            period=period, chosen=chosen, reason=reason, plans=tuple(plans), processes=processes
        ),
        -(-rounds // processes) * processes,
    )


def _points(technique: FragmentTechnique, points: int, period: int, place: MeasuringPlace) -> Plan:
    """Where the readings of the clock overlap with a few calls, points are longer and each goes
    round a loop. Techniques that ignore the readings are left as they are."""
    if place.overlaps and technique.removes_overhead:
        return turned(technique.plan(points, period * STRIDE))
    return technique.plan(points, period)


def rounds_for(place: MeasuringPlace) -> int:
    """Returns how many rounds to measure there: most where executions are noisy."""
    if place.noisy:
        return ROUNDS_NOISY
    return ROUNDS_COARSE if place.coarse else ROUNDS_QUIET


def _plan(name: str, technique: str | None, points: Plan) -> TimedPlan:
    return TimedPlan(technique=technique, case=case_name(name), points=points)


def _require_points(techniques: Sequence[FragmentTechnique], points: int) -> None:
    for one in techniques:
        if points < one.least_points:
            raise CyclescopeError(
                f"{one.name} says nothing of fewer than {one.least_points} points: choose --points "
                f"{one.least_points} or more",
                code="too-few-points",
            )


def _require_room(plans: Sequence[TimedPlan]) -> None:
    """Unrolled copies are code: what no board could hold is not given to the compiler."""
    points = {point for plan in plans for point in plan.points if not point.looped}
    copies = sum(point.executions + point.initialisations for point in points)
    if copies > MOST_COPIES:
        raise CyclescopeError(
            f"these plans are {copies:,} calls behind one another, and more than {MOST_COPIES:,} "
            "are not compiled: choose fewer --points, or a smaller --period",
            code="too-many-copies",
        )


def choose(
    place: MeasuringPlace, initialised: bool, period: int, loaded: bool = False
) -> tuple[str, str]:
    """The technique whose figure answers, and why.

    >>> choose(MeasuringPlace(noisy=True), initialised=False, period=1)[0]
    'robust_line'
    """
    lines = ""
    if period > 1:
        fetches = place.fetches
        lines = (
            f"; in multiples of {period} calls, as so many of {fetches.call_bytes} bytes fill a "
            f"line of {fetches.line_bytes} bytes and T(N) steps from line to line"
            if fetches.line_bytes
            else f"; in multiples of {period} calls, as asked for"
        )
    if loaded:
        return "arguments_apart", (
            "each execution needs its arguments loaded before it, which is no part of the call, "
            "and equations with different numbers of both separate their times" + lines
        )
    if initialised:
        return "balanced_initialisation", (
            "each execution needs INITIALISE before it, and only equations with different numbers "
            "of both separate their times; in the balanced design all of them do" + lines
        )
    if place.recorded:
        return "robust_line", (
            "the recorder's noise moves edges, and a click may hit one: the slope is free of the "
            "overhead, and times far off the line are rejected" + lines
        )
    if place.noisy:
        return "robust_line", (
            "other programs and interrupts disturb this clock now and then: the slope is free of "
            "the overhead, and times far off the line are rejected"
        )
    if place.coarse:
        return "straight_line", (
            "rounding is all the noise that this clock has, the slope averages it, and the "
            "overhead is no part of it" + lines
        )
    return "straight_line", (
        "this clock has no noise, so the slope is exact, and the overhead is no part of it" + lines
    )


def _requested(
    names: Sequence[str], suitable: str, initialised: bool, loaded: bool
) -> list[FragmentTechnique]:
    if tuple(names) == (AUTO,):
        return [find_fragment_technique(suitable)]
    if tuple(names) == (ALL,):
        return [
            one
            for one in sorted(fragment_techniques().values(), key=lambda one: one.removes_overhead)
            if one.needs_initialisation == initialised
            and one.kind is CostKind.THROUGHPUT
            and (loaded or not one.needs_arguments)
        ]
    requested = [find_fragment_technique(name) for name in dict.fromkeys(names)]
    for one in requested:
        if one.needs_arguments and not loaded:
            raise CyclescopeError(
                f"{one.name} is for a call with arguments on a board: choose --technique "
                f"{suitable}",
                code="technique-needs-board-call",
            )
        if loaded and not one.needs_initialisation:
            raise CyclescopeError(
                f"{one.name} cannot separate the call from the loading of its arguments: choose "
                f"--technique {suitable}, or time both together, as EXECUTE {{ … }} in the file",
                code="technique-cannot-separate-arguments",
            )
        if one.needs_initialisation and not initialised:
            raise CyclescopeError(
                f"{one.name} separates the time of INITIALISE {{ … }}, and the file has none: "
                "choose straight_line",
                code="technique-needs-initialise",
            )
        if initialised and not one.needs_initialisation:
            raise CyclescopeError(
                f"{one.name} executes the fragment without its INITIALISE: choose "
                "balanced_initialisation or with_initialisation",
                code="technique-omits-initialise",
            )
    return requested
