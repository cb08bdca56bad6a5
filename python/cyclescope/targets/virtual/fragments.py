"""Plans of a fragment on a virtual board: runs them by their clock, and looks into their copies."""

from collections.abc import Callable, Collection, Mapping, Sequence

from cyclescope.firmware.fragment.plan import Plan
from cyclescope.firmware.program import Program
from cyclescope.target.case import Case
from cyclescope.target.series import Series
from cyclescope.target.target import FragmentTruth, Trace
from cyclescope.targets.virtual.board import Board
from cyclescope.targets.virtual.clocks import Clock, Seen
from cyclescope.targets.virtual.points import (
    PointSites,
    read_points,
    split,
    to_watch,
    witness_point,
)

RunSeries = Callable[[Case, int, bool], Series]
"""Runs a series of a case over the wire: its length, and whether of the empty call."""


class Fragments:
    """The plans in an image, on their board."""

    def __init__(
        self,
        board: Board,
        program: Program,
        plans: Mapping[str, Plan],
        clock: Clock,
        run_series: RunSeries,
    ) -> None:
        self._board, self._program, self._plans = board, program, plans
        self._clock, self._run_series = clock, run_series

    def run(self, case: Case, length: int, empty: bool, executed: Collection[int] = ()) -> Seen:
        """A series of a plan, and what was seen of these instructions."""
        self._clock.watch(self._board, executed)
        seen = self._clock.see(self._board, self._run_series(case, length, empty))
        self._board.watch()
        return seen

    def witness(self, case: Case, length: int) -> tuple[Series, tuple[FragmentTruth, ...]]:
        """Target.witness_fragment."""
        points = self._points(case)
        seen = self.run(case, length, False, to_watch(points))
        samples = split(seen.executed, points, length)
        return seen.series, tuple(
            witness_point(events, points[index % len(points)], total)
            for index, (events, total) in enumerate(zip(samples, seen.totals, strict=True))
        )

    def trace(
        self, case: Case, length: int, addresses: Sequence[int]
    ) -> tuple[Series, tuple[Trace, ...]]:
        """Target.trace_fragment."""
        points, wanted = self._points(case), set(addresses)
        probes = {address for point in points for address in (point.start, point.stop)}
        seen = self.run(case, length, False, wanted | probes)
        return seen.series, tuple(
            tuple(event for event in events if event[1] in wanted)
            for events in split(seen.executed, points, length)
        )

    def set_trap(self, at: int) -> bytes:
        """Puts a trap in the place of an instruction, from the next reset on: its handler returns
        to what called the execution. Gives what was there."""
        trap = self._program.architecture.leave(self._program, at)
        kept = self._program.read(at, len(trap))
        self._board.load_bytes(at, trap)
        return kept

    def _points(self, case: Case) -> tuple[PointSites, ...]:
        return read_points(self._program, self._plans[case.name])
