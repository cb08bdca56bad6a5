"""PLL0, idle mode and MEMMAP, to the cycle (docs/timing/scb_lpc2000.md)."""

import pytest
from part import Part

PROGRAM = "scb.c"
PLLFEED, PCON = 0xE01F_C08C, 0xE01F_C0C0
OSCILLATOR_HZ = 12_000_000
ENABLED, CONNECTED, LOCKED = 1 << 8, 1 << 9, 1 << 10
LOCK = "scb.pll_lock"
# 100 us at 12 MHz.
LOCK_CYCLES = 1200


@pytest.mark.parametrize(
    ("pllcfg", "multiplier"),
    [(0x24, 5), (0x23, 4), (0x42, 3)],  # P = 2, 2, 4: Fcco 240, 192 and 288 MHz
)
def test_the_pll_locks_after_its_time_and_takes_over_at_the_feed_that_connects_it(
    part: Part, pllcfg: int, multiplier: int
) -> None:
    part.start("connect", pllcfg, accessed=[PLLFEED], signals=[LOCK])
    part.finish()
    feeds = part.writes(PLLFEED)
    assert part.edges(LOCK, 1) == [feeds[1] + LOCK_CYCLES]
    hz = multiplier * OSCILLATOR_HZ
    assert part.board.clock_epochs() == [(0, OSCILLATOR_HZ), (feeds[3], hz)]
    assert part.board.core_hz == hz
    # PLLSTAT shows what is in effect, not what is written.
    running = pllcfg | ENABLED | LOCKED
    assert part.values(4) == [0, running, running, running | CONNECTED]


def test_seconds_follow_the_clock(part: Part) -> None:
    part.start("connect", 0x24, accessed=[PLLFEED])
    part.finish()
    switch = part.writes(PLLFEED)[3]
    expected = switch / 12e6 + 60_000 / 60e6
    assert part.board.seconds(switch + 60_000) == pytest.approx(expected, rel=1e-12)


def test_a_feed_without_enable_returns_to_the_oscillator(part: Part) -> None:
    part.start("disconnect", 0x24, accessed=[PLLFEED], signals=[LOCK])
    part.finish()
    last = part.writes(PLLFEED)[-1]
    assert part.edges(LOCK, 0) == [last]
    assert part.board.clock_epochs()[2:] == [(last, OSCILLATOR_HZ)]
    assert part.values(5)[4] == 0x24


def test_only_0xaa_and_0x55_in_two_accesses_in_a_row_feed_the_pll(part: Part) -> None:
    part.start("feed_wrongly", 0x24)
    part.finish()
    # The wrong order; another access of the block between; then a feed as it should be.
    assert part.values(4) == [0, 1, 0, 0x24 | ENABLED]


def test_idle_lasts_from_the_write_of_pcon_to_the_cycle_of_the_request(part: Part) -> None:
    part.start(
        "sleep",
        executed=[part.address("awake")],
        accessed=[PCON, 0xE000_4004],
        signals=["scb.sleep", "timer0.interrupt"],
    )
    part.finish()
    request = part.writes(0xE000_4004)[0] + 1000
    assert part.edges("timer0.interrupt", 1) == [request]
    assert part.edges("scb.sleep", 1) == [part.writes(PCON)[0]], "not with a request up"
    assert part.edges("scb.sleep", 0)[-1] == request
    # The core's I bit is set: it goes on behind the write, at the cycle of the request.
    assert part.executed() == [request]
    assert part.values(1) == [0]


def test_memmap_shows_the_first_64_bytes_of_flash_or_sram_at_0(part: Part) -> None:
    sram = int.from_bytes(part_bytes(part, 0x4000_0018), "little")
    part.start("remap", 0, 0x18)
    part.finish()
    assert sram != 0
    assert part.values(3) == [sram, 0, sram], "nothing was loaded at 0 of the flash"
    part.start("remap", 0, 0x40)
    part.finish()
    assert part.values(3) == [0, 0, 0], "behind the window is the flash, always"


def part_bytes(part: Part, address: int) -> bytes:
    """A word of the image as loaded."""
    part.board.reset()
    return part.board.read_memory(address, 4)
