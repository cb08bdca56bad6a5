"""Response times without enumeration, for hyperperiods too long for it.

Fixed-point iteration of M. Joseph and P. Pandya, *Finding response times in a real-time system*
(1986): R = C + Σ over higher priorities of ⌈R / T⌉ · (C + what a preemption costs). Without switch
costs it is exact for deadlines within periods; with them it is an upper bound, as not every release
of a higher priority preempts.
"""

from cyclescope.schedule.exact import UNITS_PER_CYCLE
from cyclescope.schedule.task_set import Switch, TaskSet


def responses_us(tasks: TaskSet, core_hz: int, switch: Switch) -> list[float | None]:
    """The longest response of each task; None where it does not end within the deadline."""
    cost = (switch.into_cycles + switch.back_cycles) * UNITS_PER_CYCLE
    found: list[float | None] = []
    for index, task in enumerate(tasks.task):
        # It may have to preempt a task of lower priority itself.
        own = (task.execution_cycles + switch.into_cycles) * UNITS_PER_CYCLE
        due = task.due_us * core_hz
        higher = [
            (one.period_us * core_hz, one.execution_cycles * UNITS_PER_CYCLE + cost)
            for one in tasks.task[:index]
        ]
        response, last = own, -1
        while last < response <= due:
            last = response
            response = own + sum(-(-last // period) * spent for period, spent in higher)
        found.append(response / core_hz if response <= due else None)
    return found
