"""The exact fixed-priority preemptive schedule of a hyperperiod, with or without switch costs.

Time is counted so that a core cycle and a microsecond are both whole: a cycle is 1,000,000 units,
a microsecond as many as the core clock has Hz. So nothing is ever rounded.
"""

from dataclasses import dataclass, field

from cyclescope.schedule.task_set import Switch, Task, TaskSet

UNITS_PER_CYCLE = 1_000_000
NO_COST = Switch(into_cycles=0, back_cycles=0)


@dataclass(frozen=True)
class Stretch:
    """From when to when, in units, a task executed, or was switched into or back to."""

    task: int
    begin: int
    end: int
    is_switch: bool


@dataclass(frozen=True)
class Miss:
    """A job that was not done by its deadline."""

    task: str
    release_us: int


@dataclass(frozen=True)
class Schedule:
    """What happened in one hyperperiod. `responses` are the longest by task in units, None where a
    job was not over at its end."""

    core_hz: int
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
        spent = (one.end - one.begin for one in self.stretches if one.is_switch == is_switch)
        return sum(spent) // UNITS_PER_CYCLE

    @property
    def idle_cycles(self) -> float:
        """What is left of the hyperperiod."""
        busy = sum(one.end - one.begin for one in self.stretches)
        return (self.end - busy) / UNITS_PER_CYCLE

    def response_us(self, task: int) -> float | None:
        """The longest time from a release to its job's end, in this hyperperiod."""
        longest = self.responses[task]
        return None if longest is None else longest / self.core_hz


@dataclass
class _Job:
    task: int
    release: int
    due: int
    left: int
    switching: int = 0
    was_preempted: bool = False


@dataclass
class _Run:
    """A schedule under way."""

    tasks: tuple[Task, ...]
    switch: Switch
    core_hz: int
    end: int
    now: int = 0
    preemptions: int = 0
    stretches: list[Stretch] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)
    responses: list[int | None] = field(default_factory=list)

    def execute(self, job: _Job, until: int) -> None:
        """Lets a job run up to a moment or its end; switching comes first."""
        for is_switch in (True, False):
            left = job.switching if is_switch else job.left
            spent = min(left, until - self.now)
            if spent <= 0:
                continue
            self._note(job.task, self.now, self.now + spent, is_switch)
            self.now += spent
            if is_switch:
                job.switching -= spent
            else:
                job.left -= spent

    def _note(self, task: int, begin: int, end: int, is_switch: bool) -> None:
        last = self.stretches[-1] if self.stretches else None
        if last and (last.task, last.end, last.is_switch) == (task, begin, is_switch):
            begin = self.stretches.pop().begin
        self.stretches.append(Stretch(task, begin, end, is_switch))

    def finish(self, job: _Job) -> None:
        """A job is over."""
        longest = self.responses[job.task]
        if longest is not None:
            self.responses[job.task] = max(longest, self.now - job.release)
        if self.now > job.due:
            self.miss(job)

    def miss(self, job: _Job) -> None:
        """A job was, or will be, late."""
        self.misses.append(Miss(self.tasks[job.task].name, job.release // self.core_hz))


def schedule(tasks: TaskSet, core_hz: int, switch: Switch) -> Schedule:
    """Executes every job of one hyperperiod, all tasks released at 0."""
    end = tasks.hyperperiod_us * core_hz
    run = _Run(tasks.task, switch, core_hz, end, responses=[0] * len(tasks.task))
    releases = sorted(
        (release * core_hz, index)
        for index, task in enumerate(tasks.task)
        for release in range(0, tasks.hyperperiod_us, task.period_us)
    )
    ready: list[_Job] = []
    running: _Job | None = None
    position = 0
    while run.now < end:
        while position < len(releases) and releases[position][0] <= run.now:
            release, index = releases[position]
            task = tasks.task[index]
            units = task.execution_cycles * UNITS_PER_CYCLE
            ready.append(_Job(index, release, release + task.due_us * core_hz, units))
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
    return Schedule(
        core_hz, end, tuple(run.stretches), run.preemptions, tuple(run.misses), tuple(run.responses)
    )


def _dispatch(run: _Run, running: _Job | None, first: _Job) -> None:
    """Another job gets the core: by preemption, after which it pays δ_t1; or because the one before
    is over, when one that was preempted pays δ_t2."""
    if running is not None:
        running.was_preempted = True
        run.preemptions += 1
        first.switching += run.switch.into_cycles * UNITS_PER_CYCLE
    if first.was_preempted:
        first.was_preempted = False
        first.switching += run.switch.back_cycles * UNITS_PER_CYCLE
