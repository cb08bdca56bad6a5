"""Real-time figures under mixed load: what is asked of a target, and what it gives back.

Huang, Guo, Liang and Song, "Research on Real-time Performance Testing Methods for Robot Operating
System": the calibration of section III.B and the indicators of section III.C. Targets measure and
compute nothing; scores, rejection and distributions are the business of studies.

A **batch** is one buffer. The target starts its threads, fills the buffer with samples, and stops
all threads. Only then is the buffer drained, outside the measured window. A longer measurement is
many batches in a row; between two of them lies a *seam*, where the kernel was empty and started
anew. So the first sample of every batch is a seam mark, and no sample ever spans one.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from cyclescope.errors import CyclescopeError
from cyclescope.record import Record
from cyclescope.resource import Closing
from cyclescope.studies.realtime.indicators import BackgroundState, Indicator, LoadKind, ScoreUnit
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Findings

CALIBRATION_SAMPLES = 100
"""T1 … T100 of section III.B."""
BACKGROUND_THREADS = 5
"""Section III.C: five, each with a priority of its own."""
TEST_THREADS = 5
"""Of task switching: Figure 3."""


class Settings(Record):
    """Settings of a measurement.

    `load_percent` is the share of the processor that the background threads and interrupts of the
    load are to have; 0: they are not there. `seed` decides what the firmware must not foresee (when
    the hardware line rises, in which order the background threads make their calls). `limit_ms` is
    how long, on the target's own clock, a batch may take; what the buffer holds by then is the
    batch.
    """

    indicator: Indicator
    load_percent: int = Field(default=0, ge=0, le=100)
    load_kind: LoadKind = LoadKind.CALLS
    extra_tasks: int = Field(default=0, ge=0, le=65535)
    placement: BackgroundState = BackgroundState.DELAYED
    seed: int = Field(default=1, ge=0, lt=1 << 32)
    limit_ms: int = Field(default=5_000, gt=0, lt=1 << 31)


@dataclass(frozen=True)
class RawTimings:
    """Raw timings, in the order in which they were taken; all arrays are equally long.

    `starts` and `stops` are 32-bit counts of the target's timer, which may wrap. `origins` says who
    began a sample. In switching it is the test thread that yielded (0 to 4). Otherwise it is 0 for
    the thread of the paper and 1 for an interrupt that came whatever ran. `overtaken` marks samples
    in which a thread of the load began to work, by the target's own account. `tick_hits` marks
    samples in which the kernel's tick interrupt ran; None where it is unknown.
    """

    starts: NDArray[np.uint32]
    stops: NDArray[np.uint32]
    origins: NDArray[np.uint8]
    overtaken: NDArray[np.bool_]
    tick_hits: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def counts(self) -> NDArray[np.uint32]:
        """Timer counts from start to stop, modulo 2³²."""
        return self.stops - self.starts


@dataclass(frozen=True)
class Calibration:
    """Raw times of the reference operation, and of the same frame with nothing in it.

    `arithmetic` says how the unit is computed there ("software, 64-bit double",
    "hardware (SSE2), 64-bit double", "software, 32-bit double"); results whose arithmetic differs
    have scores that cannot be compared.
    """

    unit: ScoreUnit
    arithmetic: str
    samples: RawTimings
    empty: RawTimings
    timer_hz: int


class FacilityCount(Record):
    """Calls of one kernel facility by the background threads during a batch.

    `holds` says what that facility does to others: "masks interrupts", "locks the scheduler", both,
    or "neither".
    """

    facility: str
    calls: int
    holds: str


class MaskedWindow(Record):
    """The longest time of a batch in which no interrupt could get through (section II.C).

    `call` is the kernel call (or ISR) under way, `task` whose it was. `begin` and `end` are the
    places in the code (FUNCTION+OFFSET) of its first instruction and of the first one after it.
    """

    longest_cycles: int
    call: str
    task: str
    begin: str
    end: str


class Span(Record):
    """Someone on the processor, in core cycles after the sample's start (before it: negative)."""

    track: str
    kind: Literal["task", "isr", "masked"]
    begin_cycles: int
    end_cycles: int


class Mark(Record):
    """A moment: the start and stop of the sample, a line's rise, a thread made ready."""

    text: str
    at_cycles: int


