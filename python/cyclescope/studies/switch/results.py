"""Results of `cyclescope switch` on disk: one manifest (docs/explanation/switch.md)."""

from pathlib import Path as Folder
from typing import Literal

from pydantic import Field

from cyclescope.errors import CyclescopeError
from cyclescope.record import Record
from cyclescope.results import files
from cyclescope.results.folder_lock import holds_anything
from cyclescope.studies.switch.rig import RigSettings
from cyclescope.target.conditions import Conditions

FORMAT_NAME: Literal["cyclescope switch"] = "cyclescope switch"
FORMAT_VERSION: Literal[1] = 1
Uart = Literal["polled", "interrupt"]
UARTS: tuple[Uart, ...] = ("polled", "interrupt")


class PointSettings(Record):
    """An operating point as the board file and the firmware have it."""

    name: str
    core_hz: int
    supply_mv: int
    mamtim: int | None = None


class IntervalCost(Record):
    """Core cycles and picojoules of an interval, exact."""

    cycles: int
    pj: float

    def __add__(self, other: "IntervalCost") -> "IntervalCost":
        return IntervalCost(cycles=self.cycles + other.cycles, pj=self.pj + other.pj)


class Path(Record):
    """A switch, station by station. `latency_cycles` lie before it; `foreign_cycles`, of the
    UART's own interrupts, are in none of its parts."""

    delay_counts: int
    latency_cycles: int
    out: IntervalCost
    mac: IntervalCost
    back: IntervalCost
    foreign_cycles: int

    @property
    def switch(self) -> IntervalCost:
        """δ_t1 + δ_t2."""
        return self.out + self.back


class DirectMeasurement(Record):
    """Direct measurement: a value with the half-width of its 95 % interval."""

    value: float
    half_width: float

    def covers(self, truth: float) -> bool:
        return abs(self.value - truth) <= self.half_width


class Totals(Record):
    """Counts of the alarm's timer from a window's beginning: to the last bit sent, and to both
    tasks' end."""

    sent_counts: int
    ended_counts: int


class SwitchRow(Record):
    """One workload at one operating point, in three ways.

    `simulated` and `analytic` are of one window; `instants` are switches at other instants, whose
    median `measured_cycles` is to be held against. `at_end` is preempted when the last character is
    about to leave, so that nothing of the MAC task is hidden behind the shifting.
    """

    uart: Uart
    operations: int
    simulated: Path
    analytic: Path
    analytic_differences: int
    boundaries: int
    capacitive_pj: float
    instants: tuple[Path, ...]
    measured_cycles: DirectMeasurement
    measured_pj: DirectMeasurement | None
    sequential: Totals
    preempted: Totals
    at_end: Totals

    @property
    def median_cycles(self) -> float:
        """Of δ_t1 + δ_t2 over the instants."""
        values = sorted(one.switch.cycles for one in self.instants)
        half = len(values) // 2
        return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2


class InstantSweep(Record):
    """Switches at instants over a whole character's time."""

    uart: Uart
    operations: int
    step_counts: int
    character_counts: int
    paths: tuple[Path, ...]


class TargetFigures(Record):
    """One kernel at one operating point."""

    kernel: str
    point: PointSettings
    conditions: Conditions
    unverified: tuple[str, ...]
    rows: tuple[SwitchRow, ...]
    sweeps: tuple[InstantSweep, ...] = ()


class UserWork(Record):
    """The user's own tasks: their file, and the SHA-256 of it."""

    file: str
    sha256: str


class SwitchResults(Record):
    """A whole run of the study; `work` where the tasks are the user's own."""

    format: Literal["cyclescope switch"] = FORMAT_NAME
    version: Literal[1] = FORMAT_VERSION
    tool: str
    characters: int
    seed: int
    rig: RigSettings
    targets: tuple[TargetFigures, ...] = Field(min_length=1)
    work: UserWork | None = None


def save(folder: Folder, results: SwitchResults) -> None:
    """Puts the results into a folder, whole or not at all."""
    files.save(folder / files.MANIFEST, results)


def require_own(folder: Folder) -> None:
    """Refuses a folder whose content is something else, before anything is measured."""
    if not holds_anything(folder):
        return
    files.require_kind(folder, FORMAT_NAME)
    if files.content(folder).get("format") != FORMAT_NAME:
        raise CyclescopeError(
            f"{folder} holds other results: choose another --out",
            code="folder-of-other-switch-results",
        )


def load(folder: Folder) -> SwitchResults:
    """The results of a folder."""
    return files.parse(folder, SwitchResults, FORMAT_NAME, [FORMAT_VERSION])
