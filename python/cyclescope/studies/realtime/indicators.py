"""Indicators: the timed events, and the load and the tasks beside them, under which they are timed.

Huang, Guo, Liang and Song, "Research on Real-time Performance Testing Methods for Robot Operating
System", sections III.C and IV.B.
"""

from enum import StrEnum


class Indicator(StrEnum):
    """The timed event, from `start` to `stop` of each sample."""

    SWITCHING = "switching"
    """From the time one of five equal threads took before it yielded to that of the next one."""
    PREEMPTION = "preemption"
    """From just before a thread of higher priority is woken to its first instruction."""
    INTERRUPT = "interrupt"
    """From just before a software interrupt is asked for to the first line of the user's ISR."""
    SHUFFLING = "shuffling"
    """From just before A releases S to B, which waited for it, being active."""
    HARDWARE = "hardware"
    """From a line's rise, at a time the firmware cannot foresee, to the first line of the ISR."""
    WAKE_UP = "wake_up"
    """From the time a thread asked a timer to wake it to its first instruction. Not an interrupt
    response: a figure of its own where programs have no ISR, as on Linux."""


PAPERS = (Indicator.SWITCHING, Indicator.PREEMPTION, Indicator.INTERRUPT, Indicator.SHUFFLING)
"""The four of section III.C, in the order of Table I. The other two are ours."""


class ScoreUnit(StrEnum):
    """The computation of the calibration: the product of two 2 × 2 matrices."""

    DOUBLE = "double"
    """Of C's `double`: T_standard of the paper."""
    INTEGER = "integer"
    """Of 32-bit integers: a unit that no floating-point hardware or library moves."""


class BackgroundState(StrEnum):
    """State of the tasks beside those of the test (section IV.B, Figure 9)."""

    READY_EQUAL = "ready_equal"
    """Ready at the priority of the test threads; each yields as soon as it runs."""
    READY_LOWER = "ready_lower"
    """Ready below the test threads; they get the processor only when those leave it."""
    DELAYED = "delayed"
    """Asleep, waiting in the kernel's list of delayed tasks."""


class LoadKind(StrEnum):
    """Source of the requested load."""

    CALLS = "calls"
    """Five background threads call the kernel's facilities: the paper's load."""
    INTERRUPTS = "interrupts"
    """A timer's interrupt, whose routine computes."""
    MEMORY = "memory"
    """The five threads copy, fill and compare blocks of memory."""
    IO = "io"
    """The five threads access a device's registers; on Linux, a file."""
