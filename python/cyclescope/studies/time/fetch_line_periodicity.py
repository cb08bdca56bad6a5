"""Fetch-line periodicity: T(N) of unrolled executions where code is fetched in lines.

One copy of an execution is one call instruction. Where the memory is read in lines of several
instructions (docs/timing/mam_lpc2000.md) a copy that begins a line waits and the others do not,
so T(N) rises in steps. So many copies as fill a line always take the same time: in multiples of
this period T(N) is a straight line again.
"""

from collections.abc import Sequence


def measured_period(times: Sequence[float], tolerance: float) -> int | None:
    """The least period p with T(N + p) - T(N) the same at every N, from T(1), T(2), T(3), …

    None if no p up to a third of the times does: then T(N) has no even periodicity.

    >>> measured_period([10, 13, 16, 19, 22, 25], 0), measured_period([10, 13, 17, 20, 24, 27], 0)
    (1, 2)
    """
    for period in range(1, len(times) // 3 + 1):
        rises = [after - before for before, after in zip(times, times[period:], strict=False)]
        if max(rises) - min(rises) <= tolerance:
            return period
    return None
