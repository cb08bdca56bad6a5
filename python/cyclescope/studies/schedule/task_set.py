"""A set of periodic tasks, as a user writes it (Pillai and Isha, section 3.1)."""

import tomllib
from math import lcm
from pathlib import Path
from typing import Self

from pydantic import Field, ValidationError, model_validator

from cyclescope import input_files
from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.record import Record


class Task(Record):
    """One task: C in core cycles, T and D in microseconds; D is T unless given.

    `points` are the operating points of its jobs in turn (P_i^j of equation 1): job j runs at the
    j-th, and from the first again behind the last. Without any it runs at the point looked at.
    """

    name: str
    points: tuple[str, ...] = ()
    execution_cycles: int = Field(gt=0)
    period_us: int = Field(gt=0)
    deadline_us: int | None = Field(default=None, gt=0)

    @model_validator(mode="after")
    def _check_deadline(self) -> Self:
        if self.due_us > self.period_us:
            raise ValueError(
                f"task {self.name} has a deadline behind its period: one job must end before the "
                "next is released"
            )
        return self

    @property
    def due_us(self) -> int:
        """The deadline, relative to the release."""
        return self.deadline_us or self.period_us


class PreemptionCost(Record):
    """Cost of one preemption in core cycles: δ_t1 before the preempting task runs, δ_t2 before
    the preempted one goes on (equations 9 and 10)."""

    into_cycles: int = Field(ge=0)
    back_cycles: int = Field(ge=0)


class SwitchAt(PreemptionCost):
    """The same at one operating point."""

    point: str


class SwitchCosts(Record):
    """Where the cost of a preemption comes from, at each operating point: from the kernel on the
    virtual board, from results of `cyclescope switch`, or from the file itself.

    `code` is the memory of the simulated kernel; `read` takes that of the board's file if the task
    file names none.
    """

    kernel: str | None = None
    code: str | None = None
    results: Path | None = None
    into_cycles: int | None = Field(default=None, ge=0)
    back_cycles: int | None = Field(default=None, ge=0)
    at: tuple[SwitchAt, ...] = ()

    @model_validator(mode="after")
    def _check_source(self) -> Self:
        if (self.into_cycles is None) != (self.back_cycles is None):
            raise ValueError("into_cycles and back_cycles go together")
        if self.is_written == (self.kernel is not None):
            raise ValueError(
                "give kernel (its preemption is simulated, or read from results), or into_cycles "
                "and back_cycles, or an [[switch.at]] for each point: one of them"
            )
        if self.results is not None and self.kernel is None:
            raise ValueError("results need the kernel whose switches are meant")
        names = [one.point for one in self.at]
        if len(set(names)) < len(names):
            raise ValueError("two [[switch.at]] have the same point")
        return self

    @property
    def is_written(self) -> bool:
        """Whether the file itself says the cycles."""
        return self.into_cycles is not None or bool(self.at)

    def written(self, point: str) -> PreemptionCost | None:
        """Returns the file's entry for a point."""
        for one in self.at:
            if one.point == point:
                return PreemptionCost(into_cycles=one.into_cycles, back_cycles=one.back_cycles)
        if self.into_cycles is None or self.back_cycles is None:
            return None
        return PreemptionCost(into_cycles=self.into_cycles, back_cycles=self.back_cycles)


class TaskSet(Record):
    """Tasks in the order of their priorities, the highest first, released together at 0."""

    board: str
    switch: SwitchCosts
    task: tuple[Task, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        names = [task.name for task in self.task]
        if len(set(names)) < len(names):
            raise ValueError("two tasks have the same name")
        return self

    @property
    def hyperperiod_us(self) -> int:
        """H, the least common multiple of the periods (equation 1)."""
        return lcm(*(task.period_us for task in self.task))

    @property
    def jobs(self) -> int:
        """Releases in a hyperperiod."""
        return sum(self.hyperperiod_us // task.period_us for task in self.task)

    @property
    def cycles(self) -> int:
        """Cycles of all jobs of a hyperperiod, without switches."""
        releases = (self.hyperperiod_us // task.period_us for task in self.task)
        return sum(n * task.execution_cycles for n, task in zip(releases, self.task, strict=True))


def read(path: Path) -> TaskSet:
    """Reads a task file; what is wrong with it is one sentence."""
    try:
        tasks = TaskSet.model_validate(tomllib.loads(input_files.read_there(path).decode()))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CyclescopeError(
            f"{path} is no TOML file: {error}", code="task-set-not-toml"
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        at = f" at {where}" if where else ""
        raise CyclescopeError(
            f"{path}{at}: {first['msg']} (docs/how-to/schedule.md)", code="task-set-wrong"
        ) from None
    code = tasks.switch.code or boards.firmware_of(tasks.board).default("code")
    results = tasks.switch.results and path.parent / tasks.switch.results
    switch = tasks.switch.model_copy(update={"code": code, "results": results})
    return tasks.model_copy(update={"switch": switch})
