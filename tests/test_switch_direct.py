"""Direct measurement of a switch: its intervals hold the board's truth, over instants and rigs."""

import pytest

from cyclescope.studies.switch import cost_of
from cyclescope.switch_targets.virtual import TIMER_COUNT, open_target
from cyclescope.switching import direct
from cyclescope.switching.analytic import Memory, evaluate
from cyclescope.switching.coefficients import coefficients
from cyclescope.switching.link import Order
from cyclescope.switching.rig import RigSettings
from cyclescope.target import Selection

INSTANTS = (1_017, 1_131, 1_283, 1_350, 1_476, 1_598, 1_645)
"""Counts at 12 MHz, in the second character's time."""
RIGS = 80


@pytest.mark.parametrize("kernel", ["bare", "freertos"])
@pytest.mark.parametrize("clock_mhz", [12, 60])
@pytest.mark.parametrize("by_interrupt", [False, True])
def test_time_and_energy_hold_the_truth(kernel: str, clock_mhz: int, by_interrupt: bool) -> None:
    selection = Selection("lpc2148", kernel, clock_mhz=clock_mhz)
    target = open_target(selection)
    memory = target.conditions().memory
    rates = coefficients("lpc2148", clock_mhz * 1_000_000)
    delays = [instant * clock_mhz // 12 for instant in INSTANTS]
    alone = target.time(Order(False, by_interrupt, 3, 4))
    whole = target.window(Order(True, by_interrupt, 3, 4, delays[0]), whole=True)
    rules = Memory(False, memory["mam"], memory["mamtim"])
    found = evaluate(whole.path, target.program, rules, rates, TIMER_COUNT)
    bench = direct.of(whole, found, alone, memory["mamtim"])
    windows = [target.window(Order(True, by_interrupt, 3, 4, delay)) for delay in delays]

    measured = bench.cycles([window.stamps for window in windows])
    truths = sorted(cost_of(window).switch.cycles for window in windows)
    assert measured.covers(truths[len(truths) // 2])
    truth = cost_of(whole).switch.pj
    held = 0
    for seed in range(RIGS):
        energy = bench.energy_pj(measured, rates.supply_mv, RigSettings(seed=seed))
        assert energy is not None and energy.half_width < truth / 6
        held += energy.covers(truth)
    assert held >= 0.9 * RIGS


def test_an_interrupt_in_the_tasks_frame_is_taken_away_once() -> None:
    """The UART interrupts the MAC task before its first reading of the timer, at this instant."""
    delay, order = 3_195, Order(True, True, 3, 4, 3_195)
    target = open_target(Selection("lpc2148", "freertos", clock_mhz=24))
    alone = target.time(Order(False, True, 3, 4))
    whole = target.window(order, whole=True)
    switch, memory = whole.switch, target.conditions().memory
    assert switch is not None and whole.order.delay_counts == delay
    assert any(switch.mac_began <= taken < switch.mac_ended for taken, _ in switch.foreign)
    rules = Memory(False, memory["mam"], memory["mamtim"])
    rates = coefficients("lpc2148", 24_000_000)
    found = evaluate(whole.path, target.program, rules, rates, TIMER_COUNT)
    measured = direct.of(whole, found, alone, memory["mamtim"]).cycles([whole.stamps])
    assert measured.covers(cost_of(whole).switch.cycles)
