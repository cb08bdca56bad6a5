"""Pins by the legacy and the fast registers, to the cycle (docs/timing/gpio_lpc2000.md)."""

import pytest
from part import Part

PROGRAM = "gpio.c"
PIN = 1 << 4
IO0PIN, FIO0PIN = 0xE002_8000, 0x3FFF_C014


@pytest.mark.parametrize(
    ("vpbdiv", "cycles"),
    [
        # A store begins at a PCLK edge, where the last ended: its fetch 1, the VPB 4 to the next
        # edge and 2 PCLK.
        (1, 1 + 4 + 2),
        (2, 6 + 4),  # the edge behind 5 is at 6
        (0, 8 + 8),  # the edge behind 5 is at 8
    ],
)
def test_a_legacy_pin_toggles_with_every_store_of_the_vpb(
    part: Part, vpbdiv: int, cycles: int
) -> None:
    part.start("toggle_legacy", vpbdiv, signals=["gpio.p0.4"])
    part.finish()
    edges = part.edges("gpio.p0.4")
    assert edges == [edges[0] + n * cycles for n in range(8)]
    assert part.edges("gpio.p0.4", 1) == edges[::2]


@pytest.mark.parametrize("vpbdiv", (0, 1, 2))
def test_a_fast_pin_toggles_every_two_cycles_whatever_pclk(part: Part, vpbdiv: int) -> None:
    part.start("toggle_fast", vpbdiv, signals=["gpio.p0.4"])
    part.finish()
    edges = part.edges("gpio.p0.4")
    assert edges == [edges[0] + 2 * n for n in range(8)]


@pytest.mark.parametrize(
    ("scenario", "register"), [("watch_legacy", IO0PIN), ("watch_fast", FIO0PIN)]
)
@pytest.mark.parametrize("phase", range(12))
def test_a_read_sees_the_level_of_the_cycle_at_which_it_completes(
    part: Part, scenario: str, register: int, phase: int
) -> None:
    rise = 1000 + phase
    part.start(scenario, accessed=[register])
    part.board.drive("gpio.in0.5", 1, rise)
    part.finish()
    reads = part.reads(register)
    assert len(reads) > 50
    for cycle, value in reads:
        assert value == (1 << 5 if cycle >= rise else 0)


def test_a_masked_pin_ignores_pin_set_and_clear_and_reads_0(part: Part) -> None:
    part.start("mask")
    part.finish()
    # 0x33; then 0xA5 above the mask; set of 0x0F reaches nothing; clear of 0x22 only P0.5.
    assert part.values(2) == [0xA0, 0x83]


def test_fast_registers_have_views_of_bytes_and_halves(part: Part) -> None:
    part.start("views")
    part.finish()
    assert part.values(4) == [0x11AA33, 0x11BBCC, 0x11, 0xBBCC]


def test_an_input_shows_the_world_and_an_output_its_latch(part: Part) -> None:
    part.start("directions")
    part.board.drive("gpio.in0.5", 1)
    part.finish()
    # The latch of the input is set all the same: IO0SET reads it.
    assert part.values(3) == [0x30, 0x20, 0x20]
    assert (part.board.level("gpio.p0.4"), part.board.level("gpio.p0.5")) == (0, 1)


def test_the_window_that_scs_has_not_selected_is_dead_and_says_so(part: Part) -> None:
    part.start("other_window")
    reports = part.finish_with_reports()
    assert reports == ["legacy GPIO registers of port 0 while SCS selects the others: no effect"]
    assert part.values(2) == [0, PIN]
