"""The windows that a trigger marks in a recording, and the energy in each (docs/how-to/power.md).

The energy is that of Pillai and Isha, section 4.2.2: voltage times current, summed over the time of
the window.
"""

from dataclasses import dataclass

import numpy as np

from cyclescope.errors import CyclescopeError
from cyclescope.quantity import Estimate
from cyclescope.stats.summary import Summary, Values, summarise
from cyclescope.studies.power.recording import Bits, Recording


@dataclass(frozen=True)
class Windows:
    """Findings: one value for each window.

    `resolution_uj` is the energy of one mean sample: a window's two edges are known no better than
    that. `cut` windows began before the recording or ended behind it, and are not counted.
    """

    energies_uj: Values
    durations_us: Values
    resolution_uj: float
    period_us: float
    cut: int

    @property
    def energy(self) -> Summary:
        """Of the windows, in microjoules."""
        return summarise(self.energies_uj)

    @property
    def duration(self) -> Summary:
        """Of the windows, in microseconds."""
        return summarise(self.durations_us)

    @property
    def energy_estimate(self) -> Estimate:
        """The mean energy; its interval is never narrower than one sample's energy."""
        return _at_least(self.energy.estimate, self.resolution_uj)

    @property
    def duration_estimate(self) -> Estimate:
        """The mean duration; its interval is never narrower than one sample."""
        return _at_least(self.duration.estimate, self.period_us)

    @property
    def mean_power_mw(self) -> float:
        """Over all windows."""
        return float(self.energies_uj.sum() / self.durations_us.sum() * 1e3)


def _at_least(estimate: Estimate, half_width: float) -> Estimate:
    return Estimate(estimate.value, max(estimate.half_width, half_width))


def trigger_of(recording: Recording, name: str | None, above_ma: float | None) -> Bits:
    """The marks of windows: a channel by name, the only one that changes, or a current."""
    if above_ma is not None:
        if name is not None:
            raise CyclescopeError(
                "windows have one trigger: give --trigger or --above-ma", code="two-triggers"
            )
        return np.asarray(recording.current_a * 1e3 > above_ma)
    there = ", ".join(recording.triggers) or "none"
    if name is not None:
        if reason := recording.unusable.get(name):
            raise CyclescopeError(
                f"the digital channel {name} cannot mark windows: {reason}",
                code="channel-cannot-mark-windows",
            )
        if name not in recording.triggers:
            raise CyclescopeError(
                f"there is no digital channel {name}; the file has: {there}", code="no-such-channel"
            )
        return recording.triggers[name]
    changing = [one for one in recording.triggers.values() if one.any() and not one.all()]
    if len(changing) != 1:
        raise CyclescopeError(
            f"{len(changing)} digital channels change, so --trigger must name one (there are: "
            f"{there}); without any, --above-ma marks windows by their "
            f"current{_reasons(recording)}",
            code="trigger-ambiguous",
        )
    return changing[0]


def _reasons(recording: Recording) -> str:
    """Which channels could not be used, to be named beside."""
    reasons = (f"{name} cannot be used: {why}" for name, why in recording.unusable.items())
    return "".join(f"; {reason}" for reason in reasons)


def find(recording: Recording, high: Bits) -> Windows:
    """The windows in which the trigger is high; each from its first high sample to the next low."""
    padded = np.concatenate(([False], high, [False])).astype(np.int8)
    edges = np.diff(padded)
    begins, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    whole = (begins > 0) & (ends < high.size)
    cut = int((~whole).sum())
    if not whole.any():
        raise CyclescopeError(
            "the trigger marks no whole window: it must rise and fall inside the recording",
            code="no-whole-window",
        )
    sums = np.concatenate(([0.0], np.cumsum(recording.power_w)))
    period_s = recording.period_s
    begins, ends = begins[whole], ends[whole]
    energies_uj = np.asarray((sums[ends] - sums[begins]) * period_s * 1e6)
    durations_us = np.asarray((ends - begins) * period_s * 1e6)
    resolution_uj = float(energies_uj.sum() / (ends - begins).sum())
    return Windows(energies_uj, durations_us, resolution_uj, period_s * 1e6, cut)
