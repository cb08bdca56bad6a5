"""A real-time target made of formulas: known times, known growth, loads that starve."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from fake_target import CONDITIONS
from numpy.typing import NDArray

from cyclescope.studies.realtime.indicators import BackgroundState, Indicator, ScoreUnit
from cyclescope.studies.realtime.target import (
    CALIBRATION_SAMPLES,
    Batch,
    Calibration,
    FacilityCount,
    Mark,
    MaskedWindow,
    RawTimings,
    RealtimeTarget,
    Settings,
    Span,
    Timeline,
    TooManyTasks,
)
from cyclescope.target.conditions import Conditions
from cyclescope.target.findings import Findings, Unverified

Formula = Callable[[Settings, NDArray[np.int64]], NDArray[np.int64]]
"""Cycles of samples from the settings and the samples' numbers in their batch."""

UNIT_CYCLES = {ScoreUnit.DOUBLE: 1000, ScoreUnit.INTEGER: 100}
EMPTY_CYCLES = 10
OVERTAKEN_ABOVE = 5_000
"""Longer samples are said to have lost the processor to the load."""
BASE_CYCLES = dict(zip(Indicator, (200, 400, 300, 500, 250, 900), strict=True))
NO_WAKE_UP = "interrupts have a figure of their own here"


def plain(settings: Settings, index: NDArray[np.int64]) -> NDArray[np.int64]:
    """A base, one cycle more at every other sample, five more for each task ready at equal."""
    tasks = settings.extra_tasks if settings.placement is BackgroundState.READY_EQUAL else 0
    return BASE_CYCLES[settings.indicator] + index % 2 + 5 * tasks


def with_service(settings: Settings, index: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same, with another thread's time in every 40th sample."""
    return plain(settings, index) + 700 * (index % 40 == 39)


@dataclass
class FakeRealtime(RealtimeTarget):
    """Formulas behind the interface of a real-time target; its counter wraps in every batch."""

    formula: Formula = with_service
    under: Conditions = CONDITIONS
    arithmetic: str = "software, 64-bit double"
    holds: int = 100
    room: int = 16
    words: Sequence[str] = ()
    starves_above: int = 100
    gives: Callable[[int], float] = float
    """The share that the load has when so many percent are asked for."""
    before_batch: Callable[[Settings], None] = lambda settings: None
    asked: list[Settings] = field(default_factory=list)

    def conditions(self) -> Conditions:
        return self.under

    def unavailable(self) -> Mapping[Indicator, str]:
        return {Indicator.WAKE_UP: NO_WAKE_UP}

    def remarks(self) -> Sequence[str]:
        return self.words

    @property
    def capacity(self) -> int:
        return self.holds

    def most_tasks(self, settings: Settings) -> int:
        return self.room

    def calibrate(self, unit: ScoreUnit, n: int = CALIBRATION_SAMPLES) -> Calibration:
        times = np.full(n, UNIT_CYCLES[unit]) + np.arange(n) % 2
        empty = np.full(n, EMPTY_CYCLES)
        timer_hz = self.under.timer_hz
        return Calibration(unit, self.arithmetic, samples_of(times), samples_of(empty), timer_hz)

    def measure(self, settings: Settings, n: int) -> Batch:
        self.before_batch(settings)
        self.asked.append(settings)
        if settings.extra_tasks > self.room:
            raise TooManyTasks(settings.extra_tasks, self.room, 9000, 8000, "or use lpc2148-lab")
        starved = settings.load_percent > self.starves_above
        times = self.formula(settings, np.arange(0 if starved else n))
        load = FacilityCount(facility="queues", calls=7 * n, holds="masks interrupts")
        masked = MaskedWindow(
            longest_cycles=118, call="xQueueSend", task="background 2",
            begin="vPortEnterCritical+0x8", end="vPortExitCritical+0x20",
        )  # fmt: skip
        return Batch(
            settings=settings,
            samples=samples_of(times),
            timer_hz=self.under.timer_hz,
            duration_s=float(times.sum()) / self.under.timer_hz,
            measured_load_percent=self.gives(settings.load_percent),
            true_load_percent=self.gives(settings.load_percent),
            load=(load,) if settings.load_percent else (),
            shortfall="the load left no time" if starved else None,
            truth_cycles=times,
            causes=tuple("the load ran" if one else "" for one in times % 1000 > 650),
            masked=masked,
            timeline=None if starved else timeline(times),
            findings=Findings(unverified=(Unverified(rule="vpb-access", text="3 cycles"),)),
        )


def samples_of(times: NDArray[np.int64]) -> RawTimings:
    """Samples that take so long, one after the other, across the counter's wrap."""
    starts = (0xFFFF_FF00 + np.arange(times.size) * 2000) % 2**32
    stops = (starts + times) % 2**32
    return RawTimings(
        starts.astype(np.uint32),
        stops.astype(np.uint32),
        (np.arange(times.size) % 2).astype(np.uint8),
        times > OVERTAKEN_ABOVE,
        np.zeros(times.size, dtype=np.bool_),
    )


def timeline(times: NDArray[np.int64]) -> Timeline:
    """Two threads and a tick around the longest sample."""
    worst = int(times.argmax())
    last = int(times[worst])

    def span(track: str, kind: str, begin: int, end: int) -> Span:
        fields = {"track": track, "kind": kind, "begin_cycles": begin, "end_cycles": end}
        return Span.model_validate(fields)

    return Timeline(
        sample=worst,
        duration_cycles=last,
        spans=(
            span("test 0", "task", -300, 60), span("tick", "isr", 60, last - 100),
            span("test 1", "task", last - 100, last + 200),
            span("interrupts masked", "masked", 20, 138),
        ),
        marks=(Mark(text="start", at_cycles=0), Mark(text="stop", at_cycles=last)),
    )  # fmt: skip
