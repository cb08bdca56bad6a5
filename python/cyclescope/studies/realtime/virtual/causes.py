"""Causes between the two moments of a sample, as a virtual board saw them."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from cyclescope.studies.realtime.virtual.kernels import LOAD_INTERRUPT, OTHER_INTERRUPT, TICK
from cyclescope.studies.realtime.virtual.load_truth import TASKS
from cyclescope.studies.realtime.virtual.occupancy import Occupancy

LOAD_RAN = "the load ran"
"""A thread of the load was chosen after the sample had begun."""


def causes(
    schedule: Occupancy,
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    by_line: NDArray[np.bool_],
    call_at: Callable[[int], str | None],
) -> tuple[str, ...]:
    """For each sample: the load that ran in it, and interrupts that were entered. Where a line
    began it, also what the line interrupted: the kernel's call or the task. Nothing: an empty
    text."""
    return tuple(
        ", ".join(_of(schedule, int(start), int(stop), call_at if line else None))
        for start, stop, line in zip(starts, stops, by_line, strict=True)
    )


def _of(
    schedule: Occupancy, start: int, stop: int, call_at: Callable[[int], str | None] | None
) -> Iterator[str]:
    if call_at is not None:
        yield f"in {call_at(start) or schedule.task_at(start)}"
    first, last = (bisect_left(schedule.chosen, (at, 0)) for at in (start, stop))
    before = schedule.chosen[first - 1][1] if first else None
    others = {task for _, task in schedule.chosen[first:last]} - {before}
    if any(schedule.names.get(task) in TASKS for task in others):
        yield LOAD_RAN
    first = bisect_right(schedule.entered, (start, "\uffff"))
    last = bisect_left(schedule.entered, (stop, ""))
    inside = {name for _, name in schedule.entered[first:last]}
    yield from (name for name in (TICK, LOAD_INTERRUPT, OTHER_INTERRUPT) if name in inside)
