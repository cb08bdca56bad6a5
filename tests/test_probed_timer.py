"""Whole counts from what a board recorded of a timer whose probes read few bits."""

import numpy as np
import pytest

from cyclescope.firmware.probed_timer import COUNTS, ProbedTimer

NARROW = ProbedTimer(0xFFFE0090, bits=16, cycles_per_count=2)


def reads_at(cycles: list[int], zero: int = 0) -> list[tuple[int, int, int, bool]]:
    """Reads of the narrow timer in these cycles, which was 0 in cycle `zero`."""
    return [(at, NARROW.address, (at - zero) // 2 % (1 << 16), False) for at in cycles]


@pytest.mark.parametrize("upper", [0, 3, (1 << 16) - 1])
def test_each_count_has_the_cycle_in_which_it_was_read(upper: int) -> None:
    generator = np.random.default_rng(upper)
    gaps = generator.integers(2, 10 ** generator.integers(1, 7, 200))
    cycles = [int(at) for at in np.cumsum(gaps)]
    whole = {(at // 2 + (upper << 16)) % COUNTS: at for at in cycles}
    found = NARROW.cycles_of(reads_at(cycles), list(whole)[50:90])
    assert found == whole


def test_a_count_that_was_never_read_is_missing() -> None:
    cycles = [100, 300, 200_000]
    there, nowhere = [50, 150, 100_000], 100_000 - (1 << 16)
    assert set(there) <= NARROW.cycles_of(reads_at(cycles), there).keys()
    assert nowhere not in NARROW.cycles_of(reads_at(cycles), [50, nowhere])
    assert NARROW.cycles_of([], [50]) == {}


def test_writes_are_no_readings_and_a_wide_timer_is_taken_as_it_is() -> None:
    accesses = [(10, 0x3FFF8000, 7, False), (20, 0x3FFF8000, 8, True)]
    assert ProbedTimer(0x3FFF8000).cycles_of(accesses, [7, 8]) == {7: 10}
