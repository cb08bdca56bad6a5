"""Direct measurement: the alarm's timer for time, the simulated rig for energy (section 4.2).

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
from cyclescope.studies.switch.analytic import Evaluation
from cyclescope.studies.switch.core import Rules, SwitchCore
from cyclescope.studies.switch.iteration import Boundary, Iteration, iterations_of, like
from cyclescope.studies.switch.link import Stamps, WindowRequest
from cyclescope.studies.switch.path import AlarmClock, Window
from cyclescope.studies.switch.results import DirectMeasurement
from cyclescope.studies.switch.rig import Rig, RigSettings, Waveform

J_PER_FJ, PJ_PER_J = 1e-15, 1e12
READING_CYCLES = 1
"""Uncertainty of two readings of a counter of core cycles."""
DIFFERENCES = 3
"""Of readings in one figure. Each is off by less than a count, where a count is several cycles."""
WINDOW_DOUBT_CYCLES = 2
"""By so many cycles, at another power, the rig's window may begin or end beside the switch."""


@dataclass(frozen=True)
class Bench:
    """One window as the timer and the rig see it.

    `frames` is the part of the MAC task before its first reading of the timer has come, and behind
    its last. It comes from the ELF file, in cycles by the analytic rules, and belongs to the task.
    `iterations` are those of the waiting loops. `alone` is a sequential window. `read_cycles` are
    those of a line of the flash. `core` says how far iterations and interrupts vary.
    """

    window: Window
    frames: tuple[int, int]
    iterations: Sequence[Iteration]
    alone: Stamps
    read_cycles: int
    core: SwitchCore

    def cycles(self, repeats: Sequence[tuple[WindowRequest, Stamps]]) -> DirectMeasurement:
        """δ_t1 + δ_t2, the median of repeats at different instants.

        Each holds its own to within a count, and to within more for each interrupt of the UART that
        fell into it. So the median of the lower ends and that of the upper ends hold the median.
        """
        usable = [one for one in repeats if _has_switch(one[1], self.window.clock)]
        if not usable:
            raise CyclescopeError(
                "no preemption fell into a waiting loop of the transmission: choose more "
                "--instants",
                code="no-preemption-in-waiting-loop",
            )
        values = [self._switch_cycles(order, stamps) for order, stamps in usable]
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

    def _switch_cycles(self, order: WindowRequest, stamps: Stamps) -> int:
        clock = self.window.clock
        longest = clock.cycles(stamps.before, stamps.after)
        mac = clock.cycles(stamps.mac_began, stamps.mac_ended) + sum(self.frames)
        interrupts = stamps.interrupts - stamps.mac_interrupts
        refill = self._taken(order, stamps).refill
        undisturbed = clock.cycles(0, stamps.shortest) + self._iteration(stamps).spread // 2
        interrupted = interrupts * self._interrupt_cycles
        return longest - undisturbed - mac - refill - interrupted

    def _doubt(self, stamps: Stamps) -> int:
        coarse = self.window.clock.cycles_per_count - 1
        each = self.core.INTERRUPT_DOUBT_CYCLES + self.read_cycles - 1 + 2 * coarse
        spread = self._iteration(stamps).spread
        reading = READING_CYCLES + DIFFERENCES * coarse + self.core.OVERLAP_CYCLES
        return reading + spread - spread // 2 + stamps.interrupts * each

    @property
    def _interrupt_cycles(self) -> int:
        """Returns the time that one interrupt of the UART takes of the transmission task."""
        alone, clock = self.alone, self.window.clock
        return clock.cycles(alone.before, alone.after) - clock.cycles(0, alone.shortest)

    def _taken(self, order: WindowRequest, stamps: Stamps) -> Boundary:
        """Where in its iteration the interrupt was taken."""
        clock = self.window.clock
        requested = clock.cycles(0, order.delay_counts + clock.late_counts)
        began = clock.cycles(stamps.began, stamps.before)
        return self._iteration(stamps).taken(requested - began)

    def _iteration(self, stamps: Stamps) -> Iteration:
        """One like that into which the preemption fell, undisturbed."""
        clock = self.window.clock
        began = clock.cycles(stamps.began, stamps.before)
        return like(self.iterations, clock.cycles(0, stamps.shortest), began)

    def _intervals_s(self, switch_cycles: float) -> list[tuple[float, float]]:
        """Out and back, in seconds from the beginning of the window's path."""
        window, stamps, hz = self.window, self.window.stamps, self.window.core_hz
        began = window.read[stamps.began] - window.path[0].cycle

        def at(count: int) -> int:
            return began + window.clock.cycles(stamps.began, count)

        taken = at(stamps.before) + self._taken(window.order, stamps).at
        out = (taken, at(stamps.mac_began) - self.frames[0])
        back = at(stamps.mac_ended) + self.frames[1]
        end = back + switch_cycles - (out[1] - out[0])
        return [(out[0] / hz, out[1] / hz), (back / hz, end / hz)]

    def _waveform(self, supply_mv: int) -> Waveform:
        path = self.window.path
        at = np.array([moment.cycle - path[0].cycle for moment in path], dtype=np.float64)
        spent = np.array([moment.spent_fj - path[0].spent_fj for moment in path], dtype=np.float64)
        return Waveform(at / self.window.core_hz, spent * J_PER_FJ, supply_mv / 1000)


def of(window: Window, found: Evaluation, alone: Stamps, rules: Rules) -> Bench:
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
    iterations = iterations_of(window, found, rules)
    accelerator = rules.memory.accelerator
    read_cycles = accelerator.read_cycles if accelerator else 1
    return Bench(window, (before, behind), iterations, alone, read_cycles, rules.core)


def is_clean(stamps: Stamps, clock: AlarmClock) -> bool:
    """Whether the preemption fell into a waiting loop, and no interrupt of the UART beside it."""
    return _has_switch(stamps, clock) and stamps.interrupts == 0


def _has_switch(stamps: Stamps, clock: AlarmClock) -> bool:
    """Whether the iteration that was kept is the one into which the preemption fell."""
    mac, whole = (clock.cycles(stamps.before, one) for one in (stamps.mac_began, stamps.after))
    return mac < whole
