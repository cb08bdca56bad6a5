"""Direct measurement: TIMER1 for time, the simulated rig for energy (section 4.2).

The target itself knows the counts at which the MAC task began and ended. It also knows the
iteration of the transmission task's waiting loop into which the whole preemption fell. Subtract
from that iteration one that ran undisturbed, the MAC task, and the time in which the flash's
buffers fill again behind the return (iteration.py). The rest is δ_t1 + δ_t2, on the switch path and
in one window.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.firmware.program import Program
from cyclescope.studies.switch.analytic import Evaluation, MemorySettings
from cyclescope.studies.switch.iteration import Boundary, Iteration, iterations_of, like
from cyclescope.studies.switch.link import Stamps, WindowRequest
from cyclescope.studies.switch.path import Window
from cyclescope.studies.switch.results import DirectMeasurement
from cyclescope.studies.switch.rig import Rig, RigSettings, Waveform

J_PER_FJ, PJ_PER_J = 1e-15, 1e12
READING_COUNTS = 1
"""Uncertainty of two readings of a counter."""
WINDOW_DOUBT_CYCLES = 2
"""By so many cycles, at another power, the rig's window may begin or end beside the switch."""
INTERRUPT_DOUBT_COUNTS = 4
"""Variation of one interrupt of the UART, flash buffers excepted."""
REQUEST_COUNTS = 1
"""From the match to the request of the interrupt (docs/timing/timer_lpc2000.md)."""
COUNTS = 1 << 32


