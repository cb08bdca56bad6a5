"""Quantities: an estimate with its uncertainty, and how numbers are written for people."""

import math
from dataclasses import dataclass

COUNTER_BITS = 32
"""Width of the timer counts that a target sends."""

ROUNDING = 1e-9
"""Cycles below which a figure is floating-point rounding."""


def elapsed_counts(start: int, stop: int) -> int:
    """Counts from start to stop of a free-running up-counter that may have wrapped once.

    >>> elapsed_counts(0xFFFF_FFF0, 0x10)
    32
    """
    return (stop - start) % (1 << COUNTER_BITS)


def microseconds(cycles: float, core_hz: int) -> float:
    """Duration of core cycles.

    >>> microseconds(90, 60_000_000)
    1.5
    """
    return cycles * 1e6 / core_hz


@dataclass(frozen=True)
class Estimate:
    """A value with the half-width of its 95 % interval, in one unit."""

    value: float
    half_width: float

    @property
    def low(self) -> float:
        return self.value - self.half_width

    @property
    def high(self) -> float:
        return self.value + self.half_width


def format_number(value: float, decimals: int = 1) -> str:
    """A number with commas between thousands; whole numbers keep no decimals.

    >>> format_number(21122.0), format_number(0.84217, 2), format_number(float("inf"))
    ('21,122', '0.84', '∞')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞"
    rounded = round(value, decimals)
    if rounded == int(rounded):
        return f"{int(rounded):,}"
    return f"{rounded:,.{decimals}f}"


def format_estimate(estimate: Estimate, decimals: int = 1) -> str:
    """A value ± the half-width of its interval; what rounds to nothing is not called nothing.

    >>> format_estimate(Estimate(312.0, 0.0)), format_estimate(Estimate(312.04, 0.01))
    ('312 ± 0', '312 ± <0.1')
    """
    least = float(f"1e-{decimals}")
    half = format_number(estimate.half_width, decimals)
    if ROUNDING < estimate.half_width < least / 2:
        half = f"<{least:.{decimals}f}"
    return f"{format_number(estimate.value, decimals)} ± {half}"
