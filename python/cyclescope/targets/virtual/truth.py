"""The truth about samples: what a virtual board's own clock saw of them.

See docs/reference/cases.md.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import Protocol

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.probed_timer import ProbedTimer
from cyclescope.firmware.probes import Sites
from cyclescope.target.target import Truth
from cyclescope.targets.virtual.board import Board


def watch(board: Board, sites: Sites, timer: ProbedTimer) -> None:
    """Starts recording what `witness` needs; the board's run is not changed by it."""
    board.watch(executed=sorted({sites.entry, sites.returned}), accessed=[timer.address])
    board.take_executed()
    board.take_accessed()


class ProbedSample(Protocol):
    """The needed part of a sample: its two timer values."""

    @property
    def start(self) -> int: ...
    @property
    def stop(self) -> int: ...


def witness(
    board: Board, sites: Sites, samples: Iterable[ProbedSample], timer: ProbedTimer
) -> list[Truth]:
    """The truth about the samples of a series that was run since `watch`."""
    executed = board.take_executed()
    entries = [cycle for cycle, address in executed if address == sites.entry]
    returns = [cycle for cycle, address in executed if address == sites.returned]
    there = tuple(samples)
    counts = [count for sample in there for count in (sample.start, sample.stop)]
    read = timer.cycles_of(board.take_accessed(), counts)
    truths = []
    for sample in there:
        if sample.start not in read or sample.stop not in read:
            raise CyclescopeError(
                "a sample holds a timer value that the board never read",
                code="timer-value-never-read",
            )
        start, stop = read[sample.start], read[sample.stop]
        entry = entries[bisect_left(entries, start)]
        returned = returns[bisect_right(returns, stop) - 1]
        truths.append(Truth(entry - start, returned - entry, stop - returned))
    return truths
