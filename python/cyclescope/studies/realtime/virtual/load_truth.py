"""The exact share of a virtual board's processor that the load had.

The load is the work on the processor, as the engine saw it. It is the tasks that the load made or
made run, and interrupts that are not the test's own. It knows nothing of how the firmware controls
or accounts for its load.
"""

from collections.abc import Iterator

from cyclescope.studies.realtime.virtual.kernels import LOAD_INTERRUPT, OTHER_INTERRUPT, TICK
from cyclescope.studies.realtime.virtual.occupancy import Occupancy

TASKS = frozenset({"victim", "made", "Tmr Svc", *(f"load {number}" for number in range(1, 6))})
"""The background threads, what they act on, and the kernel's service that they call."""
INTERRUPTS = frozenset({TICK, LOAD_INTERRUPT, OTHER_INTERRUPT})


def load_percent(schedule: Occupancy, begin: int, end: int) -> float:
    """The load's share of the cycles from `begin` to `end`, in percent."""
    inside = [(max(at, begin), min(until, end)) for at, until in schedule.interrupted()]
    names = [name for _, name in schedule.entered]
    total = 0
    for name, (at, until) in zip(names, inside, strict=True):
        if name in INTERRUPTS:
            total += max(0, until - at)
    for at, until in _on_processor(schedule, begin, end):
        total += until - at - schedule.interrupted_between(at, until)
    return 100 * total / (end - begin) if end > begin else 0.0


def _on_processor(schedule: Occupancy, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """When threads of the load ran. A switch to one is the load's from where the kernel began to
    choose, unless the thread before went to sleep: then it is that thread's."""
    for track, kind, at, until in schedule.intervals(begin, end):
        if kind == "task" and track in TASKS:
            yield max(begin, schedule.choosing_since(at)), until
