"""Cases of FreeRTOS and of the C library on the STM32F100RB: CYCCNT against the board's clock."""

import pytest
from choices import configured
from firmware_session import CASES, DAILY, Session, params, session
from test_truth import findings, residuals

from cyclescope import wire
from cyclescope.firmware.build import build
from cyclescope.firmware.program import Program
from cyclescope.targets.virtual.board import code_fetches, make_board

KERNEL = configured({"board": "stm32f100rb"})
LAB = configured({"board": "stm32f100-lab"})
CHECKED = configured(
    {"board": "stm32f100-lab", "options": (("configCHECK_FOR_STACK_OVERFLOW", 2),)}
)
LIBRARY = configured({"board": "stm32f100-lab", "kernel": "bare"})
LIBRARY_CASES = (
    *("memcpy.aligned", "malloc.behind_small_blocks", "qsort.shuffled", "strtol.negative"),
    *("sprintf.fixed", "sin.small", "longjmp.back", "fputs.unbuffered"),
)
BUILDS = (
    *("", "--clock 8", "--timer measurement", "--flashwaits 1", "--flashwaits 2"),
    *("--optimise O0", "--optimise O3", "--optimise Os", "--kernel bare"),
    *("--kernel bare --optimise Os", "--kernel bare --library picolibc --flashwaits 2"),
)
BESIDE = {"yield.alone", "yield.equals"}
"""Cases at -O2 whose probes overlap otherwise with the call than with nothing."""
QUEUE_WORDS = 3
TICKS = 5
PERIOD_CYCLES = 2_400_000


def check_truth(here: Session, case: str) -> None:
    """Raw times are what the board saw, and less the overhead they are the call's, at the ends of
    the domain that fit. A call may change the cycles beside it by one: a read of the counter
    overlaps its neighbours in the pipeline."""
    values = here.cases[case].values or (0,)
    seen = 0
    for x in dict.fromkeys((values[0], values[-1])):
        try:
            real, empty = (here.witnessed(case, 10, x, empty=empty) for empty in (False, True))
        except wire.SeriesDoesNotFit:
            continue
        for one in (real, empty):
            assert one.raw == [truth.raw for truth in one.truths]
        (beside_nothing,) = {truth.before + truth.after for truth in empty.truths}
        beside = {truth.before + truth.after - beside_nothing for truth in real.truths}
        assert residuals(real, empty) == beside
        assert beside <= {0, 1}
        seen += 1
    assert seen


def test_the_image_has_all_cases() -> None:
    assert set(session(KERNEL).cases) == set(CASES) == set(session(LAB).cases)


@pytest.mark.parametrize("case", params(CASES, DAILY))
def test_a_kernel_call_takes_what_the_board_saw(case: str) -> None:
    check_truth(session(KERNEL), case)


@pytest.mark.parametrize("case", LIBRARY_CASES)
def test_a_call_of_the_library_takes_what_the_board_saw(case: str) -> None:
    check_truth(session(LIBRARY), case)


@pytest.mark.matrix
@pytest.mark.parametrize("options", BUILDS)
def test_every_case_at_every_x_takes_what_the_board_saw(
    options: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = findings(capsys, "--board", "stm32f100-lab", *options.split())
    expected = session(LIBRARY if "bare" in options else LAB).cases
    assert {one["case"] for one in found} == set(expected)
    waits = int(options.partition("--flashwaits ")[2] or 0)
    most = code_fetches(make_board("stm32f100-lab"), "lab").overlap_cycles
    for one in found:
        if "optimise" in options or "picolibc" in options:
            (residual,) = one["residual"]
            assert abs(residual) <= most + QUEUE_WORDS * waits, one
        else:
            assert one["residual"] == [int(one["case"] in BESIDE)], one


def test_memory_that_lacks_for_a_series_is_named() -> None:
    with pytest.raises(wire.SeriesDoesNotFit) as refusal:
        session(KERNEL).run("task_create.ready", 50)
    assert refusal.value.needed_bytes > refusal.value.available_bytes
    assert len(session(LAB).run("task_create.ready", 50)) == 50


def test_the_tick_has_the_period_that_the_kernel_names() -> None:
    here = session(KERNEL)
    program = Program(build(KERNEL).elf.read_bytes())
    entry = program.address(program.symbols["xPortSysTickHandler"])
    here.board.watch(executed=[entry])
    here.board.take_executed()
    while len(ticks := [cycle for cycle, _ in here.board.take_executed()]) < TICKS:
        here.board.run(cycles=here.board.cycle + TICKS * PERIOD_CYCLES)
    here.board.watch()
    assert here.hello.core_hz // here.hello.tick_hz == PERIOD_CYCLES
    assert (ticks[-1] - ticks[0]) / (len(ticks) - 1) == pytest.approx(PERIOD_CYCLES, rel=1e-4)


@pytest.mark.parametrize(
    "case",
    [
        *("semaphore_take.blocks", "semaphore_give_from_isr.wakes_higher", "yield.equals"),
        *("queue_send.wakes_higher", "event_sync.wakes_waiters", "timer_start.expires"),
    ],
)
def test_no_task_of_a_case_uses_up_its_stack(case: str) -> None:
    """The kernel would report it over the wire: its last 16 bytes stay as they were filled."""
    here = session(CHECKED)
    values = here.cases[case].values or (0,)
    assert len(here.run(case, 10, values[-1])) == 10
