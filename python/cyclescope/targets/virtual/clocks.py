"""Clocks of a virtual board: a timer's register, or a pin and an analyser."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.probed_timer import COUNTS, ProbedTimer
from cyclescope.target.series import Series
from cyclescope.targets.virtual.board import Board

PIN_TIMER = "pin"


@dataclass(frozen=True)
class Seen:
    """A series of measurements with what was seen of it. It has (cycle, address) of watched
    instructions, and the core cycles between the two probes of each sample (none if nothing was
    watched)."""

    series: Series
    executed: list[tuple[int, int]]
    totals: list[int]


class Clock(Protocol):
    """Watches a board while a series runs, and makes of it what was seen."""

    def watch(self, board: Board, executed: Collection[int]) -> None:
        """Starts recording these instructions, and what `see` needs."""

    def see(self, board: Board, series: Series) -> Seen:
        """Returns the readings recorded since `watch`."""


@dataclass(frozen=True)
class Register:
    """A timer that the probes themselves read; `preserved` are the registers that a call must
    preserve."""

    timer: ProbedTimer
    preserved: str

    def watch(self, board: Board, executed: Collection[int]) -> None:
        board.watch(executed=sorted(executed), accessed=[self.timer.address] if executed else ())

    def see(self, board: Board, series: Series) -> Seen:
        executed = board.take_executed()
        if not executed:
            return Seen(series, [], [])
        counts = [count for sample in series.samples for count in sample[:2]]
        read = self.timer.cycles_of(board.take_accessed(), counts)
        if any(count not in read for count in counts):
            raise CyclescopeError(
                "a measurement's times are none that the timer gave: the fragment changes "
                f"registers that a call must preserve ({self.preserved}); name what its assembly "
                "changes as clobbered",
                code="times-not-of-timer",
            )
        totals = [read[sample.stop] - read[sample.start] for sample in series.samples]
        return Seen(series, executed, totals)


@dataclass(frozen=True)
class Pin:
    """A pin that is high during each measurement, and a logic analyser that looks at it `rate_hz`
    times a second. An edge shows at the first look after it. `signal` is the pin's."""

    signal: str
    rate_hz: int

    def watch(self, board: Board, executed: Collection[int]) -> None:
        board.watch(executed=sorted(executed), signals=[self.signal])

    def see(self, board: Board, series: Series) -> Seen:
        edges = [(cycle, level) for cycle, _, level in board.take_changes()]
        if [level for _, level in edges] != [1, 0] * series.length:
            raise CyclescopeError(
                f"the pin changed {len(edges)} times in {series.length} measurements, not twice in "
                f"each. Leave {self.signal} and the registers of its port alone in the fragment, "
                "and name what its assembly changes as clobbered (two registers hold port and pin)",
                code="pin-changed-otherwise",
            )
        cycles = [cycle for cycle, _ in edges]
        looks = np.array([self._look(cycle, board.core_hz) for cycle in cycles], np.uint64)
        starts, stops = looks[::2], looks[1::2]
        missed = int(np.sum(starts == stops))
        if missed:
            raise CyclescopeError(
                f"the analyser missed {missed} of {len(starts)} measurements, which are shorter "
                f"than the distance of two samples at {self.rate_hz} Hz: choose a faster one",
                code="analyser-too-slow",
            )
        samples = replace(
            series.samples,
            start=(starts % COUNTS).astype(np.uint32),
            stop=(stops % COUNTS).astype(np.uint32),
        )
        totals = [stop - start for start, stop in zip(cycles[::2], cycles[1::2], strict=True)]
        return Seen(replace(series, samples=samples), board.take_executed(), totals)

    def _look(self, cycle: int, core_hz: int) -> int:
        return -(-cycle * self.rate_hz // core_hz)
