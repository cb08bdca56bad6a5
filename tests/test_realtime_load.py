"""The load of real-time figures: what it took of the processor, against the engine's own view."""

import time
from functools import cache
from itertools import product

import pytest
from refusals import refused

from cyclescope.studies.realtime.campaign import off_the_load
from cyclescope.studies.realtime.indicators import PAPERS, BackgroundState, Indicator, LoadKind
from cyclescope.studies.realtime.results import Trial
from cyclescope.studies.realtime.target import Settings
from cyclescope.studies.realtime.targets import host
from cyclescope.studies.realtime.targets.virtual import VirtualRealtime, open_target
from cyclescope.studies.realtime.virtual.occupancy import TICK, Occupancy
from cyclescope.target.target import Selection

FLASH = Selection(board="lpc2148", kernel="freertos")
SLOW = Selection(
    board="lpc2148",
    kernel="freertos",
    settings={"isa": "thumb", "mam": 0, "clock": 24, "vpbdiv": 4},
)
LAB = Selection(board="lpc2148-lab", kernel="freertos", settings={"code": "lab"})
AT91X40 = Selection(board="at91x40", kernel="freertos", settings={"romwaits": 1})
AT91X40_SLOW = Selection(board="at91x40", kernel="freertos")
"""As its file has it: each fetch from ROM takes 8 cycles."""
BOARDS = {"flash": FLASH, "slow": SLOW, "lab": LAB, "at91x40": AT91X40}
INDICATORS = (*PAPERS, Indicator.HARDWARE)
POINTS = 2.0
CLOCKS = [
    pytest.param(
        Selection(
            board="lpc2148",
            kernel="freertos",
            settings={"isa": isa, "mam": mam, "clock": mhz, "vpbdiv": 4},
        ),
        id=f"{isa}-mam{mam}-{mhz}mhz",
    )
    for isa, mam, mhz in product(("arm", "thumb"), (0, 2), (12, 24, 36))
]
CLOCKS.append(pytest.param(AT91X40_SLOW, id="at91x40-3-waits"))

OUT_OF_REACH = {
    (SLOW, Indicator.PREEMPTION, 80),  # the test's own threads leave less
    (SLOW, Indicator.INTERRUPT, 80),
    (SLOW, Indicator.SHUFFLING, 80),
}

opened = cache(open_target)


def hold(target: VirtualRealtime, settings: Settings, n: int = 256) -> None:
    """The requested load, the firmware's account and the engine's truth are the same."""
    batch = target.measure(settings, n)
    exact = batch.true_load_percent
    assert exact is not None and batch.shortfall is None
    assert abs(exact - settings.load_percent) <= POINTS, f"{exact:.2f} %"
    assert abs(batch.measured_load_percent - exact) <= POINTS


@pytest.mark.parametrize("load_percent", [0, 20, 50, 80])
@pytest.mark.parametrize("indicator", [Indicator.SWITCHING, Indicator.PREEMPTION])
def test_the_load_is_the_share_that_was_asked_for(indicator: Indicator, load_percent: int) -> None:
    hold(opened(FLASH), Settings(indicator=indicator, load_percent=load_percent))


@pytest.mark.parametrize("kind", [LoadKind.INTERRUPTS, LoadKind.MEMORY, LoadKind.IO])
def test_so_is_a_load_of_each_kind(kind: LoadKind) -> None:
    hold(opened(FLASH), Settings(indicator=Indicator.SHUFFLING, load_percent=50, load_kind=kind))


@pytest.mark.parametrize("indicator", [Indicator.SWITCHING, Indicator.HARDWARE])
def test_so_is_it_where_a_tick_takes_a_power_of_two_of_counts(indicator: Indicator) -> None:
    hold(opened(AT91X40), Settings(indicator=indicator, load_percent=50))


def test_so_is_a_load_by_interrupts_whose_alarm_has_16_bits() -> None:
    asked = Settings(indicator=Indicator.SHUFFLING, load_percent=50, load_kind=LoadKind.INTERRUPTS)
    hold(opened(AT91X40), asked)


@pytest.mark.parametrize("indicator", INDICATORS)
def test_a_short_batch_has_the_whole_load(indicator: Indicator) -> None:
    batch = opened(FLASH).measure(Settings(indicator=indicator, load_percent=50), 64)
    assert batch.true_load_percent is not None
    assert abs(batch.true_load_percent - 50) <= POINTS + 0.1 / batch.duration_s


def held_or_refused(selection: Selection, settings: Settings) -> bool:
    """Whether the load was held; if not, a campaign refuses it, and by what the firmware says."""
    batch = opened(selection).measure(settings, 512)
    exact, said = batch.true_load_percent, batch.measured_load_percent
    assert exact is not None and abs(said - exact) <= POINTS, f"{said:.2f} of {exact:.2f} %"
    trial = Trial(indicator=settings.indicator, load_percent=settings.load_percent)
    if why := off_the_load(opened(selection), trial, [batch]):
        assert "cannot be had here" in why
        return False
    if not settings.load_percent:  # it is the tick's alone
        return True
    assert abs(exact - settings.load_percent) <= POINTS + 0.1 / batch.duration_s, f"{exact:.2f} %"
    return True


