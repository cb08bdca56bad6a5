"""Verdict on a task set at each operating point, with and without the cost of switches."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cyclescope.studies.schedule.exact import MICROSECONDS, Hyperperiod
from cyclescope.studies.schedule.points import PointCosts
from cyclescope.studies.schedule.task_set import PreemptionCost, TaskSet


@dataclass(frozen=True)
class Judged:
    """A task set at one operating point under one cost of switches.

    `schedule` is None where the hyperperiod was too long to enumerate; then `responses_us` are
    bounds, preemptions and energies are not known.
    """

    responses_us: tuple[float | None, ...]
    is_feasible: bool
    schedule: Hyperperiod | None
    capacitive_uj: float | None
    by_kind_uj: float | None


@dataclass(frozen=True)
class Switches:
    """Preemptions of a hyperperiod: number, time, and the energy that they add by both laws."""

    preemptions: int
    cycles: int
    us: float
    capacitive_uj: float
    by_kind_uj: float


@dataclass(frozen=True)
class AtPoint:
    """One operating point: that of free time, and of jobs that have none of their own. `own` are
    those that jobs have, by name; `switch` is what a preemption costs at the point."""

    point: PointCosts
    switch: PreemptionCost
    without: Judged
    costly: Judged
    own: Mapping[str, PointCosts] = field(default_factory=dict)

    @property
    def utilisation(self) -> float | None:
        """Share of the hyperperiod in which the core is busy, switches included."""
        made = self.costly.schedule
        return None if made is None else 1 - made.idle_s / (made.end / made.per_second)

    @property
    def switches(self) -> Switches | None:
        """Cost of all preemptions of the hyperperiod; None where it is not known."""
        made = self.costly.schedule
        if made is None:
            return None
        spent = [(self.at(speed.point), n) for speed, n in made.cycles_at(is_switch=True).items()]
        seconds = [cycles / point.core_hz for point, cycles in spent]
        idle = sum(self.point.by_kind_uj(0, one * self.point.core_hz) for one in seconds)
        return Switches(
            preemptions=made.preemptions,
            cycles=made.cycles(is_switch=True),
            us=sum(seconds) * MICROSECONDS,
            capacitive_uj=sum(point.capacitive_uj(cycles) for point, cycles in spent),
            by_kind_uj=sum(point.by_kind_uj(cycles, 0) for point, cycles in spent) - idle,
        )

    def at(self, name: str) -> PointCosts:
        """The operating point of that name, as this schedule has it."""
        return self.own.get(name, self.point)


@dataclass(frozen=True)
class ScheduleStudy:
    """Verdict on a task set; `costs` names the source of a switch's cost."""

    tasks: TaskSet
    costs: str
    at: tuple[AtPoint, ...]

    @property
    def is_enumerated(self) -> bool:
        return self.at[0].costly.schedule is not None

    def cheapest(self, law: str) -> AtPoint | None:
        """The feasible point, switches paid, of least energy by `capacitive_uj` or `by_kind_uj`."""
        known = [one for one in self.at if one.costly.is_feasible]
        known = [one for one in known if getattr(one.costly, law) is not None]
        return min(known, key=lambda one: float(getattr(one.costly, law)), default=None)
