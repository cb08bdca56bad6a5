"""Measures a fragment's blocks: whole executions over many inputs, then early exits that split.

Moreno and Fischmeister, section 5.1. There is one equation for each input, with one and with two
executions so that epsilon is separate. Blocks that always execute equally often need more:
executions that end at the beginning of a chosen block. On targets that can leave early the lab
chooses them, and makes only those that split something.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from math import lcm

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.cfg.graph import recover
from cyclescope.firmware.cfg.walk import Counts, Walk, Walker, label
from cyclescope.firmware.fragment.plan import Plan, Point
from cyclescope.firmware.fragment.source import case_name
from cyclescope.quantity import elapsed_counts
from cyclescope.stats.row_space import row_space
from cyclescope.studies.blocks.copies import copies_of, root_of
from cyclescope.studies.blocks.model import ModelKind, model_of, splits
from cyclescope.studies.blocks.record import (
    BlockMeasurements,
    Equations,
    ExactCycles,
    MeasuredBlock,
    MeasuredEdge,
    PossibleExit,
    RefusedExit,
)
from cyclescope.target.case import Case
from cyclescope.target.series import Series
from cyclescope.target.target import Capability, DoesNotFit, Target, needed

WHOLE, LEFT = "blocks", "left"
PLANS: tuple[tuple[str, Plan], ...] = (
    (WHOLE, (Point(1), Point(2))),
    (LEFT, (Point(1, left=True),)),
)
"""Points of the image; the second only where the target can leave early."""
END = "end"
ROUNDS = 100
COARSE_REPETITIONS, DISTURBED_REPETITIONS = 10, 40

Advance = Callable[[str], None]


@dataclass
class _TraceSeen:
    """Findings of traces: cycles by edge, of calls, and the paths of single executions."""

    edges: Counter[tuple[int, int]] = field(default_factory=Counter)
    calls: Counter[int] = field(default_factory=Counter)
    singles: list[Walk] = field(default_factory=list)

    def note(self, walk: Walk) -> None:
        """Keeps what the truth and the choice of exits need."""
        self.edges.update(walk.taken)
        self.calls.update(walk.called)
        walk.taken.clear()
        if walk.executions == 1:
            self.singles.append(walk)

    def edge(self, index: int) -> ExactCycles | None:
        """Returns the cycles of an edge."""
        return ExactCycles.of(
            {cycles: n for (own, cycles), n in self.edges.items() if own == index}
        )

    def rows(self, place: int) -> set[tuple[int, ...]]:
        """The counts with which executions come to a place, or to their end if they never do."""
        return {_tuple(walk.reached.get(place, walk.counts)) for walk in self.singles}


class _BlockBench:
    """One target, the graph of its fragment, and how to measure it."""

    def __init__(self, target: Target, rounds: int, repetitions: int) -> None:
        self.target, self._rounds, self._repetitions = target, rounds, repetitions
        self.exact = Capability.EXACT_TRUTH in target.capabilities
        self._cases = {case.name: case for case in target.cases()}
        self.conditions = target.conditions()
        fragment = self.conditions.fragment
        self._tracer = needed(
            target.tracer,
            "this target cannot see which blocks execute: use a virtual board or the host",
            code="target-sees-no-blocks",
        )
        if fragment is None:
            raise CyclescopeError(
                "the image has no fragment whose basic blocks could be timed: give FILE.c",
                code="no-fragment-in-image",
            )
        self.call, program = fragment.call, self._tracer.program()
        calls, ends = copies_of(program, PLANS[0][1])
        self.root = root_of(program, fragment.executed, calls)
        self.graph = recover(program, self.root)
        self.end = program.symbols.get("fragment_leave.returned")
        self.walker = Walker(self.graph, calls, {*ends, *([self.end] if self.end else [])})

    def whole(self, seen: _TraceSeen) -> Equations:
        """Whole executions of each input, one and two of them."""
        points = PLANS[0][1]
        length = self._rounds * len(points)
        try:
            series, walks = self._measure(WHOLE, length, None)
        except DoesNotFit as error:
            fitting = self._rounds * error.has_bytes // error.needs_bytes
            raise CyclescopeError(
                f"{self._rounds:,} inputs need {error.needs_bytes:,} bytes and there are "
                f"{error.has_bytes:,}: choose --inputs {fitting} or fewer",
                code="inputs-do-not-fit",
            ) from error
        for walk in walks:
            seen.note(walk)
        executions = tuple(points[i % len(points)].executions for i in range(length))
        if [walk.executions for walk in walks] != list(executions):
            raise CyclescopeError(
                "the trace shows other executions than were asked for",
                code="trace-of-other-executions",
            )
        return self._equations(None, executions, series, walks)

    def left(self, at: int, name: str) -> Equations:
        """One execution of each input, left where it first comes to `at`."""
        series, walks = self._measure(LEFT, self._rounds, at)
        return self._equations(name, (0,) * self._rounds, series, walks)

    def _measure(
        self, plan: str, length: int, at: int | None
    ) -> tuple[list[Series], Sequence[Walk]]:
        """The same inputs again and again; refuses a fragment that does not repeat its path."""
        case = self._cases[case_name(plan)]
        self.target.reset()
        if not self.exact:
            walks = self._trace(case, length, at)[1]
            self.target.reset()
            return [
                self.target.run_series(case, None, length, empty=False)
                for _ in range(self._repetitions)
            ], walks
        traced = [self._trace(case, length, at) for _ in range(self._repetitions)]
        walks = traced[0][1]
        for _, again in traced[1:]:
            if any(np.any(a.counts != b.counts) for a, b in zip(walks, again, strict=True)):
                raise CyclescopeError(
                    "the same inputs took another path when they came again: let PREPARE(round) "
                    "set everything that the fragment's path depends on",
                    code="inputs-took-another-path",
                )
        return [series for series, _ in traced], walks

    def _trace(self, case: Case, length: int, at: int | None) -> tuple[Series, list[Walk]]:
        addresses = self.walker.addresses
        early_exit = self.target.early_exit
        if at is None or at == self.end or early_exit is None:
            series, traces = self._tracer.trace_fragment(case, length, addresses)
        else:
            series, traces = early_exit.trace_left(case, length, addresses, at)
        return series, [self.walker.follow(events) for events in traces]

    def _equations(
        self,
        name: str | None,
        executions: tuple[int, ...],
        series: Sequence[Series],
        walks: Sequence[Walk],
    ) -> Equations:
        per_count = self.conditions.cycles_per_count
        return Equations(
            left_at=name,
            executions=executions,
            counts=tuple(_tuple(walk.counts) for walk in walks),
            times_cycles=tuple(
                tuple(
                    elapsed_counts(sample.start, sample.stop) * per_count for sample in one.samples
                )
                for one in series
            ),
        )


def measure(
    target: Target,
    kind: ModelKind = "blocks",
    rounds: int = ROUNDS,
    repetitions: int | None = None,
    advance: Advance = lambda what: None,
) -> BlockMeasurements:
    """Times the fragment of an image that holds PLANS; `rounds` is how many inputs.

    `repetitions` of everything show the noise of a clock that is coarser than the core's.
    """
    bench = _BlockBench(target, rounds, repetitions or _repetitions(target))
    seen = _TraceSeen()
    advance("whole executions")
    equations = [bench.whole(seen)]
    refused: list[RefusedExit] = []

    def measurements() -> BlockMeasurements:
        return _record(bench, kind, equations, seen, refused)

    if target.early_exit is not None:
        tried: set[str] = set()
        while wanted := _wanted(measurements(), tried):
            for place in wanted:
                tried.add(place.name)
                advance(f"leaving early at {place.name}")
                try:
                    equations.append(bench.left(place.at, place.name))
                except CyclescopeError as error:
                    refused.append(RefusedExit(at=place.name, why=error.sentence))
    return measurements()


def _repetitions(target: Target) -> int:
    """One is enough where nothing is rounded and nothing disturbs."""
    if Capability.EXACT_TRUTH not in target.capabilities:
        return DISTURBED_REPETITIONS
    return COARSE_REPETITIONS if target.conditions().resolution_cycles else 1


def _wanted(measured: BlockMeasurements, tried: Collection[str]) -> list[PossibleExit]:
    """The exits that would still split something, in the order in which they do."""
    places = {one.name: one for one in measured.exits}
    return [places[one.at] for one in splits(model_of(measured, measured.model), tried)]


def _record(
    bench: _BlockBench,
    kind: ModelKind,
    equations: Sequence[Equations],
    seen: _TraceSeen,
    refused: Sequence[RefusedExit],
) -> BlockMeasurements:
    graph = bench.graph
    return BlockMeasurements(
        conditions=bench.conditions,
        call=bench.call,
        model=kind,
        blocks=tuple(
            MeasuredBlock(
                leader=leader,
                name=graph.name(leader),
                function=block.function,
                listing=tuple(
                    f"{one.address:08x}  {one.mnemonic} {one.operands}".rstrip()
                    for one in block.instructions
                ),
                varies=block.varies,
                resumes=block.resumes,
            )
            for leader, block in graph.blocks.items()
        ),
        edges=tuple(
            MeasuredEdge(
                source=edge.source,
                kind=edge.kind,
                target=edge.target,
                optional=edge.optional,
                label=label(graph, edge),
                exact=seen.edge(index) if bench.exact else None,
            )
            for index, edge in enumerate(graph.edges)
        ),
        call_exact=ExactCycles.of(seen.calls) if bench.exact else None,
        equations=tuple(equations),
        exits=_exits(bench, seen),
        refused=tuple(refused),
    )


def _exits(bench: _BlockBench, seen: _TraceSeen) -> tuple[PossibleExit, ...]:
    """The root first, then every other block that was come to, then the end."""
    graph = bench.graph
    reached = {place for walk in seen.singles for place in walk.reached}
    blocks = [bench.root, *(one for one in graph.blocks if one != bench.root)]
    places = {one: graph.name(one) for one in blocks if one in reached}
    if bench.end is not None:
        places[bench.end] = END
    return tuple(
        PossibleExit(at=place, name=name, rows=_basis(seen.rows(place)))
        for place, name in places.items()
    )


def _basis(rows: set[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Whole numbers that span the same; the root's one row, of zeros, as it is."""
    space = row_space(np.array(sorted(rows), dtype=np.int64))
    if not space.combinations:
        return ((0,) * space.unknowns,)
    return tuple(
        tuple(int(weight * lcm(*(one.denominator for one in row))) for weight in row)
        for row in space.combinations
    )


def _tuple(counts: Counts) -> tuple[int, ...]:
    return tuple(map(int, counts))
