"""Results of `realtime`: raw samples of the indicators, their unit, and what the load did.

docs/results.md, "Real-time results", describes the folder.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic import Field

from cyclescope.conditions import Conditions
from cyclescope.realtime import (
    Cyclictest,
    FacilityCount,
    Indicator,
    MaskedWindow,
    Placement,
    Settings,
    Timeline,
    Unit,
)
from cyclescope.record import Record
from cyclescope.stats.summary import Values
from cyclescope.target import Unmodelled

# History of the format:
#   1  first version
FORMAT_VERSION: Literal[1] = 1
FORMAT_NAME: Literal["cyclescope real-time results"] = "cyclescope real-time results"

Marks = NDArray[np.bool_]


class Trial(Record):
    """One indicator at one load among so many other tasks; without any, no placement."""

    indicator: Indicator
    load_percent: int = Field(ge=0, le=100)
    extra_tasks: int = Field(default=0, ge=0)
    placement: Placement | None = None

    @property
    def name(self) -> str:
        """Its file's name without the ending.

        >>> Trial(indicator=Indicator.SHUFFLING, load_percent=30).name
        'shuffling-load30'
        """
        tasks = f"-{self.placement}{self.extra_tasks}" if self.placement else ""
        return f"{self.indicator}-load{self.load_percent}{tasks}"

    @property
    def label(self) -> str:
        """The same for people."""
        return f"{self.indicator}, {self.among}"

    @property
    def among(self) -> str:
        """Load and tasks."""
        load = f"load {self.load_percent} %"
        if self.placement is None:
            return load
        placed = {
            Placement.READY_EQUAL: "ready at equal priority",
            Placement.READY_LOWER: "ready at lower priority",
            Placement.DELAYED: "delayed",
        }[self.placement]
        return f"{load}, {self.extra_tasks} more tasks {placed}"

    @property
    def order(self) -> tuple[int, str, int, int]:
        """Where it stands among others, whatever the order of measurement."""
        place = str(self.placement or "")
        return (list(Indicator).index(self.indicator), place, self.extra_tasks, self.load_percent)

    def settings(self, seed: int, limit_ms: int) -> Settings:
        """What a target is asked for."""
        return Settings(
            indicator=self.indicator,
            load_percent=self.load_percent,
            extra_tasks=self.extra_tasks,
            placement=self.placement or Placement.DELAYED,
            seed=seed,
            limit_ms=limit_ms,
        )


class BatchRecord(Record):
    """What the manifest keeps of a batch; its samples are in the run's file."""

    seed: int
    samples: int
    duration_s: float
    shortfall: str | None
    lost: int
    load: tuple[FacilityCount, ...]
    masked: MaskedWindow | None


class Worst(Record):
    """Who ran when around the longest sample of a run, and in which batch that was."""

    batch: int
    timeline: Timeline


class RunRecord(Record):
    """One run. `asked_samples` and `asked_s` bound it: whichever is not None."""

    trial: Trial
    file: str
    sha256: str
    samples: int
    rejected: dict[str, int]
    timer_hz: int = Field(gt=0)
    asked_samples: int | None
    asked_s: float | None
    batches: tuple[BatchRecord, ...]
    worst: Worst | None
    unverified: tuple[str, ...]
    unmodelled: tuple[Unmodelled, ...]

    @property
    def duration_s(self) -> float:
        """On the target's own clock, draining apart."""
        return sum(one.duration_s for one in self.batches)

    @property
    def shortfall(self) -> str | None:
        """Why a batch did not fill, if one did not."""
        return next((one.shortfall for one in self.batches if one.shortfall), None)

    @property
    def whole(self) -> bool:
        """Whether everything that was asked for is there."""
        if self.asked_s is not None and self.duration_s >= self.asked_s:
            return True
        return self.asked_samples is not None and self.samples >= self.asked_samples


class CalibrationRecord(Record):
    """One unit: where its samples are."""

    unit: Unit
    arithmetic: str
    timer_hz: int = Field(gt=0)
    file: str
    sha256: str


class RefusedTrial(Record):
    """A trial that the target refused, in its own words."""

    trial: Trial
    sentence: str


class Beside(Record):
    """What cyclictest saw while a trial was measured."""

    trial: Trial
    seen: Cyclictest


class Manifest(Record):
    """The whole manifest."""

    format: Literal["cyclescope real-time results"] = FORMAT_NAME
    version: Literal[1] = FORMAT_VERSION
    tool: str
    conditions: Conditions
    capacity: int = Field(gt=0)
    remarks: tuple[str, ...] = ()
    unavailable: dict[Indicator, str] = Field(default_factory=dict)
    calibrations: tuple[CalibrationRecord, ...] = ()
    planned: tuple[Trial, ...] = ()
    runs: tuple[RunRecord, ...] = ()
    refused: tuple[RefusedTrial, ...] = ()
    cyclictest: tuple[Beside, ...] = ()
    unverified: dict[str, str] = Field(default_factory=dict)

    def missing(self) -> list[Trial]:
        """Planned, and neither measured nor refused."""
        done = {one.trial for one in self.runs} | {one.trial for one in self.refused}
        return [one for one in self.planned if one not in done]


@dataclass(frozen=True)
class Run:
    """All samples of a trial, also the rejected ones."""

    record: RunRecord
    samples: pa.Table
    core_hz: int

    @property
    def trial(self) -> Trial:
        return self.record.trial

    @property
    def cycles(self) -> Values:
        """Core cycles of every sample, in the order of measurement."""
        counts = np.asarray(self.samples["elapsed"].to_numpy(), dtype=np.float64)
        return counts * (self.core_hz / self.record.timer_hz)

    @property
    def rejected(self) -> Marks:
        """Which samples a rule rejected."""
        return np.asarray(self.samples["rejected_by"].is_valid())

    @property
    def held(self) -> Marks:
        """Which samples a background thread began, holding the scheduler or interrupts off.

        In task switching an origin is a test thread's number, and none of them holds anything.
        """
        if self.trial.indicator is Indicator.SWITCHING:
            return np.zeros(self.samples.num_rows, dtype=np.bool_)
        return np.asarray(self.samples["origin"].to_numpy() > 0)


@dataclass(frozen=True)
class UnitTimes:
    """The times of one unit in core cycles: with the operation, and without."""

    record: CalibrationRecord
    raw: Values
    empty: Values


@dataclass(frozen=True)
class Results:
    """The runs of one folder and the units of their scores."""

    folder: Path
    manifest: Manifest
    runs: tuple[Run, ...]
    units: tuple[UnitTimes, ...]
