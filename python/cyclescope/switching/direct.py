"""Direct measurement: TIMER1 for time, the simulated rig for energy (section 4.2).

What the target knows itself: the counts at which the MAC task began and ended, and the longest
turn of the transmission task's waiting loop, into which the whole preemption fell. That turn less
a regular one, less the MAC task, is δ_t1 + δ_t2, on the switch path and in one window.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from cyclescope.switching.analytic import Evaluation
from cyclescope.switching.link import Stamps
from cyclescope.switching.path import Window
from cyclescope.switching.results import Measured
from cyclescope.switching.rig import Rig, RigSettings, Waveform

J_PER_FJ, PJ_PER_J = 1e-15, 1e12
READING_COUNTS = 1
"""What two readings of a counter leave open."""
USUAL_LATENCY_CYCLES = 5
"""From request to taking it, where only the timer is asked: the synchroniser's 2, and about half an
access to a device."""
WINDOW_DOUBT_CYCLES = 2
"""The true latency is up to 4 cycles from that: so many lie in the window at another power, which
may differ by half."""
INTERRUPT_DOUBT_COUNTS = 4
"""What one interrupt of the UART may take more or less than another."""
COUNTS = 1 << 32


@dataclass(frozen=True)
class Bench:
    """One window as the timer and the rig see it.

    `frames` is what the ELF file says of the MAC task before its first reading of the timer has
    come, and behind its last (cycles, by the analytic rules): it belongs to the task. `alone` is a
    sequential window.
    """

    window: Window
    frames: tuple[int, int]
    alone: Stamps
    mamtim: int

    def cycles(self, repeats: Sequence[Stamps]) -> Measured:
        """δ_t1 + δ_t2, the median of repeats at different instants.

        A turn that was interrupted is longer than a regular one by what filling both of the flash's
        buffers anew makes it wait: none to 2·(MAMTIM − 1). The half-width has that, and a count.
        """
        values = [self._switch_counts(stamps) for stamps in repeats]
        most = max(stamps.interrupts for stamps in repeats)
        refill = (self.mamtim - 1) * (1 + most) + INTERRUPT_DOUBT_COUNTS * most
        return Measured(
            value=median(values) - (self.mamtim - 1), half_width=refill + READING_COUNTS
        )

    def energy_pj(self, switch: Measured, supply_mv: int, settings: RigSettings) -> Measured | None:
        """Mean power during the switch, times its time; None where too few samples fell into it."""
        waveform = self._waveform(supply_mv)
        power = Rig(settings).mean_power_w(waveform, self._intervals_s(switch.value))
        if power is None:
            return None
        seconds = switch.value / self.window.core_hz
        half_s = np.hypot(switch.half_width, WINDOW_DOUBT_CYCLES) / self.window.core_hz
        half = float(np.hypot(power.half_width * seconds, power.value * half_s))
        return Measured(value=power.value * seconds * PJ_PER_J, half_width=half * PJ_PER_J)

    def _switch_counts(self, stamps: Stamps) -> int:
        longest = (stamps.after - stamps.before) % COUNTS
        mac = (stamps.mac_ended - stamps.mac_began) % COUNTS + sum(self.frames)
        interrupts = stamps.interrupts - stamps.mac_interrupts
        return longest - stamps.shortest - mac - interrupts * self._interrupt_counts

    @property
    def _interrupt_counts(self) -> int:
        """What one interrupt of the UART takes of the transmission task."""
        return (self.alone.after - self.alone.before) % COUNTS - self.alone.shortest

    def _intervals_s(self, switch_cycles: float) -> list[tuple[float, float]]:
        """Out and back, in seconds from the beginning of the window's path."""
        stamps, hz = self.window.stamps, self.window.core_hz
        start = self.window.path[0].cycle - self.window.read[stamps.began] + stamps.began
        requested = stamps.began + self.window.order.delay_counts + 1
        out = (
            requested + USUAL_LATENCY_CYCLES - start,
            stamps.mac_began - self.frames[0] - start,
        )
        back = stamps.mac_ended + self.frames[1] - start
        end = back + switch_cycles - (out[1] - out[0])
        return [(out[0] / hz, out[1] / hz), (back / hz, end / hz)]

    def _waveform(self, supply_mv: int) -> Waveform:
        path = self.window.path
        at = np.array([moment.cycle - path[0].cycle for moment in path], dtype=np.float64)
        spent = np.array([moment.spent_fj - path[0].spent_fj for moment in path], dtype=np.float64)
        return Waveform(at / self.window.core_hz, spent * J_PER_FJ, supply_mv / 1000)


def of(window: Window, found: Evaluation, alone: Stamps, mamtim: int) -> Bench:
    """The bench of a window that was preempted."""
    switch = window.switch
    assert switch is not None, "the window was preempted"
    readings = [
        moment for moment in found.readings if switch.mac_began <= moment < switch.mac_ended
    ]
    first, last = min(readings), max(readings)
    before = found.readings[first] - found.cycles[switch.mac_began]
    behind = found.cycles[switch.mac_ended] - found.readings[last]
    for taken, back in switch.foreign:  # the firmware counts these itself
        if switch.mac_began <= taken < first:
            before -= found.between(taken, back)
        if last < taken < switch.mac_ended:
            behind -= found.between(taken, back)
    return Bench(window, (before, behind), alone, mamtim)
