"""Cases of FreeRTOS and of avr-libc on the ATmega2560: times against the board's own clock."""

import pytest
from choices import configured
from firmware_session import CASES, DAILY, Session, params, session
from test_truth import residuals

from cyclescope import wire
from cyclescope.firmware.build import build
from cyclescope.firmware.configuration import Configuration
from cyclescope.firmware.program import Program

KERNEL = configured({"board": "atmega2560"})
SLOW_CLOCK = configured({"board": "atmega2560", "clock": 1})
CHECKED = configured({"board": "atmega2560", "options": (("configCHECK_FOR_STACK_OVERFLOW", 2),)})
"""A switch looks at the end of the stack of the task that it leaves."""
LIBRARY = configured({"board": "atmega2560", "kernel": "bare"})
LIBRARY_CASES = (
    *("memcpy.aligned", "malloc.behind_small_blocks", "qsort.shuffled", "strtol.negative"),
    *("sprintf.fixed", "sin.small", "longjmp.back", "gmtime.march", "mktime.march"),
    *("asctime_r.moment", "strftime.names", "fputs.unbuffered", "getc.unbuffered"),
)


def check_truth(here: Session, case: str) -> None:
    """Raw times are what the board saw, and less the overhead they are the call's, at the ends of
    the domain that fit."""
    values = here.cases[case].values or (0,)
    seen = 0
    for x in dict.fromkeys((values[0], values[-1])):
        try:
            real, empty = (here.witnessed(case, 10, x, empty=empty) for empty in (False, True))
        except wire.SeriesDoesNotFit:
            continue
        for one in (real, empty):
            assert one.raw == [truth.raw for truth in one.truths]
        assert residuals(real, empty) == {0}
        seen += 1
    assert seen or here.cases[case].values


def test_the_image_has_all_cases() -> None:
    assert set(session(KERNEL).cases) == set(CASES)


@pytest.mark.parametrize("case", params(CASES, DAILY))
def test_a_kernel_call_takes_what_the_board_saw(case: str) -> None:
    check_truth(session(KERNEL), case)


@pytest.mark.parametrize(
    ("case", "cycles"),
    [
        ("critical_enter.outermost", 1 + 1 + 2),
        ("critical_exit.outermost", 2 + 1),
        ("critical_exit.nested", 2 + 1),
    ],
)
def test_a_critical_section_takes_its_instructions(case: str, cycles: int) -> None:
    """IN, CLI, PUSH to enter, POP, OUT to leave, by the instruction set's manual."""
    real, empty = (session(KERNEL).witnessed(case, empty=empty) for empty in (False, True))
    assert {truth.call for truth in real.truths} == {cycles}
    assert {truth.call for truth in empty.truths} == {0}
    assert residuals(real, empty) == {0}


@pytest.mark.parametrize("case", ["semaphore_take.binary_full", "yield.equals"])
def test_the_clock_changes_no_count(case: str) -> None:
    fast, slow = (session(one).witnessed(case).raw for one in (KERNEL, SLOW_CLOCK))
    assert fast == slow


@pytest.mark.parametrize("case", LIBRARY_CASES)
def test_a_call_of_the_library_takes_what_the_board_saw(case: str) -> None:
    check_truth(session(LIBRARY), case)


def test_an_offset_beyond_the_samples_is_refused() -> None:
    """Their sum has 16 bits, as an int there."""
    here = session(KERNEL)
    here.run("semaphore_take.binary_full", 10)
    with pytest.raises(wire.RequestRefused):
        here.link._samples(0xFFFF, 26)


@pytest.mark.parametrize(("configuration", "counts"), [(KERNEL, 125), (SLOW_CLOCK, 139)])
def test_the_tick_has_the_period_that_the_kernel_names(
    configuration: Configuration, counts: int
) -> None:
    """So many counts of Timer0, at a 1024th of the clock: 125 Hz at 16 MHz, 7 Hz at 1 MHz."""
    here = session(configuration)
    entry = Program(build(configuration).elf.read_bytes()).symbols["__vector_21"]
    here.board.watch(executed=[entry])
    here.board.take_executed()
    for _ in range(6):  # each series waits for a tick
        here.run("yield.alone", 5)
    ticks = [cycle for cycle, _ in here.board.take_executed()]
    here.board.watch()
    period = counts * 1024
    assert here.hello.core_hz // here.hello.tick_hz // 1024 == counts
    assert len(ticks) > 4
    assert (ticks[-1] - ticks[0]) / (len(ticks) - 1) == pytest.approx(period, rel=1e-3)


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
