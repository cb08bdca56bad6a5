"""Conditions of a program on this machine, and the timers there are."""

from collections.abc import Mapping

from cyclescope import wire
from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.boards import Value
from cyclescope.firmware.build import Built
from cyclescope.target.conditions import Conditions
from cyclescope.target.target import Selection
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


def require_settings(selection: Selection) -> None:
    """Refuses settings of other boards, and layouts."""
    if selection.options:
        raise CyclescopeError(
            "the host's kernel is as it is: leave --option out, or choose a board that runs Linux",
            code="host-kernel-as-it-is",
        )
    there = boards.firmware_of(BOARD).settings
    others = [f"--{name}" for name in selection.settings if name not in there]
    others += ["--code"] if selection.value("code") != "ram" else []
    if others or selection.layout:
        raise CyclescopeError(
            "the host has no settings of a board and no layouts, and its memory, instruction set "
            f"and clock are as they are: leave {', '.join(others) or '--layouts'} out",
            code="host-has-no-such-conditions",
        )


def choose_timer(asked: Value | None) -> str:
    """The timer; None, and `measurement`, which only virtual boards have, stand for the best."""
    constant = machine.constant_counter()
    best = TIMERS[0] if constant else TIMERS[1]
    timer = best if asked in (None, "measurement") else str(asked)
    if timer not in TIMERS:
        raise CyclescopeError(
            f"the host has no timer {timer}: choose one of {', '.join(TIMERS)}",
            code="host-has-no-such-timer",
        )
    if timer == "cycle_counter" and not constant:
        raise CyclescopeError(
            "the cycle counter of this machine does not keep one rate: choose --timer "
            "clock_gettime",
            code="host-cycle-counter-unsteady",
        )
    return timer
