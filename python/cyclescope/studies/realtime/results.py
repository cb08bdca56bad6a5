"""Results of `realtime`: raw samples of the indicators, their unit, and what the load did.

docs/reference/results.md, "Real-time results", describes the folder.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic import Field

from cyclescope.record import Record
from cyclescope.stats.summary import Values
from cyclescope.studies.realtime.indicators import BackgroundState, Indicator, LoadKind, ScoreUnit
from cyclescope.studies.realtime.target import (
    Cyclictest,
    FacilityCount,
    MaskedWindow,
    Settings,
    Timeline,
)
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Unmodelled

# History of the format:
#   1  first version
#   2  kinds of load, its measured share, replicates, causes; samples that background threads began
#      inside sections of their own are gone. Folders of version 1 are refused
FORMAT_VERSION: Literal[2] = 2
FORMAT_NAME: Literal["cyclescope real-time results"] = "cyclescope real-time results"

Marks = NDArray[np.bool_]


class Trial(Record):
    """One indicator at one load among so many other tasks; without any, no background-task
    state."""

    indicator: Indicator
    load_percent: int = Field(ge=0, le=100)
    load_kind: LoadKind = LoadKind.CALLS
    extra_tasks: int = Field(default=0, ge=0)
    placement: BackgroundState | None = None

    @property
    def name(self) -> str:
        """Its file's name without the ending.

        >>> Trial(indicator=Indicator.SHUFFLING, load_percent=30).name
        'shuffling-load30'
        """
        tasks = f"-{self.placement}{self.extra_tasks}" if self.placement else ""
        kind = "" if self.load_kind is LoadKind.CALLS else f"-{self.load_kind}"
        return f"{self.indicator}-load{self.load_percent}{kind}{tasks}"

    @property
    def label(self) -> str:
        """The same for people."""
        return f"{self.indicator}, {self.among}"

    @property
    def among(self) -> str:
        """Load and tasks."""
        load = f"load {self.load_percent} %"
        if self.load_kind is not LoadKind.CALLS:
            load += f" ({self.load_kind})"
        if self.placement is None:
            return load
        placed = {
            BackgroundState.READY_EQUAL: "ready at equal priority",
            BackgroundState.READY_LOWER: "ready at lower priority",
            BackgroundState.DELAYED: "delayed",
        }[self.placement]
        return f"{load}, {self.extra_tasks} more tasks {placed}"

    @property
    def order(self) -> tuple[int, str, int, int, str]:
        """Where it stands among others, whatever the order of measurement."""
        place = str(self.placement or "")
        number = list(Indicator).index(self.indicator)
        return (number, place, self.extra_tasks, self.load_percent, str(self.load_kind))

    def settings(self, seed: int, limit_ms: int) -> Settings:
        """Returns the settings for a target."""
        return Settings(
            indicator=self.indicator,
            load_percent=self.load_percent,
            load_kind=self.load_kind,
            extra_tasks=self.extra_tasks,
            placement=self.placement or BackgroundState.DELAYED,
            seed=seed,
            limit_ms=limit_ms,
        )


class BatchRecord(Record):
    """The manifest's record of a batch; its samples are in the run's file."""

    seed: int
    replicate: int
    samples: int
    duration_s: float
    measured_load_percent: float
    true_load_percent: float | None
    shortfall: str | None
    lost: int
    load: tuple[FacilityCount, ...]
    masked: MaskedWindow | None


class Worst(Record):
    """Spans of tasks and ISRs around the longest sample of a run, and in which batch that was."""

    batch: int
    timeline: Timeline


class TrialRecord(Record):
    """One run. `asked_samples` and `asked_s` bound each of its replicates: whichever is not None.

    `measured_load_percent` is the share of the processor that the load had by the target's own
    account, `true_load_percent` what the lab saw from outside, over all batches.
    """

    trial: Trial
    file: str
    sha256: str
    samples: int
    rejected: dict[str, int]
    requested_load_percent: int = Field(ge=0, le=100)
    measured_load_percent: float
    true_load_percent: float | None
    replicates: int = Field(gt=0)
    timer_hz: int = Field(gt=0)
    asked_samples: int | None
    asked_s: float | None
    batches: tuple[BatchRecord, ...]
    worst: Worst | None
    unverified: tuple[str, ...]
    unmodelled: tuple[Unmodelled, ...]

    @property
    def duration_s(self) -> float:
        """On the target's own clock, without draining."""
        return sum(one.duration_s for one in self.batches)

    @property
    def shortfall(self) -> str | None:
        """Why a batch did not fill, if one did not."""
        return next((one.shortfall for one in self.batches if one.shortfall), None)

    @property
    def whole(self) -> bool:
        """Whether everything that was asked for is there."""
        return all(self._is_whole(number) for number in range(self.replicates))

    def _is_whole(self, replicate: int) -> bool:
        ours = [one for one in self.batches if one.replicate == replicate]
        if self.asked_s is not None and sum(one.duration_s for one in ours) >= self.asked_s:
            return True
        samples = sum(one.samples for one in ours)
        return self.asked_samples is not None and samples >= self.asked_samples


class CalibrationRecord(Record):
    """One unit: where its samples are."""

    unit: ScoreUnit
    arithmetic: str
    timer_hz: int = Field(gt=0)
    file: str
    sha256: str


class RefusedTrial(Record):
    """A trial that the target refused, in its own words."""

    trial: Trial
    sentence: str


class Beside(Record):
    """Results of cyclictest beside a trial."""

    trial: Trial
    seen: Cyclictest


class RealtimeManifest(Record):
    """The whole manifest."""

    format: Literal["cyclescope real-time results"] = FORMAT_NAME
    version: Literal[2] = FORMAT_VERSION
    tool: str
    conditions: Conditions
    capacity: int = Field(gt=0)
    remarks: tuple[str, ...] = ()
    unavailable: dict[Indicator, str] = Field(default_factory=dict)
    calibrations: tuple[CalibrationRecord, ...] = ()
    planned: tuple[Trial, ...] = ()
    runs: tuple[TrialRecord, ...] = ()
    refused: tuple[RefusedTrial, ...] = ()
    cyclictest: tuple[Beside, ...] = ()
    unverified: dict[str, str] = Field(default_factory=dict)

    def missing(self) -> list[Trial]:
        """Planned, and neither measured nor refused."""
        done = {one.trial for one in self.runs} | {one.trial for one in self.refused}
        return [one for one in self.planned if one not in done]


@dataclass(frozen=True)
class TrialRun:
    """All samples of a trial, also the rejected ones."""

    record: TrialRecord
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
    def by_line(self) -> Marks:
        """Which samples an interrupt began that came whatever ran.

        In task switching an origin is a test thread's number.
        """
        if self.trial.indicator is Indicator.SWITCHING:
            return np.zeros(self.samples.num_rows, dtype=np.bool_)
        return np.asarray(self.samples["origin"].to_numpy() > 0)

    @property
    def replicates(self) -> NDArray[np.int32]:
        """The replicate of each sample."""
        return np.asarray(self.samples["replicate"].to_numpy())


@dataclass(frozen=True)
class UnitTimes:
    """The times of one unit in core cycles: with the operation, and without."""

    record: CalibrationRecord
    raw: Values
    empty: Values


@dataclass(frozen=True)
class RealtimeResults:
    """The runs of one folder and the units of their scores."""

    folder: Path
    manifest: RealtimeManifest
    runs: tuple[TrialRun, ...]
    units: tuple[UnitTimes, ...]
