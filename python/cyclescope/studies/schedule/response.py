"""Response times without enumeration, for hyperperiods too long for it.

Fixed-point iteration of M. Joseph and P. Pandya, *Finding response times in a real-time system*
(1986): R = C + Σ over higher priorities of ⌈R / T⌉ · (C + what a preemption costs). Without switch
costs it is exact for deadlines within periods; with them it is an upper bound, as not every release
of a higher priority preempts. A task whose jobs have several operating points counts with the
slowest of them, so then it is an upper bound too.
"""

from collections.abc import Iterable

from cyclescope.studies.schedule.exact import MICROSECONDS, NONE_OWN, Own, Speed, units_per_second
from cyclescope.studies.schedule.task_set import Task, TaskSet


def responses_us(tasks: TaskSet, base: Speed, own: Own = NONE_OWN) -> list[float | None]:
    """The longest response of each task; None where it does not end within the deadline."""
    per_second = units_per_second(base, own)
    per_us = per_second // MICROSECONDS

    def speeds(task: Task) -> list[Speed]:
        return [own[name] for name in task.points] or [base]

    def longest(cycles: Iterable[tuple[int, Speed]]) -> int:
        return max(count * (per_second // speed.core_hz) for count, speed in cycles)

    into = [longest((at.switch.into_cycles, at) for at in speeds(task)) for task in tasks.task]
    back = [longest((at.switch.back_cycles, at) for at in speeds(task)) for task in tasks.task]
    runs = [longest((task.execution_cycles, at) for at in speeds(task)) for task in tasks.task]
    found: list[float | None] = []
    for index, task in enumerate(tasks.task):
        # It may have to preempt a task of lower priority itself.
        own_units = runs[index] + into[index]
        due = task.due_us * per_us
        higher = [
            # A preempted task between them goes on at its own point.
            (one.period_us * per_us, runs[j] + into[j] + max(back[j + 1 : index + 1]))
            for j, one in enumerate(tasks.task[:index])
        ]
        response, last = own_units, -1
        while last < response <= due:
            last = response
            response = own_units + sum(-(-last // period) * spent for period, spent in higher)
        found.append(response / per_us if response <= due else None)
    return found
