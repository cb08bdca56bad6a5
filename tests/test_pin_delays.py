"""Delays of a pin, by the sums of equation 1 (Moreno and Fischmeister, section 1)."""

import numpy as np
import pytest

from cyclescope.firmware.pin_delays import PinDelays

HZ = 1_000_000
DELAYS = PinDelays(before_cycles=6, after_cycles=2, rise_ns=200, fall_ns=700)


@pytest.mark.parametrize(("rises_first", "excess"), ((True, 8.5e-6), (False, 7.5e-6)))
def test_a_pulse_is_longer_by_the_delays(rises_first: bool, excess: float) -> None:
    # t0, toggling up to the change at 6, 2 cycles more, 100 cycles of code, toggling again.
    changes = np.array([1000 + 6, 1000 + 8 + 100 + 6])
    rising = np.array([rises_first, not rises_first])
    up, down = DELAYS.times_s(changes, rising, HZ)
    assert down - up - 100e-6 == pytest.approx(excess, abs=1e-12)
    assert DELAYS.excess_s(HZ, rises_first=rises_first) == pytest.approx(excess, abs=1e-12)


def test_edges_that_rise_and_fall_alike_keep_their_distances() -> None:
    alike = PinDelays(before_cycles=2, after_cycles=0, rise_ns=50, fall_ns=50)
    changes = np.array([10, 20, 33])
    times = alike.times_s(changes, np.array([True, False, True]), HZ)
    assert np.diff(times) == pytest.approx(np.diff(changes) / HZ, abs=1e-12)
