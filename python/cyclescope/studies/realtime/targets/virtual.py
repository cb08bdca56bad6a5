"""Real-time figures on a virtual board: what the firmware measured, beside what the engine saw."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cyclescope.firmware import boards
from cyclescope.studies.realtime.indicators import Indicator
from cyclescope.studies.realtime.link import Filled, RealtimeLink
from cyclescope.studies.realtime.target import Batch, Mark, MaskedWindow, Settings, Span, Timeline
from cyclescope.studies.realtime.virtual.causes import causes
from cyclescope.studies.realtime.virtual.kernels import OTHER_INTERRUPT, TEST_TIMER, TICK
from cyclescope.studies.realtime.virtual.load_truth import load_percent
from cyclescope.studies.realtime.virtual.occupancy import Observer
from cyclescope.studies.realtime.virtual.rises import Rises
from cyclescope.studies.realtime.virtual.wake_up import CLOCK, WOKEN, wake_ups
from cyclescope.studies.realtime.wired import WORKLOAD, WiredRealtime
from cyclescope.target.conditions import Conditions
from cyclescope.target.target import Selection
from cyclescope.targets.virtual.target import VirtualBoard, open_virtual_board
from cyclescope.targets.virtual.uart import UartTransport

MARGIN_CYCLES = 2_000
"""Of a timeline, shown before its sample begins and after it ends."""

GAPS = {Indicator.HARDWARE: (6_000, 30_000), Indicator.PREEMPTION: (20_000, 100_000)}
"""Least and greatest cycles between two rises of the line, where they begin samples."""

WINDOW_S = 0.1
"""How long a batch of hardware samples lasts at least, under load."""

UNDER_LINUX_POINTS = 4.0
"""Where ticks take a sixth of the processor, and more when they wake a thread, threads of the load
know their own part less well."""

Cycles = NDArray[np.int64]


class VirtualRealtime(WiredRealtime):
    """The image of the workload on its board."""

    def __init__(self, target: VirtualBoard) -> None:
        self.target = target
        self._board = target.board
        firmware, name = target.firmware, self._board.name
        if roomier := firmware.roomier:
            where = f"--board {roomier.board} with --code {roomier.code}"
            self.remedy = f"or use {where}, which has space for more"
        self._line = boards.require(firmware.line, name, "line")
        self.uart = UartTransport(self._board, boards.require(firmware.wire, name, "wire"))
        super().__init__(RealtimeLink(self.uart))
        program = target.program()
        self._timer = program.symbols["probe.timer"]
        self._clock = program.symbols.get(CLOCK)
        self._woken = program.address(program.symbols[WOKEN])
        timers, moments = {self._timer, self._line.count}, []
        if self._clock is not None:
            timers, moments = {self._timer, self._clock}, [self._woken]
            self.load_tolerance_points = UNDER_LINUX_POINTS
        self._observer = Observer(self._board, program, sorted(timers), moments)
        self.uart.stops = {
            program.address(program.symbols["batch_began"]): self._begin,
            program.address(program.symbols["batch_ended"]): self._end,
        }
        self._rises: Rises | None = None
        self._window = (0, 0)

    def conditions(self) -> Conditions:
        return self.target.conditions()

    def measure(self, settings: Settings, n: int) -> Batch:
        batch = replace(super().measure(settings, n), true_load_percent=self._load())
        if settings.indicator is Indicator.HARDWARE:
            return self._answered(batch)
        if settings.indicator is Indicator.WAKE_UP and self._clock is not None:
            read, woken = self._observer.read[self._clock], self._observer.executed[self._woken]
            starts, stops = wake_ups(read, woken, batch.samples)
            self._observer.schedule.rename_within(starts, stops, OTHER_INTERRUPT, TEST_TIMER)
            return self._witnessed(replace(batch, true_load_percent=self._load()), starts, stops)
        starts = self._observer.read[self._timer].cycles(batch.samples.starts)
        stops = self._observer.read[self._timer].cycles(batch.samples.stops)
        return self._witnessed(batch, starts, stops)

    def _fill(self, settings: Settings, n: int) -> Filled:
        self._observer.start()
        if settings.indicator in GAPS and Indicator.HARDWARE not in self.unavailable():
            gaps = self._gaps(settings, n)
            line = self._line.signal
            self._rises = Rises(self._board, line, settings.seed, gaps, self._rises)
            self.uart.prepare = self._rises.prepare
        try:
            return super()._fill(settings, n)
        finally:
            self.uart.prepare = None
            self._observer.stop()

    def _gaps(self, settings: Settings, n: int) -> tuple[int, int]:
        """Between rises. A batch of few hardware samples has them more rarely, so that the load
        fills its share of the window."""
        least, most = GAPS[settings.indicator]
        if settings.indicator is not Indicator.HARDWARE or not settings.load_percent:
            return least, most
        enough = round(WINDOW_S * self._board.core_hz / n)
        longer = max(1, enough // ((least + most) // 2))
        return least * longer, most * longer

    def _begin(self) -> None:
        self._window = (self._board.cycle, self._board.cycle)

    def _end(self) -> None:
        self._window = (self._window[0], self._board.cycle)
        self._observer.take()

    def _answered(self, batch: Batch) -> Batch:
        """Samples of the hardware line, each with the rise that it answered."""
        conditions, samples = self.conditions(), batch.samples
        assert conditions.pclk_hz, "a board has a clock for its devices"
        divider = conditions.core_hz // conditions.pclk_hz * self._line.pclk_per_count
        stops = self._stops(samples.stops)
        # The timer notes its count at an edge of its clock, and counts at edges too. That edge is
        # the last before the rise, or the first behind it.
        noted = (stops // divider - samples.counts.astype(np.int64)) * divider
        rises = np.array(self._rises.cycles if self._rises else [], dtype=np.int64)
        which = np.searchsorted(rises, noted + divider) - 1
        lost = int(which[-1] - which[0] + 1 - len(which)) if len(which) else 0
        answered = replace(
            batch, timer_hz=conditions.core_hz // divider, asserted_cycles=rises[which], lost=lost
        )
        return self._witnessed(answered, rises[which], stops)

    def _stops(self, counts: NDArray[np.uint32]) -> Cycles:
        """When the line's timer was read; with fewer than 32 bits it had each count many times."""
        readings = self._observer.read[self._line.count]
        if self._line.bits == 32:
            return readings.cycles(counts)
        return readings.cycles_in_order(counts % (1 << self._line.bits))

    def _witnessed(self, batch: Batch, starts: Cycles, stops: Cycles) -> Batch:
        """The batch with what the engine saw of it; `starts` and `stops` are of the samples."""
        schedule = self._observer.schedule
        tick = np.array([cycle for cycle, name in schedule.entered if name == TICK], dtype=np.int64)
        by_line = batch.samples.origins != 0
        if batch.settings.indicator is Indicator.HARDWARE:
            by_line[:] = True
        if batch.settings.indicator is Indicator.SWITCHING:
            by_line[:] = False
        hits = np.searchsorted(tick, stops) > np.searchsorted(tick, starts)
        return replace(
            batch,
            samples=replace(batch.samples, tick_hits=hits),
            duration_s=(self._window[1] - self._window[0]) / self._board.core_hz,
            truth_cycles=stops - starts,
            causes=causes(schedule, starts, stops, by_line, self._call_at),
            masked=self._masked(),
            timeline=self._timeline(starts, stops),
            findings=self.target.findings(),
        )

    def _load(self) -> float:
        return load_percent(self._observer.schedule, *self._window)

    def _call_at(self, cycle: int) -> str | None:
        """The kernel's call that a thread of the load is in, if one has the processor."""
        schedule = self._observer.schedule
        _, _, thread = schedule.task_at(cycle).partition("load ")
        number = schedule.facility_at(cycle, int(thread)) if thread.isdigit() else 0
        return self._facilities[number - 1].words if number else None

    def _masked(self) -> MaskedWindow | None:
        """The longest masked window of the batch, and whose call it was."""
        schedule, program = self._observer.schedule, self.target.program()
        longest = schedule.longest_masked(*self._window)
        if longest is None:
            return None
        call = self._call_at(longest.since) or program.place(longest.begin)
        vector = program.architecture.interrupt_vector
        interrupt = longest.begin == vector and schedule.interrupt_in(longest.since, longest.until)
        return MaskedWindow(
            longest_cycles=longest.until - longest.since,
            call=f"ISR: {interrupt}" if interrupt else call,
            task=schedule.task_at(longest.since),
            begin=program.place(longest.begin),
            end=program.place(longest.end),
        )

    def _timeline(self, starts: Cycles, stops: Cycles) -> Timeline | None:
        if not len(starts):
            return None
        longest = int(np.argmax(stops - starts))
        start, stop = int(starts[longest]), int(stops[longest])
        seen = self._observer.schedule.intervals(start - MARGIN_CYCLES, stop + MARGIN_CYCLES)
        spans = (
            Span(track=track, kind=kind, begin_cycles=at - start, end_cycles=until - start)
            for track, kind, at, until in seen
        )
        marks = (Mark(text="start", at_cycles=0), Mark(text="stop", at_cycles=stop - start))
        return Timeline(
            sample=longest, duration_cycles=stop - start, spans=tuple(spans), marks=marks
        )


def open_target(selection: Selection) -> VirtualRealtime:
    """Builds the image that is asked for and puts it on its board."""
    return VirtualRealtime(open_virtual_board(replace(selection, workload=WORKLOAD)))
