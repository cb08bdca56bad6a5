"""What was found of a task set: at each operating point, with and without the cost of switches."""

from dataclasses import dataclass

from cyclescope.schedule.exact import Schedule
from cyclescope.schedule.points import Point
from cyclescope.schedule.task_set import TaskSet


@dataclass(frozen=True)
class Judged:
    """A task set at one operating point under one cost of switches.

    `schedule` is None where the hyperperiod was too long to enumerate; then `responses_us` are
    bounds, preemptions and energies are not known.
    """

    responses_us: tuple[float | None, ...]
    is_feasible: bool
    schedule: Schedule | None
    capacitive_uj: float | None
    by_kind_uj: float | None


@dataclass(frozen=True)
class Switches:
    """Preemptions of a hyperperiod: number, time, and energy by both laws while they last."""

    preemptions: int
    cycles: int
    us: float
    capacitive_uj: float
    by_kind_uj: float


@dataclass(frozen=True)
class AtPoint:
    """One operating point."""

    point: Point
    without: Judged
    costly: Judged

    @property
    def utilisation(self) -> float | None:
        """Share of the hyperperiod in which the core is busy, switches included."""
        made = self.costly.schedule
        return None if made is None else 1 - made.idle_cycles / (made.end / 1e6)

    @property
    def switches(self) -> Switches | None:
        """What all preemptions of the hyperperiod cost; None where they are not known."""
        made, point = self.costly.schedule, self.point
        if made is None:
            return None
        cycles = made.cycles(is_switch=True)
        return Switches(
            preemptions=made.preemptions,
            cycles=cycles,
            us=cycles * 1e6 / point.core_hz,
            capacitive_uj=point.capacitive_uj(cycles),
            by_kind_uj=point.by_kind_uj(cycles, 0),
        )


@dataclass(frozen=True)
class ScheduleStudy:
    """What was found of a task set."""

    tasks: TaskSet
    at: tuple[AtPoint, ...]

    @property
    def is_enumerated(self) -> bool:
        return self.at[0].costly.schedule is not None

    def cheapest(self, law: str) -> AtPoint | None:
        """The feasible point, switches paid, of least energy by `capacitive_uj` or `by_kind_uj`."""
        known = [one for one in self.at if one.costly.is_feasible]
        known = [one for one in known if getattr(one.costly, law) is not None]
        return min(known, key=lambda one: float(getattr(one.costly, law)), default=None)
