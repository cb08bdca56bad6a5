"""Real-time figures on virtual boards: the firmware's samples against the engine's view."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from refusals import refused

from cyclescope import wire
from cyclescope.studies.realtime.campaign import outrank_the_load
from cyclescope.studies.realtime.indicators import PAPERS, BackgroundState, Indicator, ScoreUnit
from cyclescope.studies.realtime.link import BatchRequest, RealtimeLink
from cyclescope.studies.realtime.target import Batch, Settings, TooManyTasks
from cyclescope.studies.realtime.targets import open_realtime
from cyclescope.studies.realtime.targets.virtual import VirtualRealtime, open_target
from cyclescope.studies.realtime.virtual.occupancy import Readings
from cyclescope.target.target import Selection

FLASH = Selection(board="lpc2148", kernel="freertos")
LAB = Selection(board="lpc2148-lab", kernel="freertos", settings={"code": "lab"})
SLOW = Selection(
    board="lpc2148",
    kernel="freertos",
    settings={"isa": "thumb", "mam": 0, "clock": 24, "vpbdiv": 4},
)
BY_TIMER1 = Selection(board="lpc2148", kernel="freertos", settings={"timer": "timer1", "vpbdiv": 2})
AT91X40 = Selection(board="at91x40", kernel="freertos")
SELECTIONS = {
    "flash": FLASH,
    "lab": LAB,
    "slow": SLOW,
    "timer1": BY_TIMER1,
    "at91x40": AT91X40,
}
MEASURED = (*PAPERS, Indicator.HARDWARE)

opened = cache(open_target)


def measure(selection: Selection, indicator: Indicator, n: int = 64, **changes: int) -> Batch:
    settings = Settings(indicator=indicator).model_copy(update=dict(changes))
    return opened(selection).measure(settings, n)


def counts(batch: Batch) -> list[int]:
    return [int(count) for count in batch.samples.counts]


@pytest.mark.parametrize("name", SELECTIONS)
@pytest.mark.parametrize("indicator", PAPERS)
def test_every_sample_is_what_passed(name: str, indicator: Indicator) -> None:
    batch = measure(SELECTIONS[name], indicator, load_percent=30)
    assert batch.shortfall is None and len(batch.samples) >= 64
    assert batch.truth_cycles is not None
    cycles_per_count = opened(SELECTIONS[name]).conditions().core_hz // batch.timer_hz
    # A count that is read from a slower timer is that of its clock's last edge.
    rest = batch.truth_cycles - batch.samples.counts.astype(np.int64) * cycles_per_count
    assert np.all(np.abs(rest) < cycles_per_count)


@pytest.mark.parametrize("name", SELECTIONS)
@pytest.mark.parametrize("load_percent", [0, 40])
def test_the_hardware_line_is_answered_when_the_firmware_says(name: str, load_percent: int) -> None:
    batch = measure(SELECTIONS[name], Indicator.HARDWARE, load_percent=load_percent)
    assert batch.truth_cycles is not None and batch.asserted_cycles is not None
    assert len(batch.samples) == 64 and batch.lost == 0
    divider = opened(SELECTIONS[name]).conditions().core_hz // batch.timer_hz
    # The LPC2148's timer notes its count at the first edge of its clock after the line rose, the
    # AT91x40's notes that of the last.
    edges_later = 0 if name == "at91x40" else 1
    noted = (batch.asserted_cycles // divider + edges_later) * divider
    answered = batch.asserted_cycles + batch.truth_cycles
    measured = batch.samples.counts.astype(np.int64) * divider
    assert np.array_equal(answered // divider * divider - noted, measured)


def test_a_counter_that_shows_a_count_again_is_dated_in_order() -> None:
    readings = Readings()
    for cycle, count in ((10, 5), (20, 9), (30, 5), (40, 7)):
        readings.add(cycle, count)
    assert readings.cycles_in_order(np.array([5, 5, 7], dtype=np.uint32)).tolist() == [10, 30, 40]
    assert readings.cycles(np.array([7, 9], dtype=np.uint32)).tolist() == [40, 20]
    for dated in (readings.cycles, readings.cycles_in_order):
        with refused("timer-value-never-read"):
            dated(np.array([7, 8], dtype=np.uint32))


def executed(
    target: VirtualRealtime, name: str
) -> tuple[list[int], list[int], list[wire.WireSample]]:
    """When the probes of an indicator executed in zero-wait memory, and its samples."""
    symbols = target.target.program().symbols
    begins = {
        address
        for symbol, address in symbols.items()
        if symbol.startswith(f"probe.realtime.{name}.") and symbol.endswith("start")
    }
    end = symbols[f"probe.realtime.{name}.stop"]
    board = target.target.board
    link = RealtimeLink(target.uart)
    link.hello()
    target.uart.stops.clear()  # else the target takes what was seen
    board.watch(executed=[*begins, end])
    board.take_executed()
    index = [one.value for one in Indicator].index(name)
    filled = link.batch(BatchRequest(index, 40, 0, 2, 0, 64, 7, 3000))
    seen = board.take_executed()
    board.watch()
    starts = [cycle for cycle, address in seen if address in begins]
    stops = [cycle for cycle, address in seen if address == end]
    return starts, stops, list(filled.samples)


@pytest.mark.parametrize("name", ["preemption", "interrupt", "shuffling"])
def test_samples_are_the_distance_of_their_probes(name: str) -> None:
    starts, stops, samples = executed(open_target(LAB), name)
    assert [stop - start for start, stop in zip(starts, stops, strict=False)][: len(samples)] == [
        sample.ticks for sample in samples
    ]


def test_an_interrupt_begins_preemptions_in_the_kernels_own_sections() -> None:
    idle = measure(FLASH, Indicator.PREEMPTION, n=128)
    loaded = measure(FLASH, Indicator.PREEMPTION, n=256, load_percent=50)
    by_line = loaded.samples.origins == 1
    assert set(loaded.samples.origins) == {0, 1} and 64 <= by_line.sum() <= 128
    assert loaded.causes is not None
    calls = {one.facility for one in loaded.load}
    met = {cause.split(",")[0].removeprefix("in ") for cause in loaded.causes} & calls
    assert len(met) > 5, "whatever the load did when the line rose"
    # The holder of the scheduler ends first.
    assert loaded.samples.counts[by_line].max() > idle.samples.counts.min() + 100


def test_no_section_of_the_loads_own_holds_anybody_back() -> None:
    longest = {"vTaskSuspendAll … xTaskResumeAll": 0, "taskENTER_CRITICAL … taskEXIT_CRITICAL": 0}
    loaded = measure(FLASH, Indicator.PREEMPTION, n=512, load_percent=80)
    assert loaded.causes is not None
    held = [
        int(count)
        for cause, count in zip(loaded.causes, loaded.samples.counts, strict=True)
        if cause.removeprefix("in ") in longest
    ]
    least = int(loaded.samples.counts.min())
    assert held and max(held) < 3 * least, "the two calls take so long, with nothing in between"


def test_a_control_thread_that_lost_the_processor_is_marked_as_the_truth_has_it() -> None:
    marked, truly = 0, 0
    for seed in range(1, 11):
        batch = measure(FLASH, Indicator.PREEMPTION, n=512, load_percent=80, seed=seed)
        assert batch.causes is not None
        ran = np.array(["the load ran" in cause for cause in batch.causes])
        assert np.all(batch.samples.overtaken[ran]), "each is found"
        kept = batch.samples.counts[~batch.samples.overtaken]
        assert kept.max() < 10_000 < batch.samples.counts[ran].max(initial=20_000)
        marked, truly = marked + int(batch.samples.overtaken.sum()), truly + int(ran.sum())
    assert 0 < truly <= marked <= truly + 4, "and hardly any other"


def test_the_hardware_line_waits_for_masked_sections() -> None:
    idle = measure(FLASH, Indicator.HARDWARE, n=256)
    loaded = measure(FLASH, Indicator.HARDWARE, n=256, load_percent=50)
    assert loaded.samples.counts.max() > idle.samples.counts.max()
    assert loaded.samples.counts.min() == idle.samples.counts.min()


@pytest.mark.parametrize("name", SELECTIONS)
@pytest.mark.parametrize(
    ("indicator", "load_percent"),
    [(Indicator.INTERRUPT, 0), (Indicator.SHUFFLING, 0), (Indicator.SHUFFLING, 30)],
)
def test_samples_meet_the_tick(name: str, load_percent: int, indicator: Indicator) -> None:
    # A software interrupt masks the tick as soon as it is taken, and is met but for a moment. Under
    # load the tick wakes the threads of the load, so that such samples begin away from it.
    batches, least = (12, 1) if indicator is Indicator.INTERRUPT else (1, 21)
    met: list[int] = []
    for seed in range(1, batches + 1):
        batch = measure(SELECTIONS[name], indicator, n=512, load_percent=load_percent, seed=seed)
        assert batch.samples.tick_hits is not None
        hit = batch.samples.counts[batch.samples.tick_hits]
        assert np.all(hit > np.median(batch.samples.counts))
        met += hit.tolist()
        if len(met) >= least:
            return
    raise AssertionError(f"{len(met)} samples met the tick")


def test_stamps_of_task_switching_are_spread_over_many_periods_of_the_load() -> None:
    batch = measure(FLASH, Indicator.SWITCHING, n=256, load_percent=50)
    starts, stops = batch.samples.starts.astype(np.int64), batch.samples.stops.astype(np.int64)
    bursts = np.count_nonzero(starts[1:] != stops[:-1]) + 1
    assert batch.duration_s > 0.1 and bursts > 10
    assert np.all(starts[1:] >= stops[:-1]), "no sample spans two bursts"
    assert np.median(batch.samples.counts) < 2 * batch.samples.counts.min()


def test_background_threads_use_every_facility_and_say_how_often() -> None:
    batch = measure(FLASH, Indicator.SHUFFLING, n=512, load_percent=60)
    assert len(batch.load) == 36
    assert [one.facility for one in batch.load if one.calls == 0] == []
    assert measure(FLASH, Indicator.SHUFFLING).load == ()


def test_more_load_is_more_work() -> None:
    work = [
        sum(one.calls for one in measure(FLASH, Indicator.SHUFFLING, load_percent=percent).load)
        for percent in (10, 30, 60)
    ]
    assert work == sorted(work) and work[0] * 2 < work[2]


def test_a_load_that_starves_the_test_is_explained() -> None:
    starved = measure(FLASH, Indicator.SWITCHING, load_percent=100, limit_ms=200)
    assert starved.shortfall is not None and "0 of 64 samples" in starved.shortfall
    assert len(starved.samples) == 0


def test_the_heap_is_given_back_whatever_ran() -> None:
    most = opened(FLASH).most_tasks(Settings(indicator=Indicator.SHUFFLING))
    for indicator in MEASURED:
        measure(FLASH, indicator, n=16, load_percent=80, extra_tasks=5)
    assert opened(FLASH).most_tasks(Settings(indicator=Indicator.SHUFFLING)) == most


@pytest.mark.parametrize("placement", BackgroundState)
@pytest.mark.parametrize("indicator", MEASURED)
def test_as_many_tasks_as_memory_allows_and_no_more(
    indicator: Indicator, placement: BackgroundState
) -> None:
    load_percent = 0 if outrank_the_load(indicator, placement) else 20
    settings = Settings(indicator=indicator, placement=placement, load_percent=load_percent)
    most = opened(FLASH).most_tasks(settings)
    full = settings.model_copy(update={"extra_tasks": most})
    assert opened(FLASH).measure(full, 16).shortfall is None
    with refused("too-many-tasks", TooManyTasks, naming=[most, "lpc2148-lab"]):
        opened(FLASH).measure(full.model_copy(update={"extra_tasks": most + 1}), 16)


@pytest.mark.parametrize("isa", ["arm", "thumb"])
def test_in_the_parts_own_ram_everything_but_the_load(isa: str) -> None:
    sram = Selection(board="lpc2148", kernel="freertos", settings={"code": "sram", "isa": isa})
    assert len(opened(sram).calibrate(ScoreUnit.DOUBLE).samples) == 100 > opened(sram).capacity
    for indicator in MEASURED:
        batch = measure(sram, indicator, n=48)
        assert batch.shortfall is None and len(batch.samples) >= 48
        assert opened(sram).most_tasks(batch.settings) >= 1
    with refused("image-has-no-load", naming=["--load 0", "--board lpc2148-lab"]):
        measure(sram, Indicator.SHUFFLING, load_percent=10)


def test_the_lab_board_has_room_for_many() -> None:
    settings = Settings(indicator=Indicator.SHUFFLING, placement=BackgroundState.DELAYED)
    assert opened(LAB).most_tasks(settings) > 2000
    batch = opened(LAB).measure(settings.model_copy(update={"extra_tasks": 500}), 32)
    assert len(batch.samples) == 32


def test_calibration_times_the_product_and_the_frame() -> None:
    for unit in ScoreUnit:
        found = opened(FLASH).calibrate(unit)
        assert len(found.samples) == len(found.empty) == 100
        assert found.samples.counts.min() > found.empty.counts.max()
    assert opened(FLASH).calibrate(ScoreUnit.DOUBLE).arithmetic == "software, double of 8 bytes"


def test_the_same_calls_give_the_same_samples_and_another_seed_others() -> None:
    first, second = (open_target(FLASH) for _ in range(2))
    settings = Settings(indicator=Indicator.HARDWARE, load_percent=40)
    one, two = (counts(target.measure(settings, 64)) for target in (first, second))
    assert one == two
    other = settings.model_copy(update={"seed": 2})
    assert counts(open_target(FLASH).measure(other, 64)) != one


def test_the_timeline_shows_the_longest_sample() -> None:
    batch = measure(FLASH, Indicator.PREEMPTION, load_percent=40)
    assert batch.timeline is not None and batch.truth_cycles is not None
    assert batch.timeline.duration_cycles == batch.truth_cycles.max()
    assert batch.timeline.sample == int(np.argmax(batch.truth_cycles))
    tasks = [span for span in batch.timeline.spans if span.kind == "task"]
    at_stop = [one for one in tasks if one.begin_cycles <= batch.timeline.duration_cycles]
    assert at_stop[-1].track == "woken"
    assert all(a.end_cycles == b.begin_cycles for a, b in pairwise(tasks))


def test_the_longest_masked_window_stands_beside_the_response() -> None:
    settings = Settings(indicator=Indicator.HARDWARE, load_percent=40)
    batch = opened(FLASH).measure(settings, 256)
    assert batch.masked is not None and batch.truth_cycles is not None
    known = {one.facility for one in batch.load}
    assert batch.masked.call in known or batch.masked.call.startswith("ISR: ")
    # The longest response waited longer than the shortest by masked time, up to the
    # entry of its own ISR; a request may come just before what masks it.
    assert batch.timeline is not None
    masked = [one for one in batch.timeline.spans if one.kind == "masked"]
    own = next(one for one in masked if one.end_cycles > batch.timeline.duration_cycles)
    before = [one for one in masked if 0 < one.end_cycles <= own.begin_cycles]
    free = own.begin_cycles - sum(one.end_cycles - max(0, one.begin_cycles) for one in before)
    delay = int(batch.truth_cycles.max() - batch.truth_cycles.min())
    assert delay > 100 and 0 <= free < 24
    assert abs(own.begin_cycles - delay) < 24


def test_what_cannot_be_measured_is_refused_in_words() -> None:
    with refused("no-samples-asked"):
        measure(FLASH, Indicator.SWITCHING, n=0)
    with refused("batch-exceeds-buffer"):
        measure(FLASH, Indicator.SWITCHING, n=513)
    with refused("indicator-not-available-here"):
        measure(FLASH, Indicator.WAKE_UP)
    assert list(opened(FLASH).unavailable()) == [Indicator.WAKE_UP]


def test_the_kernel_decides_which_target_it_is() -> None:
    assert isinstance(open_realtime(FLASH), VirtualRealtime)
