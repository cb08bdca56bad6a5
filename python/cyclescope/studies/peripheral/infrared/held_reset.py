"""A board that is held in reset for a while: on a bench, boards share one time from power-on."""

import struct

from cyclescope.targets.virtual.board import Board

ROM, PLACE = 0x0040_0000, 0x000F_FF00
"""Where the ROM is linked, and a place that no image of a station has. Before the remap the ROM
answers at address 0."""
START = 0
LONGEST_CYCLES = 1000
"""Of the shortest count."""
US_PER_S = 1_000_000
LOOP = (0xE59F_0008, 0xE250_0001, 0x1AFF_FFFD, 0xE3A0_F000)
"""LDR r0, count; SUBS r0, r0, #1; BNE to it; MOV pc, #0. The count is the next word."""


def hold(board: Board, microseconds: int) -> None:
    """Lets a board that stands at its power-on begin so much later: first it counts down, from
    the ROM. It may begin up to one iteration too late."""
    if not microseconds:
        return
    least, more = (_cycles(board, count) for count in (1, 2))
    wanted = microseconds * board.core_hz // US_PER_S
    _set(board, max(1, 1 - (least - wanted) // (more - least)))


def _set(board: Board, count: int) -> None:
    board.load_bytes(ROM + PLACE, struct.pack("<5I", *LOOP, count))
    board.reset(PLACE)


def _cycles(board: Board, count: int) -> int:
    """From power-on to the first instruction of the image."""
    _set(board, count)
    board.run(cycles=LONGEST_CYCLES, pcs=[START])
    return board.cycle
