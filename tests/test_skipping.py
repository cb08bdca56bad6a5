"""Loops that only wait are skipped; the real firmware runs the same without, to the last byte."""

import pytest
from firmware_session import CASES, Session

from cyclescope.firmware.configuration import Configuration
from cyclescope.targets.virtual.board import make_board

CONFIGURATIONS = [
    Configuration(),
    Configuration(settings={"isa": "thumb", "mam": 1}),
    Configuration(board="lpc2148-lab", settings={"code": "lab", "timer": "timer1"}),
]
SRAM, SRAM_BYTES = 0x4000_0000, 0x8000


def everything(session: Session) -> tuple[object, ...]:
    board = session.board
    memory = board.read_memory(SRAM, SRAM_BYTES)
    return board.cycle, board.instructions, board.registers(), memory, board.unverified()


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=["flash", "thumb", "lab"])
def test_the_firmware_runs_the_same_with_and_without_skipping(
    configuration: Configuration,
) -> None:
    skipping, stepping = Session(configuration), Session(configuration)
    skipping.board.set_skipping(True)
    stepping.board.set_skipping(False)
    already = stepping.board.skipped_cycles
    for case in CASES:
        x = (*skipping.cases[case].values, 0)[0]
        for empty in (False, True):
            ran = [one.run(case, 10, x, empty=empty) for one in (skipping, stepping)]
            assert ran[0] == ran[1]
            assert everything(skipping) == everything(stepping)
    assert stepping.board.skipped_cycles == already
    # The firmware waits for the line and, between samples, for the tick, and does little else.
    assert skipping.board.skipped_cycles > 100_000


COUNTING = (0xE280_0001, 0xEAFF_FFFD)
"""add r0, r0, #1; b back: no iteration repeats another."""


def test_a_program_that_never_waits_is_seldom_stepped() -> None:
    board = make_board("lpc2148", "blocks")
    board.load_bytes(0, b"".join(word.to_bytes(4, "little") for word in COUNTING))
    board.reset()
    board.run(cycles=2_000_000)
    stepped, in_blocks, translated = board.instructions_by_tier
    assert (translated, board.skipped_cycles) == (0, 0)
    assert stepped < in_blocks / 30
