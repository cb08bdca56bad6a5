"""The truth about samples: what a virtual board's own clock saw of them (docs/cases.md)."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from cyclescope.errors import CyclescopeError
from cyclescope.probes import Sites
from cyclescope.virtual import Board
from cyclescope.wire import Sample


@dataclass(frozen=True)
class Truth:
    """One sample in core cycles, as seen from outside.

    `raw` is the distance between the two timer data cycles; `call` that from the callee's entry to
    the return address; `before` and `after` are what is left on either side of the call.
    """

    before: int
    call: int
    after: int

    @property
    def raw(self) -> int:
        """Distance between the two timer data cycles."""
        return self.before + self.call + self.after


def watch(board: Board, sites: Sites, timer: int) -> None:
    """Starts recording what `witness` needs; the board's run is not changed by it."""
    board.watch(executed=sorted({sites.entry, sites.returned}), accessed=[timer])
    board.take_executed()
    board.take_accessed()


def witness(board: Board, sites: Sites, samples: list[Sample]) -> list[Truth]:
    """The truth about the samples of a series that was run since `watch`."""
    executed = board.take_executed()
    entries = [cycle for cycle, address in executed if address == sites.entry]
    returns = [cycle for cycle, address in executed if address == sites.returned]
    read = {value: cycle for cycle, _, value, is_write in board.take_accessed() if not is_write}
    truths = []
    for sample in samples:
        if sample.start not in read or sample.stop not in read:
            raise CyclescopeError("a sample holds a timer value that the board never read")
        start, stop = read[sample.start], read[sample.stop]
        entry = entries[bisect_left(entries, start)]
        returned = returns[bisect_right(returns, stop) - 1]
        truths.append(Truth(entry - start, returned - entry, stop - returned))
    return truths
