"""The truth of wake-ups, which a program times by the kernel's clock and not by the board's timer.

The clock counts what the board's oscillator drives, so it keeps a constant distance to the board's
cycles. That distance is taken from the readings of all samples of a batch; a clock that does not
keep it is refused.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cyclescope.errors import CyclescopeError
from cyclescope.studies.realtime.target import RawTimings
from cyclescope.studies.realtime.virtual.occupancy import Readings

CLOCK = "clock.count"
"""The register of the kernel's clock, if the image names one."""
WOKEN = "sample_end"
"""The function that a thread enters once it has read the clock."""
MOST_CYCLES = 4
"""Two of the clock's counts: its rounding, and that of the firmware's conversion."""
WRAP = 1 << 32


def wake_ups(
    readings: Readings, woken: Sequence[int], samples: RawTimings
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The cycles at which the asked times came, and at which the woken thread read the clock.

    `samples` have counts of one cycle; `woken` are the cycles right behind each reading.
    """
    if len(woken) < len(samples):
        raise CyclescopeError(
            "a wake-up has a sample that the board never saw end", code="wake-up-never-seen"
        )
    seen = readings.last_before(woken[: len(samples)])
    stops = samples.stops.astype(np.int64)
    distance = int(np.median((seen - stops) % WRAP)) if len(samples) else 0
    # An interrupt between reading and noting it reads the clock, too.
    expected = seen - _signed(seen - stops - distance)
    found = readings.nearest(expected)
    off = np.abs(found - expected)
    if np.any(off > MOST_CYCLES):
        raise CyclescopeError(
            f"the kernel's clock is {int(off.max())} cycles off the board's: its samples have no "
            "truth; is something setting the clock?",
            code="clock-without-truth",
        )
    counts = samples.counts.astype(np.int64)
    return expected - counts, found


def _signed(values: NDArray[np.int64]) -> NDArray[np.int64]:
    return (values + WRAP // 2) % WRAP - WRAP // 2
