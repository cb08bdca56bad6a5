"""The board's pin delays beside its program that toggles (Moreno and Fischmeister, equation 1)."""

from collections.abc import Callable

import numpy as np
import pytest
from chip import Chip

from cyclescope.firmware.boards import firmware_of, require

HZ = 16_000_000


def test_a_pulse_is_longer_than_its_code_by_what_the_board_file_says(
    chip: Callable[..., Chip],
) -> None:
    firmware = firmware_of("atmega2560")
    delays = require(firmware.pin_delays, "atmega2560", "pin_delays")
    pin = require(firmware.pin, "atmega2560", "pin")
    board = chip("pulse.S")
    board.watch(pin, executed=["toggles", "code", "toggles_again"])
    board.finish()
    (toggles, _), (code, _), (again, _) = board.executed()
    (rises,), (falls,) = board.edges(pin, 1), board.edges(pin, 0)
    assert (rises - toggles, code - rises) == (delays.before_cycles, delays.after_cycles)
    assert (again - code, falls - again) == (100, delays.before_cycles)
    up, down = delays.times_s(np.array([rises, falls]), np.array([True, False]), HZ)
    assert down - up == pytest.approx(100 / HZ + delays.excess_s(HZ), abs=1e-12)
    assert delays.rise_ns != delays.fall_ns
