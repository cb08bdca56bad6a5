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


def format_share(share: float, decimals: int = 0) -> str:
    """A share in per cent.

    >>> format_share(0.05), format_share(0.3846, 1)
    ('5 %', '38.5 %')
    """
    return f"{100 * share:.{decimals}f} %"


def format_estimate(estimate: Estimate, decimals: int = 1) -> str:
    """A value ± the half-width of its interval, if it has one; what rounds to nothing is not called
    nothing.

    >>> format_estimate(Estimate(312.0, 0.0)), format_estimate(Estimate(312.04, 0.01))
    ('312', '312 ± <0.1')
    """
    if estimate.half_width == 0:
        return format_number(estimate.value, decimals)
    least = float(f"1e-{decimals}")
    half = format_number(estimate.half_width, decimals)
    if ROUNDING < estimate.half_width < least / 2:
        half = f"<{least:.{decimals}f}"
    return f"{format_number(estimate.value, decimals)} ± {half}"


def decimals_for(half_width: float, most: int = 4) -> int:
    """Decimals that show two digits of an uncertainty; as many as there may be without one.

    >>> decimals_for(0.031), decimals_for(12.0), decimals_for(0.0)
    (3, 0, 4)
    """
    if half_width <= ROUNDING or not math.isfinite(half_width):
        return most
    return min(max(1 - math.floor(math.log10(half_width)), 0), most)


def format_precisely(estimate: Estimate | None) -> str:
    """A value with as many decimals as its uncertainty has use for.

    >>> format_precisely(Estimate(40.4123, 0.0312)), format_precisely(Estimate(112.25, 0.0))
    ('40.412 ± 0.031', '112.25 ± 0')
    """
    if estimate is None:
        return "–"
    decimals = decimals_for(estimate.half_width)
    value, half = (format_trimmed(one, decimals) for one in (estimate.value, estimate.half_width))
    return f"{value} ± {half}"


def format_trimmed(value: float, decimals: int = 4) -> str:
    """A number without the zeros at its end; what rounds to nothing has no sign.

    >>> format_trimmed(112.2500), format_trimmed(-0.00001), format_trimmed(1e6)
    ('112.25', '0', '1,000,000')
    """
    if not math.isfinite(value):
        return format_number(value)
    text = f"{value:,.{decimals}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def format_duration(cycles: float, core_hz: int) -> str:
    """A time in the unit that suits it.

    >>> format_duration(112, 60_000_000), format_duration(40.4, 1_000_000_000)
    ('1.8667 µs', '40.4 ns')
    """
    seconds = cycles / core_hz
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if abs(seconds) * scale >= 1:
            return f"{format_trimmed(seconds * scale)} {unit}"
    return f"{format_trimmed(seconds * 1e9, 2)} ns"
