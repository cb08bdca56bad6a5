"""The study of a task set: feasible where, with how many preemptions, and which point is cheapest.

Of each operating point it makes the exact schedule of a hyperperiod, with and without the cost of
switches. A hyperperiod with more jobs than can be enumerated is judged by response times instead.
"""

from cyclescope.schedule.exact import NO_COST, schedule
from cyclescope.schedule.judgement import AtPoint, Judged, ScheduleStudy
from cyclescope.schedule.points import Point, points_of
from cyclescope.schedule.response import responses_us
from cyclescope.schedule.task_set import Switch, TaskSet

MOST_JOBS = 50_000


def analyse(tasks: TaskSet) -> ScheduleStudy:
    """Judges the set at every operating point of its board."""
    return ScheduleStudy(
        tasks,
        tuple(
            AtPoint(point, _judge(tasks, point, NO_COST), _judge(tasks, point, tasks.switch))
            for point in points_of(tasks.board)
        ),
    )


def _judge(tasks: TaskSet, point: Point, switch: Switch) -> Judged:
    if tasks.jobs > MOST_JOBS:
        bounds = tuple(responses_us(tasks, point.core_hz, switch))
        return Judged(bounds, None not in bounds, None, None, None)
    made = schedule(tasks, point.core_hz, switch)
    busy = made.cycles(is_switch=False) + made.cycles(is_switch=True)
    return Judged(
        responses_us=tuple(made.response_us(index) for index in range(len(tasks.task))),
        is_feasible=made.is_feasible,
        schedule=made,
        capacitive_uj=point.capacitive_uj(busy),
        by_kind_uj=point.by_kind_uj(busy, made.idle_cycles),
    )