@dataclass(frozen=True)
class Bench:
    """One window as the timer and the rig see it.

    `frames` is the part of the MAC task before its first reading of the timer has come, and behind
    its last. It comes from the ELF file, in cycles by the analytic rules, and belongs to the task.
    `iterations` are those of the waiting loops. `alone` is a sequential window.
    """

    window: Window
    frames: tuple[int, int]
    iterations: Sequence[Iteration]
    alone: Stamps
    mamtim: int

    def cycles(self, repeats: Sequence[tuple[WindowRequest, Stamps]]) -> DirectMeasurement:
        """δ_t1 + δ_t2, the median of repeats at different instants.

        Each holds its own to within a count, and to within more for each interrupt of the UART that
        fell into it. So the median of the lower ends and that of the upper ends hold the median.
        """
        usable = [one for one in repeats if _has_switch(one[1])]
        if not usable:
            raise CyclescopeError(
                "no preemption fell into a waiting loop of the transmission: choose more "
                "--instants",
                code="no-preemption-in-waiting-loop",
            )
        values = [self._switch_counts(order, stamps) for order, stamps in usable]
        doubts = [self._doubt(stamps) for _, stamps in usable]
        low = median(value - doubt for value, doubt in zip(values, doubts, strict=True))
        high = median(value + doubt for value, doubt in zip(values, doubts, strict=True))
        value = median(values)
        return DirectMeasurement(value=value, half_width=max(value - low, high - value))

    def energy_pj(self, supply_mv: int, settings: RigSettings) -> DirectMeasurement | None:
        """Mean power during this window's switch, times its time; None where too few samples fell
        into it."""
        switch = self.cycles([(self.window.order, self.window.stamps)])
        waveform = self._waveform(supply_mv)
        power = Rig(settings).mean_power_w(waveform, self._intervals_s(switch.value))
        if power is None:
            return None
        seconds = switch.value / self.window.core_hz
        beside = WINDOW_DOUBT_CYCLES + self._iteration(self.window.stamps).spread
        half_s = np.hypot(switch.half_width, beside) / self.window.core_hz
        half = float(np.hypot(power.half_width * seconds, power.value * half_s))
        return DirectMeasurement(value=power.value * seconds * PJ_PER_J, half_width=half * PJ_PER_J)

    def _switch_counts(self, order: WindowRequest, stamps: Stamps) -> int:
        longest = (stamps.after - stamps.before) % COUNTS
        mac = (stamps.mac_ended - stamps.mac_began) % COUNTS + sum(self.frames)
        interrupts = stamps.interrupts - stamps.mac_interrupts
        refill = self._taken(order, stamps).refill
        undisturbed = stamps.shortest + self._iteration(stamps).spread // 2
        interrupted = interrupts * self._interrupt_counts
        return longest - undisturbed - mac - refill - interrupted

    def _doubt(self, stamps: Stamps) -> int:
        each = INTERRUPT_DOUBT_COUNTS + self.mamtim - 1
        spread = self._iteration(stamps).spread
        return READING_COUNTS + spread - spread // 2 + stamps.interrupts * each

    @property
    def _interrupt_counts(self) -> int:
        """Returns the time that one interrupt of the UART takes of the transmission task."""
        return (self.alone.after - self.alone.before) % COUNTS - self.alone.shortest

    def _taken(self, order: WindowRequest, stamps: Stamps) -> Boundary:
        """Where in its iteration the interrupt was taken."""
        began = (stamps.before - stamps.began) % COUNTS
        requested = order.delay_counts + REQUEST_COUNTS
        return self._iteration(stamps).taken(requested - began)

    def _iteration(self, stamps: Stamps) -> Iteration:
        """One like that into which the preemption fell, undisturbed."""
        began = (stamps.before - stamps.began) % COUNTS
        return like(self.iterations, stamps.shortest, began)

    def _intervals_s(self, switch_cycles: float) -> list[tuple[float, float]]:
        """Out and back, in seconds from the beginning of the window's path."""
        order, stamps, hz = self.window.order, self.window.stamps, self.window.core_hz
        start = self.window.path[0].cycle - self.window.read[stamps.began] + stamps.began
        taken = stamps.before + self._taken(order, stamps).at
        out = (taken - start, stamps.mac_began - self.frames[0] - start)
        back = stamps.mac_ended + self.frames[1] - start
        end = back + switch_cycles - (out[1] - out[0])
        return [(out[0] / hz, out[1] / hz), (back / hz, end / hz)]

    def _waveform(self, supply_mv: int) -> Waveform:
        path = self.window.path
        at = np.array([moment.cycle - path[0].cycle for moment in path], dtype=np.float64)
        spent = np.array([moment.spent_fj - path[0].spent_fj for moment in path], dtype=np.float64)
        return Waveform(at / self.window.core_hz, spent * J_PER_FJ, supply_mv / 1000)


def of(
    window: Window, found: Evaluation, alone: Stamps, program: Program, memory: MemorySettings
) -> Bench:
    """The bench of a window that was preempted and seen whole."""
    switch = window.switch
    assert switch is not None, "the window was preempted"
    readings = [
        moment
        for moment in found.readings
        if switch.mac_began <= moment < switch.mac_ended
        and not any(taken <= moment < back for taken, back in switch.foreign)
    ]
    first, last = min(readings), max(readings)
    before = found.readings[first] - found.cycles[switch.mac_began]
    behind = found.cycles[switch.mac_ended] - found.readings[last]
    for taken, back in switch.foreign:  # the firmware counts these itself
        if switch.mac_began <= taken < first:
            before -= found.between(taken, back)
        if last < taken < switch.mac_ended:
            behind -= found.between(taken, back)
    iterations = iterations_of(window, found, program, memory)
    return Bench(window, (before, behind), iterations, alone, memory.mamtim)


def is_clean(stamps: Stamps) -> bool:
    """Whether the preemption fell into a waiting loop, and no interrupt of the UART beside it."""
    return _has_switch(stamps) and stamps.interrupts == 0


def _has_switch(stamps: Stamps) -> bool:
    """Whether the iteration that was kept is the one into which the preemption fell."""
    return (stamps.mac_began - stamps.before) % COUNTS < (stamps.after - stamps.before) % COUNTS
