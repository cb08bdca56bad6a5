"""Devices of the ATmega2560 under programs by avr-gcc: cycles by hand (docs/timing/)."""

import shutil
import signal
import subprocess
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from chip import Chip
from vcdvcd import VCDVCD

from cyclescope.targets.virtual.vcd import Waves

# vcdvcd restores the default on import: then a write to a closed pipe would end the tests.
signal.signal(signal.SIGPIPE, signal.SIG_IGN)

Make = Callable[..., Chip]


def gaps(cycles: Sequence[int]) -> list[int]:
    """Cycles from each edge to the next."""
    return [later - earlier for earlier, later in pairwise(cycles)]


def test_a_loop_of_sbi_toggles_a_pin_and_a_read_is_a_cycle_late(chip: Make) -> None:
    board = chip("pins.S")
    board.watch("ports.pb7", "ports.pb6")
    board.finish()
    edges = board.edges("ports.pb7")
    # SBI 2, DEC 1, BRNE taken 2 cycles.
    assert gaps(edges)[1:] == [5] * 99
    assert len(board.edges("ports.pb6")) == 1, "the other pins stay"
    assert board.bytes("seen", 2) == [0, 0xFF]


def test_pins_are_in_a_dump_of_usual_signals(chip: Make, tmp_path: Path) -> None:
    board = chip("pins.S")
    waves = Waves(tmp_path / "waves.vcd", [("chip", board.board)], ())
    board.finish()
    waves.close()
    levels = VCDVCD(str(tmp_path / "waves.vcd"))["chip.ports.pb7"].tv
    assert [level for _, level in levels[:3]] == ["0", "1", "0"]
    # A loop of 5 cycles at 16 MHz: 312,500 ps.
    assert gaps([at for at, _ in levels])[2:] == [312_500] * 99


@pytest.mark.parametrize("sleeps", (0, 1))
def test_a_handler_begins_by_the_cycles_of_the_data_sheet(chip: Make, sleeps: int) -> None:
    board = chip("latency.S", SLEEPS=sleeps)
    board.watch("timer0.compa", executed=["started", "handler"])
    board.finish()
    (started, _), (handler, _) = board.executed()
    (request,) = board.edges("timer0.compa", 1)
    # The count that leaves 99 is the hundredth. A boundary sees it one cycle later. The response
    # takes 5 cycles, and 5 more behind a sleep.
    assert request == started + 100
    assert handler == request + 1 + 5 + 5 * sleeps


def test_interrupts_go_by_their_vectors_and_wake_the_core(chip: Make) -> None:
    board = chip("interrupts.c")
    board.board.drive("ports.in_pd2", 1, at=400)
    board.finish()
    assert bytes(board.bytes("order", 4)) == b"ABO2"


def test_a_request_during_the_same_sleep_is_taken_first(chip: Make) -> None:
    board = chip("interrupts.c")
    board.watch("timer0.compa")
    board.board.run(cycles=2000)
    (match,) = board.edges("timer0.compa", 1)
    again = chip("interrupts.c")
    # Two edges through the synchroniser: INT2 requests with both compare matches.
    again.board.drive("ports.in_pd2", 1, at=match - 2)
    again.finish()
    assert bytes(again.bytes("order", 4)) == b"2ABO"


def test_a_line_goes_out_and_a_character_comes_back(chip: Make) -> None:
    board = chip("serial.c")
    board.board.run(cycles=60_000)
    sent = board.board.receive("usart0.txd")
    assert bytes(value for _, value in sent) == b"Hello, world\n"
    times = [cycle for cycle, _ in sent]
    # 10 bits of 8 × 17 cycles, back to back.
    assert gaps(times) == [1360] * 12
    board.board.send("usart0.rxd", b"A")
    board.finish()
    assert [value for _, value in board.board.receive("usart0.txd")] == [ord("B")]


def test_the_eeprom_holds_and_halts(chip: Make) -> None:
    board = chip("eeprom.c")
    board.finish()
    assert board.bytes("read_kept") == [0x5A]
    assert board.bytes("read_erased") == [0xFF]
    assert board.bytes("read_fresh") == [0xC3]
    low, high = board.bytes("read_counts", 2)
    # SBI 2 cycles and the halt of 4, between the reads of TCNT1L of two LDS.
    assert high << 8 | low == 4 + 2 + 4
    low, high = board.bytes("write_counts", 2)
    # 3.4 ms at 16 MHz, but for the return of the library's function and one loop of polling.
    assert 54_400 - 60 <= high << 8 | low <= 54_400 + 10
    assert board.board.read_memory(board.address("fresh"), 1) == b"\xc3"


def test_a_watchdog_resets_the_part(chip: Make) -> None:
    board = chip("watchdog.c")
    board.watch("wd.reset")
    board.finish()
    assert board.bytes("causes", 3) == [0x01, 0x08, 0x08]
    first, second = board.edges("wd.reset", 1)
    # 2,048 cycles of 128 kHz, from the program's WDR on.
    assert 256_000 < first < 256_100
    assert 256_000 < second - first < 256_100


def test_the_clock_is_divided(chip: Make) -> None:
    board = chip("clock.c")
    board.finish()
    assert board.board.level("system.core_hz") == 1_000_000


@pytest.mark.skipif(not shutil.which("simavr"), reason="simavr is not installed")
def test_simavr_sends_the_same_line(build: Callable[..., Path]) -> None:
    """It agrees where no timer is involved."""
    ran = subprocess.run(
        ["timeout", "5", "simavr", "-m", "atmega2560", "-f", "16000000", build("serial.c")],
        capture_output=True, check=False,
    )  # fmt: skip
    assert b"Hello, world" in ran.stdout + ran.stderr
