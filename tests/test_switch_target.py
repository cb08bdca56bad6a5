"""Windows with a context switch on virtual boards: the firmware's timer and the board."""

from functools import cache

import pytest
from refusals import refused

from cyclescope.studies.switch.link import WindowRequest
from cyclescope.studies.switch.measure import cost_of
from cyclescope.studies.switch.path import Window
from cyclescope.studies.switch.targets.virtual import VirtualSwitch, open_target
from cyclescope.target.target import Selection
from cyclescope.wire import RequestRefused

KERNELS = ("bare", "freertos")
SAMPLES = (12, -7, 33, 5, -19, 28, 41, -3, 16, -22, 9, 37, -14, 2, 25, -31)
WEIGHTS = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3)
INSTANTS = (6_000, 7_777, 9_555, 10_004)


@cache
def opened(kernel: str, clock_mhz: int = 60) -> VirtualSwitch:
    return open_target(Selection(board="lpc2148", kernel=kernel, settings={"clock": clock_mhz}))


@cache
def coarse(kernel: str) -> VirtualSwitch:
    """Its alarm has 16 bits and counts every second cycle."""
    return open_target(Selection(board="at91x40", kernel=kernel))


TARGETS = {"lpc2148": opened, "at91x40": coarse}


@cache
def window(kernel: str, by_interrupt: bool, delay_counts: int, board: str = "lpc2148") -> Window:
    return TARGETS[board](kernel).window(WindowRequest(True, by_interrupt, 4, 4, delay_counts))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("by_interrupt", [False, True])
@pytest.mark.parametrize("delay_counts", INSTANTS)
@pytest.mark.parametrize("board", TARGETS)
def test_the_firmware_s_timer_tells_what_the_board_saw(
    kernel: str, by_interrupt: bool, delay_counts: int, board: str
) -> None:
    seen = window(kernel, by_interrupt, delay_counts, board)
    path, switch, stamps = seen.path, seen.switch, seen.stamps
    assert switch is not None
    bits, per_count, _ = seen.clock
    offsets = {(cycle // per_count - count) % (1 << bits) for count, cycle in seen.read.items()}
    assert len(offsets) == 1
    requested = (seen.read[stamps.began] // per_count + delay_counts) * per_count
    # The LPC2148's match is one PCLK after the count came to it (docs/timing/timer_lpc2000.md).
    assert switch.requested_cycle == requested + (board == "lpc2148")
    began, ended = seen.read[stamps.mac_began], seen.read[stamps.mac_ended]
    assert path[switch.mac_began].cycle < began < ended < path[switch.mac_ended].cycle
    # Taken at the first boundary behind the synchroniser at which interrupts are on.
    assert path[switch.entered].cycle >= switch.requested_cycle + 2


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("by_interrupt", [False, True])
def test_energy_and_time_of_a_path_add_up(kernel: str, by_interrupt: bool) -> None:
    for delay_counts in INSTANTS:
        seen = window(kernel, by_interrupt, delay_counts)
        assert seen.switch is not None
        cost, path = cost_of(seen), seen.path
        begin, end = path[seen.switch.entered], path[seen.switch.resumed]
        parts = [cost.out, cost.mac, cost.back]
        assert min(part.cycles for part in parts) > 0 and min(part.pj for part in parts) > 0
        own = sum(part.cycles for part in parts)
        assert own + cost.foreign_cycles == end.cycle - begin.cycle
        if not cost.foreign_cycles:
            spent_pj = (end.spent_fj - begin.spent_fj) / 1000
            assert sum(part.pj for part in parts) == pytest.approx(spent_pj)


def test_a_kernel_costs_more_than_an_isr() -> None:
    bare, freertos = (cost_of(window(kernel, False, INSTANTS[0])) for kernel in KERNELS)
    assert bare.out.cycles < freertos.out.cycles and bare.back.cycles < freertos.back.cycles


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("operations", [4, 16])
def test_the_sum_is_right_wherever_it_is_computed(kernel: str, operations: int) -> None:
    pairs = list(zip(SAMPLES, WEIGHTS, strict=True))[:operations]
    expected = sum(sample * weight for sample, weight in pairs) & 0xFFFF_FFFF
    for preempted in (False, True):
        order = WindowRequest(preempted, False, 2, operations, 3_000 * preempted)
        assert opened(kernel).time(order).sum == expected


@pytest.mark.parametrize("clock_mhz", [12, 60])
def test_the_clock_and_the_character_s_time_follow_the_operating_point(clock_mhz: int) -> None:
    target = opened("bare", clock_mhz)
    assert target.conditions().core_hz == clock_mhz * 1_000_000
    lengths = []
    for characters in (2, 3):
        stamps = target.time(WindowRequest(False, False, characters, 0))
        lengths.append(stamps.sent - stamps.began)
    # Ten bits at 125,000 baud; an iteration of the loop more or less.
    assert abs(lengths[1] - lengths[0] - clock_mhz * 80) <= 30


def test_watching_changes_nothing() -> None:
    order = WindowRequest(True, True, 2, 4, 3_000)
    seen = opened("bare").window(order, whole=True)
    plain = opened("bare").time(order)
    began = seen.stamps.began, plain.began
    relative = [
        [count - start for count in stamps[:7]]
        for stamps, start in zip((seen.stamps, plain), began, strict=True)
    ]
    assert relative[0] == relative[1]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(RequestRefused):
        opened("bare").time(WindowRequest(False, False, 65, 4))
    with pytest.raises(RequestRefused):
        opened("bare").time(WindowRequest(False, False, 4, 65))
    # 20 characters take 6.3 ms, and 16 bits at MCK / 2 last 4.
    for ask in (coarse("bare").time, coarse("bare").window):
        with refused("window-exceeds-counter", naming=["16 bits", "4.0 ms", "--characters"]):
            ask(WindowRequest(True, False, 20, 4, 6_000))
    with refused("alarm-after-transmission"):
        opened("bare").window(WindowRequest(True, False, 1, 4, 60_000))
