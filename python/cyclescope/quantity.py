"""Quantities: an estimate with its uncertainty, and how numbers are written for people."""

import math
from dataclasses import dataclass

COUNTER_BITS = 32
"""Width of the timer counts that a target sends."""


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
    """A number with thin spaces between thousands; whole numbers keep no decimals.

    >>> format_number(21122.0), format_number(0.84217, 2), format_number(float("inf"))
    ('21\\u202f122', '0.84', '∞')
    """
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞"
    rounded = round(value, decimals)
    if rounded == int(rounded):
        return f"{int(rounded):,}".replace(",", "\u202f")
    return f"{rounded:,.{decimals}f}".replace(",", "\u202f")
