"""A recording of current and voltage over time, and how one is read from an instrument's file.

Formats, units and triggers of each instrument: docs/how-to/power.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from cyclescope.errors import CyclescopeError

Values = npt.NDArray[np.float64]
Bits = npt.NDArray[np.bool_]
Levels = npt.NDArray[np.int8]
"""Of a digital channel, by sample: `LOW`, `HIGH`, `BOTH` within the sample, or `UNKNOWN`."""
LOW, HIGH, BOTH, UNKNOWN = range(4)
IRREGULAR = 0.5
"""Of the usual distance between samples: two that are further off have a gap between them."""


@dataclass(frozen=True)
class Recording:
    """Samples at equal distances; each stands for the time up to the next one.

    `triggers` are the digital channels that were recorded beside, by name; `unusable` are those
    that cannot mark windows, with the reason.
    """

    instrument: str
    time_s: Values
    current_a: Values
    voltage_v: Values
    triggers: dict[str, Bits]
    unusable: Mapping[str, str] = field(default_factory=dict)

    @property
    def period_s(self) -> float:
        """The distance between samples."""
        return float((self.time_s[-1] - self.time_s[0]) / (self.time_s.size - 1))

    @property
    def power_w(self) -> Values:
        """The power of each sample."""
        return np.asarray(self.current_a * self.voltage_v)


@dataclass(frozen=True)
class Raw:
    """The content of a file, in seconds, amperes and volts; `first_line` is the text line of the
    first sample, None where the file has no lines."""

    instrument: str
    time_s: Values
    current_a: Values
    voltage_v: Values | None
    levels: Mapping[str, Levels]
    most_a: float
    most_v: float
    first_line: int | None = None

    def place(self, sample: int) -> str:
        """Where a sample stands, as a sentence names it."""
        if self.first_line is None:
            return f"sample {sample}"
        return f"line {sample + self.first_line}"


def checked(path: Path, raw: Raw, supply_mv: int | None) -> Recording:
    """The recording, or a sentence about what makes it doubtful. `supply_mv` is the voltage where
    the instrument did not record one."""
    if raw.time_s.size < 2:
        raise CyclescopeError(
            f"{path} holds fewer than two samples: export a longer interval",
            code="recording-too-short",
        )
    if raw.voltage_v is not None and supply_mv is not None:
        raise CyclescopeError(
            f"{path} holds the voltage already: leave out --supply-mv",
            code="voltage-recorded-already",
        )
    if raw.voltage_v is None and supply_mv is None:
        raise CyclescopeError(
            f"{path} holds no voltage: say it with --supply-mv", code="voltage-not-recorded"
        )
    voltage_v = raw.voltage_v
    if voltage_v is None:
        voltage_v = np.full(raw.time_s.size, (supply_mv or 0) / 1000)
    _check_finite(path, raw, voltage_v)
    _check_time(path, raw)
    _check_range(path, raw, "current", "A", raw.current_a, raw.most_a)
    _check_range(path, raw, "voltage", "V", voltage_v, raw.most_v)
    triggers: dict[str, Bits] = {}
    unusable: dict[str, str] = {}
    for name, levels in raw.levels.items():
        reason = _unusable(raw, levels)
        if reason is None:
            triggers[name] = _held(levels)
        elif reason:
            unusable[name] = reason
    return Recording(raw.instrument, raw.time_s, raw.current_a, voltage_v, triggers, unusable)


def _check_finite(path: Path, raw: Raw, voltage_v: Values) -> None:
    finite = np.isfinite(raw.time_s) & np.isfinite(raw.current_a) & np.isfinite(voltage_v)
    if not finite.all():
        at = raw.place(int(np.argmin(finite)))
        raise CyclescopeError(
            f"{path}, {at}: a sample is missing (the instrument lost it): export an interval "
            "without",
            code="sample-missing",
        )


def _check_time(path: Path, raw: Raw) -> None:
    steps = np.diff(raw.time_s)
    if (backwards := np.flatnonzero(steps <= 0)).size:
        at = raw.place(int(backwards[0]) + 1)
        raise CyclescopeError(
            f"{path}, {at}: time does not go on: export it again", code="time-does-not-go-on"
        )
    usual = float(np.median(steps))
    wrong = np.flatnonzero(np.abs(steps - usual) > IRREGULAR * usual)
    if wrong.size:
        at = raw.place(int(wrong[0]) + 1)
        raise CyclescopeError(
            f"{path}, {at}: {steps[wrong[0]]:g} s without a sample, where {usual:g} s is usual: "
            "energy over a gap is not known; export an interval without one",
            code="gap-in-recording",
        )


def _check_range(path: Path, raw: Raw, what: str, unit: str, values: Values, most: float) -> None:
    worst = int(np.argmax(np.abs(values)))
    if abs(values[worst]) > most:
        raise CyclescopeError(
            f"{path}, {raw.place(worst)}: a {what} of {values[worst]:g} {unit} is more than the "
            f"instrument can measure ({most:g} {unit}): is it in another unit than the head says?",
            code="value-beyond-instrument",
        )


def _unusable(raw: Raw, levels: Levels) -> str | None:
    """Why a channel cannot mark windows; empty where it was not recorded at all, None if it can."""
    if (levels == UNKNOWN).all():
        return ""
    if (levels == UNKNOWN).any():
        return f"its level is not known at {raw.place(int(np.argmax(levels == UNKNOWN)))}"
    both = np.flatnonzero(levels == BOTH)
    held = _held(levels)
    settled = np.flatnonzero(levels != BOTH)
    for sample in both:
        after = settled[settled > sample]
        if after.size and held[sample] == (levels[after[0]] == HIGH):
            return f"it changes twice within {raw.place(int(sample))}: record it faster"
        if not after.size or (after[0] - sample) > 1:
            return f"it keeps changing at {raw.place(int(sample))}: record it faster"
    return None


def _held(levels: Levels) -> Bits:
    """High or low. A sample in which the level changed counts as the one before. So a window gains
    at one edge what it loses at the other."""
    known = np.where(levels == BOTH, -1, np.arange(levels.size))
    last = np.maximum.accumulate(known)
    return np.asarray((levels == HIGH)[np.maximum(last, 0)] & (last >= 0))
