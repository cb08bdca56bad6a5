"""A simulated rig for energy: two channels into an ADC, integrated as by Pillai and Isha, 4.2.

Supply voltage, and current through a shunt with its amplifier, are sampled together at a fixed
rate, independent of the program. Each channel has noise and an offset of its own, and the ADC's
steps. Offsets are measured with the supply off, and subtracted. Neither the shunt's drop of voltage
nor capacitors beside the part are modelled: the current is that of the cycle.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from cyclescope.quantity import Estimate
from cyclescope.record import Record

Floats = NDArray[np.float64]
CONFIDENCE = 0.95
LEAST_SAMPLES = 10
REST_LSB = 16


class RigSettings(Record):
    """Parts of the rig. Noise and offset are in steps of the ADC; the offset's a bound."""

    rate_hz: int = 1_000_000
    bits: int = 12
    full_scale_v: float = 5.0
    full_scale_a: float = 0.1
    noise_lsb: float = 1.0
    offset_lsb: float = 4.0
    zero_readings: int = 4096
    repeats: int = 100
    seed: int = 1


class Waveform(NamedTuple):
    """The true power of the part: seconds at which power steps, and joules spent up to there."""

    at_s: Floats
    spent_j: Floats
    supply_v: float

    def energy_j(self, intervals: Sequence[tuple[float, float]]) -> float:
        """The truth."""
        return sum(
            float(
                np.interp(end, self.at_s, self.spent_j) - np.interp(begin, self.at_s, self.spent_j)
            )
            for begin, end in intervals
        )


class Channel:
    """One channel of the rig: what it says of a true value, in its own unit."""

    def __init__(
        self, full_scale: float, settings: RigSettings, random: np.random.Generator
    ) -> None:
        self._settings, self._random = settings, random
        self._step: float = full_scale / 2**settings.bits
        self._offset = random.uniform(-settings.offset_lsb, settings.offset_lsb) + 0.0
        zero = self._convert(np.zeros(settings.zero_readings) + self._bias)
        self._zero = float(np.mean(zero))

    @property
    def _bias(self) -> float:
        """The amplifier rests above zero, so that a negative offset and noise can be seen."""
        return REST_LSB * self._step

    def read(self, truth: Floats) -> Floats:
        """Readings of these values, their zero subtracted."""
        readings: Floats = self._convert(truth + self._bias) - self._zero
        return readings

    def _convert(self, value: Floats) -> Floats:
        noise = self._random.normal(0, self._settings.noise_lsb, value.shape)
        steps = np.rint(value / self._step + self._offset + noise)
        converted: Floats = np.clip(steps, 0, 2**self._settings.bits - 1) * self._step
        return converted


class Rig:
    """The rig with the offsets that its seed gave it."""

    def __init__(self, settings: RigSettings) -> None:
        self._settings = settings
        self._random = np.random.default_rng(settings.seed)
        self._volts = Channel(settings.full_scale_v, settings, self._random)
        self._amperes = Channel(settings.full_scale_a, settings, self._random)

    def mean_power_w(
        self, waveform: Waveform, intervals: Sequence[tuple[float, float]]
    ) -> Estimate | None:
        """Mean power within intervals, from samples of repeated windows; None: too few fell in.

        Each repeat has another phase between program and ADC. The interval is that of a ratio: sums
        of power over numbers of samples, repeat by repeat (linearised; Student's t).
        """
        settings = self._settings
        period = 1 / settings.rate_hz
        phases = self._random.uniform(0, period, settings.repeats)
        sums, counts = np.zeros(settings.repeats), np.zeros(settings.repeats)
        for begin, end in intervals:
            ticks = np.arange(np.floor(begin / period) - 1, np.ceil(end / period) + 1)
            times = phases[:, None] + ticks[None, :] * period
            inside = (times >= begin) & (times < end)
            truth = _power_w(waveform, times)
            volts = self._volts.read(np.full(times.shape, waveform.supply_v))
            amperes = self._amperes.read(truth / waveform.supply_v)
            sums += np.where(inside, volts * amperes, 0.0).sum(axis=1)
            counts += inside.sum(axis=1)
        total = counts.sum()
        if total < LEAST_SAMPLES:
            return None
        mean = sums.sum() / total
        rest = sums - mean * counts
        variance = float(rest @ rest) * settings.repeats / (settings.repeats - 1) / total**2
        quantile = float(student.ppf((1 + CONFIDENCE) / 2, settings.repeats - 1))
        return Estimate(float(mean), quantile * variance**0.5)


def _power_w(waveform: Waveform, times: Floats) -> Floats:
    # An instruction that takes no cycle makes a step without a length, which holds no time.
    lengths = np.diff(waveform.at_s)
    steps = np.diff(waveform.spent_j) / np.where(lengths > 0, lengths, 1)
    index = np.clip(np.searchsorted(waveform.at_s, times, side="right") - 1, 0, len(steps) - 1)
    return np.asarray(steps[index])
