"""Real-time figures of Linux on the AT91x40: samples and load against the engine's view."""

from functools import cache

import numpy as np
import pytest
from linux_session import built_or_skip
from refusals import refused

from cyclescope.studies.realtime.indicators import PAPERS, Indicator, ScoreUnit
from cyclescope.studies.realtime.options import SAMPLES
from cyclescope.studies.realtime.target import Batch, RawTimings, RealtimeTarget, Settings
from cyclescope.studies.realtime.targets import open_realtime
from cyclescope.studies.realtime.targets.virtual import VirtualRealtime
from cyclescope.studies.realtime.virtual.load_truth import load_percent
from cyclescope.studies.realtime.virtual.occupancy import Occupancy, Readings
from cyclescope.studies.realtime.virtual.wake_up import MOST_CYCLES, wake_ups
from cyclescope.target.target import Selection
from cyclescope.targets.virtual.linux_program import REALTIME_KERNELS

MODELS = {"none": 0, "voluntary": 1, "full": 2}
INDICATORS = (*PAPERS, Indicator.WAKE_UP)


@cache
def opened(model: str) -> VirtualRealtime:
    built_or_skip(REALTIME_KERNELS[MODELS[model]])
    value = MODELS[model]
    options = (("CONFIG_PREEMPT", value),) if value else ()
    target = open_realtime(Selection(board="at91x40", kernel="posix", options=options))
    assert isinstance(target, VirtualRealtime)
    return target


def measure(model: str, indicator: Indicator, n: int = 64, load: int = 0) -> Batch:
    return opened(model).measure(Settings(indicator=indicator, load_percent=load), n)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("indicator", INDICATORS)
def test_every_sample_is_what_passed(model: str, indicator: Indicator) -> None:
    batch = measure(model, indicator, load=30)
    assert batch.shortfall is None and len(batch.samples) >= 40
    assert batch.truth_cycles is not None
    rest = batch.truth_cycles - batch.samples.counts.astype(np.int64)
    assert np.all(np.abs(rest) <= (MOST_CYCLES if indicator is Indicator.WAKE_UP else 0))


@pytest.mark.parametrize("model", ["none", "full"])
@pytest.mark.parametrize("indicator", INDICATORS)
@pytest.mark.parametrize("load", [0, 30, 50])
def test_the_load_is_what_the_engine_saw(model: str, indicator: Indicator, load: int) -> None:
    batch = measure(model, indicator, 256, load)
    assert batch.true_load_percent is not None and batch.shortfall is None
    points = opened(model).load_tolerance_points
    tick_alone = indicator is not Indicator.WAKE_UP  # whose timer has interrupts of its own
    if load or tick_alone:
        assert abs(batch.measured_load_percent - batch.true_load_percent) <= points
    if load:
        assert abs(batch.true_load_percent - load) <= points
        assert sum(one.calls for one in batch.load) > 100
    else:
        assert 10 < batch.true_load_percent < 30


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("load", [50, 80])
def test_switching_has_the_samples_that_were_asked_for(model: str, load: int) -> None:
    """Bursts are longer than a switch, whatever the kernel takes for one."""
    count = 0
    while count < SAMPLES:
        batch = measure(model, Indicator.SWITCHING, SAMPLES - count, load)
        assert batch.shortfall is None and len(batch.samples) > (SAMPLES - count) / 2
        count += len(batch.samples)


@pytest.mark.parametrize("model", MODELS)
def test_memory_is_not_short_for_a_batch_without_extra_tasks(model: str) -> None:
    """The system frees a few pages more or less behind each batch."""
    settings = Settings(indicator=Indicator.INTERRUPT, load_percent=80)
    assert opened(model).most_tasks(settings) >= 4


@pytest.mark.parametrize("model", MODELS)
def test_the_unit_is_the_program_without_ticks(model: str) -> None:
    """One and the same time, as long as FreeRTOS's without those that a tick met."""
    found = opened(model).calibrate(ScoreUnit.DOUBLE)
    assert len(set(found.samples.counts.tolist())) == len(set(found.empty.counts.tolist())) == 1
    alone = np.median(freertos().calibrate(ScoreUnit.DOUBLE).samples.counts)
    assert abs(found.samples.counts[0] - alone) < 0.01 * alone


