"""Differences whose intervals share an edge have a bias of 2 (t_H1 - t_H2), as equation 1 says."""

from collections.abc import Callable

import numpy as np
import pytest
from chip import Chip

from cyclescope.firmware.pin_delays import PinDelays

HZ = 16_000_000
EXECUTION_S = 100 / HZ


@pytest.mark.parametrize(("rise_ns", "fall_ns"), [(50, 50), (50, 3_000), (900, 100)])
def test_a_shared_edge_is_biased_by_twice_the_difference_of_delays(
    chip: Callable[..., Chip], rise_ns: float, fall_ns: float
) -> None:
    board = chip("shared_edges.S")
    board.watch("ports.pl0")
    board.finish()
    cycles = np.array(board.edges("ports.pl0"), np.int64)
    delays = PinDelays(before_cycles=5, after_cycles=0, rise_ns=rise_ns, fall_ns=fall_ns)
    times_s = delays.times_s(cycles, np.arange(len(cycles)) % 2 == 0, HZ).reshape(8, 4)
    first, second, third, last = times_s.T
    shared = (third - second) - (second - first)
    bias_s = 2 * (rise_ns - fall_ns) * 1e-9
    assert shared - EXECUTION_S == pytest.approx(bias_s, abs=1e-12)
    # Between edges of its own, beginning with the rising one, it is in ε and the same in all.
    assert second - first == pytest.approx(EXECUTION_S + delays.excess_s(HZ), abs=1e-12)
    assert last[0] > third[0]
