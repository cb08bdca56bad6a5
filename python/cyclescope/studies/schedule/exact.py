"""The exact fixed-priority preemptive schedule of a hyperperiod, with or without switch costs.

Time is counted so that a microsecond and a core cycle at each clock in use are whole. A second has
as many units as the least common multiple of a million and these clocks in Hz. So nothing is ever
rounded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import lcm
from typing import NamedTuple

from cyclescope.studies.schedule.task_set import PreemptionCost, Task, TaskSet

MICROSECONDS = 1_000_000
NO_COST = PreemptionCost(into_cycles=0, back_cycles=0)


class Speed(NamedTuple):
    """An operating point, as a schedule needs it: its clock, and what a preemption costs there."""

    core_hz: int
    switch: PreemptionCost = NO_COST
    point: str = ""


Own = Mapping[str, Speed]
"""The operating points that jobs have of their own, by name."""
NONE_OWN: Own = {}


@dataclass(frozen=True)
class Stretch:
    """From when to when, in units, a task executed, or was switched into or back to, and at which
    operating point."""

    task: int
    begin: int
    end: int
    is_switch: bool
    speed: Speed


@dataclass(frozen=True)
class Miss:
    """A job that was not done by its deadline."""

    task: str
    release_us: int


@dataclass(frozen=True)
class Hyperperiod:
    """Events of one hyperperiod. `responses` are the longest by task in units, None where a
    job was not over at its end."""

    per_second: int
    end: int
    stretches: tuple[Stretch, ...]
    preemptions: int
    misses: tuple[Miss, ...]
    responses: tuple[int | None, ...]

    @property
    def is_feasible(self) -> bool:
        return not self.misses

    def cycles(self, is_switch: bool) -> int:
        """Cycles of execution, or of switches."""
        return int(sum(self.cycles_at(is_switch).values()))

    def cycles_at(self, is_switch: bool) -> dict[Speed, float]:
        """The same at each operating point; whole where every job is over."""
        units: dict[Speed, int] = {}
        for one in self.stretches:
            if one.is_switch == is_switch:
                units[one.speed] = units.get(one.speed, 0) + one.end - one.begin
        return {speed: spent * speed.core_hz / self.per_second for speed, spent in units.items()}

    @property
    def idle_s(self) -> float:
        """The idle time of the hyperperiod."""
        busy = sum(one.end - one.begin for one in self.stretches)
        return (self.end - busy) / self.per_second

    @property
    def per_us(self) -> int:
        """Units in a microsecond."""
        return self.per_second // MICROSECONDS

    def response_us(self, task: int) -> float | None:
        """The longest time from a release to its job's end, in this hyperperiod."""
        longest = self.responses[task]
        return None if longest is None else longest / self.per_us


@dataclass
class _Job:
    task: int
    speed: Speed
    release: int
    due: int
    left: int
    switching: int = 0
    was_preempted: bool = False


@dataclass
class _Run:
    """A schedule under way."""

    tasks: tuple[Task, ...]
    per_second: int
    end: int
    now: int = 0
    preemptions: int = 0
    stretches: list[Stretch] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)
    responses: list[int | None] = field(default_factory=list)

    @property
    def per_us(self) -> int:
        return self.per_second // MICROSECONDS

    def units(self, cycles: int, speed: Speed) -> int:
        """So many cycles at a clock."""
        return cycles * (self.per_second // speed.core_hz)

    def job(self, release: int, index: int, base: Speed, own: Own) -> _Job:
        """The job that is released then, at the operating point that comes next."""
        task = self.tasks[index]
        number = release // (task.period_us * self.per_us)
        speed = own[task.points[number % len(task.points)]] if task.points else base
        due = release + task.due_us * self.per_us
        return _Job(index, speed, release, due, self.units(task.execution_cycles, speed))

    def execute(self, job: _Job, until: int) -> None:
        """Lets a job run up to a moment or its end; switching comes first."""
        for is_switch in (True, False):
            left = job.switching if is_switch else job.left
            spent = min(left, until - self.now)
            if spent <= 0:
                continue
            self._note(job, self.now, self.now + spent, is_switch)
            self.now += spent
            if is_switch:
                job.switching -= spent
            else:
                job.left -= spent

    def _note(self, job: _Job, begin: int, end: int, is_switch: bool) -> None:
        last = self.stretches[-1] if self.stretches else None
        what = (job.task, begin, is_switch, job.speed)
        if last and (last.task, last.end, last.is_switch, last.speed) == what:
            begin = self.stretches.pop().begin
        self.stretches.append(Stretch(job.task, begin, end, is_switch, job.speed))

    def finish(self, job: _Job) -> None:
        """A job is over."""
        longest = self.responses[job.task]
        if longest is not None:
            self.responses[job.task] = max(longest, self.now - job.release)
        if self.now > job.due:
            self.miss(job)

    def miss(self, job: _Job) -> None:
        """A job was, or will be, late."""
        self.misses.append(Miss(self.tasks[job.task].name, job.release // self.per_us))


def units_per_second(base: Speed, own: Own) -> int:
    """So many that a microsecond and each clock's cycle are whole."""
    return lcm(MICROSECONDS, base.core_hz, *(speed.core_hz for speed in own.values()))


def schedule(tasks: TaskSet, base: Speed, own: Own = NONE_OWN) -> Hyperperiod:
    """Executes every job of one hyperperiod, all tasks released at 0: at `base`, or at the points
    that its task says, which `own` has."""
    per_second = units_per_second(base, own)
    end = tasks.hyperperiod_us * (per_second // MICROSECONDS)
    run = _Run(tasks.task, per_second, end, responses=[0] * len(tasks.task))
    releases = sorted(
        (release * run.per_us, index)
        for index, task in enumerate(tasks.task)
        for release in range(0, tasks.hyperperiod_us, task.period_us)
    )
    ready: list[_Job] = []
    running: _Job | None = None
    position = 0
    while run.now < end:
        while position < len(releases) and releases[position][0] <= run.now:
            ready.append(run.job(*releases[position], base, own))
            position += 1
        until = releases[position][0] if position < len(releases) else end
        if not ready:
            run.now, running = until, None
            continue
        first = min(ready, key=lambda job: (job.task, job.release))
        if running is not first:
            _dispatch(run, running, first)
            running = first
        run.execute(first, until)
        if first.left == 0 and first.switching == 0:
            run.finish(first)
            ready.remove(first)
            running = None
    for job in ready:
        run.miss(job)
        run.responses[job.task] = None
    return Hyperperiod(
        per_second, end, tuple(run.stretches), run.preemptions, tuple(run.misses),
        tuple(run.responses),
    )  # fmt: skip


def _dispatch(run: _Run, running: _Job | None, first: _Job) -> None:
    """Another job gets the core: by preemption, after which it pays δ_t1; or because the one before
    is over, when one that was preempted pays δ_t2. Each pays at its own operating point."""
    if running is not None:
        running.was_preempted = True
        run.preemptions += 1
        first.switching += run.units(first.speed.switch.into_cycles, first.speed)
    if first.was_preempted:
        first.was_preempted = False
        first.switching += run.units(first.speed.switch.back_cycles, first.speed)
