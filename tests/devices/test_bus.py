"""The cost of an access on each bus, to the cycle (docs/timing/bus_lpc2148.md)."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from part import Part

PROGRAM = "bus.s"
SRAM, FAST_GPIO, TIMER = 0x4000_7000, 0x3FFF_C000, 0x3FFF_8000
VIC_PROTECTION, TIMER1_PR = 0xFFFF_F020, 0xE000_800C
DIVIDERS = ((1, 1), (2, 2), (0, 4))
BEFORE = (0, 1, 2, 3, 4, 5, 6, 7)

divided = pytest.mark.parametrize(("vpbdiv", "divider"), DIVIDERS)
both = pytest.mark.parametrize("kind", ("stores", "loads"))


def completions(part: Part, kind: str, vpbdiv: int, address: int) -> tuple[int, list[int]]:
    """The cycle of the boundary from which the accesses begin, and when each completed."""
    first = part.address(f"first_{kind[:-1]}")
    part.start(kind, vpbdiv, address, executed=[first], accessed=[address])
    part.finish_with_reports()
    if kind == "stores":
        return part.executed()[0], part.writes(address)
    return part.executed()[0], [cycle for cycle, _ in part.reads(address)]


def expected(begun: int, kind: str, completes: Callable[[int], int]) -> list[int]:
    """When each access completes: its instruction's fetch takes 1; a load has an internal cycle."""
    now, found = begun, []
    for cycles in BEFORE:
        now = completes(now + cycles + 1)
        found.append(now)
        now += kind == "loads"
    return found


@both
@divided
def test_an_access_on_the_vpb_takes_4_cycles_to_the_next_pclk_edge_and_2_pclk(
    part: Part, kind: str, vpbdiv: int, divider: int
) -> None:
    def completes(now: int) -> int:
        return -(-(now + 4) // divider) * divider + 2 * divider

    begun, found = completions(part, kind, vpbdiv, TIMER1_PR)
    assert found == expected(begun, kind, completes)


@both
@divided
@pytest.mark.parametrize(
    ("address", "cycles"), [(SRAM, 1), (FAST_GPIO, 1), (TIMER, 1), (VIC_PROTECTION, 2)]
)
def test_what_is_not_on_the_vpb_costs_the_same_whatever_pclk(
    part: Part, kind: str, vpbdiv: int, divider: int, address: int, cycles: int
) -> None:
    begun, found = completions(part, kind, vpbdiv, address)
    assert found == expected(begun, kind, lambda now: now + cycles)


def test_the_measurement_timer_reads_the_cycle_at_which_the_read_completes(part: Part) -> None:
    part.start("ruler", accessed=[TIMER])
    part.finish()
    reads = part.reads(TIMER)
    assert part.values(5) == [cycle for cycle, _ in reads] + [0]
    # LDR, STR to SRAM: 3 + 2 cycles from reading to reading.
    assert [after - before for (before, _), (after, _) in pairwise(reads)] == [5, 5, 5]
