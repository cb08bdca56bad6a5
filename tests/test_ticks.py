"""The cost of a tick to the call that it interrupts, and the effect of kernel options on it."""

import pytest
from firmware_session import session

from cyclescope.firmware.configuration import Configuration

pytestmark = pytest.mark.matrix

Options = tuple[tuple[str, int], ...]
PLAIN: Options = ()
HOOK: Options = (("configUSE_TICK_HOOK", 1),)
UNSLICED: Options = (("configUSE_TIME_SLICING", 0),)
FARTHEST = 3000
"""Cycles before a tick at which a sample is placed, at the most."""


def tick_cycles(options: Options, case: str, x: int = 0) -> int:
    """Cycles by which a call is longer with a tick in it, the least of many places in the call."""
    this = session(Configuration(board="lpc2148-lab", settings={"code": "lab"}, options=options))
    (clear,) = {sample.ticks for sample in this.run(case, 10, x)}
    period = this.hello.timer_hz // this.hello.tick_hz
    samples = [this.run(case, 1, x, delay=period - before)[0] for before in range(40, FARTHEST, 40)]
    return min(s.ticks - clear for s in samples if s.flags and s.ticks > clear)


def test_a_tick_asks_whether_others_of_equal_priority_are_ready() -> None:
    call = ("calloc.one_free_block", 1024)
    assert tick_cycles(PLAIN, *call) - tick_cycles(UNSLICED, *call) == 18


def test_a_tick_calls_its_hook() -> None:
    call = ("calloc.one_free_block", 1024)
    assert tick_cycles(PLAIN, *call) == 223
    assert tick_cycles(HOOK, *call) == 223 + 22


def test_a_tick_switches_to_a_task_of_equal_priority() -> None:
    assert tick_cycles(UNSLICED, "yield.equals") == 223 - 18
    assert tick_cycles(PLAIN, "yield.equals") == 496
