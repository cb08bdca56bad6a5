"""An infrared channel between boards of a bench, as the engine takes it."""

from collections.abc import Sequence
from typing import TypedDict


class Infrared(TypedDict):
    """A half-duplex channel of `lines` (`board.device`): all hear the one that sends, later by
    cycles of the sender; with `echo` the sender too. Characters that overlap combine as pulses.
    Each bit is inverted at `bit_error_rate`, by `seed`; `directions` (sender, receiver, rate) have
    rates of their own. The own echo has no errors."""

    lines: Sequence[str]
    delay_cycles: int
    echo: bool
    bit_error_rate: float
    seed: int
    directions: Sequence[tuple[str, str, float]]