class Timeline(Record):
    """Spans of tasks and ISRs around the longest sample of a batch; `sample` is its index in the
    batch.

    "masked" spans lie over the others: intervals in which interrupts could not get through.
    """

    sample: int
    duration_cycles: int
    spans: tuple[Span, ...]
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Batch:
    """One buffer of samples and what went on while it was filled.

    `measured_load_percent` is the share of the processor that the load had, by the target's own
    account. `shortfall` says in a sentence why the buffer did not fill within the limit (a load
    that starves the test), and is None when it did. `timer_hz` is the rate of the counts;
    `duration_s` what the batch took on the target's own clock, without draining. `lost` are rises
    of the hardware line that came before the one before them was answered, so that no sample has
    them.

    From a target that sees its board from outside. `true_load_percent` is the share that the load
    really had. `truth_cycles` has for each sample the core cycles that really passed between the
    two moments. (For the hardware line these are from the cycle of its rise to the cycle at which
    the ISR's reading of the timer completed.) `asserted_cycles` has the board's cycle of each rise.
    There are also the longest masked window, and the timeline of the longest sample.
    """

    settings: Settings
    samples: RawTimings
    timer_hz: int
    duration_s: float
    measured_load_percent: float
    load: tuple[FacilityCount, ...] = ()
    shortfall: str | None = None
    lost: int = 0
    true_load_percent: float | None = None
    truth_cycles: NDArray[np.int64] | None = None
    asserted_cycles: NDArray[np.int64] | None = None
    masked: MaskedWindow | None = None
    timeline: Timeline | None = None
    causes: tuple[str, ...] | None = None
    """For each sample, what came between its two moments; nothing: an empty text."""
    findings: Findings = field(default_factory=Findings)


class TooManyTasks(CyclescopeError):
    """The tasks that were asked for do not fit in the target's memory."""

    def __init__(
        self, asked: int, most: int, needs_bytes: int, has_bytes: int, remedy: str
    ) -> None:
        super().__init__(
            f"{asked} extra tasks need {needs_bytes} bytes and the kernel has {has_bytes}: ask for "
            f"{most} at most, {remedy}"
        )
        self.most = most


class RealtimeTarget(Closing, ABC):
    """A place where the indicators are measured; `targets.open_realtime(selection)` gives one."""

    @abstractmethod
    def conditions(self) -> Conditions:
        """The conditions of the samples; they do not change while the target is open."""

    @abstractmethod
    def unavailable(self) -> Mapping[Indicator, str]:
        """The indicators that this target does not have, each with the reason in a sentence."""

    @abstractmethod
    def remarks(self) -> Sequence[str]:
        """Remarks for readers: refused priorities or memory locks, a virtual machine, …"""

    @property
    @abstractmethod
    def capacity(self) -> int:
        """Samples that the target's buffer holds."""

    @abstractmethod
    def most_tasks(self, settings: Settings) -> int:
        """How many extra tasks fit in the target's memory beside everything else."""

    load_tolerance_points = 2.0
    """How far the measured share of the load may be from what was asked for."""
    load_period_s = 1e-3
    """Time within which the load is balanced; a window's ends are known no better."""

    @abstractmethod
    def calibrate(self, unit: ScoreUnit, n: int = CALIBRATION_SAMPLES) -> Calibration:
        """Times the reference operation `n` times, with nothing else running."""

    @abstractmethod
    def measure(self, settings: Settings, n: int) -> Batch:
        """One batch of `n` samples, at most `capacity`.

        Raises TooManyTasks, and CyclescopeError in a sentence for what the target refuses. Batches
        of one target follow one another: the same calls after opening give the same samples on a
        virtual board, and a batch with another seed gives others.
        """

    def companion(self) -> "Companion | None":
        """Returns a tool that measures the same beside this target, or None."""
        return None


class Companion(Protocol):
    """A tool that runs beside a measurement: `start` it before, `stop` it after."""

    def start(self) -> Self: ...
    def stop(self) -> "Cyclictest": ...


class Cyclictest(Record):
    """Report of cyclictest (rt-tests) at the same time; µs per its own clock.

    `histogram` holds (latency in µs, how often); `refused` says why there is nothing, if so.
    """

    version: str = ""
    command: str = ""
    cycles: int = 0
    minimum_us: int | None = None
    average_us: float | None = None
    maximum_us: int | None = None
    histogram: tuple[tuple[int, int], ...] = ()
    refused: str | None = None
