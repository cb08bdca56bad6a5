"""The load of real-time figures: what it took of the processor, against the engine's own view."""

import time
from functools import cache

import pytest

from cyclescope.errors import CyclescopeError
from cyclescope.realtime import PAPERS, Indicator, LoadKind, Placement, Settings
from cyclescope.realtime_targets import host
from cyclescope.realtime_targets.virtual import VirtualRealtime, open_target
from cyclescope.target import Selection

FLASH = Selection(board="lpc2148", kernel="freertos")
SLOW = Selection(board="lpc2148", kernel="freertos", isa="thumb", mam=0, clock_mhz=24, vpbdiv=4)
LAB = Selection(board="lpc2148-lab", kernel="freertos", code="lab")
INDICATORS = (*PAPERS, Indicator.HARDWARE)
POINTS = 2.0

opened = cache(open_target)


def hold(target: VirtualRealtime, settings: Settings, n: int = 256) -> None:
    """What was asked for, what the firmware says and what the engine saw are the same."""
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


@pytest.mark.parametrize("indicator", INDICATORS)
def test_a_short_batch_has_the_whole_load(indicator: Indicator) -> None:
    batch = opened(FLASH).measure(Settings(indicator=indicator, load_percent=50), 64)
    assert batch.true_load_percent is not None
    assert abs(batch.true_load_percent - 50) <= POINTS + 0.1 / batch.duration_s


@pytest.mark.matrix
@pytest.mark.parametrize("selection", [FLASH, SLOW, LAB], ids=["flash", "slow", "lab"])
@pytest.mark.parametrize("load_percent", [0, 20, 50, 80])
@pytest.mark.parametrize("indicator", INDICATORS)
def test_the_load_on_every_board(
    selection: Selection, indicator: Indicator, load_percent: int
) -> None:
    for seed in (1, 2, 3):
        settings = Settings(indicator=indicator, load_percent=load_percent, seed=seed)
        hold(opened(selection), settings, 512)


def test_loads_that_cannot_be_had_are_refused_in_a_sentence() -> None:
    ready = Settings(indicator=Indicator.SHUFFLING, load_percent=50, extra_tasks=2,
                     placement=Placement.READY_EQUAL)  # fmt: skip
    with pytest.raises(CyclescopeError, match="outrank the threads of the load, which never run"):
        opened(FLASH).measure(ready, 16)
    line = Settings(indicator=Indicator.HARDWARE, load_percent=50, load_kind=LoadKind.INTERRUPTS)
    with pytest.raises(CyclescopeError, match="ask for another --load-kind"):
        opened(FLASH).measure(line, 16)
    with host.open_target(Selection(board="host", kernel="posix")) as target:
        asked = Settings(
            indicator=Indicator.SHUFFLING, load_percent=50, load_kind=LoadKind.INTERRUPTS
        )
        with pytest.raises(CyclescopeError, match="a load by interrupts is not available here"):
            target.measure(asked, 16)


def test_the_share_on_this_machine_is_what_the_kernel_charged_the_process() -> None:
    """Among other work of the machine it may be less than was asked for, and is told so."""
    with host.open_target(Selection(board="host", kernel="posix")) as target:
        clock = (~target.process_id << 3) | 2  # of the process, as clock_getcpuclockid has it
        for kind in (LoadKind.CALLS, LoadKind.MEMORY, LoadKind.IO):
            before = time.clock_gettime(clock)
            settings = Settings(indicator=Indicator.WAKE_UP, load_percent=50, load_kind=kind)
            batch = target.measure(settings, 400)
            charged = 100 * (time.clock_gettime(clock) - before) / batch.duration_s
            # The wake-ups themselves, the monitor and the wire are the rest.
            assert 0 < charged - batch.measured_load_percent < 12