@pytest.mark.matrix
@pytest.mark.parametrize("selection", BOARDS.values(), ids=BOARDS)
@pytest.mark.parametrize("load_percent", [0, 20, 50, 80])
@pytest.mark.parametrize("indicator", INDICATORS)
def test_the_load_on_every_board(
    selection: Selection, indicator: Indicator, load_percent: int
) -> None:
    for seed in (1, 2, 3):
        settings = Settings(indicator=indicator, load_percent=load_percent, seed=seed)
        if (selection, indicator, load_percent) in OUT_OF_REACH:
            assert not held_or_refused(selection, settings)
        elif not load_percent:
            assert held_or_refused(selection, settings)
        else:
            hold(opened(selection), settings, 512)


@pytest.mark.matrix
@pytest.mark.parametrize("selection", CLOCKS)
@pytest.mark.parametrize("indicator", INDICATORS)
def test_the_load_at_every_clock(selection: Selection, indicator: Indicator) -> None:
    """Only 80 % may be out of reach, of the test's own threads."""
    for load_percent in (0, 20, 50, 80):
        held = held_or_refused(selection, Settings(indicator=indicator, load_percent=load_percent))
        assert held or load_percent == 80


def test_a_slow_board_holds_its_loads_or_has_them_refused() -> None:
    for indicator, load_percent in ((Indicator.HARDWARE, 80), (Indicator.SHUFFLING, 20)):
        hold(opened(SLOW), Settings(indicator=indicator, load_percent=load_percent), 512)
    batch = opened(SLOW).measure(Settings(indicator=Indicator.SHUFFLING, load_percent=80), 512)
    trial = Trial(indicator=Indicator.SHUFFLING, load_percent=80)
    assert "left it no more" in (off_the_load(opened(SLOW), trial, [batch]) or "")
    assert abs(batch.measured_load_percent - (batch.true_load_percent or 0)) <= POINTS


def test_without_load_it_is_the_tick_that_takes_a_share() -> None:
    batch = opened(SLOW).measure(Settings(indicator=Indicator.SWITCHING), 512)
    assert 2 < batch.measured_load_percent < 3
    assert abs(batch.measured_load_percent - (batch.true_load_percent or 0)) <= 0.5
    trial = Trial(indicator=Indicator.SWITCHING, load_percent=0)
    assert off_the_load(opened(SLOW), trial, [batch]) is None


def test_the_truth_takes_isrs_off_also_when_the_watch_began_within_one() -> None:
    schedule = Occupancy(entered=[(100, TICK), (200, TICK)], left=[10, 130, 230])
    assert schedule.interrupted_between(0, 300) == 60
    assert schedule.interrupted_between(110, 300) == 50
    assert schedule.interrupted_between(110, 210) == 30
    assert schedule.interrupted_between(130, 200) == 0


def test_loads_that_cannot_be_had_are_refused_in_a_sentence() -> None:
    ready = Settings(indicator=Indicator.SHUFFLING, load_percent=50, extra_tasks=2,
                     placement=BackgroundState.READY_EQUAL)  # fmt: skip
    with refused("load-never-runs"):
        opened(FLASH).measure(ready, 16)
    line = Settings(indicator=Indicator.HARDWARE, load_percent=50, load_kind=LoadKind.INTERRUPTS)
    with refused("load-takes-the-timer"):
        opened(FLASH).measure(line, 16)
    with host.open_target(Selection(board="host", kernel="posix")) as target:
        asked = Settings(
            indicator=Indicator.SHUFFLING, load_percent=50, load_kind=LoadKind.INTERRUPTS
        )
        with refused("load-kind-not-available"):
            target.measure(asked, 16)


def test_the_share_on_this_machine_is_what_the_kernel_charged_the_process() -> None:
    """Among other work of the machine it may be less than requested, and is reported."""
    with host.open_target(Selection(board="host", kernel="posix")) as target:
        clock = (~target.process_id << 3) | 2  # of the process, as clock_getcpuclockid has it
        for kind in (LoadKind.CALLS, LoadKind.MEMORY, LoadKind.IO):
            before = time.clock_gettime(clock)
            settings = Settings(indicator=Indicator.WAKE_UP, load_percent=50, load_kind=kind)
            batch = target.measure(settings, 400)
            charged = 100 * (time.clock_gettime(clock) - before) / batch.duration_s
            # The wake-ups themselves, the monitor and the wire are the rest.
            assert 0 < charged - batch.measured_load_percent < 12
