"""Conditions of a program on this machine, and the timers there are."""

from collections.abc import Mapping

from cyclescope import wire
from cyclescope.errors import CyclescopeError
from cyclescope.firmware.build import Built
from cyclescope.target.conditions import Conditions
from cyclescope.targets.host import machine

BOARD = "host"
TIMERS = ("cycle_counter", "clock_gettime")
CORE_CLOCK = (
    "the core's own counter, measured against CLOCK_MONOTONIC_RAW over 50 ms and rounded to "
    "0.1 MHz; the clock that drives the core may be another and is not seen"
)


def conditions_of(built: Built, hello: wire.Hello, found: Mapping[str, str]) -> Conditions:
    """The conditions of a program that answers on this machine, which was `found` so."""
    return Conditions(
        target=BOARD,
        real=True,
        core_hz=hello.core_hz,
        timer=hello.timer,
        timer_hz=hello.timer_hz,
        machine=dict(found),
        image_sha256=built.sha256,
        **built.facts.conditions,
    )


def choose_timer(asked: str) -> str:
    """The timer; `measurement`, which only virtual boards have, stands for the best there is."""
    constant = machine.constant_counter()
    timer = (TIMERS[0] if constant else TIMERS[1]) if asked == "measurement" else asked
    if timer not in TIMERS:
        raise CyclescopeError(f"the host has no timer {timer}: choose one of {', '.join(TIMERS)}")
    if timer == "cycle_counter" and not constant:
        raise CyclescopeError(
            "the cycle counter of this machine does not keep one rate: choose --timer clock_gettime"
        )
    return timer
