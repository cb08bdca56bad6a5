"""Programs of which chips have been read (docs/timing/timer_atmega.md), on the board."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from chip import Chip

Make = Callable[..., Chip]


@pytest.mark.parametrize(("scenario", "read"), ((36, 0), (40, 2), (41, 2), (72, 2)))
@pytest.mark.parametrize("phase", (0, 1, 5, 1000))
def test_a_timer_reads_as_on_a_chip(chip: Make, scenario: int, read: int, phase: int) -> None:
    board = chip("silicon.S", SCENARIO=scenario, PHASE=phase)
    board.finish()
    assert board.bytes("seen") == [read]


def test_ctc_keeps_its_frequency_while_handlers_write_its_top(chip: Make) -> None:
    """About 300 Hz and a duty of one half on a chip (simavr's issue 125)."""
    board = chip("ctc.c")
    board.watch("ports.pb3")
    board.board.run(cycles=1_600_000)
    rises, falls = board.edges("ports.pb3", 1), board.edges("ports.pb3", 0)
    periods = [later - earlier for earlier, later in pairwise(rises)]
    highs = [fall - rise for rise, fall in zip(rises, falls, strict=False)]
    # 2 × 26 counts of 1024 cycles at 16 MHz: 300.5 Hz. The loop delays a handler by a cycle.
    assert len(periods) > 25
    assert all(abs(period - 2 * 26 * 1024) <= 6 for period in periods)
    assert all(abs(high - 26 * 1024) <= 6 for high in highs)


@pytest.mark.parametrize(("select", "divider"), ((1, 1), (2, 8), (3, 64), (4, 256), (5, 1024)))
def test_the_phase_of_the_prescaler_decides_about_the_first_count(
    chip: Make, select: int, divider: int
) -> None:
    for phase in sorted({0, 1, divider // 2, divider - 4, divider - 3, divider - 2, divider - 1}):
        if phase < 0:
            continue
        for wait in (0, divider):
            board = chip("prescaler.S", SELECT=select, PHASE=phase, WAIT=wait)
            board.finish()
            low, high = board.bytes("seen", 2)
            # GTCCR is written at 0. STS ends at phase + 2, and LDS reads one cycle into its two.
            started, read = phase + 2, phase + 2 + wait + 1
            assert high << 8 | low == read // divider - started // divider, (phase, wait)