@cache
def freertos() -> RealtimeTarget:
    return open_realtime(Selection(board="at91x40").having({"code": "ram"}))


def test_the_kernel_is_the_one_that_was_asked_for() -> None:
    found = {model: opened(model).conditions() for model in MODELS}
    assert [one.kernel_options for one in found.values()] == [
        {}, {"CONFIG_PREEMPT": 1}, {"CONFIG_PREEMPT": 2}
    ]  # fmt: skip
    assert all(one.kernel_version.startswith("Linux 6.1") for one in found.values())
    assert {one.timer for one in found.values()} == {"measurement"}


def test_a_program_has_no_line_of_its_own() -> None:
    assert set(opened("none").unavailable()) == {Indicator.HARDWARE}


def test_preemption_costs_time_where_nothing_is_preempted() -> None:
    """A kernel that may be left anywhere counts the places where it may not."""
    for indicator in (Indicator.SWITCHING, Indicator.SHUFFLING, Indicator.INTERRUPT):
        medians = [
            float(np.median(measure(model, indicator).samples.counts)) for model in ("none", "full")
        ]
        assert 1.02 * medians[0] < medians[1] < 1.5 * medians[0]


def test_options_of_a_board_are_none_of_the_host() -> None:
    asked = Selection(board="host", kernel="posix", options=(("CONFIG_PREEMPT", 2),))
    with refused("host-kernel-as-it-is"):
        open_realtime(asked)


def timings(starts: list[int], stops: list[int]) -> RawTimings:
    n = len(starts)
    return RawTimings(
        np.array(starts, dtype=np.uint32),
        np.array(stops, dtype=np.uint32),
        np.zeros(n, dtype=np.uint8),
        np.zeros(n, dtype=np.bool_),
    )


def readings(cycles: list[int]) -> Readings:
    found = Readings()
    for cycle in cycles:
        found.add(cycle, 0)
    return found


def test_wake_ups_are_dated_by_the_clock_that_woke() -> None:
    """The clock is 1,000 behind the board; an interrupt read it behind the second sample's stop."""
    seen = readings([1_500, 2_701, 2_750, 3_900])
    starts, stops = wake_ups(
        seen, [1_510, 2_800, 3_910], timings([400, 1_600, 2_800], [500, 1_700, 2_900])
    )
    assert stops.tolist() == [1_500, 2_701, 3_900]
    assert starts.tolist() == [1_400, 2_600, 3_800]


def test_a_clock_may_wrap() -> None:
    wrap = 1 << 32
    seen = readings([wrap + 100, wrap + 300])
    starts, stops = wake_ups(seen, [wrap + 110, wrap + 310], timings([wrap - 50, 150], [50, 250]))
    assert stops.tolist() == [wrap + 100, wrap + 300]
    assert starts.tolist() == [wrap, wrap + 200]


def test_a_clock_that_is_set_has_no_truth() -> None:
    seen = readings([1_500, 2_700, 3_900])
    with refused("clock-without-truth"):
        wake_ups(seen, [1_510, 2_710, 3_910], timings([400, 1_600, 2_900], [500, 1_700, 3_000]))


def test_a_switch_to_the_load_is_the_load() -> None:
    """From where the kernel begins to choose; the switch away counts to who ran."""
    schedule = Occupancy(
        chosen=[(0, 1), (400, 2), (700, 1)], names={1: "test", 2: "load 3"}, chooses=[350, 650]
    )
    assert load_percent(schedule, 0, 1_000) == 35.0


def test_who_goes_to_sleep_pays_for_the_switch() -> None:
    """A thread of the test that sleeps gives the processor back to the load that it interrupted."""
    schedule = Occupancy(
        chosen=[(0, 1), (400, 2), (700, 1)],
        names={1: "test", 2: "load 3"},
        chooses=[350, 650],
        gave_up=[360],
    )
    assert load_percent(schedule, 0, 1_000) == 30.0
    schedule.gave_up = [340, 660]
    assert load_percent(schedule, 0, 1_000) == 35.0
