"""The study of a task set: feasible where, with how many preemptions, and which point is cheapest.

Of each operating point it makes the exact schedule of a hyperperiod, with and without the cost of
switches. A hyperperiod with more jobs than can be enumerated is judged by response times instead.
"""

from collections.abc import Mapping

from cyclescope.errors import CyclescopeError
from cyclescope.studies.schedule.exact import NO_COST, Hyperperiod, Speed, schedule
from cyclescope.studies.schedule.judgement import AtPoint, Judged, ScheduleStudy
from cyclescope.studies.schedule.points import PointCosts, points_of
from cyclescope.studies.schedule.response import responses_us
from cyclescope.studies.schedule.switch_costs import costs_of, origin
from cyclescope.studies.schedule.task_set import PreemptionCost, TaskSet

MOST_JOBS = 50_000


def analyse(tasks: TaskSet) -> ScheduleStudy:
    """Judges the set at every operating point of its board."""
    points = points_of(tasks.board)
    _check_points(tasks, [point.name for point in points])
    costs = costs_of(tasks, points)
    used = {name for task in tasks.task for name in task.points}
    own = {point.name: point for point in points if point.name in used}
    return ScheduleStudy(
        tasks,
        origin(tasks.switch),
        tuple(
            AtPoint(
                point,
                costs[point.name],
                _judge(tasks, point, own, dict.fromkeys(costs, NO_COST)),
                _judge(tasks, point, own, costs),
                own,
            )
            for point in points
        ),
    )


def _check_points(tasks: TaskSet, there: list[str]) -> None:
    asked = [(f"task {task.name}", name) for task in tasks.task for name in task.points]
    asked += [("[[switch.at]]", one.point) for one in tasks.switch.at]
    for who, name in asked:
        if name not in there:
            raise CyclescopeError(
                f"{who} asks for the operating point {name}; {tasks.board} has "
                f"{', '.join(there)}: choose among these (docs/how-to/schedule.md)",
                code="task-asks-for-unknown-point",
            )


def _judge(
    tasks: TaskSet,
    point: PointCosts,
    own: Mapping[str, PointCosts],
    costs: Mapping[str, PreemptionCost],
) -> Judged:
    base = Speed(point.core_hz, costs[point.name], point.name)
    speeds = {name: Speed(one.core_hz, costs[name], name) for name, one in own.items()}
    if tasks.jobs > MOST_JOBS:
        bounds = tuple(responses_us(tasks, base, speeds))
        return Judged(bounds, None not in bounds, None, None, None)
    made = schedule(tasks, base, speeds)
    spent = _spent(made, point, own)
    return Judged(
        responses_us=tuple(made.response_us(index) for index in range(len(tasks.task))),
        is_feasible=made.is_feasible,
        schedule=made,
        capacitive_uj=sum(at.capacitive_uj(cycles) for at, cycles in spent),
        by_kind_uj=sum(at.by_kind_uj(cycles, 0) for at, cycles in spent)
        + point.by_kind_uj(0, made.idle_s * point.core_hz),
    )


def _spent(
    made: Hyperperiod, base: PointCosts, own: Mapping[str, PointCosts]
) -> list[tuple[PointCosts, float]]:
    """Cycles at each operating point: P_i^j · C_i^j of equation 1, job by job, put together."""
    return [
        (own.get(speed.point, base), cycles)
        for is_switch in (False, True)
        for speed, cycles in made.cycles_at(is_switch).items()
    ]
