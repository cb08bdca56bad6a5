"""A target for real-time figures over the wire; subclasses differ in their parts."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from cyclescope import wire
from cyclescope.errors import CyclescopeError
from cyclescope.studies.realtime.indicators import BackgroundState, Indicator, LoadKind, ScoreUnit
from cyclescope.studies.realtime.link import BatchRequest, Filled, RealtimeLink, Topic
from cyclescope.studies.realtime.target import (
    CALIBRATION_SAMPLES,
    TEST_THREADS,
    Batch,
    Calibration,
    FacilityCount,
    RawTimings,
    RealtimeTarget,
    Settings,
    TooManyTasks,
)

WORKLOAD = "realtime"
"""The program of firmware/workloads/ that such an image holds."""
INDICATORS = tuple(Indicator)
LOAD_KINDS = tuple(LoadKind)
PLACEMENTS = tuple(BackgroundState)
UNITS = tuple(ScoreUnit)

HOLDS = (
    "neither",
    "masks interrupts",
    "locks the scheduler",
    "masks interrupts, locks the scheduler",
)
OUTRANKED = (Indicator.SWITCHING, Indicator.PREEMPTION)
"""Where samples begin at medium priority (RANK_CONTROL)."""
NO_SAMPLES = "0 samples were asked for: a batch has at least one; ask for more with --samples"


class WiredRealtime(RealtimeTarget):
    """A target that is asked over a wire. `remedy` says what helps when tasks do not fit."""

    remedy = "or give the kernel more memory"
    no_loads: Mapping[LoadKind, str] = MappingProxyType({})
    """Kinds of load that the target does not have, each with the reason."""

    def __init__(self, link: RealtimeLink) -> None:
        self._link = link
        with _as_lab_errors():
            self._hello = link.hello()
            self._indicators = link.about(Topic.INDICATORS)
            self._facilities = link.about(Topic.FACILITIES)
            self._remarks = tuple(item.words for item in link.about(Topic.REMARKS))
            (self._arithmetic,) = link.about(Topic.ARITHMETIC)

    def unavailable(self) -> Mapping[Indicator, str]:
        pairs = zip(INDICATORS, self._indicators, strict=True)
        return {indicator: item.words for indicator, item in pairs if not item.value}

    def remarks(self) -> Sequence[str]:
        return self._remarks

    @property
    def capacity(self) -> int:
        return self._hello.capacity

    def most_tasks(self, settings: Settings) -> int:
        with _as_lab_errors():
            room = self._link.room(_order(settings, 1))
        most = max(0, (room.free_bytes - room.fixed_bytes) // room.task_bytes)
        if _in_the_ring(settings):
            # samples.c: of two stamps for each sample of the buffer, a quarter more than there are
            # samples are used, and two for each thread of the ring.
            most = min(most, self.capacity * 3 // 8 - TEST_THREADS)
        return min(most, 65535)

    def calibrate(self, unit: ScoreUnit, n: int = CALIBRATION_SAMPLES) -> Calibration:
        if n <= 0:
            raise CyclescopeError(NO_SAMPLES, code="no-samples-asked")
        samples, empty = (self._operations(unit, n, empty=empty) for empty in (False, True))
        words = self._arithmetic.words if unit is ScoreUnit.DOUBLE else "32-bit integers"
        return Calibration(unit, words, _pairs(samples), _pairs(empty), self._hello.timer_hz)

    def _operations(self, unit: ScoreUnit, n: int, *, empty: bool) -> list[wire.WireSample]:
        """The reference operation, or the frame without it, by as many as the buffer holds."""
        found: list[wire.WireSample] = []
        while len(found) < n:
            many = min(n - len(found), self.capacity)
            with _as_lab_errors():
                found += self._link.calibrate(UNITS.index(unit), many, empty=empty)
        return found

    def measure(self, settings: Settings, n: int) -> Batch:
        filled = self._fill(settings, n)
        samples = _samples(settings, filled)
        calls = zip(self._facilities, filled.calls, strict=True)
        return Batch(
            settings=settings,
            samples=samples,
            timer_hz=self._hello.timer_hz,
            duration_s=filled.ticks / self._hello.tick_hz,
            measured_load_percent=filled.load_percent,
            load=tuple(
                FacilityCount(facility=item.words, calls=count, holds=HOLDS[item.value])
                for item, count in calls
                if settings.load_percent
            ),
            shortfall=self._shortfall(settings, samples, n, filled.ticks),
        )

    def _fill(self, settings: Settings, n: int) -> Filled:
        """Has the target fill its buffer, and drains it."""
        self._check(settings, n)
        try:
            with _as_lab_errors():
                return self._link.batch(_order(settings, n))
        except wire.SeriesDoesNotFit as error:
            if error.reason is wire.Reason.BUFFER:
                raise
            most = self.most_tasks(settings)
            raise TooManyTasks(
                settings.extra_tasks, most, error.needed_bytes, error.available_bytes, self.remedy
            ) from error

    def _check(self, settings: Settings, n: int) -> None:
        if n <= 0:
            raise CyclescopeError(NO_SAMPLES, code="no-samples-asked")
        if n > self.capacity:
            raise CyclescopeError(
                f"a batch of {n} samples: the buffer holds {self.capacity}; measure several "
                "batches",
                code="batch-exceeds-buffer",
            )
        if settings.load_percent and not self._facilities:
            raise CyclescopeError(
                "this image has no background threads, whose code and stacks do not fit beside it: "
                f"ask for --load 0, {self.remedy}",
                code="image-has-no-load",
            )
        if settings.load_percent:
            self._check_load(settings)
        reason = self.unavailable().get(settings.indicator)
        if reason is not None:
            raise CyclescopeError(
                f"{settings.indicator} is not available here: {reason}",
                code="indicator-not-available-here",
            )

    def _check_load(self, settings: Settings) -> None:
        """A load that can never be had is refused; the measurement decides about all others."""
        if settings.load_kind in self.no_loads:
            raise CyclescopeError(
                f"a load by {settings.load_kind} is not available here: "
                f"{self.no_loads[settings.load_kind]}",
                code="load-kind-not-available",
            )
        by_interrupts = settings.load_kind is LoadKind.INTERRUPTS
        if by_interrupts and settings.indicator is Indicator.HARDWARE:
            raise CyclescopeError(
                "a load by interrupts takes the timer that notes when the line of hardware "
                "interrupts rose: ask for another --load-kind",
                code="load-takes-the-timer",
            )
        ready = settings.extra_tasks and settings.placement is BackgroundState.READY_EQUAL
        if ready and settings.indicator not in OUTRANKED and not by_interrupts:
            raise CyclescopeError(
                f"a load of {settings.load_percent} % cannot be had here: its threads never run. "
                f"Extra tasks that are always ready at the priority of {settings.indicator} "
                "outrank them. Ask for --load 0 or another --placement",
                code="load-never-runs",
            )

    def _shortfall(self, settings: Settings, samples: RawTimings, n: int, ticks: int) -> str | None:
        """Why there are fewer samples than were asked for."""
        in_time = ticks * 1000 < settings.limit_ms * self._hello.tick_hz
        if len(samples) >= n or (settings.indicator is Indicator.SWITCHING and in_time):
            return None
        found = f"{len(samples)} of {n} samples within {settings.limit_ms:,} ms"
        if settings.load_percent and settings.indicator in OUTRANKED:
            own = int(np.count_nonzero(samples.origins == 0))
            by = f", {own} of them by the control thread" if own < len(samples) else ""
            return (
                f"{found}{by}: three of the background threads outrank those of the test, and at a "
                f"load of {settings.load_percent} % they left too little of the processor; lower "
                "the load"
            )
        if settings.load_percent and settings.indicator is not Indicator.HARDWARE:
            return (
                f"{found}: under load a sample takes a tick at least, of which there are "
                f"{self._hello.tick_hz:,} in a second; raise the limit or ask for fewer samples"
            )
        return f"{found}: raise the limit or ask for fewer samples"


def _in_the_ring(settings: Settings) -> bool:
    """Whether the extra tasks are part of the test."""
    is_ready = settings.placement is BackgroundState.READY_EQUAL
    return settings.indicator is Indicator.SWITCHING and is_ready


def _order(settings: Settings, n: int) -> BatchRequest:
    return BatchRequest(
        indicator=INDICATORS.index(settings.indicator),
        load_percent=settings.load_percent,
        load_kind=LOAD_KINDS.index(settings.load_kind),
        placement=PLACEMENTS.index(settings.placement),
        extra_tasks=settings.extra_tasks,
        length=n,
        seed=settings.seed,
        limit_ms=settings.limit_ms,
    )


def _samples(settings: Settings, filled: Filled) -> RawTimings:
    if settings.indicator is Indicator.SWITCHING:
        return _in_turn(filled.samples)
    return _pairs(filled.samples)


def _pairs(samples: Sequence[wire.WireSample]) -> RawTimings:
    flags = _flags(samples)
    return RawTimings(
        np.array([sample.start for sample in samples], dtype=np.uint32),
        np.array([sample.stop for sample in samples], dtype=np.uint32),
        (flags >> wire.ORIGIN_SHIFT).astype(np.uint8),
        flags & wire.OVERTAKEN != 0,
    )


def _flags(samples: Sequence[wire.WireSample]) -> NDArray[np.uint8]:
    return np.array([sample.flags for sample in samples], dtype=np.uint8)


def _in_turn(stamps: Sequence[wire.WireSample]) -> RawTimings:
    """Each stamp of a burst to the next one, whoever took it: of the same burst, or the one behind
    it that ends the last sample. Counts may wrap, so order is by distance."""
    if not stamps:
        return _pairs(stamps)
    times = np.array([one.start for one in stamps], dtype=np.uint32)
    bursts, flags = np.array([one.stop for one in stamps], dtype=np.uint32), _flags(stamps)
    order = np.argsort((times - times[0]).astype(np.int32), kind="stable")
    times, bursts, flags = times[order], bursts[order], flags[order]
    begins, ends = flags[:-1], flags[1:]
    ours = (begins & wire.LAST == 0) & ((bursts[1:] == bursts[:-1]) | (ends & wire.LAST != 0))
    return RawTimings(
        times[:-1][ours],
        times[1:][ours],
        (begins >> wire.ORIGIN_SHIFT)[ours].astype(np.uint8),
        np.zeros(int(ours.sum()), dtype=np.bool_),
    )


@contextmanager
def _as_lab_errors() -> Iterator[None]:
    """Converts errors of the wire to sentences of the lab; passes on others."""
    try:
        yield
    except wire.SeriesDoesNotFit:
        raise
    except (wire.WireError, wire.RequestRefused, wire.TargetFault) as error:
        raise CyclescopeError(str(error), code=error.code) from error
