"""Operating points: those of a board file (Table 1), and whether the LPC2148's PLL reaches them."""

import re
from collections.abc import Sequence

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.boards import OperatingPoint

CRYSTAL_HZ = 12_000_000
LEAST_HZ, MOST_HZ = 10_000_000, 60_000_000
LEAST_OSCILLATOR_HZ, MOST_OSCILLATOR_HZ = 156_000_000, 320_000_000
DIVIDERS = (1, 2, 4, 8)
MHZ = 1_000_000


def choose(board: str, wanted: Sequence[str]) -> list[OperatingPoint]:
    """The points of a board that are asked for by name or by MHz; all when none is."""
    there = boards.energy_of(board).points
    chosen = [_find(there, text) for text in wanted] if wanted else there
    for point in chosen:
        reach(point.core_hz)
    return sorted(dict.fromkeys(chosen), key=lambda point: point.core_hz)


def _find(there: Sequence[OperatingPoint], text: str) -> OperatingPoint:
    for point in there:
        if text in (point.name, f"{point.core_hz / MHZ:g}"):
            return point
    if re.fullmatch(r"\d+(\.\d+)?", text):
        reach(round(float(text) * MHZ))
    known = ", ".join(f"{point.name} ({point.core_hz / MHZ:g} MHz)" for point in there)
    raise CyclescopeError(
        f"there is no operating point {text}: choose among {known}", code="no-such-operating-point"
    )


def reach(core_hz: int) -> tuple[int, int]:
    """The PLL's multiplier M and divider P for a clock (UM10139): CCLK = M·Fosc = Fcco / (2·P)."""
    multiplier, rest = divmod(core_hz, CRYSTAL_HZ)
    if rest or not LEAST_HZ <= core_hz <= MOST_HZ:
        raise CyclescopeError(
            f"the PLL cannot reach {core_hz / MHZ:g} MHz: it multiplies the {CRYSTAL_HZ / MHZ:g} "
            "MHz crystal by a whole number, up to 60 MHz; choose 12, 24, 36, 48 or 60",
            code="pll-cannot-reach-clock",
        )
    fitting = [
        divider
        for divider in DIVIDERS
        if LEAST_OSCILLATOR_HZ <= 2 * divider * core_hz <= MOST_OSCILLATOR_HZ
    ]
    return multiplier, fitting[0]
